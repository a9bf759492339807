import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

extension Librarian {
  /// A merge that the store refuses is tried again later; edits are answered meanwhile.
  func merge(_ request: MergeRequest, isLast: Bool, _ desk: inout Desk) {
    let rejected: [BytePath: String]
    var contents = request.contents
    contents.now = clock.wall() / 1_000_000
    do {
      rejected = try merge(contents, &desk)
    } catch {
      if isLast { return request.done([:]) }
      return postpone(request, error.reason)
    }
    endRefusal()
    if request.contents.endsFirstScan { desk.lookups.fit() }
    request.done(rejected)
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

  /// Merges what can be merged at all. Where the store never takes it, the halves are tried, down
  /// to the single file.
  ///
  /// - Returns: the files that can't be merged, and why.
  private func merge(
    _ contents: FolderContents, _ desk: inout Desk
  ) throws(StoreRefusal) -> [BytePath: String] {
    do {
      try mergeWhole(contents, &desk)
      return [:]
    } catch  where error.kind == .neverPasses {
      guard let (first, second) = contents.halves else {
        return [contents.only: "can't be kept in the order: \(error.reason)"]
      }
      let rejected = try merge(first, &desk)
      return rejected.merging(try merge(second, &desk)) { $1 }
    }
  }

  private func mergeWhole(
    _ contents: FolderContents, _ desk: inout Desk
  ) throws(StoreRefusal) {
    let leaving = desk.leaving[contents.root] ?? []
    let outcome = Merge.merge(
      contents, into: desk.library, lookups: desk.lookups, newAlbums: desk.newAlbums,
      leaving: leaving, fresh: desk.fresh)
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
    let isScanning = contents.isFirstScan && !contents.endsFirstScan
    follow(outcome, isScanning: isScanning, from: before, &desk)
  }

  private func follow(
    _ outcome: Merge.Outcome, isScanning: Bool, from before: Library, _ desk: inout Desk
  ) {
    desk.lookups.follow(
      from: before, to: desk.library, songs: outcome.songs, albums: outcome.albums)
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
