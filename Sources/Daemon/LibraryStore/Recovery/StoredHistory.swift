package import LibraryModel

/// The user's changes, for undo. They are read from the journals on demand, the newest first: undo
/// is rare, and a start must not wait for it.
package struct StoredHistory: Sendable {
  private var history: UndoHistory
  /// Nil before the first query: what becomes durable until then will be read.
  private var place: PastPlace?
  private let kept: Int
  private let mostBytes: Int
  private let mostBytesAtOnce: Int
  /// Whether journals were read since the last `takeHasRead`: that takes far more memory than is
  /// kept.
  private var hasRead = false

  /// - Parameters: as for `UndoHistory`.
  package init(
    kept: Int = UndoHistory.kept, mostBytes: Int = UndoHistory.mostBytes,
    mostBytesAtOnce: Int = UndoHistory.mostBytesAtOnce
  ) {
    (self.kept, self.mostBytes, self.mostBytesAtOnce) = (kept, mostBytes, mostBytesAtOnce)
    history = UndoHistory(kept: kept, mostBytes: mostBytes)
  }

  /// Returns whether journals were read since the last call.
  package mutating func takeHasRead() -> Bool {
    defer { hasRead = false }
    return hasRead
  }

  package mutating func follow(_ transaction: Transaction) {
    if place == nil { return }
    history.follow(transaction)
  }

  /// Returns the changes that an undo reverses, the newest first; fewer if there are fewer.
  /// `forEachSource` supplies their transactions.
  ///
  /// - Throws: if the journals can't be read that far; nothing is changed.
  package mutating func toUndo(
    _ steps: UndoSteps, from store: any ChangeStore, newest: Int
  ) throws(UnreadablePast) -> [UndoHistory.Entry] {
    switch steps {
    case .count(let count):
      try read(store, newest) { $0.undoable.count >= count }
      return history.undoable.suffix(count).reversed()
    case .to(let number):
      // Changes are read newest first: once an older one is found, all newer ones are known.
      try read(store, newest) { history in
        history.undoable.contains { $0.sequence <= number }
      }
      // A change from before, which was undone and redone since, was in effect then.
      return history.undoable.filter { $0.sequence > number }.reversed()
    }
  }

  /// Returns the changes that a redo repeats, the one that was undone last first.
  ///
  /// - Throws: if the journals can't be read that far; nothing is changed.
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

  /// Returns everything that can be undone, as far as the journals reach.
  ///
  /// - Throws: if the journals can't be read that far; nothing is changed.
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
      // Starts from the newest change, again if old ones have been dropped.
      history = UndoHistory(kept: kept, mostBytes: mostBytes)
      place = PastPlace(before: newest + 1)
    }
    while var next = place, !next.isOver, !isEnough(history) {
      hasRead = true
      let own = try store.ownTransactions(&next)
      place = next
      for transaction in own.reversed() { history.followBack(transaction) }
    }
    // Damage ends the history for good, but it is reported, instead of pretending that nothing was
    // done.
    if !isEnough(history), let damage = place?.damage { throw UnreadablePast(reason: damage) }
  }

  /// Calls the body with each of the entries, in order, and with the transaction that it is
  /// reversed with. Of those that have to be read, only as many are in memory at a time as
  /// `UndoHistory.mostBytes` has room for, or one. Each journal is read at most once for them.
  ///
  /// - Throws: if something can't be read, maybe after some calls. Before the first call if several
  ///   entries take more than `UndoHistory.mostBytesAtOnce`.
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

  /// Returns how many of the first entries fit into that many bytes; at least one.
  private func fittingCount(of entries: some Collection<UndoHistory.Entry>, _ most: Int) -> Int {
    var bytes = 0
    let fitting = entries.prefix { entry in
      bytes += entry.sourceBytes
      return bytes <= most
    }
    return entries.isEmpty ? 0 : max(fitting.count, 1)
  }

  /// Returns the transactions that the entries lack, by the entries' numbers.
  private mutating func lackingSources(
    of entries: some Collection<UndoHistory.Entry>, _ store: any ChangeStore
  ) throws(UnreadablePast) -> [Int: Transaction] {
    let lacking = Dictionary(
      grouping: entries.filter { $0.source == nil }, by: \.sourceSequence)
    if lacking.isEmpty { return [:] }
    hasRead = true
    var found: [Int: Transaction] = [:]
    try store.forEachPast(Set(lacking.keys)) { transaction in
      // Several changes that were undone at once are one transaction, with a part for each.
      for entry in lacking[transaction.sequence] ?? [] {
        found[entry.sequence] = transaction.part(about: entry.sequence)
      }
    }
    return found
  }
}

/// The extent of an undo or a redo.
package enum UndoSteps: Hashable, Sendable {
  /// A number of changes.
  case count(Int)
  /// Back to the state right after the change of this number.
  case to(Int)
}

/// The place up to which the past has been read, from the newest change to the oldest.
package struct PastPlace: Sendable {
  /// Exclusive upper bound of the generations still to be read.
  var below = Int.max
  /// Exclusive upper bound of the numbers of changes still to be read.
  var before: Int
  /// Whether nothing older is available.
  package var isOver = false
  /// The damage because of which nothing older is available, if any.
  package internal(set) var damage: String?

  /// Starts with the newest change of a smaller number.
  package init(before: Int) { self.before = before }
}

/// The stored past can't be read now, or one change would have to read too much of it. Nothing was
/// changed.
package struct UnreadablePast: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
