import CratesInterface
import LibraryModel
import Logging
import Platform
import Synchronization

extension Librarian {
  /// A merge that the store refuses is tried again later; edits are answered meanwhile.
  func merge(_ request: MergeRequest, isLast: Bool, _ desk: inout Desk) {
    let outcome = Merge.merge(
      request.contents, into: desk.library, lookups: desk.lookups, newAlbums: desk.newAlbums)
    let before = desk.library
    do throws(InterfaceError) {
      if outcome.decision.changes.isEmpty {
        // Tags may have changed where no order did.
        desk.library = outcome.decision.library
        published.publish(desk.library)
      } else {
        try commit(
          [committed(outcome.decision, by: .folder)], outcome.decision.library, &desk)
      }
    } catch {
      if isLast { return request.done() }
      let retry = clock.monotonic() + Self.retryDelay
      return mailbox.withLock { mailbox in
        mailbox.merges.insert(request, at: 0)
        mailbox.mergesWaitUntil = retry
      }
    }
    mailbox.withLock { $0.mergesWaitUntil = 0 }
    let isScanning = request.contents.isFirstScan && !request.contents.endsFirstScan
    follow(outcome, isScanning: isScanning, from: before, &desk)
    if request.contents.endsFirstScan { desk.lookups.fit() }
    request.done()
  }

  private func follow(
    _ outcome: Merge.Outcome, isScanning: Bool, from before: Library, _ desk: inout Desk
  ) {
    desk.lookups.follow(
      from: before, to: desk.library, songs: outcome.songs, albums: outcome.albums,
      files: outcome.files)
    let strangers = outcome.strangers(in: before.away)
    if !strangers.isEmpty { forgotten.withLock { $0 }(strangers) }
    showDuplicates(desk.lookups.duplicateFiles, desk.library)
    index.note(
      outcome.decision.changes, files: outcome.files, isScanning: isScanning, from: before,
      to: desk.library)
    playlists.note(
      outcome.decision.changes, files: outcome.files, from: before, to: desk.library)
    if !outcome.decision.changes.isEmpty {
      logger.info("\(outcome.decision.summary)")
      if logger.logLevel <= .debug {
        for change in outcome.decision.changes {
          if let note = change.note { logger.debug("\(note)") }
        }
      }
    }
  }

  func showDuplicates(_ files: [(BytePath, SongID, FileFacts)], _ library: Library) {
    let shown = files.compactMap { path, id, facts -> Duplicate? in
      guard let song = library.songs[id], song.path != path else { return nil }
      return Duplicate(path: path, facts: facts, original: song.path)
    }
    shownDuplicates.withLock { $0 = shown.sorted { $0.path < $1.path } }
  }
}

/// A file with the same sound as a song of the same album.
struct Duplicate: Sendable {
  var path: BytePath
  var facts: FileFacts
  /// The song's own file.
  var original: BytePath
}
