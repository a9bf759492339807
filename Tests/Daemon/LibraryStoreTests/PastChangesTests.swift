import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Past changes", .limited)
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
          Transaction(
            by: author, time: 1, sentence: "change \(start)", changes: [change])
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
    let all = try store.pastTransactions(before: .max, most: 100, of: nil)
    #expect(all.map(\.sequence) == Array(1...8))
    #expect(
      try store.pastTransactions(before: .max, most: 3, of: nil).map(\.sequence) == [6, 7, 8])
    #expect(try store.pastTransactions(before: 5, most: 2, of: nil).map(\.sequence) == [3, 4])
    let own = try store.pastTransactions(before: .max, most: 2, of: .person)
    #expect(own.map(\.sequence) == [4, 7])
    #expect(try store.pastTransactions(before: 1, most: 3, of: nil).isEmpty)
    for numbers in [[], [0], [1], [5], [8], [9], [0, 9], [2, 7], [1, 4, 5, 8, 11], [-1, 3]] {
      var found: Set<Int> = []
      try store.forEachPast(Set(numbers)) { #expect(found.insert($0.sequence).inserted) }
      #expect(found == Set(numbers).intersection(1...8))
    }
  }

  @Test("What is older than all that were asked for is not read")
  func noMoreThanAsked() throws {
    let disk = SimulatedDisk([
      .journal(1): writtenJournal(1, base: 0, count: 3),
      .journal(2): writtenJournal(2, base: 3, count: 2),
    ])
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.read], name: .journal(1))
    let past = PastLibrary(disk)
    #expect(try past.transactions(before: .max, most: 2, of: nil).map(\.sequence) == [4, 5])
    #expect(disk.faultsMade == 0)
    #expect(throws: UnreadablePast.self) {
      try past.transactions(before: .max, most: 3, of: nil)
    }
    #expect(disk.faultsMade == 1)
    // A journal's are told, and let go of, before an older one is read.
    var told: [Int] = []
    #expect(throws: UnreadablePast.self) {
      try past.forEachNewest(before: .max, most: 3, of: nil) { told.append($0.sequence) }
    }
    #expect(told == [5, 4])
  }

  @Test("They are found behind a journal that a start left empty when it was cut off")
  func notBegun() throws {
    let disk = try disk(starts: 4)
    _ = try disk.create(.journal(100))
    for _ in 0..<3 {
      let store = try Recovery.open(disk).store
      #expect(
        try store.pastTransactions(before: .max, most: 100, of: nil).map(\.sequence) == Array(1...4)
      )
      disk.restart()
    }
    let report = StoreCheck.run(disk)
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.notes.map(\.name.name) == ["journal.100.txt"])
  }

  @Test("One change is found before an edit, where undo goes back no further")
  func beforeEdit() throws {
    let past = PastLibrary(
      SimulatedDisk([
        .journal(1): writtenJournal(1, base: 0, count: 3),
        .journal(2): writtenJournal(2, base: 3, count: 1, isAfterEdit: true),
      ]))
    var found: [Int] = []
    try past.forEach([1, 2, 3, 4]) { found.append($0.sequence) }
    #expect(found.sorted() == [1, 2, 3, 4])
    var place = PastPlace(before: 5)
    #expect(try past.ownTransactions(&place).map(\.sequence) == [4])
    #expect(place.isOver && place.damage == nil)
  }

  @Test("Damage behind the last change that counts keeps nothing from being taken back")
  func damagedBehind() throws {
    var bytes = writtenJournal(1, base: 0, count: 6)
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    // In the first line of the fourth.
    bytes[ends[9] + 12] ^= 1
    for (base, isKnown) in [(2, true), (3, true), (4, false)] {
      let past = PastLibrary(
        SimulatedDisk([.journal(1): bytes, .journal(2): writtenJournal(2, base: base, count: 1)]))
      var place = PastPlace(before: base + 2)
      #expect(try past.ownTransactions(&place).map(\.sequence) == [base + 1])
      let older = try past.ownTransactions(&place).map(\.sequence)
      #expect(older == (isKnown ? Array(1...base) : []))
      #expect((place.damage == nil) == isKnown)
    }
  }

  @Test("What the person did outlives the thinning of the backups")
  func thinned() throws {
    let starts = 4 * BackupBounds().generations
    let disk = try disk(starts: starts)
    let store = try Recovery.open(disk).store
    store.generations.thinBackups()
    let own = try store.pastTransactions(before: .max, most: UndoHistory.kept, of: .person)
    #expect(own.map(\.sequence) == Array(stride(from: 1, through: starts, by: 3)))
    let backups = disk.files.keys.filter { $0.folder == .backups }
    // Each start made a journal for its change, and a generation when it stopped.
    #expect(backups.count { $0.generation("crates") != nil } < starts * 3 / 4)
    #expect(backups.count { $0.generation("journal") != nil } < 2 * starts * 3 / 4)
  }
}

