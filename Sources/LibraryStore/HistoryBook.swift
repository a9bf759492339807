package import LibraryModel

/// What the person did, for undo. It is read from the journals as far as it is asked for, the
/// newest first: most days nobody asks, and a start must not wait for it.
package struct HistoryBook: Sendable {
  private var history: UndoHistory
  /// Nil before anybody asked: what becomes durable meanwhile will be read.
  private var place: PastPlace?
  private let kept: Int
  private let mostBytes: Int

  /// - Parameters: as for `UndoHistory`.
  package init(kept: Int = UndoHistory.kept, mostBytes: Int = UndoHistory.mostBytes) {
    (self.kept, self.mostBytes) = (kept, mostBytes)
    history = UndoHistory(kept: kept, mostBytes: mostBytes)
  }

  package mutating func follow(_ transaction: Transaction) {
    if place == nil { return }
    history.follow(transaction)
  }

  /// The history, with what undoing the next change needs, if there is one.
  ///
  /// - Parameter newest: the number of the last durable change.
  /// - Throws: why that can't be read now; the next time it is tried again.
  package mutating func forUndo(
    from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> UndoHistory {
    try read(store, newest) { !$0.undoable.isEmpty }
    if let entry = history.undoable.last {
      let (sentence, source) = try content(of: entry, store)
      history.completeUndo(sentence: sentence, source: source)
    }
    return history
  }

  /// The same for doing the next change again.
  package mutating func forRedo(
    from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> UndoHistory {
    try read(store, newest) { !$0.redoable.isEmpty || $0.hasAct }
    if let entry = history.redoable.last {
      let (sentence, source) = try content(of: entry, store)
      history.completeRedo(sentence: sentence, source: source)
    }
    return history
  }

  /// Everything that can be taken back, as far as the journals reach.
  package mutating func whole(
    from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> UndoHistory {
    try read(store, newest) { _ in false }
    return history
  }

  /// Reads until there is enough, or no more.
  private mutating func read(
    _ store: any ChangeStore, _ newest: Int, _ isEnough: (UndoHistory) -> Bool
  ) throws(UnreadablePast) {
    if isEnough(history), place != nil { return }
    if place == nil || history.isTrimmed {
      // From the newest on, once more where old ones had been let go.
      history = UndoHistory(kept: kept, mostBytes: mostBytes)
      place = PastPlace(before: newest + 1)
    }
    while var next = place, !next.isOver, !isEnough(history) {
      let own = try store.ownTransactions(&next)
      place = next
      for transaction in own.reversed() { history.followBack(transaction) }
    }
    // Damage ends the past for good, but is not told as if nothing had been done.
    if !isEnough(history), let damage = place?.damage { throw UnreadablePast(reason: damage) }
  }

  private func content(
    of entry: UndoHistory.Entry, _ store: any ChangeStore
  ) throws(UnreadablePast) -> (String, Transaction) {
    let number = entry.sourceSequence
    var source = entry.source
    if source == nil { source = try store.pastTransaction(number) }
    guard let source else {
      throw UnreadablePast(reason: "change \(number) is not in the journals any more")
    }
    if let sentence = entry.sentence { return (sentence, source) }
    // That of an undo, unless the change itself is still there.
    let told = number == entry.sequence ? source : try store.pastTransaction(entry.sequence)
    return (told?.sentence ?? "change \(entry.sequence)", source)
  }
}

/// How far the past has been read, from the newest change to the oldest.
package struct PastPlace: Sendable {
  /// Only older generations are still to be read,
  var below = Int.max
  /// and of them changes with a smaller number than this.
  var before: Int
  /// Nothing older is to be had.
  package var isOver = false
  /// Why, where it should be.
  package internal(set) var damage: String?

  /// Begins with the newest change of a smaller number.
  package init(before: Int) { self.before = before }
}

/// What is kept of the past can't be read at the moment. Nothing was changed.
package struct UnreadablePast: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
