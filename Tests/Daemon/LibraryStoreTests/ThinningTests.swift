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
    let header = writtenJournal(1, base: 0, count: 0)
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
      generations.thinBackups()
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
      files[StoreName("journal.\(generation).txt", in: .backups)] = writtenJournal(
        generation, base: 0, count: 0)
    }
    let each = text.count + writtenJournal(1, base: 0, count: 0).count
    for fitting in 0...6 {
      for missing in 0...(fitting == 0 ? 0 : 1) {
        var bounds = BackupBounds()
        bounds.bytes = fitting * each - missing - 4 * text.count
        let disk = SimulatedDisk(files)
        let generations = Generations(files: disk, keeping: bounds)
        generations.recordSnapshot(text, 9)
        generations.thinBackups()
        let kept = max(2, min(8, fitting - missing + 2))
        let names = disk.files.keys
        for kind in ["crates", "journal"] {
          let found = names.compactMap { $0.generation(kind) }.sorted()
          #expect(found == Array((9 - kept)...8), "\(kind), \(fitting) but for \(missing)")
        }
      }
    }
  }

  @Test("An old snapshot goes that is as it was written, or edited, and no damaged one")
  func oldSnapshots() {
    let edited = Array("crated 1 sequence 0\nend edited\n".utf8)
    let text = Snapshot.text(Library())
    for (first, isKept) in [(text, false), (edited, false), (Array("garbage\n".utf8), true)] {
      #expect(kept([first, text, text, text]) == (isKept ? [1, 3, 4] : [3, 4]))
    }
  }

  @Test("What the person did before a journal that was never begun outlives its snapshot")
  func historyBeforeUnbegun() {
    let text = Snapshot.text(Library())
    let journals = [
      writtenJournal(1, base: 0, count: 1), [], writtenJournal(3, base: 1, count: 0),
      writtenJournal(4, base: 1, count: 0),
    ]
    #expect(kept([text, text, text, text], journals) == [3, 4])
    #expect(kept([text, text, text, text], journals, "journal") == [1, 3, 4])
  }

  /// The generations of a kind that are left of these backups, of which none but the newest two
  /// fit.
  private func kept(
    _ snapshots: [[UInt8]], _ journals: [[UInt8]] = [], _ kind: String = "crates"
  ) -> [Int] {
    var files: [StoreName: [UInt8]] = [:]
    for (place, text) in snapshots.enumerated() {
      files[StoreName("crates.\(place + 1).txt", in: .backups)] = text
    }
    for (place, text) in journals.enumerated() {
      files[StoreName("journal.\(place + 1).txt", in: .backups)] = text
    }
    var bounds = BackupBounds()
    bounds.bytes = 0
    let disk = SimulatedDisk(files)
    Generations(files: disk, keeping: bounds).thinBackups()
    return disk.files.keys.compactMap { $0.generation(kind) }.sorted()
  }

  @Test("Of the backups the newest twenty are kept, and ever fewer of those before")
  func ages() {
    var kept: [Int] = []
    var most = 0
    for generation in 1...3000 {
      kept.append(generation)
      let ages = BackupAges(snapshots: kept)
      kept = kept.filter(ages.keeps)
      #expect(kept.suffix(20) == Array(max(1, generation - 19)...generation)[...])
      most = max(most, kept.count)
    }
    #expect(kept.first == 1 && most < 160)
    // No gap is longer than the age of what is behind it.
    for (older, newer) in zip(kept, kept.dropFirst()) {
      #expect(newer - older <= max(1, (3000 - older) / 5), "\(older) \(newer)")
    }
    let every = BackupAges(snapshots: Array(1...61))
    #expect((38...42).filter(every.keeps) == [38, 40, 42])
    let sparse = BackupAges(snapshots: [3] + Array(100...140))
    #expect(sparse.keeps(3) && sparse.keeps(4), "a journal that continues 3 goes with it")
    #expect(sparse.keeps(2), "what no snapshot explains is nobody's to throw away")
  }
}