@Suite("Past libraries", .limited)
struct PastLibraryTests {
  @Test("The library is known as it was at any number, across checkpoints, restarts and kills")
  func everyNumber() throws {
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: SeededGenerator(usually: 20_261_127).seed)
    var opened = try Recovery.open(disk)
    var past = [maker.library]
    // As few generations as are all kept.
    for step in 0..<28 {
      try change(opened.store, &maker, count: step % 3 + 1)
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
      let found = try #require(try opened.store.library(at: library.sequence))
      expectSame(found, library, "at \(library.sequence)")
    }
    for number in stride(from: 0, to: maker.library.sequence, by: 11)
    where !numbers.contains(number) {
      // In the middle of a batch there is none.
      #expect(try opened.store.library(at: number)?.sequence ?? number == number)
    }
    #expect(try opened.store.library(at: maker.library.sequence + 1) == nil)
  }

  @Test("Where a journal is missing or damaged, there is no guess")
  func missing() throws {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: 3)
    var numbers: [Int] = []
    for _ in 0..<3 {
      try change(store, &maker, steps: 3)
      numbers.append(maker.library.sequence)
    }
    try store.checkpoint(maker.library)
    let known = try numbers.map { try store.library(at: $0)?.sequence }
    #expect(known == numbers)
    let journal = try #require(disk.files.keys.first { $0.generation("journal") == 1 })
    var bytes = try #require(disk.files[journal])
    bytes[bytes.count / 2] ^= 1
    try disk.remove(journal)
    try disk.append(bytes, to: disk.create(journal))
    #expect(try store.library(at: numbers[0])?.sequence == numbers[0])
    #expect(try store.library(at: numbers[1]) == nil)
    #expect(try store.library(at: numbers[2])?.sequence == numbers[2])
    try disk.remove(journal)
    #expect(try store.library(at: numbers[0]) == nil)
    #expect(try store.library(at: numbers[2])?.sequence == numbers[2])
  }

  private func commit(
    _ name: String, _ store: LibraryStore<SimulatedDisk>, _ library: inout Library
  ) throws {
    let change = Change.crateAdded(name, after: nil)
    let numbered = try store.commit(
      [Transaction(by: .person, time: 1, sentence: "", changes: [change])],
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
      return try store.library(at: sequence)?.crates.map(\.name)
    }
    #expect(try names(1) == ["First"])
    #expect(try names(2) == ["Second", "First"])
    #expect(try names(3) == ["Third", "Second", "First"])
    files[journal] = whole
    files[StoreName("journal.2.txt", in: .backups)] = nil
    #expect(try names(1) == ["First"])
    #expect(try names(3) == nil)
  }

  /// A store whose disk failed in the midst of a batch, so that its journal was replaced: "Given
  /// up" was refused, and is behind the end of the old one all the same.
  private func replaced() throws -> (
    disk: SimulatedDisk, store: LibraryStore<SimulatedDisk>, library: Library
  ) {
    let disk = SimulatedDisk()
    let opened = try Recovery.open(disk)
    var library = opened.library
    try commit("First", opened.store, &library)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.synchronizeFile])
    disk.failsOnce = true
    #expect(throws: StoreRefusal.self) { try commit("Given up", opened.store, &library) }
    #expect(opened.store.state == .ready && disk.fault == nil)
    let old = try #require(disk.files[StoreName("journal.1.txt", in: .backups)])
    #expect(String(decoding: old, as: UTF8.self).contains("Given%20up"))
    return (disk, opened.store, library)
  }

  @Test("What was refused is in no history, and undo does not take it back, after a restart either")
  func refusedIsNoPast() throws {
    var (disk, store, library) = try replaced()
    try commit("Second", store, &library)
    for isRestarted in [false, true] {
      if isRestarted {
        store.close(library)
        disk.restart()
        store = try Recovery.open(disk).store
      }
      let past = try store.pastTransactions(before: .max, most: 9, of: nil)
      #expect(past.map(\.changes) == ["First", "Second"].map { [.crateAdded($0, after: nil)] })
      var book = StoredHistory()
      let whole = try book.whole(from: store, newest: library.sequence)
      #expect(whole.undoable.map(\.source?.changes) == past.map(\.changes))
      #expect(try store.library(at: 2)?.crates.map(\.name) == ["Second", "First"])
    }
  }

  @Test("What was refused is not shown where the snapshot that followed it is damaged")
  func refusedIsNotShown() throws {
    let (disk, _, library) = try replaced()
    #expect(library.crates.map(\.name) == ["First"])
    var files = disk.files
    var bytes = try #require(files[.snapshot(2)])
    bytes[bytes.count / 2] ^= 1
    files[.snapshot(2)] = bytes
    let opened = try Recovery.open(SimulatedDisk(files))
    #expect(opened.library.crates.map(\.name) == ["First"])
    #expect(opened.store.isReadOnly, "\(opened.store.state)")
  }
}

@Suite("The time of the newest change", .limited)
struct NewestTimeTests {
  private func time(_ journals: [[UInt8]]) throws -> Int64? {
    let names = journals.indices.map { StoreName("journal.\($0 + 1).txt") }
    let files = Dictionary(uniqueKeysWithValues: zip(names, journals))
    return try PastLibrary(SimulatedDisk(files)).newestTime()
  }

  private func journal(base: Int = 0, _ seconds: Int64...) -> [UInt8] {
    let header = JournalText.header(generation: 1, base: base)
    var text = JournalText(header: header, base: base)
    return seconds.reduce(header + [0x0A]) { bytes, second in
      let change = Change.crateAdded("A", after: nil)
      var batch = [Transaction(by: .person, time: 1_000 * second, changes: [change])]
      return bytes + text.records(of: &batch)
    }
  }

  @Test("It is that of the last whole record of the newest journal that has one")
  func times() throws {
    for (journals, expected) in [
      ([], nil), ([[], Array("torn".utf8)], nil), ([journal()], nil), ([journal(1)], 1000),
      ([journal(1, 2)], 2000), ([journal(1, 2) + Array("half a line".utf8)], 2000),
      ([journal(1, 2).dropLast(3)], 1000), ([journal(3), journal(base: 1, 1)], 1000),
      ([journal(3), journal(base: 1)], 3000),
    ] as [([[UInt8]], Int64?)] {
      #expect(try time(journals) == expected)
    }
  }
}
