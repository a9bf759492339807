import TestSupport
import Testing

@testable import LibraryModel

@Suite("What can be taken back", .limited)
struct UndoHistoryTests {
  private let change = Change.crateRenamed("A", to: "B")

  private func act(_ sequence: Int, changes: Int = 1) -> Transaction {
    Transaction(
      by: .person, sequence: sequence, changes: Array(repeating: change, count: changes))
  }

  private func undo(_ sequence: Int, _ numbers: Int...) -> Transaction {
    Transaction(
      by: .person, sequence: sequence,
      reversals: numbers.map { Reversal(.undo, $0, changeCount: 1) },
      changes: Array(repeating: change, count: numbers.count))
  }

  private func redo(_ sequence: Int, _ numbers: Int...) -> Transaction {
    Transaction(
      by: .person, sequence: sequence,
      reversals: numbers.map { Reversal(.redo, $0, changeCount: 1) },
      changes: Array(repeating: change, count: numbers.count))
  }

  private func followed(
    _ transactions: [Transaction], kept: Int = 10, mostBytes: Int = 1 << 20
  ) -> UndoHistory {
    var history = UndoHistory(kept: kept, mostBytes: mostBytes)
    for transaction in transactions { history.follow(transaction) }
    return history
  }

  private func ledBack(
    _ transactions: [Transaction], mostBytes: Int = 1 << 20
  ) -> UndoHistory {
    var history = UndoHistory(kept: 10, mostBytes: mostBytes)
    for transaction in transactions.reversed() { history.followBack(transaction) }
    return history
  }

  @Test("what merges do is nothing to take back")
  func merges() {
    let merge = Transaction(by: .folder, sequence: 4, changes: [change])
    #expect(followed([act(3), merge]).undoable.map(\.sequence) == [3])
    #expect(ledBack([act(3), merge]).undoable.map(\.sequence) == [3])
  }

  @Test("of several that were taken back at once each has its own part")
  func parts() {
    let others = [Change.crateAdded("X", after: nil), .crateAdded("Y", after: nil)]
    let both = Transaction(
      by: .person, sequence: 9,
      reversals: [
        Reversal(.undo, 3, changeCount: 1), Reversal(.undo, 1, changeCount: 0),
        Reversal(.redo, 2, changeCount: 2),
      ], changes: others + [change])
    for (number, expected) in [(3, [others[0]]), (1, []), (2, [others[1], change])] {
      #expect(both.part(about: number).changes == expected)
      #expect(both.part(about: number).reversals.map(\.number) == [number])
    }
    #expect(act(4, changes: 2).part(about: 4) == act(4, changes: 2))
  }

