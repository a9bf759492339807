import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Writing and archiving generations", .limited)
struct GenerationsTests {
  private func names(_ disk: SimulatedDisk) -> [String] {
    disk.files.keys.map(\.description).sorted()
  }

  @Test("What is older goes to the backups, what is being written or newer stays")
  func archive() {
    let text = Snapshot.text(Library())
    let disk = SimulatedDisk([
      .snapshot(4): text, .journal(4): [], .snapshot(5): text, .journal(5): [], .journal(6): [],
      StoreName("crates.4.txt.new"): [], StoreName("crates.5.txt.new"): [], StoreName("lock"): [],
    ])
    let generations = Generations(files: disk, keeping: BackupBounds())
    #expect(generations.archive(before: 5).isEmpty)
    let here = ["crates.5.txt", "crates.5.txt.new", "journal.5.txt", "journal.6.txt", "lock"]
    #expect(names(disk) == ["backups/crates.4.txt", "backups/journal.4.txt"] + here)
    let folders = disk.trace.filter { $0.kind == .synchronizeFolder }.map(\.subject)
    #expect(folders == ["backups", "store"], "a name is safe there before it is gone from here")
    // With nothing to move, nothing has to be made safe.
    #expect(generations.archive(before: 5).isEmpty)
    #expect(disk.trace.count { $0.kind == .synchronizeFolder } == 2)
  }

