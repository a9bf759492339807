import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Past changes")
struct PastChangesTests {
  private let crate = Change.crateAdded("Jazz", after: nil)

  /// A store into which the person and the folder wrote by turns, with a restart after each.
  private func disk(starts: Int) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    for start in 0..<starts {
      let opened = try Recovery.open(disk)
      var library = opened.library
      // Renames to and fro need nothing but the crate.
      let change: Change =
        start == 0
        ? crate
        : start % 2 == 1 ? .crateRenamed("Jazz", to: "Rock") : .crateRenamed("Rock", to: "Jazz")
      let author = start % 3 == 0 ? Author.person : .folder
      let committed = try opened.store.commit(
        [
          CommittedChange(
            sequence: 0, time: 1, author: author, summary: "change \(start)", changes: [change])
        ], to: library)
      try library.apply(change, by: author)
      library.advance(to: committed[0].sequence)
      opened.store.close(library)
      disk.restart()
    }
    return disk
  }

  @Test("All of them are found across checkpoints and restarts, the newest so many")
  func acrossRestarts() throws {
    // Few enough for every backup to be there still.
    let store = try Recovery.open(try disk(starts: 8)).store
    let all = store.pastChanges(before: .max, most: 100, of: nil)
    #expect(all.map(\.sequence) == Array(1...8))
    #expect(store.pastChanges(before: .max, most: 3, of: nil).map(\.sequence) == [6, 7, 8])
    #expect(store.pastChanges(before: 5, most: 2, of: nil).map(\.sequence) == [3, 4])
    let own = store.pastChanges(before: .max, most: 2, of: .person)
    #expect(own.map(\.sequence) == [4, 7])
    #expect(store.pastChanges(before: 1, most: 3, of: nil).isEmpty)
  }

  @Test("They are found behind a journal that a start left empty when it was cut off")
  func notBegun() throws {
    let disk = try disk(starts: 4)
    _ = try disk.create(.journal(100))
    for _ in 0..<3 {
      let store = try Recovery.open(disk).store
      #expect(store.pastChanges(before: .max, most: 100, of: nil).map(\.sequence) == Array(1...4))
      disk.restart()
    }
    let report = StoreCheck.run(disk)
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.notes.map(\.name.name) == ["journal.100.txt"])
  }

  @Test("What the person did outlives the thinning of the backups")
  func thinned() throws {
    let starts = 4 * StoreLimits.backupsKept
    let disk = try disk(starts: starts)
    let store = try Recovery.open(disk).store
    let own = store.pastChanges(before: .max, most: UndoHistory.kept, of: .person)
    #expect(own.map(\.sequence) == Array(stride(from: 1, through: starts, by: 3)))
    let backups = disk.files.keys.filter { $0.folder == .backups }
    // Each start made a journal for its change, and a generation when it stopped.
    #expect(backups.count { $0.generation("crates") != nil } < starts * 3 / 4)
    #expect(backups.count { $0.generation("journal") != nil } < 2 * starts * 3 / 4)
  }
}

@Suite("Past libraries")
struct PastLibraryTests {
  @Test("The library is known as it was at any number, across checkpoints, restarts and kills")
  func everyNumber() throws {
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: SeededGenerator(usually: 20_261_127).seed)
    var opened = try Recovery.open(disk)
    var past = [maker.library]
    for step in 0..<60 {
      let before = maker.library
      var changes: [CommittedChange] = []
      for _ in 0...(step % 3) { changes.append(try maker.committed()) }
      let numbered = try opened.store.commit(changes, to: before)
      maker.library.advance(to: numbered.map(\.sequence).max() ?? 0)
      past.append(maker.library)
      switch step % 7 {
      case 2: try opened.store.checkpoint(maker.library)
      case 4: opened.store.close(maker.library)
      default: break
      }
      if step % 7 > 3 {
        disk.restart()
        opened = try Recovery.open(disk)
        maker.library = opened.library
      }
    }
    let numbers = Set(past.map(\.sequence))
    for library in past {
      let found = try #require(opened.store.library(at: library.sequence))
      expectSame(found, library, "at \(library.sequence)")
    }
    for number in stride(from: 0, to: maker.library.sequence, by: 11)
    where !numbers.contains(number) {
      // In the middle of a batch there is none.
      #expect(opened.store.library(at: number)?.sequence ?? number == number)
    }
    #expect(opened.store.library(at: maker.library.sequence + 1) == nil)
  }

  @Test("Where a journal is missing or damaged, or a batch is not over, there is no guess")
  func missing() throws {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: 3)
    var numbers: [Int] = []
    for _ in 0..<3 {
      let before = maker.library
      let numbered = try store.commit([try maker.committed(steps: 3)], to: before)
      maker.library.advance(to: numbered[0].sequence)
      numbers.append(numbered[0].sequence)
    }
    try store.checkpoint(maker.library)
    let known = numbers.map { store.library(at: $0)?.sequence }
    #expect(known == numbers)
    #expect(store.library(at: numbers[0] + 1) == nil)

    let journal = try #require(disk.files.keys.first { $0.generation("journal") == 1 })
    var bytes = try #require(disk.files[journal])
    bytes[bytes.count / 2] ^= 1
    try disk.remove(journal)
    try disk.append(bytes, to: disk.create(journal))
    #expect(store.library(at: numbers[0])?.sequence == numbers[0])
    #expect(store.library(at: numbers[1]) == nil)
    #expect(store.library(at: numbers[2])?.sequence == numbers[2])
    try disk.remove(journal)
    #expect(store.library(at: numbers[0]) == nil)
    #expect(store.library(at: numbers[2])?.sequence == numbers[2])
  }

  private func commit(
    _ name: String, _ store: LibraryStore<SimulatedDisk>, _ library: inout Library
  ) throws {
    let change = Change.crateAdded(name, after: nil)
    let numbered = try store.commit(
      [CommittedChange(sequence: 0, time: 1, author: .person, summary: "", changes: [change])],
      to: library)
    try library.apply(change, by: .person)
    library.advance(to: numbered[0].sequence)
  }

  @Test("Changes that were given up are left out, and a gap is seen")
  func givenUp() throws {
    // Two lives that part after the first change.
    func life(_ second: String, checkpoint: Bool) throws -> SimulatedDisk {
      let disk = SimulatedDisk()
      let opened = try Recovery.open(disk)
      var library = opened.library
      try commit("First", opened.store, &library)
      if checkpoint { try opened.store.checkpoint(library) }
      try commit(second, opened.store, &library)
      if checkpoint {
        try opened.store.checkpoint(library)
        try commit("Third", opened.store, &library)
      }
      return disk
    }
    var files = try life("Second", checkpoint: true).files
    let other = try life("Given up", checkpoint: false).files
    let journal = StoreName("journal.1.txt", in: .backups)
    let whole = try #require(files[journal])
    files[journal] = other[.journal(1)]
    files[StoreName("crates.2.txt", in: .backups)] = nil
    files[.snapshot(3)] = nil
    func names(_ sequence: Int) throws -> [String]? {
      let store = LibraryStore(files: SimulatedDisk(files), newest: 3)
      return store.library(at: sequence)?.crates.map(\.name)
    }
    #expect(try names(1) == ["First"])
    #expect(try names(2) == ["Second", "First"])
    #expect(try names(3) == ["Third", "Second", "First"])
    files[journal] = whole
    files[StoreName("journal.2.txt", in: .backups)] = nil
    #expect(try names(1) == ["First"])
    #expect(try names(3) == nil)
  }
}