  @Test("followed and led back over, an index of names comes to the same")
  func bothWays() {
    for transactions in [
      [act(1), act(2), act(3)], [act(1), act(2), undo(3, 2)], [act(1), undo(2, 1), act(3)],
      [act(1), act(2), undo(3, 2, 1), redo(4, 1)],
      [act(1), act(2), undo(3, 2), undo(4, 1), redo(5, 1), redo(6, 2)],
      [act(1), undo(2, 1), redo(3, 1), undo(4, 1)],
      [act(1), act(2), undo(3, 2), act(4), undo(5, 4)],
      [act(1), act(2), act(3), undo(4, 3, 2, 1), redo(5, 1), redo(6, 2)],
      [act(1), act(2), undo(3, 1)],
    ] {
      let (one, other) = (followed(transactions), ledBack(transactions))
      if transactions.last != undo(3, 1) { #expect(one.undoable == other.undoable) }
      #expect(one.redoable == other.redoable)
    }
    let done = followed([act(1), act(2), undo(3, 2), undo(4, 1), redo(5, 1)])
    #expect(done.undoable.map(\.sequence) == [1])
    #expect(done.undoable.map(\.sourceSequence) == [5])
    #expect(done.redoable.map(\.sequence) == [2])
    #expect(done.redoable.map(\.sourceSequence) == [3])
  }

  @Test("something done ends redo, and only reading what is older than all brings it back")
  func acts() {
    let history = followed([act(1), undo(2, 1), act(3)])
    #expect(history.redoable.isEmpty)
    #expect(history.hasAct)
    #expect(!followed([undo(2, 1)]).hasAct)
    #expect(ledBack([act(1)]).hasAct)
    #expect(!ledBack([undo(2, 1)]).hasAct)
    #expect(ledBack([undo(2, 1)]).redoable.map(\.sequence) == [1])
    #expect(ledBack([undo(2, 1), act(3)]).redoable.isEmpty)
    #expect(ledBack([act(1), undo(2, 1)]).undoable.isEmpty)
    #expect(ledBack([act(1), undo(2, 1)]).hasAct)
  }

  @Test("twice as many as promised are kept before the older half goes")
  func trimmed() {
    let all = (1...7).map { act($0) }
    let full = followed(Array(all.prefix(6)), kept: 3)
    #expect(full.undoable.map(\.sequence) == [1, 2, 3, 4, 5, 6])
    #expect(!full.isTrimmed)
    let less = followed(all, kept: 3)
    #expect(less.undoable.map(\.sequence) == [5, 6, 7])
    #expect(less.isTrimmed)
  }

  @Test("the changes at hand have a bound of bytes, and the oldest are let go of first")
  func bytes() {
    let acts = (1...4).map { act($0) }
    func atHand(_ history: UndoHistory) -> [Int] {
      (history.undoable + history.redoable).compactMap { $0.source?.sequence }
    }
    #expect(atHand(followed(acts, mostBytes: 4 * 512)) == [1, 2, 3, 4])
    #expect(atHand(followed(acts, mostBytes: 4 * 512 - 1)) == [2, 3, 4])
    #expect(atHand(followed(acts, mostBytes: 0)) == [])
    #expect(atHand(followed([act(1, changes: 3), act(2)], mostBytes: 3 * 512)) == [2])
    #expect(atHand(ledBack(acts, mostBytes: 3 * 512)) == [2, 3, 4])
    #expect(atHand(ledBack([act(1), undo(2, 1)], mostBytes: 2 * 512)) == [2])
    #expect(atHand(ledBack([act(1), act(2), undo(3, 2)], mostBytes: 3 * 512)) == [1, 3])
    // What went frees room: by an undo, by something done after it, and by its age.
    let undone = followed([act(1), act(2), undo(3, 2)], mostBytes: 3 * 512)
    #expect(atHand(undone) == [1, 3])
    let done = followed([act(1), undo(2, 1), act(3), act(4)], mostBytes: 2 * 512)
    #expect(atHand(done) == [3, 4])
    let redone = followed([act(1), undo(2, 1), redo(3, 1), act(4)], mostBytes: 3 * 512)
    #expect(atHand(redone) == [3, 4])
    #expect(atHand(followed((1...8).map { act($0) }, kept: 1, mostBytes: 2 * 512)) == [7, 8])
    #expect(atHand(followed([act(1), undo(2, 1)], mostBytes: 0)) == [])
    // All that can be taken back goes before anything that can be done again.
    let both = followed([act(1), act(2), undo(3, 2)], mostBytes: 2 * 512)
    #expect(atHand(both) == [3])
  }

  @Test("what was let go of is still known by its size, and by that of its own part")
  func sizes() {
    let both = Transaction(
      by: .person, sequence: 9,
      reversals: [Reversal(.undo, 2, changeCount: 1), Reversal(.undo, 1, changeCount: 2)],
      changes: [change, change, change])
    let history = followed([act(1), act(2), both], mostBytes: 0)
    #expect(history.redoable.map(\.sourceBytes) == [2 * 512, 3 * 512])
    #expect(history.redoable.allSatisfy { $0.source == nil })
    #expect(followed([act(1), act(2)]).undoable.map(\.sourceBytes) == [512, 512])
  }

  @Test("a thousand changes can be taken back at least, and 4 MiB of what they did are at hand")
  func usual() {
    var history = UndoHistory()
    for sequence in 1...2_000 { history.follow(act(sequence)) }
    #expect(history.undoable.count == 2_000 && !history.isTrimmed)
    history.follow(act(2_001))
    #expect(history.undoable.map(\.sequence) == Array(1_002...2_001) && history.isTrimmed)
    // 512 bytes for each change.
    for (count, isKept) in [(8_192, true), (8_193, false)] {
      history = UndoHistory()
      history.follow(act(1, changes: count))
      #expect((history.undoable.last?.source != nil) == isKept)
    }
  }
}