  @Test("A directory whose synchronization failed is never synchronized again")
  func faults() throws {
    let disk = SimulatedDisk([.snapshot(1): Snapshot.text(Library())])
    let generations = Generations(files: disk, keeping: BackupBounds())
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.synchronizeFolder])
    disk.failsOnce = true
    #expect(throws: SystemCallError.self) { try generations.makeJournal(2) }
    #expect(names(disk) == ["crates.1.txt"], "the journal is gone again")
    #expect(disk.trace.contains { $0.kind == .close && $0.subject == "journal.2.txt" })
    #expect(generations.fault(of: .store)?.code == 5 && generations.fault(of: .backups) == nil)
    let before = disk.trace.count
    #expect(throws: SystemCallError.self) { try generations.makeJournal(3) }
    #expect(generations.archive(before: 9).isEmpty)
    #expect(disk.trace.count == before && disk.offences.isEmpty)
  }

  @Test("A journal whose first line can't be written is closed and removed")
  func beginFails() throws {
    for kind in [SimulatedDisk.Kind.append, .synchronizeFile] {
      let disk = SimulatedDisk()
      let generations = Generations(files: disk, keeping: BackupBounds())
      let file = try generations.makeJournal(1)
      #expect(names(disk) == ["journal.1.txt"])
      disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [kind])
      #expect(throws: SystemCallError.self) { try generations.begin(file, 1, [1]) }
      #expect(names(disk).isEmpty && disk.trace.contains { $0.kind == .close })
    }
    let disk = SimulatedDisk()
    let generations = Generations(files: disk, keeping: BackupBounds())
    try generations.begin(try generations.makeJournal(1), 1, [1, 2])
    #expect(disk.files[.journal(1)] == [1, 2, 0x0A])
    #expect(disk.trace.last?.kind == .synchronizeFile)
  }

  @Test("A snapshot that can't get its name leaves nothing behind")
  func snapshotFails() throws {
    for kind in [SimulatedDisk.Kind.rename, .synchronizeFolder, .close, .synchronizeFile, .append] {
      let disk = SimulatedDisk()
      let generations = Generations(files: disk, keeping: BackupBounds())
      disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [kind])
      #expect(throws: SystemCallError.self) { try generations.writeSnapshot(Library(), 1) }
      let isThere = kind == .synchronizeFolder
      #expect(names(disk) == (isThere ? ["crates.1.txt"] : []), "\(kind)")
    }
  }

  @Test("A passing state goes, once it was archived as it was written, and no other does")
  func passing() throws {
    for isChanged in [false, true] {
      let disk = SimulatedDisk()
      let generations = Generations(files: disk, keeping: BackupBounds())
      for generation in 1...2 { try generations.writeSnapshot(Library(), generation) }
      generations.markTransient(2)
      if isChanged { disk.replaceFiles(by: [.snapshot(2): [0x0A]]) }
      let notes = generations.archive(before: 3)
      let passing = isChanged ? ["backups/crates.2.txt"] : []
      #expect(names(disk) == ["backups/crates.1.txt"] + passing)
      #expect(notes.count == passing.count)
      #expect(notes.allSatisfy { $0.hasPrefix("crates.2.txt was changed while crated ran") })
    }
  }

  @Test("What the person did before a journal that was never begun outlives its snapshot")
  func historyBeforeUnbegun() throws {
    let text = Snapshot.text(Library())
    var files: [StoreName: [UInt8]] = [:]
    for generation in 1...4 {
      let header = JournalText.header(generation: generation, base: generation == 1 ? 0 : 1)
      var bytes = generation == 2 ? [] : header + [0x0A]
      if generation == 1 {
        var journal = JournalText(header: header, base: 0)
        var batch = [Transaction(by: .person, changes: [.crateAdded("A", after: nil)])]
        bytes += journal.records(of: &batch)
      }
      files[StoreName("crates.\(generation).txt", in: .backups)] = text
      files[StoreName("journal.\(generation).txt", in: .backups)] = bytes
    }
    var bounds = BackupBounds()
    bounds.bytes = 0
    let disk = SimulatedDisk(files)
    #expect(Generations(files: disk, keeping: bounds).archiveAndThin(before: 5).isEmpty)
    let kept = ["crates.3.txt", "crates.4.txt"] + [1, 3, 4].map { "journal.\($0).txt" }
    #expect(names(disk) == kept.map { "backups/\($0)" })
  }

  @Test("One that can't be read when it is archived is told, and stays")
  func unread() throws {
    let disk = SimulatedDisk()
    let generations = Generations(files: disk, keeping: BackupBounds())
    try generations.writeSnapshot(Library(), 1)
    generations.markTransient(1)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.read])
    let notes = generations.archive(before: 2)
    #expect(notes.count == 1 && notes[0].hasPrefix("crates.1.txt went to the backups unread ("))
    #expect(names(disk) == ["backups/crates.1.txt"])
  }

  @Test("An old snapshot goes that is as it was written, or edited, and no damaged one")
  func oldSnapshots() {
    let edited = Array("crated 1 sequence 0\nend edited\n".utf8)
    let texts = [Snapshot.text(Library()), edited, Array("garbage\n".utf8)]
    for (place, text) in texts.enumerated() {
      var files: [StoreName: [UInt8]] = [:]
      for generation in 1...4 {
        let name = StoreName("crates.\(generation).txt", in: .backups)
        files[name] = generation == 1 ? text : Snapshot.text(Library())
      }
      var bounds = BackupBounds()
      bounds.bytes = 0
      let disk = SimulatedDisk(files)
      #expect(Generations(files: disk, keeping: bounds).archiveAndThin(before: 5).isEmpty)
      let kept = (place < 2 ? [] : [1]) + [3, 4]
      #expect(names(disk) == kept.map { "backups/crates.\($0).txt" })
    }
  }

  /// Two are kept in any case, and as many as are as large as four of the newest and the bound.
  @Test("As many old snapshots are kept as there is room for, to the byte")
  func room() throws {
    let text = Snapshot.text(Library())
    func kept(_ count: Int, bytes: Int, isNewestKnown: Bool = false) throws -> [Int] {
      let disk = SimulatedDisk(
        Dictionary(
          uniqueKeysWithValues: (1...count).map {
            (StoreName("crates.\($0).txt", in: .backups), text)
          }))
      var bounds = BackupBounds()
      bounds.bytes = bytes
      let generations = Generations(files: disk, keeping: bounds)
      if isNewestKnown { try generations.writeSnapshot(Library(), count + 1) }
      #expect(generations.archiveAndThin(before: count + 1).isEmpty)
      return disk.files.keys.filter { $0.folder == .backups }
        .compactMap { $0.generation("crates") }.sorted()
    }
    let size = text.count
    for (bytes, oldest) in [
      (0, 3), (size - 1, 3), (size, 2), (2 * size - 1, 2), (2 * size, 1), (9 * size, 1),
    ] {
      #expect(try kept(4, bytes: bytes) == Array(oldest...4))
    }
    #expect(try kept(7, bytes: 0, isNewestKnown: true) == Array(2...7))
    #expect(try kept(7, bytes: size - 1, isNewestKnown: true) == Array(2...7))
    #expect(try kept(7, bytes: size, isNewestKnown: true) == Array(1...7))
    #expect(try kept(1, bytes: 0) == [1] && kept(2, bytes: 0) == [1, 2])
  }
}
