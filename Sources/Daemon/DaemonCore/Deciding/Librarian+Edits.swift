import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

extension Librarian {
  private struct Decided {
    var request: EditRequest
    var outcome: Result<Decision, InterfaceError>
    /// The index of its transaction in the batch; nil for a dry run, a refusal or an edit without
    /// effect.
    var place: Int?
    /// Whether the batch had changes before it that were not durable yet.
    var isOnDraft: Bool
    /// The library that it was decided on.
    var before: Library
  }

  func decide(_ requests: [EditRequest], _ owned: inout ThreadState) {
    var waiting = requests[...]
    while !waiting.isEmpty {
      var draft = owned.library
      var decided: [Decided] = []
      var transactions: [Transaction] = []
      var moves: [ListedMoves] = []
      while let request = waiting.first {
        // Its answer depends on the numbers that the transactions before it get.
        if request.sequence != nil || request.isAlone, !transactions.isEmpty { break }
        waiting = waiting.dropFirst()
        var one = Decided(
          request: request, outcome: decision(on: request, in: draft, &owned),
          isOnDraft: !transactions.isEmpty, before: draft)
        if case .success(let decision) = one.outcome, !decision.isEmpty, !request.isDryRun {
          one.place = transactions.count
          transactions.append(dated(decision.transaction))
          moves.append(
            ListedMoves(of: decision.transaction, from: draft, to: decision.library))
          draft = decision.library
        }
        decided.append(one)
        if request.isAlone { break }
      }
      let again = settle(decided, transactions, moves, draft, &owned)
      if !again.isEmpty { waiting = (again + waiting)[...] }
    }
  }

  private func decision(
    on request: EditRequest, in library: Library, _ owned: inout ThreadState
  ) -> Result<Decision, InterfaceError> {
    if let sequence = request.sequence, sequence != library.sequence {
      return .failure(.outdated(sequence: library.sequence))
    }
    // A dry run is refused as the edit itself would be.
    if request.isDryRun, let reason = owned.store.state.refusal {
      return .failure(.changesRefused(reason: reason))
    }
    do {
      var decision = try decision(on: request.action, in: library, &owned)
      if case .machines = request.action, !request.isDryRun, decision.movesMuch {
        try keepBackup(owned)
      }
      if let newAlbums = owned.newAlbums {
        decision.noteNewAlbums(from: library, setting: newAlbums)
      } else {
        decision.noteNewAlbums(from: library, isDryRun: request.isDryRun)
      }
      return .success(decision)
    } catch {
      return .failure(error)
    }
  }

  private func decision(
    on action: Action, in library: Library, _ owned: inout ThreadState
  ) throws(InterfaceError) -> Decision {
    let newAlbums = owned.newAlbums
    switch action {
    case .edit(let find):
      let edit = try find(library)
      do {
        return try library.decide(edit, newAlbums: newAlbums)
      } catch {
        throw InterfaceError(error)
      }
    case .list(let list, let told):
      switch library.decide(list, newAlbums: newAlbums) {
      case .taken(let decision, let problem):
        told(problem)
        return decision
      case .refused(let reason): throw .editRejected(line: 0, reason: reason)
      }
    case .machines(let order, let names):
      do {
        return try library.decide(order, from: names, newAlbums: newAlbums)
      } catch {
        throw InterfaceError(error)
      }
    case .undo(let steps, let only):
      if case .to(let number) = steps { try checkChange(number, owned) }
      let entries = try toUndo(steps, &owned)
      if let only, let next = entries.first, next.sequence != only {
        throw .outdated(sequence: library.sequence)
      }
      let taken = try takeBack(.undo, entries, library, &owned)
      if let decision = try back(to: steps, after: taken, library, &owned) { return decision }
      throw .nothingToUndo()
    case .redo(let steps):
      let entries = try toRedo(steps, &owned)
      if let decision = try takeBack(.redo, entries, library, &owned) { return decision }
      throw .nothingToRedo()
    case .undoOne(let number):
      let (former, then) = try aroundOwn(number, owned)
      if let decision = library.decide(backFrom: then, to: former, newAlbums: newAlbums) {
        return decision
      }
      throw .nothingToUndo()
    case .text(let written, let sequence, let scope, let origin):
      let base = sequence == library.sequence ? library : try past(sequence, owned)
      guard let base else { throw .outdated(sequence: library.sequence) }
      do {
        return try library.decide(
          written, readFrom: base, scope: scope, newAlbums: newAlbums, origin: origin)
      } catch {
        throw InterfaceError(error)
      }
    }
  }

  /// Writes a backup of the order that other machines are about to change.
  private func keepBackup(_ owned: borrowing ThreadState) throws(InterfaceError) {
    do {
      try owned.store.keep(owned.library)
    } catch {
      throw .changesRefused(reason: "no backup could be written before it (\(error))")
    }
  }

