/// What was done at once, by one author and for one reason: one step of undo, one entry of the
/// history, one notification. After a crash it has happened wholly or not at all.
package struct Transaction: Hashable, Sendable {
  package var author: Author
  /// Its number, one more than that of the transaction before; 0 until it is durable.
  package var sequence: Int
  /// Milliseconds since 1970; 0 until it is about to be durable.
  package var time: Int64
  /// Who asked for it, where it wasn't a plain call, such as a player's list or an import.
  package var origin: String?
  /// The person's transactions that it takes back or does again, in that order. None: it is an act
  /// of its own, which ends redo.
  package var reversals: [Reversal]
  /// How it is told to people, the same wherever it is told.
  package var sentence: String
  /// What else they should know of it. It is told once and not stored.
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

  /// Whether there is nothing to store: no change, and nothing taken back or done again, which
  /// counts even where nothing had to be moved for it.
  package var isEmpty: Bool { changes.isEmpty && reversals.isEmpty }
}

/// That a transaction takes another one back, or does it again.
package struct Reversal: Hashable, Sendable {
  package enum Direction: String, Sendable, CaseIterable { case undo, redo }

  package var direction: Direction
  /// The number of the other transaction.
  package var number: Int
  /// How many of the transaction's changes do it; those of several reversals follow each other.
  package var changeCount: Int

  package init(_ direction: Direction, _ number: Int, changeCount: Int) {
    (self.direction, self.number, self.changeCount) = (direction, number, changeCount)
  }
}

extension Transaction {
  /// Bytes of an origin at most.
  package static let longestOrigin = 255

  package static func isOrigin(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestOrigin
      && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }

  /// What it did to the transaction of that number: of several that were taken back at once each
  /// can be done again by itself. All of it where it took nothing back.
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
