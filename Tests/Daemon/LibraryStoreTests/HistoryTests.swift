import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// A store whose person does things, takes them back, and does them again.
private struct Person {
  let disk = SimulatedDisk()
  var bounds = BackupBounds()
  var store: LibraryStore<SimulatedDisk>
  var library: Library
  var random: SeededGenerator
  var names = 0
  /// What can be taken back and done again, by number, as a person would remember it.
  var done: [Int] = []
  var undone: [Int] = []

  init(seed: UInt64, kept: Int, generations: Int) throws {
    random = SeededGenerator(seed: seed)
    bounds.undoable = kept
    bounds.generations = generations
    let opened = try Recovery.open(disk, keeping: bounds)
    (store, library) = (opened.store, opened.library)
    for name in ["A", "B", "C"] {
      names += 1
      try commit(
        [
          .crateAdded(name, after: nil),
          .albumAdded(
            AlbumID(number: UInt64(names)), crate: name, after: nil,
            group: GroupKey(family: "folder\t\(name)"), isFresh: false, seen: 0),
        ], by: .folder, "found")
    }
  }

  @discardableResult
  mutating func commit(
    _ changes: [Change], by author: Author, _ sentence: String
  ) throws -> Transaction {
    try commit(Transaction(by: author, sentence: sentence, changes: changes))
  }

  @discardableResult
  mutating func commit(_ transaction: Transaction) throws -> Transaction {
    let numbered = try store.commit([transaction], to: library)
    try library.apply(numbered[0])
    return numbered[0]
  }

  mutating func act() throws -> Transaction {
    let crates = library.crates.map(\.name)
    let name = crates[Int.random(in: 0..<3, using: &random)]
    names += 1
    let edit: Edit =
      Bool.random(using: &random)
      ? .renameCrate(name, to: "Crate \(names)") : .moveCrate(crates[2], .top)
    let decision = try library.decide(edit, newAlbums: nil)
    let change = try commit(decision.changes, by: .person, "act \(names)")
    done.append(change.sequence)
    undone = []
    return change
  }

  mutating func takeBack(_ next: StoredHistory.Next?) throws -> Transaction? {
    guard let decision = TakingBack.decision(.undo, next, in: library) else { return nil }
    let number = done.removeLast()
    #expect(decision.transaction.sentence.hasPrefix("Taken back: "))
    #expect(decision.transaction.reversals.map(\.number) == [number])
    undone.append(number)
    return try commit(decision.transaction)
  }

  mutating func doAgain(_ next: StoredHistory.Next?) throws -> Transaction? {
    guard let decision = TakingBack.decision(.redo, next, in: library) else { return nil }
    let number = undone.removeLast()
    #expect(decision.transaction.sentence.hasPrefix("Done again: "))
    #expect(decision.transaction.reversals.map(\.number) == [number])
    done.append(number)
    return try commit(decision.transaction)
  }

  mutating func restart() throws {
    store.close(library)
    disk.restart()
    let opened = try Recovery.open(disk, keeping: bounds)
    (store, library) = (opened.store, opened.library)
  }
}

@Suite("What can be taken back", .limited)
struct HistoryTests {
  @Test("A thousand can be taken back after a restart, whatever was undone and redone between")
  func thousand() throws {
    var person = try Person(seed: 1, kept: UndoHistory.kept, generations: 2)
    for _ in 0..<(UndoHistory.kept + 100) { _ = try person.act() }
    var book = StoredHistory()
    func take(_ count: Int, _ isRedo: Bool) throws -> Int {
      for number in 0..<count {
        let newest = person.library.sequence
        let change =
          isRedo
          ? try person.doAgain(book.forRedo(from: person.store, newest: newest))
          : try person.takeBack(book.forUndo(from: person.store, newest: newest))
        guard let change else { return number }
        book.follow(change)
      }
      return count
    }
    #expect(try take(400, false) == 400)
    try person.restart()
    #expect(try take(400, true) == 400)
    for _ in 0..<8 { try person.restart() }
    book = StoredHistory()
    #expect(try take(2 * UndoHistory.kept, false) == UndoHistory.kept + 100)
    book = StoredHistory()
    #expect(try take(3, true) == 3)
  }

