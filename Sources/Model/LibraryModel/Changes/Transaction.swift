/// Changes that one author made at once, for one reason: one step of undo, one entry of the
/// history, one notification. It is atomic: after a crash it has been applied completely or not at
/// all.
package struct Transaction: Hashable, Sendable {
  package var author: Author
  /// One more than the number of the transaction before. 0 until the transaction is durable.
  package var sequence: Int
  /// Milliseconds since 1970. 0 until shortly before the transaction becomes durable.
  package var time: Int64
  /// The source of the request, if it was not a plain call, such as a player's list or an import.
  package var origin: String?
  /// The user's transactions that it undoes or redoes, in that order. If empty, the transaction is
  /// an action of its own, which clears the redo list.
  package var reversals: [Reversal]
  /// Its description for the user, the same everywhere.
  package var sentence: String
  /// Additional notes for the user. They are reported once and not stored.
  package var notes: [String]
  package var changes: [Change]

  package init(
    by author: Author, sequence: Int = 0, time: Int64 = 0, origin: String? = nil,
    reversals: [Reversal] = [], sentence: String = "", notes: [String] = [],
    changes: [Change] = []
  ) {
    self.author = author
    self.sequence = sequence
    self.time = time
    self.origin = origin
    self.reversals = reversals
    self.sentence = sentence
    self.notes = notes
    self.changes = changes
  }

  /// Whether there is nothing to store: no changes, and no reversals. A reversal counts even if
  /// nothing had to be moved.
  package var isEmpty: Bool { changes.isEmpty && reversals.isEmpty }
}

/// The undo or redo of another transaction.
package struct Reversal: Hashable, Sendable {
  package enum Direction: String, Sendable, CaseIterable { case undo, redo }

  package var direction: Direction
  /// The number of the other transaction.
  package var number: Int
  /// The number of changes that belong to this reversal. The changes of several reversals are
  /// consecutive.
  package var changeCount: Int

  package init(_ direction: Direction, _ number: Int, changeCount: Int) {
    (self.direction, self.number, self.changeCount) = (direction, number, changeCount)
  }
}

extension Transaction {
  /// The most bytes of an origin.
  package static let longestOrigin = 255

  package static func isOrigin(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestOrigin
      && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }

  /// Returns the part of the transaction that reverted the transaction with the number, so that
  /// each of several transactions that were undone at once can be redone separately. Returns the
  /// whole transaction if it did not revert that one.
  package func part(about number: Int) -> Transaction {
    var part = self
    var start = 0
    for reversal in reversals {
      let end = start + reversal.changeCount
      if reversal.number == number {
        part.reversals = [reversal]
        part.changes = Array(changes.prefix(end).dropFirst(start))
        return part
      }
      start = end
    }
    return part
  }
}
