import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// Which backups go, and when.
@Suite("Thinning the backups", .limited)
struct ThinningTests {
  @Test("What is written anew after a kill waits for no old journal to be read")
  func thinnedLater() throws {
    var maker = LibraryMaker(seed: 31)
    let disk = SimulatedDisk()
    var bounds = BackupBounds()
    (bounds.generations, bounds.undoable) = (2, 1)
    var store = try Recovery.open(disk, keeping: bounds).store
    for _ in 0..<12 {
      try change(store, &maker)
      try store.checkpoint(maker.library)
    }
    try change(store, &maker)
    disk.restart()
    let opened = try Recovery.open(disk, keeping: bounds, writesLater: true)
    store = opened.store
    func backups() -> Set<String> {
      Set(disk.files.keys.filter { $0.folder == .backups }.map(\.name))
    }
    let (before, operations) = (backups(), disk.trace.count)
    store.writeRecovered(opened.library)
    let added = backups().subtracting(before)
    let read = disk.trace[operations...].filter { $0.kind == .read }.map(\.subject)
    #expect(!added.isEmpty && before.isSubset(of: backups()))
    #expect(read.allSatisfy { $0.contains("crates.") }, "only whether it was changed: \(read)")
    // Beside the changes, and once.
    let thin = try #require(try store.checkpointWork(maker.library, isIdle: false))
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil, "it is on its way")
    try change(store, &maker)
    thin()
    #expect(backups().count < before.count + added.count)
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil)
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil)
    expectSame(try Recovery.open(disk).library, maker.library)
  }

  @Test(
    "Where nobody says how much room backups have, it is 64 MiB and four snapshots, to the byte")
  func usualRoom() throws {
    let text = Snapshot.text(Library())
    let header = JournalText.header(generation: 1, base: 0) + [0x0A]
    func backup(_ name: String) -> StoreName { StoreName(name, in: .backups) }
    var files: [StoreName: [UInt8]] = [:]
    for generation in 1...3 { files[backup("crates.\(generation).txt")] = text }
    // What the journal says does not matter here: a batch that the disk had not come to writing.
    let fitting = 67_108_864 + 4 * text.count - text.count
    for more in [0, 1] {
      let rest = [UInt8](repeating: 0, count: fitting - header.count + more)
      files[backup("journal.1.txt")] = header + rest
      let disk = SimulatedDisk(files)
      let generations = Generations(files: disk, keeping: BackupBounds())
      generations.recordSnapshot(text, 4)
      #expect(generations.archiveAndThin(before: 4).isEmpty)
      let found = disk.files.keys.map(\.name).sorted()
      let newest = ["crates.2.txt", "crates.3.txt"]
      #expect(found == (more == 0 ? ["crates.1.txt"] + newest + ["journal.1.txt"] : newest))
    }
  }

  @Test("Beyond the newest two there is room for as many backups as fit, to the byte")
  func room() throws {
    let text = Snapshot.text(Library())
    var files: [StoreName: [UInt8]] = [:]
    for generation in 1...8 {
      files[StoreName("crates.\(generation).txt", in: .backups)] = text
      files[StoreName("journal.\(generation).txt", in: .backups)] =
        JournalText.header(generation: generation, base: 0) + [0x0A]
    }
    let each = text.count + JournalText.header(generation: 1, base: 0).count + 1
    for fitting in 0...6 {
      for missing in 0...(fitting == 0 ? 0 : 1) {
        var bounds = BackupBounds()
        bounds.bytes = fitting * each - missing - 4 * text.count
        let disk = SimulatedDisk(files)
        let generations = Generations(files: disk, keeping: bounds)
        generations.recordSnapshot(text, 9)
        #expect(generations.archiveAndThin(before: 9).isEmpty)
        let kept = max(2, min(8, fitting - missing + 2))
        let names = disk.files.keys
        for kind in ["crates", "journal"] {
          let found = names.compactMap { $0.generation(kind) }.sorted()
          #expect(found == Array((9 - kept)...8), "\(kind), \(fitting) but for \(missing)")
        }
      }
    }
  }
}