  @Test("Several steps are the same whether all is at hand or what they take is read bit by bit")
  func bitByBit() throws {
    var person = try Person(seed: 5, kept: 50, generations: 20)
    for _ in 0..<6 {
      for _ in 0..<3 { _ = try person.act() }
      try person.restart()
    }
    let before = person.library
    func take(_ way: Reversal.Direction, _ mostBytes: Int) throws -> (Transaction?, reads: Int) {
      var book = StoredHistory(mostBytes: mostBytes)
      let newest = person.library.sequence
      let entries =
        switch way {
        case .undo: try book.toUndo(.count(16), from: person.store, newest: newest)
        case .redo: try book.toRedo(.count(16), from: person.store, newest: newest)
        }
      #expect(entries.count == 16)
      let begun = person.disk.trace.count
      var taking = TakingBack(way, in: person.library, newAlbums: nil)
      try book.forEachSource(of: entries, from: person.store) { taking.take($0, source: $1) }
      let reads = person.disk.trace[begun...].count { $0.kind == .read && !$0.failed }
      return (taking.decision?.transaction, reads)
    }
    for way in [Reversal.Direction.undo, .redo] {
      let (whole, none) = try take(way, UndoHistory.mostBytes)
      let change = try #require(whole)
      let opening = way == .undo ? "Taken back, 16 changes: " : "Done again, 16 changes: "
      #expect(change.sentence.hasPrefix(opening) && none == 0)
      let (inPortions, fewer) = try take(way, 4 * 512)
      let (oneByOne, more) = try take(way, 0)
      #expect(inPortions == change && oneByOne == change)
      // Each journal once for a portion, and not for each step.
      #expect(fewer < more / 2 && fewer > 0)
      try person.commit(change)
      try person.restart()
    }
    #expect(
      lines(of: person.library, withSequence: false) == lines(of: before, withSequence: false))
  }

  @Test("A past that can't be read now is told as that, and read the next time")
  func unreadable() throws {
    var person = try Person(seed: 2, kept: 5, generations: 2)
    for _ in 0..<3 { _ = try person.act() }
    try person.restart()
    var book = StoredHistory()
    let newest = person.library.sequence
    for kind in [SimulatedDisk.Kind.read, .names] {
      person.disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [kind])
      for _ in 0..<2 {
        #expect(throws: UnreadablePast.self) {
          try book.forUndo(from: person.store, newest: newest)
        }
        #expect(throws: UnreadablePast.self) {
          try book.forRedo(from: person.store, newest: newest)
        }
        #expect(throws: UnreadablePast.self) {
          try person.store.pastTransactions(before: .max, most: 9, of: nil)
        }
        #expect(throws: UnreadablePast.self) { try person.store.library(at: newest) }
      }
      person.disk.fault = nil
    }
    _ = try person.takeBack(book.forUndo(from: person.store, newest: newest))
    #expect(person.done.count == 2)
  }

  @Test("Where the past is damaged, what is newer can be taken back, and the damage is told")
  func damaged() throws {
    var person = try Person(seed: 3, kept: 50, generations: 20)
    for _ in 0..<4 {
      _ = try person.act()
      try person.restart()
    }
    let journals = person.disk.files.keys.filter { $0.folder == .backups }
      .compactMap { $0.generation("journal") }.sorted()
    let second = try #require(
      journals.first { generation in
        let text = person.disk.files[StoreName("journal.\(generation).txt", in: .backups)] ?? []
        return String(decoding: text, as: UTF8.self).contains("act 5")
      })
    let name = StoreName("journal.\(second).txt", in: .backups)
    var bytes = try #require(person.disk.files[name])
    bytes[3] ^= 1
    try person.disk.remove(name)
    try person.disk.append(bytes, to: person.disk.create(name))
    var book = StoredHistory()
    for _ in 0..<2 {
      let newest = person.library.sequence
      let change = try person.takeBack(book.forUndo(from: person.store, newest: newest))
      book.follow(try #require(change))
    }
    let error = #expect(throws: UnreadablePast.self) {
      try book.forUndo(from: person.store, newest: person.library.sequence)
    }
    #expect(error?.reason.contains("journal.\(second).txt") == true)
  }

  @Test("Thinning removes nothing that it could not read, and nothing that is damaged")
  func thinning() throws {
    var person = try Person(seed: 4, kept: 50, generations: 2)
    for _ in 0..<12 {
      _ = try person.act()
      try person.restart()
    }
    person.disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.read])
    for _ in 0..<40 {
      try person.commit([.firstScanEnded(BytePath("/x"))], by: .folder, "")
      try person.store.checkpoint(person.library)
    }
    person.disk.fault = nil
    var book = StoredHistory(kept: 50)
    let whole = try book.whole(from: person.store, newest: person.library.sequence)
    #expect(whole.undoable.map(\.sequence) == person.done)

    let snapshot = try #require(
      person.disk.files.keys.filter { $0.folder == .backups && $0.generation("crates") != nil }
        .min { ($0.generation("crates") ?? 0) < ($1.generation("crates") ?? 0) })
    var bytes = try #require(person.disk.files[snapshot])
    bytes[bytes.count / 2] ^= 1
    try person.disk.remove(snapshot)
    try person.disk.append(bytes, to: person.disk.create(snapshot))
    let count = person.disk.files.count
    for _ in 0..<40 {
      try person.commit([.firstScanEnded(BytePath("/x"))], by: .folder, "")
      try person.store.checkpoint(person.library)
    }
    #expect(person.disk.files[snapshot] == bytes)
    #expect(person.disk.files.count < count)
  }
}
