import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

/// A store of which only the past is asked.
private final class Shelf: ChangeStore {
  /// The person's changes in each journal, the oldest first.
  var journals: [[Transaction]]
  var damage: String?
  private(set) var reads = 0
  private(set) var lookups: [Set<Int>] = []

  init(_ journals: [[Transaction]]) { self.journals = journals }

  func ownTransactions(_ place: inout PastPlace) throws(UnreadablePast) -> [Transaction] {
    reads += 1
    if let own = journals.last(where: { $0[0].sequence < place.before }) {
      let before = place.before
      place.before = own[0].sequence
      return own.filter { $0.sequence < before }
    }
    place.isOver = true
    place.damage = damage
    return []
  }

  func forEachPast(_ numbers: Set<Int>, _ body: (Transaction) -> Void) throws(UnreadablePast) {
    lookups.append(numbers)
    for transaction in journals.joined() where numbers.contains(transaction.sequence) {
      body(transaction)
    }
  }

  // MARK: What nobody asks here

  let state = StoreState.ready
  let mayHeal = false
  func takeNotes() -> [String] { [] }
  func writeRecovered(_ library: Library) {}
  func commit(
    _ transactions: [Transaction], to library: Library, meanwhile: ([Transaction]) -> Void
  ) throws(StoreRefusal) -> [Transaction] { [] }
  func checkpointWork(
    _ library: Library, isIdle: Bool
  ) throws(SystemCallError) -> (@Sendable () -> Void)? { nil }
  func heal(_ library: Library) {}
  func keep(_ library: Library) throws(SystemCallError) {}
  func pastTransactions(
    before: Int, most: Int, of author: Author?
  ) throws(UnreadablePast) -> [Transaction] { [] }
  func library(at sequence: Int) throws(UnreadablePast) -> Library? { nil }
  func close(_ library: Library) -> SystemCallError? { nil }
}

private func act(_ number: Int) -> Transaction {
  Transaction(
    by: .person, sequence: number, time: 1, sentence: "act",
    changes: [.crateAdded("\(number)", after: nil)])
}

private func undo(_ number: Int, of other: Int) -> Transaction {
  Transaction(
    by: .person, sequence: number, time: 1,
    reversals: [Reversal(.undo, other, changeCount: 1)], sentence: "undo",
    changes: [.crateRemoved("\(other)", wasAfter: nil)])
}

@Suite("The book of what was done", .limited)
struct StoredHistoryTests {
  private func sources(
    of entries: [UndoHistory.Entry], _ book: inout StoredHistory, _ shelf: Shelf
  ) throws -> [Transaction] {
    var found: [Transaction] = []
    var places: [Int] = []
    try book.forEachSource(of: entries, from: shelf) { entry, source in
      places.append(entry.sequence)
      found.append(source)
    }
    #expect(places == entries.map(\.sequence))
    return found
  }

  @Test("An undo of several steps reads as many journals as it needs, and goes back so far")
  func severalUndone() throws {
    let all = (1...6).map(act)
    let journals = [Array(all[..<2]), Array(all[2..<4]), Array(all[4...])]
    for (steps, numbers, reads) in [
      (.count(1), [6], 1), (.count(2), [6, 5], 1), (.count(3), [6, 5, 4], 2),
      (.count(6), [6, 5, 4, 3, 2, 1], 3), (.count(7), [6, 5, 4, 3, 2, 1], 4),
      (.to(6), [], 1), (.to(5), [6], 1), (.to(4), [6, 5], 2), (.to(1), [6, 5, 4, 3, 2], 3),
      (.to(0), [6, 5, 4, 3, 2, 1], 4),
    ] as [(UndoSteps, [Int], Int)] {
      let shelf = Shelf(journals)
      var book = StoredHistory()
      let entries = try book.toUndo(steps, from: shelf, newest: 6)
      #expect(entries.map(\.sequence) == numbers, "\(steps)")
      #expect(try sources(of: entries, &book, shelf) == numbers.map { all[$0 - 1] }, "\(steps)")
      #expect(shelf.reads == reads, "\(steps)")
      #expect(shelf.lookups.isEmpty, "what was read is not looked up")
    }
  }