  /// Completes the undo to a change. What was in effect right after that change may itself have
  /// been undone since, and is restored here.
  private func back(
    to steps: UndoSteps, after taken: Decision?, _ library: Library, _ owned: inout ThreadState
  ) throws(InterfaceError) -> Decision? {
    guard case .to(let number) = steps, number <= library.sequence else { return taken }
    var taken = taken
    if taken == nil {
      // What later changes made impossible to redo comes back by laying the order over the result.
      let undone = try toRedo(steps, &owned).filter { $0.sourceSequence > number }
      taken = try takeBack(.redo, undone, library, &owned)
    }
    guard let former = try past(number, owned) else { return taken }
    return library.decide(backTo: former, after: taken, newAlbums: owned.newAlbums)
  }

  private func toUndo(
    _ steps: UndoSteps, _ owned: inout ThreadState
  ) throws(InterfaceError) -> [UndoHistory.Entry] {
    let entries: [UndoHistory.Entry]
    do {
      entries = try owned.history.toUndo(steps, from: owned.store, newest: owned.library.sequence)
    } catch {
      throw .changesRefused(reason: error.reason)
    }
    if case .count(let count) = steps, entries.count < count {
      throw .nothingToUndo(steps: count == 1 ? nil : entries.count)
    }
    return entries
  }

  private func toRedo(
    _ steps: UndoSteps, _ owned: inout ThreadState
  ) throws(InterfaceError) -> [UndoHistory.Entry] {
    let entries: [UndoHistory.Entry]
    do {
      entries = try owned.history.toRedo(steps, from: owned.store, newest: owned.library.sequence)
    } catch {
      throw .changesRefused(reason: error.reason)
    }
    if case .count(let count) = steps, entries.count < count {
      throw .nothingToRedo(steps: count == 1 ? nil : entries.count)
    }
    return entries
  }

  /// Returns nil if there is nothing to reverse.
  private func takeBack(
    _ direction: Reversal.Direction, _ entries: [UndoHistory.Entry], _ library: Library,
    _ owned: inout ThreadState
  ) throws(InterfaceError) -> Decision? {
    do {
      var taking = TakingBack(
        direction, in: library, newAlbums: owned.newAlbums,
        leaving: try decidedElsewhere(since: entries, library, owned))
      try owned.history.forEachSource(of: entries, from: owned.store) { entry, source in
        taking.take(entry, source: source)
      }
      return taking.decision
    } catch {
      throw .changesRefused(reason: error.reason)
    }
  }

  /// Returns what other machines decided after the oldest of these entries.
  private func decidedElsewhere(
    since entries: [UndoHistory.Entry], _ library: Library, _ owned: borrowing ThreadState
  ) throws(UnreadablePast) -> DecidedElsewhere {
    guard followers.machines?.shown.table != nil, let oldest = entries.map(\.sequence).min()
    else { return DecidedElsewhere() }
    return DecidedElsewhere(
      try owned.store.pastTransactions(
        before: .max, most: library.sequence - oldest, of: nil))
  }

  /// Throws if no change has the number: undoing to it would undo everything.
  private func checkChange(_ number: Int, _ owned: borrowing ThreadState) throws(InterfaceError) {
    if number == owned.library.sequence { return }
    var isKnown = false
    do {
      try owned.store.forEachPast([number]) { _ in isKnown = true }
    } catch {
      throw .changesRefused(reason: error.reason)
    }
    if !isKnown { throw .invalidParameter(parameter: "to") }
  }

  /// Returns the library before and after a change of the user's.
  private func aroundOwn(
    _ number: Int, _ owned: borrowing ThreadState
  ) throws(InterfaceError) -> (before: Library, after: Library) {
    var own: Transaction?
    var previous: Transaction?
    do {
      try owned.store.forEachPast([number]) { own = $0 }
      previous = try owned.store.pastTransactions(before: number, most: 1, of: nil).last
    } catch {
      throw .changesRefused(reason: error.reason)
    }
    guard own?.author == .person, let previous, let before = try past(previous.sequence, owned),
      let after = number == owned.library.sequence ? owned.library : try past(number, owned)
    else { throw .invalidParameter(parameter: "only") }
    return (before, after)
  }

  /// Returns the library as it was at that number; nil if it can't be reconstructed any more.
  private func past(
    _ sequence: Int, _ owned: borrowing ThreadState
  ) throws(InterfaceError) -> Library? {
    if sequence > owned.library.sequence { return nil }
    if let known = texts.library(at: sequence) { return known }
    do {
      return try owned.store.library(at: sequence)
    } catch {
      throw .changesRefused(reason: error.reason)
    }
  }

