import LibraryModel

@testable import LibraryStore

extension StoredHistory {
  /// What the next undo takes, with its source; nil where there is nothing.
  mutating func forUndo(
    from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> Next? {
    try next(try toUndo(.count(1), from: store, newest: newest), store)
  }

  mutating func forRedo(
    from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> Next? {
    try next(try toRedo(.count(1), from: store, newest: newest), store)
  }

  typealias Next = (entry: UndoHistory.Entry, source: Transaction)

  private mutating func next(
    _ entries: [UndoHistory.Entry], _ store: any ChangeStore
  ) throws(UnreadablePast) -> Next? {
    var found: Next?
    try forEachSource(of: entries, from: store) { found = ($0, $1) }
    return found
  }
}

extension TakingBack {
  /// The decision that takes one thing back, or does it again.
  static func decision(
    _ direction: Reversal.Direction, _ next: StoredHistory.Next?, in library: Library
  ) -> Decision? {
    var taking = TakingBack(direction, in: library, newAlbums: nil)
    if let next { taking.take(next.entry, source: next.source) }
    return taking.decision
  }
}