  @Test("A redo of several steps begins with what was taken back last, and goes on so far")
  func severalRedone() throws {
    let undone = [undo(4, of: 3), undo(5, of: 2)]
    let journals = [[act(1)], [act(2), act(3)], [undone[0]], [undone[1]]]
    for (steps, numbers, reads) in [
      (.count(1), [2], 1), (.count(2), [2, 3], 2), (.count(3), [2, 3], 3),
      (.to(1), [], 3), (.to(2), [2], 3), (.to(3), [2, 3], 3),
    ] as [(UndoSteps, [Int], Int)] {
      let shelf = Shelf(journals)
      var book = StoredHistory()
      let entries = try book.toRedo(steps, from: shelf, newest: 5)
      #expect(entries.map(\.sequence) == numbers, "\(steps)")
      let expected = numbers.map { $0 == 2 ? undone[1] : undone[0] }
      #expect(try sources(of: entries, &book, shelf) == expected, "\(steps)")
      #expect(shelf.reads == reads, "\(steps)")
    }
  }

  @Test("What follows counts from the first question on, and reads nothing more")
  func follows() throws {
    let shelf = Shelf([[act(1), act(2)]])
    var book = StoredHistory()
    // It is in the journal by the time somebody asks.
    book.follow(act(2))
    #expect(book.takeHasRead() == false)
    #expect(try book.toUndo(.count(2), from: shelf, newest: 2).map(\.sequence) == [2, 1])
    #expect(book.takeHasRead() == true)
    #expect(book.takeHasRead() == false)
    book.follow(act(3))
    #expect(try book.toUndo(.count(3), from: shelf, newest: 3).map(\.sequence) == [3, 2, 1])
    book.follow(undo(4, of: 3))
    #expect(try book.toRedo(.count(1), from: shelf, newest: 4).map(\.sequence) == [3])
    #expect(shelf.reads == 1 && !book.takeHasRead())
    let whole = try book.whole(from: shelf, newest: 4)
    #expect(whole.undoable.map(\.sequence) == [1, 2] && shelf.reads == 2 && book.takeHasRead())
    _ = try book.whole(from: shelf, newest: 4)
    #expect(shelf.reads == 2 && !book.takeHasRead(), "the end is known")
  }

  @Test("For a redo no more is read than tells that there is something, or nothing")
  func redoReads() throws {
    for (newest, redoable, reads) in [
      // The last act was taken back; then nothing was; then another act came.
      ([undo(4, of: 3)], [3], 1), ([act(4)], [], 1), ([undo(4, of: 3), act(5)], [], 1),
    ] {
      let shelf = Shelf([[act(1)], [act(2)], [act(3)], newest])
      var book = StoredHistory()
      let entries = try book.toRedo(.count(1), from: shelf, newest: 5)
      #expect(entries.map(\.sequence) == redoable)
      #expect(shelf.reads == reads)
    }
  }

  @Test("Changes after the newest durable one are not read")
  func newest() throws {
    let shelf = Shelf([[act(1)], [act(2)], [act(3)]])
    var book = StoredHistory()
    #expect(try book.whole(from: shelf, newest: 2).undoable.map(\.sequence) == [1, 2])
  }

  @Test("What was let go for its size is looked up, and of the next step alone")
  func lookups() throws {
    let shelf = Shelf([[act(1), act(2), undo(3, of: 2), undo(4, of: 1)]])
    var book = StoredHistory(mostBytes: 0)
    let undone = try book.toRedo(.count(1), from: shelf, newest: 4)
    #expect(undone.map(\.sourceSequence) == [4] && undone.map(\.source) == [nil])
    #expect(try sources(of: undone, &book, shelf) == [undo(4, of: 1)])
    #expect(shelf.lookups == [[4]])
    shelf.journals = [[act(1), act(2)]]
    book = StoredHistory(mostBytes: 0)
    let entries = try book.toUndo(.count(2), from: shelf, newest: 2)
    #expect(entries.map(\.source) == [nil, nil] && book.takeHasRead())
    #expect(try sources(of: entries, &book, shelf) == [act(2), act(1)])
    #expect(shelf.lookups == [[4], [2], [1]] && book.takeHasRead())
    #expect(book.takeHasRead() == false)
  }

  @Test("What was let go is looked up in portions as large as what is kept, each at once")
  func portions() throws {
    let all = (1...7).map(act)
    let shelf = Shelf([all])
    // Two changes' worth.
    var book = StoredHistory(mostBytes: 2 * 512)
    let entries = try book.toUndo(.count(7), from: shelf, newest: 7)
    #expect(entries.map(\.sequence) == [7, 6, 5, 4, 3, 2, 1])
    #expect(entries.count { $0.source != nil } == 2)
    #expect(try sources(of: entries, &book, shelf) == all.reversed())
    #expect(shelf.lookups == [[5, 4], [3, 2], [1]])
    // One that is larger than all that is kept comes by itself.
    let large = Transaction(
      by: .person, sequence: 12, time: 1, sentence: "act",
      changes: (8...12).map { .crateAdded("\($0)", after: nil) })
    book.follow(large)
    book.follow(act(13))
    let more = try book.toUndo(.count(4), from: shelf, newest: 13)
    shelf.journals.append([large, act(13)])
    #expect(try sources(of: more, &book, shelf) == [act(13), large, act(7), act(6)])
    #expect(shelf.lookups.suffix(2) == [[12], [7, 6]])
  }

