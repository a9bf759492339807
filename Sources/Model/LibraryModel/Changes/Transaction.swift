/// What was done at once, by one author and for one reason: one step of undo, one entry of the
/// history, one thing told to whoever watches. After a crash it has happened wholly or not at all.
package struct Transaction: Hashable, Sendable {
  package var author: Author
  /// The number of its last change; 0 until it is durable.
  package var sequence: Int
  /// Milliseconds since 1970; 0 until it is about to be durable.
  package var time: Int64
  /// How it is told to people, the same wherever it is told.
  package var sentence: String
  /// What else they should know of it. Nobody keeps it: it is told once.
  package var notes: [String]
  package var changes: [Change]

  package init(
    by author: Author, sequence: Int = 0, time: Int64 = 0, sentence: String = "",
    notes: [String] = [], changes: [Change] = []
  ) {
    self.author = author
    self.sequence = sequence
    self.time = time
    self.sentence = sentence
    self.notes = notes
    self.changes = changes
  }
}

extension Transaction {
  /// Bytes of an origin at most.
  package static let longestOrigin = 255

  /// Who asked for it, where it wasn't a plain call, such as a player's list or an import.
  package var origin: String? {
    for change in changes { if case .asked(let origin) = change { return origin } }
    return nil
  }

  package static func isOrigin(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestOrigin
      && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}
