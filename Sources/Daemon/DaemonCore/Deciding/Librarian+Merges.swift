import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

extension Librarian {
  /// The maximum time that edits may wait for a merge to be decided, in nanoseconds.
  static let longestWait: Int64 = 20_000_000

  /// Starts a merge, which is decided on the merge thread.
  func begin(_ request: MergeRequest, _ owned: inout ThreadState) {
    var found = request.found
    if case .contents(var contents) = found {
      contents.now = clock.wall() / 1_000_000
      found = .contents(contents)
    }
    decideFirst(of: MergeWork(request: request, parts: [found]), &owned)
  }

  /// Starts deciding the first part on the current library; ends the work if no part is left.
  private func decideFirst(of work: MergeWork, _ owned: inout ThreadState) {
    guard let found = work.parts.first else {
      owned.merging = nil
      return work.request.done(work.rejected)
    }
    owned.merging = work
    let base = MergeThread.Base(
      library: owned.library, folderChanges: owned.folderChanges, newAlbums: owned.newAlbums,
      memory: owned.memory, shared: followers.machines?.shown.table)
    mergeThread.decide(found, on: base) { [mailbox] decision in
      mailbox.withLock { $0.decided = .some(decision) }
    }
  }

  /// Applies a decision. If edits have overtaken it, the part is decided again.
  ///
  /// - Parameters:
  ///   - decision: Nil if there was nothing to merge.
  ///   - isLast: Whether the librarian stops, so that nothing is retried.
  func take(_ decision: MergeThread.Decision?, isLast: Bool, _ owned: inout ThreadState) {
    guard var work = owned.merging else { return }
    if let decision, !isUpToDate(decision.base, owned) {
      work.retry(decision)
      return decideFirst(of: work, &owned)
    }
    work.parts.removeFirst()
    guard let decision else { return decideFirst(of: work, &owned) }
    work.isAlone = false
    do {
      try merge(decision, &owned)
      endRefusal()
    } catch  where error.kind == .neverPasses {
      // Tries the halves, recursively down to a single file.
      if let (first, second) = decision.contents.halves {
        work.parts = [.contents(first), .contents(second)] + work.parts
      } else {
        owned.memory.follow(decision.contents)
        work.rejected[decision.contents.only] = "can't be kept in the order: \(error.reason)"
      }
    } catch {
      owned.merging = nil
      if isLast { return work.request.done(nil) }
      return postpone(work.request, error.reason)
    }
    decideFirst(of: work, &owned)
  }

  private func isUpToDate(_ base: MergeThread.Base, _ owned: borrowing ThreadState) -> Bool {
    base.library.sequence == owned.library.sequence && base.folderChanges == owned.folderChanges
      && base.newAlbums == owned.newAlbums
  }

  private func postpone(_ request: MergeRequest, _ reason: String) {
    let retry = clock.monotonic() + Self.retryDelay
    let waiting = mailbox.withLock { mailbox in
      mailbox.merges.insert(request, at: 0)
      mailbox.mergeRefusal = MergeRefusal(reason: reason, until: retry)
      return mailbox.merges
    }
    for request in waiting { request.refused(reason) }
    dropUnwanted()
  }

  /// Drops the merges that nothing waits for any more, if the store refuses changes.
  func dropUnwanted() {
    let dropped = mailbox.withLock { mailbox -> [MergeRequest] in
      if mailbox.mergeRefusal == nil { return [] }
      var (wanted, dropped): ([MergeRequest], [MergeRequest]) = ([], [])
      for request in mailbox.merges {
        if request.isWanted() { wanted.append(request) } else { dropped.append(request) }
      }
      mailbox.merges = wanted
      // No refused merge is left.
      if mailbox.merges.isEmpty { mailbox.mergeRefusal = nil }
      return dropped
    }
    for request in dropped { request.done(nil) }
  }

  /// Records that the store accepts changes again.
  func endRefusal() {
    mailbox.withLock { $0.mergeRefusal = nil }
  }

  private func merge(
    _ decision: MergeThread.Decision, _ owned: inout ThreadState
  ) throws(StoreRefusal) {
    let (contents, outcome) = (decision.contents, decision.outcome)
    let (root, before) = (contents.root, owned.library)
    let leaving = outcome.memory.leaving(in: root)
    // Recorded before their leaving is durable. An album on this list that no song left has no
    // effect.
    folders?.note(leaving: leaving.union(owned.memory.leaving(in: root)), at: root)
    if outcome.decision.changes.isEmpty {
      // Known facts of files may differ even if no visible change results.
      owned.library = outcome.decision.library
      followers.published.publish(owned.library)
      followers.naming.note(albums: outcome.albums, songs: outcome.songs)
    } else {
      let transaction = dated(outcome.decision.transaction)
      let moves = ListedMoves(of: transaction, from: before, to: outcome.decision.library)
      try commit(
        [transaction], [moves], outcome.decision.library, &owned,
        published: { _ in followers.naming.note(albums: outcome.albums, songs: outcome.songs) })
    }
    owned.memory = outcome.memory
    owned.memory.follow(to: owned.library.sequence)
    folders?.note(leaving: leaving, at: root)
    mergeThread.follow(decision, from: before, to: owned.library)
    let isScanning = contents.isFirstScan && !contents.endsFirstScan
    follow(outcome, isScanning: isScanning, from: before, &owned)
  }

  private func follow(
    _ outcome: Merge.Outcome, isScanning: Bool, from before: Library, _ owned: inout ThreadState
  ) {
    let strangers = outcome.strangers(in: before.away)
    if !strangers.isEmpty { filesListener.withLock { $0 }(strangers, []) }
    followers.index.note(
      outcome.decision.changes, files: outcome.files, isScanning: isScanning, from: before,
      to: owned.library)
    followers.playlists.note(
      outcome.decision.changes, files: outcome.files, from: before, to: owned.library)
    if !outcome.decision.changes.isEmpty {
      logger.info("\(outcome.decision.transaction.sentence)")
      if logger.logLevel <= .debug {
        for change in outcome.decision.changes {
          if let note = change.note { logger.debug("\(note)") }
        }
      }
    }
  }
}