  @Test("Those that were taken back at once are looked up as one, and each has its part of it")
  func partsTogether() throws {
    let both = Transaction(
      by: .person, sequence: 6, time: 1,
      reversals: [2, 1].map { Reversal(.undo, $0, changeCount: 1) }, sentence: "undo",
      changes: [.crateRemoved("2", wasAfter: nil), .crateRemoved("1", wasAfter: nil)])
    let shelf = Shelf([[act(1), act(2)], [both]])
    // It is let go of.
    var book = StoredHistory(mostBytes: 0)
    let entries = try book.toRedo(.count(2), from: shelf, newest: 6)
    #expect(entries.map(\.sequence) == [1, 2] && entries.allSatisfy { $0.source == nil })
    #expect(
      try sources(of: entries, &book, shelf).map(\.changes)
        == [[.crateRemoved("1", wasAfter: nil)], [.crateRemoved("2", wasAfter: nil)]])
  }

  @Test("Several that are too much for one change are refused with how many are not; one never is")
  func tooMuch() throws {
    let shelf = Shelf([(1...5).map(act)])
    var book = StoredHistory(mostBytes: 512, mostBytesAtOnce: 3 * 512)
    let three = try book.toUndo(.count(3), from: shelf, newest: 5)
    #expect(try sources(of: three, &book, shelf) == [act(5), act(4), act(3)])
    let lookups = shelf.lookups
    for steps in [UndoSteps.count(4), .to(1)] {
      let four = try book.toUndo(steps, from: shelf, newest: 5)
      let reason = "4 changes are too much at once: take at most 3 at a time"
      #expect(throws: UnreadablePast(reason: reason)) {
        try book.forEachSource(of: four, from: shelf) { _, _ in Issue.record("it is none") }
      }
    }
    #expect(shelf.lookups == lookups, "nothing is read for that")
    var tiny = StoredHistory(mostBytes: 0, mostBytesAtOnce: 0)
    let one = try tiny.toUndo(.count(1), from: shelf, newest: 5)
    #expect(try sources(of: one, &tiny, shelf) == [act(5)])
    #expect(try sources(of: [], &tiny, shelf) == [])
  }

  @Test("A change that is in the journals no more is told by its number")
  func missing() throws {
    let shelf = Shelf([[act(1), act(2)]])
    var book = StoredHistory(mostBytes: 0)
    let newest = try book.toUndo(.count(1), from: shelf, newest: 2)
    shelf.journals = [[act(1)]]
    let reason = "change 2 is not in the journals any more"
    #expect(throws: UnreadablePast(reason: reason)) { try sources(of: newest, &book, shelf) }
  }

  @Test("Damage is told when more is asked for than stands before it")
  func damage() throws {
    let shelf = Shelf([[act(4), act(5)]])
    shelf.damage = "it is damaged"
    var book = StoredHistory()
    #expect(try book.toUndo(.count(2), from: shelf, newest: 5).map(\.sequence) == [5, 4])
    for _ in 0..<2 {
      #expect(throws: UnreadablePast(reason: "it is damaged")) {
        try book.toUndo(.count(3), from: shelf, newest: 5)
      }
    }
    #expect(try book.toUndo(.count(1), from: shelf, newest: 5).map(\.sequence) == [5])
  }

  @Test("What was let go because there is so much is read once more")
  func trimmed() throws {
    let shelf = Shelf([(1...5).map(act)])
    var book = StoredHistory(kept: 2)
    #expect(try book.toUndo(.count(4), from: shelf, newest: 4).map(\.sequence) == [4, 3, 2, 1])
    // One more than twice as many as are kept.
    book.follow(act(5))
    #expect(try book.toUndo(.count(2), from: shelf, newest: 5).map(\.sequence) == [5, 4])
    #expect(shelf.reads == 1)
    #expect(try book.whole(from: shelf, newest: 5).undoable.map(\.sequence) == [1, 2, 3, 4, 5])
  }
}
