package import LibraryModel

/// What the person did, for undo. It is read from the journals as far as it is asked for, the
/// newest first: most days nobody asks, and a start must not wait for it.
package struct HistoryBook: Sendable {
  private var history: UndoHistory
  /// Nil before anybody asked: what becomes durable meanwhile will be read.
  private var place: PastPlace?
  private let kept: Int
  private let mostBytes: Int
  private let mostBytesAtOnce: Int
  /// Whether journals were read since that was asked for: it takes far more memory than is kept.
  private var hasRead = false

  /// - Parameters: as for `UndoHistory`.
  package init(
    kept: Int = UndoHistory.kept, mostBytes: Int = UndoHistory.mostBytes,
    mostBytesAtOnce: Int = UndoHistory.mostBytesAtOnce
  ) {
    (self.kept, self.mostBytes, self.mostBytesAtOnce) = (kept, mostBytes, mostBytesAtOnce)
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

  /// What an undo of several steps takes back, the newest first; fewer where there are fewer.
  /// `forEachSource` gives what that needs of each.
  ///
  /// - Throws: where the journals can't be read that far; nothing is changed.
  package mutating func toUndo(
    _ steps: UndoSteps, from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> [UndoHistory.Entry] {
    switch steps {
    case .count(let count):
      try read(store, newest) { $0.undoable.count >= count }
      return history.undoable.suffix(count).reversed()
    case .to(let number):
      // What is older than one that is older was read before.
      try read(store, newest) { history in
        history.undoable.contains { $0.sequence <= number }
      }
      // What was done before, and taken back and done again since, was in effect then.
      return history.undoable.filter { $0.sequence > number }.reversed()
    }
  }

  /// What a redo of several steps does again, the one that was taken back last first.
  ///
  /// - Throws: where the journals can't be read that far; nothing is changed.
  package mutating func toRedo(
    _ steps: UndoSteps, from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> [UndoHistory.Entry] {
    try read(store, newest) { history in
      if case .count(let count) = steps, history.redoable.count >= count { return true }
      return history.hasAct
    }
    let entries = history.redoable.reversed()
    switch steps {
    case .count(let count): return Array(entries.prefix(count))
    case .to(let number): return entries.filter { $0.sequence <= number }
    }
  }

  /// Everything that can be taken back, as far as the journals reach.
  ///
  /// - Throws: where the journals can't be read that far; nothing is changed.
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

  /// Calls with each of the entries, in their order, and with the transaction that taking it back
  /// takes. Of those that have to be read, only as many are in memory at a time as
  /// `UndoHistory.mostBytes` has room for, or one; for them each journal is read once at most.
  ///
  /// - Throws: where something can't be read, maybe after some calls; before the first one where
  ///   there are several, which take more than `UndoHistory.mostBytesAtOnce`.
  package mutating func forEachSource(
    of entries: [UndoHistory.Entry], from store: any ChangeStore,
    _ body: (UndoHistory.Entry, Transaction) -> Void
  ) throws(UnreadablePast) {
    let fitting = fittingCount(of: entries, mostBytesAtOnce)
    guard fitting == entries.count else {
      throw UnreadablePast(
        reason: "\(entries.count) changes are too much at once: take at most \(fitting) at a time")
    }
    var left = entries[...]
    while !left.isEmpty {
      let some = left.prefix(fittingCount(of: left, mostBytes))
      let sources = try lackingSources(of: some, store)
      for entry in some {
        guard let source = entry.source ?? sources[entry.sequence] else {
          let number = entry.sourceSequence
          throw UnreadablePast(reason: "change \(number) is not in the journals any more")
        }
        body(entry, source)
      }
      left = left.dropFirst(some.count)
    }
  }

  /// How many of the first ones take so many bytes at most; one in any case.
  private func fittingCount(of entries: some Collection<UndoHistory.Entry>, _ most: Int) -> Int {
    var bytes = 0
    let fitting = entries.prefix { entry in
      bytes += entry.sourceBytes
      return bytes <= most
    }
    return entries.isEmpty ? 0 : max(fitting.count, 1)
  }

  /// What the entries lack, by their numbers.
  private mutating func lackingSources(
    of entries: some Collection<UndoHistory.Entry>, _ store: any ChangeStore
  ) throws(UnreadablePast) -> [Int: Transaction] {
    let lacking = Dictionary(
      grouping: entries.filter { $0.source == nil }, by: \.sourceSequence)
    if lacking.isEmpty { return [:] }
    hasRead = true
    var found: [Int: Transaction] = [:]
    try store.forEachPast(Set(lacking.keys)) { transaction in
      // Several that were taken back at once are one transaction, which has a part for each.
      for entry in lacking[transaction.sequence] ?? [] {
        found[entry.sequence] = transaction.part(about: entry.sequence)
      }
    }
    return found
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
  /// Exclusive upper bound of the generations still to be read.
  var below = Int.max
  /// Exclusive upper bound of the numbers of changes still to be read.
  var before: Int
  /// Nothing older is to be had.
  package var isOver = false
  /// Why, where it should be.
  package internal(set) var damage: String?

  /// Begins with the newest change of a smaller number.
  package init(before: Int) { self.before = before }
}

/// What is kept of the past can't be read at the moment, or is too much to be read for one change.
/// Nothing was changed.
package struct UnreadablePast: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
