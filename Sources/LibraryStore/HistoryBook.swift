package import LibraryModel

/// What the person did, for undo. It is read from the journals as far as it is asked for, the
/// newest first: most days nobody asks, and a start must not wait for it.
package struct HistoryBook: Sendable {
  private var history: UndoHistory
  /// Nil before anybody asked: what becomes durable meanwhile will be read.
  private var place: PastPlace?
  private let kept: Int
  private let mostBytes: Int
  /// Whether journals were read since that was asked for: it takes far more memory than is kept.
  private var hasRead = false

  /// - Parameters: as for `UndoHistory`.
  package init(kept: Int = UndoHistory.kept, mostBytes: Int = UndoHistory.mostBytes) {
    (self.kept, self.mostBytes) = (kept, mostBytes)
    history = UndoHistory(kept: kept, mostBytes: mostBytes)
  }

  /// Whether journals were read since this was called last.
  package mutating func takeHasRead() -> Bool {
    defer { hasRead = false }
    return hasRead
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
      history.completeUndo(source: try source(of: entry, store))
    }
    return history
  }

  /// The same for doing the next change again.
  package mutating func forRedo(
    from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> UndoHistory {
    try read(store, newest) { !$0.redoable.isEmpty || $0.hasAct }
    if let entry = history.redoable.last {
      history.completeRedo(source: try source(of: entry, store))
    }
    return history
  }

  /// What an undo of several steps takes back, the newest first, each with what that needs; fewer
  /// where there are fewer.
  package mutating func toUndo(
    _ steps: UndoSteps, from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> [UndoHistory.Entry] {
    switch steps {
    case .count(let count):
      try read(store, newest) { $0.undoable.count >= count }
      return try complete(history.undoable.suffix(count).reversed(), store)
    case .to(let number):
      // What is older than one that is older was read before.
      try read(store, newest) { history in
        history.undoable.contains { $0.sequence <= number }
      }
      // What was done before, and taken back and done again since, was in effect then.
      let entries = history.undoable.filter { $0.sequence > number }
      return try complete(entries.reversed(), store)
    }
  }

  /// What a redo of several steps does again, the one that was taken back last first.
  package mutating func toRedo(
    _ steps: UndoSteps, from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> [UndoHistory.Entry] {
    try read(store, newest) { history in
      if case .count(let count) = steps, history.redoable.count >= count { return true }
      return history.hasAct
    }
    let entries = history.redoable.reversed()
    switch steps {
    case .count(let count): return try complete(entries.prefix(count), store)
    case .to(let number): return try complete(entries.filter { $0.sequence <= number }, store)
    }
  }

  private mutating func complete(
    _ entries: some Sequence<UndoHistory.Entry>, _ store: any ChangeStore
  ) throws(UnreadablePast) -> [UndoHistory.Entry] {
    var complete: [UndoHistory.Entry] = []
    for var entry in entries {
      entry.source = try source(of: entry, store)
      complete.append(entry)
    }
    return complete
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
      hasRead = true
      let own = try store.ownTransactions(&next)
      place = next
      for transaction in own.reversed() { history.followBack(transaction) }
    }
    // Damage ends the past for good, but is not told as if nothing had been done.
    if !isEnough(history), let damage = place?.damage { throw UnreadablePast(reason: damage) }
  }

  private mutating func source(
    of entry: UndoHistory.Entry, _ store: any ChangeStore
  ) throws(UnreadablePast) -> Transaction {
    if let source = entry.source { return source }
    let number = entry.sourceSequence
    hasRead = true
    guard let source = try store.pastTransaction(number) else {
      throw UnreadablePast(reason: "change \(number) is not in the journals any more")
    }
    return source.part(about: entry.sequence)
  }
}

/// How far an undo or a redo goes.
package enum UndoSteps: Hashable, Sendable {
  /// So many changes.
  case count(Int)
  /// As it was right after the change of this number.
  case to(Int)
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
