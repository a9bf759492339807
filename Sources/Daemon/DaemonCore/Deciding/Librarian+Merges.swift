import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

extension Librarian {
  /// How long edits may wait for a merge to be decided, in nanoseconds.
  static let longestWait: Int64 = 20_000_000

  /// Has a merge decided.
  func begin(_ request: MergeRequest, _ desk: inout Desk) {
    var found = request.found
    if case .contents(var contents) = found {
      contents.now = clock.wall() / 1_000_000
      found = .contents(contents)
    }
    desk.merging = MergeWork(
      request: request, parts: [found], base: base(of: found, desk))
    decideMerge(&desk)
  }

  private func base(of found: MergeThread.Found, _ desk: borrowing Desk) -> MergeThread.Base {
    MergeThread.Base(
      library: desk.library, awayCount: desk.awayCount, newAlbums: desk.newAlbums,
      leaving: desk.leaving[found.root(in: desk.library)] ?? [], fresh: desk.fresh)
  }

  /// Has the first part decided, on what is there now.
  private func decideMerge(_ desk: inout Desk) {
    guard let found = desk.merging?.parts.first else { return }
    let base = base(of: found, desk)
    desk.merging?.base = base
    mergeThread.decide(found, on: base) { [mailbox] decision in
      mailbox.withLock { $0.decided = .some(decision) }
    }
  }

  /// Takes what was decided, unless it was overtaken: it is decided anew then.
  ///
  /// - Parameter isLast: whether the librarian stops: nothing is tried again.
  func take(_ decision: MergeThread.Decision?, isLast: Bool, _ desk: inout Desk) {
    guard var work = desk.merging else { return }
    guard let decision else { return end(work, &desk) }
    if !isUpToDate(work.base, desk) {
      work.retry(decision)
      desk.merging = work
      return decideMerge(&desk)
    }
    work.parts.removeFirst()
    work.isAlone = false
    do {
      try merge(decision, &desk)
      endRefusal()
    } catch  where error.kind == .neverPasses {
      // The halves are tried, down to the single file.
      if let (first, second) = decision.contents.halves {
        work.parts = [.contents(first), .contents(second)] + work.parts
      } else {
        work.rejected[decision.contents.only] = "can't be kept in the order: \(error.reason)"
      }
    } catch {
      desk.merging = nil
      if isLast { return work.request.done([:]) }
      return postpone(work.request, error.reason)
    }
    if work.parts.isEmpty { return end(work, &desk) }
    desk.merging = work
    decideMerge(&desk)
  }

  private func end(_ work: MergeWork, _ desk: inout Desk) {
    desk.merging = nil
    work.request.done(work.rejected)
  }

  private func isUpToDate(_ base: MergeThread.Base, _ desk: borrowing Desk) -> Bool {
    base.library.sequence == desk.library.sequence && base.awayCount == desk.awayCount
      && base.newAlbums == desk.newAlbums
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

  /// Where the store takes nothing, lets go of what nobody would wait for.
  func dropUnwanted() {
    let dropped = mailbox.withLock { mailbox -> [MergeRequest] in
      if mailbox.mergeRefusal == nil { return [] }
      var (wanted, dropped): ([MergeRequest], [MergeRequest]) = ([], [])
      for request in mailbox.merges {
        if request.isWanted() { wanted.append(request) } else { dropped.append(request) }
      }
      mailbox.merges = wanted
      // Nothing is left that was refused.
      if mailbox.merges.isEmpty { mailbox.mergeRefusal = nil }
      return dropped
    }
    for request in dropped { request.done([:]) }
  }

  /// The store takes what it is given.
  func endRefusal() {
    mailbox.withLock { $0.mergeRefusal = nil }
  }

  private func merge(
    _ decision: MergeThread.Decision, _ desk: inout Desk
  ) throws(StoreRefusal) {
    let (contents, outcome) = (decision.contents, decision.outcome)
    let leaving = desk.leaving[contents.root] ?? []
    let before = desk.library
    // Before that they left is durable: of an album that nobody left, nothing comes.
    folders?.note(leaving: leaving.union(outcome.leaving), at: contents.root)
    if outcome.decision.changes.isEmpty {
      // What is known of files may differ though nothing of it is shown.
      desk.library = outcome.decision.library
      published.publish(desk.library)
      naming.note(albums: outcome.albums, songs: outcome.songs)
    } else {
      let transaction = dated(outcome.decision.transaction)
      let moves = ListedMoves(of: transaction, from: before, to: outcome.decision.library)
      try commit(
        [transaction], [moves], outcome.decision.library, &desk,
        published: { _ in naming.note(albums: outcome.albums, songs: outcome.songs) })
    }
    desk.leaving[contents.root] = outcome.leaving.isEmpty ? nil : outcome.leaving
    folders?.note(leaving: outcome.leaving, at: contents.root)
    desk.fresh = outcome.fresh
    desk.fresh?.sequence = desk.library.sequence
    mergeThread.follow(decision, from: before, to: desk.library)
    let isScanning = contents.isFirstScan && !contents.endsFirstScan
    follow(outcome, isScanning: isScanning, from: before, &desk)
  }

  private func follow(
    _ outcome: Merge.Outcome, isScanning: Bool, from before: Library, _ desk: inout Desk
  ) {
    let strangers = outcome.strangers(in: before.away)
    if !strangers.isEmpty { forgotten.withLock { $0 }(strangers) }
    index.note(
      outcome.decision.changes, files: outcome.files, isScanning: isScanning, from: before,
      to: desk.library)
    playlists.note(
      outcome.decision.changes, files: outcome.files, from: before, to: desk.library)
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