  /// Commits what was decided, and answers.
  ///
  /// - Returns: The requests to decide again, since they were decided on changes that were refused.
  private func settle(
    _ decided: [Decided], _ transactions: [Transaction], _ moves: [ListedMoves],
    _ draft: Library, _ owned: inout ThreadState
  ) -> [EditRequest] {
    var answers: [@Sendable () -> Void] = []
    var again: [EditRequest] = []
    let before = owned.library
    if !transactions.isEmpty {
      do {
        let begun = clock.monotonic()
        let changes = transactions.flatMap(\.changes)
        try commit(
          transactions, moves, draft, &owned,
          published: { library in followers.naming.note(changes, from: before, to: library) }
        ) { told in
          answers = decided.compactMap { one in
            one.place.map { one.request.answer(.success(told[$0])) }
          }
        }
        let now = clock.monotonic()
        owned.commitGroup = CommitGroup(
          of: transactions.count, waiting: mailbox.withLock { $0.edits.count },
          duration: now - begun,
          now: now)
        followers.index.note(changes, from: before, to: owned.library)
        followers.playlists.note(changes, from: before, to: owned.library)
        followFiles(of: changes, from: before, owned)
      } catch {
        let failure = InterfaceError(error)
        answers = decided.compactMap {
          $0.place == nil ? nil : $0.request.answer(.failure(failure))
        }
        again = decided.filter { $0.place == nil && $0.isOnDraft }.map(\.request)
      }
    }
    for one in decided where one.place == nil && (again.isEmpty || !one.isOnDraft) {
      answers.append(one.request.answer(unchanged(one, owned.library.sequence)))
    }
    // Answers come first: releasing the former library takes a while.
    withExtendedLifetime(before) {
      for answer in answers { answer() }
    }
    return again
  }

  /// Returns the answer to a dry run, a refusal or an edit without effect.
  private func unchanged(
    _ one: Decided, _ sequence: Int
  ) -> Result<Interface.Change, InterfaceError> {
    one.outcome.map { decision in
      if one.request.isDryRun, !decision.isEmpty {
        var transaction = dated(decision.transaction)
        transaction.sequence = sequence
        transaction.sentence = decision.sentence(from: one.before, isDryRun: true)
        let moves = ListedMoves(of: transaction, from: one.before, to: decision.library)
        return Interface.Change(transaction, moves: moves)
      }
      return Interface.Change(
        changed: false, sequence: sequence, time: Timestamp.text(clock.wall() / 1_000_000),
        author: .person, summary: decision.transaction.sentence,
        notes: decision.transaction.notes)
    }
  }

  /// Makes songs that the user forgot unknown to the lookups and the index, also after a restart,
  /// and songs that are listed again known to the watchers.
  private func followFiles(
    of changes: [Change], from before: Library, _ owned: borrowing ThreadState
  ) {
    mergeThread.follow(changes, from: before, to: owned.library)
    let forgotten = before.filesForgotten(by: changes, in: owned.library)
    let restored = owned.library.filesRestored(by: changes)
    if forgotten.isEmpty && restored.isEmpty { return }
    if !forgotten.isEmpty { followers.index.drop(forgotten) }
    filesListener.withLock { $0 }(forgotten, restored)
  }

  func dated(_ transaction: Transaction) -> Transaction {
    var transaction = transaction
    transaction.time = clock.wall() / 1_000_000
    return transaction
  }

  /// Makes the transactions durable, then applies and publishes them, then notifies clients.
  ///
  /// - Parameters:
  ///   - published: Called when readers see the changes, and before clients are notified.
  ///   - meanwhile: Called with the changes as clients will see them, while the disk writes.
  func commit(
    _ transactions: [Transaction], _ moves: [ListedMoves], _ draft: Library,
    _ owned: inout ThreadState, published whenPublished: (Library) -> Void = { _ in },
    meanwhile: ([Interface.Change]) -> Void = { _ in }
  ) throws(StoreRefusal) {
    do {
      var told: [Interface.Change] = []
      let numbered = try owned.store.commit(transactions, to: owned.library) { numbered in
        told = zip(numbered, moves).map { Interface.Change($0, moves: $1) }
        meanwhile(told)
      }
      owned.loggedRefusal = nil
      owned.library = draft
      owned.library.advance(past: numbered)
      if let last = numbered.last { newestTime.store(last.time, ordering: .relaxed) }
      // First, since a client that sees the change may ask for the state.
      storeState.withLock { $0 = owned.store.state }
      endRefusal()
      followers.published.publish(owned.library)
      followers.machines?.note(numbered)
      whenPublished(owned.library)
      for transaction in numbered { owned.history.follow(transaction) }
      followers.feed.tell(told)
    } catch {
      storeState.withLock { $0 = owned.store.state }
      // A merge is retried every second: the same reason is logged only once.
      if owned.loggedRefusal != error.reason {
        logger.error("changes were refused: \(error.reason)")
      }
      owned.loggedRefusal = error.reason
      throw error
    }
  }
}

extension Decision {
  /// Whether it moves so many albums that the user may want the former order back: more than ten,
  /// and more than a fifth.
  fileprivate var movesMuch: Bool {
    let moved = transaction.changes.count { if case .albumMoved = $0 { true } else { false } }
    return moved > 10 && moved * 5 > library.albums.count
  }
}

extension StoreState {
  /// Why changes are refused; nil if they are accepted.
  var refusal: String? {
    switch self {
    case .ready: nil
    case .full(let reason), .readOnly(let reason): reason
    }
  }
}

extension InterfaceError {
  init(_ refusal: StoreRefusal) {
    self =
      refusal.isUnknown
      ? .outcomeUnknown(reason: refusal.reason) : .changesRefused(reason: refusal.reason)
  }
}
