import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

/// The one who changes the library: decide, append, synchronize, apply, publish, answer, on one
/// thread and without a break. All edits that wait share one synchronization of the disk.
final class Librarian: Sendable {
  /// How long a merge that could not be made durable waits before it is tried again.
  private static let retryDelay: Int64 = 1_000_000_000

  struct EditRequest: Sendable {
    /// The sequence the client last saw.
    var sequence: Int?
    var wish: Wish
    var answer: @Sendable (Result<Interface.Change, InterfaceError>) -> Void
  }

  enum Wish: Sendable {
    /// Finds what the client named in the library as it is now.
    case edit(@Sendable (Library) throws(InterfaceError) -> Edit)
    case undo
    case redo
    /// An order that was read at that number, all of it or one crate's, and edited.
    case text(WrittenOrder, readAt: Int, crate: String?)

    /// Whether it depends on all that was done before, and all that follows on it.
    var isAlone: Bool {
      if case .edit = self { false } else { true }
    }
  }

  struct MergeRequest: Sendable {
    var contents: FolderContents
    var done: @Sendable () -> Void
  }

  struct HistoryRequest: Sendable {
    /// Changes with a smaller sequence number.
    var before: Int
    var limit: Int
    /// The newest first.
    var answer: @Sendable ([Interface.Change]) -> Void
  }

  private struct AwayRequest: Sendable {
    var away: Away
    var done: @Sendable () -> Void
  }

  private struct Mailbox {
    var edits: [EditRequest] = []
    var histories: [HistoryRequest] = []
    var merges: [MergeRequest] = []
    /// Until then no merge is tried: the store refused the last one.
    var mergesWaitUntil: Int64 = 0
    var aways: [AwayRequest] = []
    var newAlbums: String?
    var isStopping = false
  }

  /// What only the librarian's thread touches.
  private struct Desk: ~Copyable {
    var library: Library
    var lookups: Lookups
    var store: any ChangeStore
    var newAlbums: String?
    var book: HistoryBook
  }

  let published: PublishedLibrary
  let feed: ChangeFeed
  /// What edited texts are compared with.
  let texts = ReadLibraries()
  private let index: IndexService
  private let clock: Clock
  private let logger: Logger
  private let mailbox = Monitor(Mailbox())
  private let storeState = Mutex(StoreState.ready)
  private let shownDuplicates = Mutex<[Duplicate]>([])
  private let forgotten = Mutex<@Sendable ([BytePath]) -> Void>({ _ in })
  private let thread = Mutex<BlockingThread?>(nil)

  init(
    published: PublishedLibrary, feed: ChangeFeed, index: IndexService, clock: Clock,
    logger: Logger
  ) {
    self.published = published
    self.feed = feed
    self.index = index
    self.clock = clock
    self.logger = logger
  }

  /// Who is told of files whose songs were forgotten: they are new when they are there again.
  func tellForgotten(to listener: @escaping @Sendable ([BytePath]) -> Void) {
    forgotten.withLock { $0 = listener }
  }

  /// Whether changes can be made durable, as of the last try.
  var state: StoreState { storeState.withLock { $0 } }

  /// Files that are not a song of their own.
  var duplicates: [Duplicate] { shownDuplicates.withLock { $0 } }

  func start(
    library: Library, lookups: Lookups, store: sending any ChangeStore, newAlbums: String?
  ) {
    storeState.withLock { $0 = store.state }
    let handover = Mutex<(any ChangeStore)?>(store)
    showDuplicates(lookups, library)
    let thread = BlockingThread("librarian") { [self] in
      guard let store = handover.withLock({ $0.take() }) else { return }
      var desk = Desk(
        library: library, lookups: lookups, store: store, newAlbums: newAlbums,
        book: HistoryBook())
      run(&desk)
    }
    self.thread.withLock { $0 = thread }
  }

  func submit(_ request: EditRequest) {
    let isRefused = mailbox.withLock { mailbox in
      if !mailbox.isStopping { mailbox.edits.append(request) }
      return mailbox.isStopping
    }
    if isRefused { request.answer(.failure(.changesRefused(reason: "crated is stopping"))) }
  }

  func submit(_ request: HistoryRequest) {
    let isRefused = mailbox.withLock { mailbox in
      if !mailbox.isStopping { mailbox.histories.append(request) }
      return mailbox.isStopping
    }
    if isRefused { request.answer([]) }
  }

  /// Returns when what was found is merged and durable, or the librarian stops.
  func merge(_ contents: FolderContents) {
    let done = Monitor(false)
    let isRefused = mailbox.withLock { mailbox in
      if mailbox.isStopping { return true }
      mailbox.merges.append(
        MergeRequest(contents: contents) { done.withLock { $0 = true } })
      return false
    }
    if isRefused { return }
    done.wait { $0 ? () : nil }
  }

  /// Returns when answers show what is offline now, or the librarian stops.
  func setAway(_ away: Away) {
    let done = Monitor(false)
    let isRefused = mailbox.withLock { mailbox in
      if mailbox.isStopping { return true }
      mailbox.aways.append(AwayRequest(away: away) { done.withLock { $0 = true } })
      return false
    }
    if isRefused { return }
    done.wait { $0 ? () : nil }
  }

  func setNewAlbums(_ name: String?) {
    mailbox.withLock { $0.newAlbums = name ?? "" }
  }

  /// Finishes what waits, writes a last checkpoint, and ends the thread.
  func stop() {
    mailbox.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }

  // MARK: The thread

  private func run(_ desk: inout Desk) {
    while true {
      guard let work = nextWork() else { continue }
      if let name = work.newAlbums { desk.newAlbums = name.isEmpty ? nil : name }
      for request in work.aways {
        take(request.away, &desk)
        request.done()
      }
      if !work.edits.isEmpty { decide(work.edits, &desk) }
      for request in work.histories {
        let past = desk.store.pastChanges(before: request.before, most: request.limit, of: nil)
        request.answer(past.reversed().map { Interface.Change($0) })
      }
      if let request = work.merges.first { merge(request, isLast: work.isStopping, &desk) }
      if desk.store.needsCheckpoint { checkpoint(&desk) }
      if work.isStopping, work.edits.isEmpty, work.merges.isEmpty { break }
    }
    if let fault = desk.store.close(desk.library) {
      logger.warning("no last checkpoint could be written; the journal holds everything: \(fault)")
    }
  }

  /// Waits for work: all edits that wait, and one merge. Nil after a wait that brought none.
  private func nextWork() -> Mailbox? {
    let deadline = mailbox.withLock { $0.merges.isEmpty ? Int64.max : $0.mergesWaitUntil }
    func take(_ mailbox: inout Mailbox) -> Mailbox? {
      let mayMerge =
        mailbox.isStopping || mailbox.mergesWaitUntil == 0
        || clock.monotonic() >= mailbox.mergesWaitUntil
      let isIdle =
        mailbox.edits.isEmpty && mailbox.histories.isEmpty && (mailbox.merges.isEmpty || !mayMerge)
        && mailbox.aways.isEmpty && mailbox.newAlbums == nil
      if isIdle && !mailbox.isStopping { return nil }
      var work = mailbox
      work.merges = mayMerge ? Array(mailbox.merges.prefix(1)) : []
      mailbox.merges.removeFirst(work.merges.count)
      mailbox.edits = []
      mailbox.histories = []
      mailbox.aways = []
      mailbox.newAlbums = nil
      return work
    }
    if deadline == .max || deadline == 0 { return mailbox.wait(for: take) }
    return mailbox.wait(until: deadline, for: take)
  }

  private func take(_ away: Away, _ desk: inout Desk) {
    let isOtherFolders = away.folders != desk.library.away.folders
    desk.library.away = away
    if isOtherFolders {
      let duplicates = desk.lookups.duplicateFiles
      desk.lookups = Lookups(desk.library, roots: away.folders, duplicates: duplicates)
    }
    published.publish(desk.library)
    // Of songs with several files, another one may be the first that is there.
    var contents = FolderContents(
      root: away.folders.first ?? BytePath("/"), seen: clock.wall() / 1_000_000)
    contents.turned = desk.lookups.turned(in: desk.library)
    if contents.turned.isEmpty { return }
    merge(MergeRequest(contents: contents) {}, isLast: false, &desk)
  }

  private func checkpoint(_ desk: inout Desk) {
    do {
      try desk.store.checkpoint(desk.library)
    } catch {
      logger.warning("no checkpoint could be written; the journal goes on: \(error)")
    }
    storeState.withLock { $0 = desk.store.state }
  }
}

// MARK: Edits

extension Librarian {
  private struct Decided {
    var request: EditRequest
    var decision: Decision
    /// Which of the batch's changes it is; nil where there was nothing to do.
    var place: Int?
  }

  private func decide(_ requests: [EditRequest], _ desk: inout Desk) {
    var waiting = requests[...]
    while !waiting.isEmpty {
      var draft = desk.library
      var decided: [Decided] = []
      var changes: [CommittedChange] = []
      while let request = waiting.first {
        // Its answer depends on the numbers that those before it get.
        if request.sequence != nil || request.wish.isAlone, !changes.isEmpty { break }
        waiting = waiting.dropFirst()
        do throws(InterfaceError) {
          if let sequence = request.sequence, sequence != draft.sequence {
            throw .outdated(sequence: draft.sequence)
          }
          let decision = try decision(on: request.wish, in: draft, &desk)
          var place: Int?
          if !decision.changes.isEmpty {
            place = changes.count
            changes.append(committed(decision, by: .person))
            draft = decision.library
          }
          decided.append(Decided(request: request, decision: decision, place: place))
        } catch {
          request.answer(.failure(error))
        }
        if request.wish.isAlone { break }
      }
      settle(decided, changes, draft, &desk)
    }
  }

  private func decision(
    on wish: Wish, in library: Library, _ desk: inout Desk
  ) throws(InterfaceError) -> Decision {
    let newAlbums = desk.newAlbums
    switch wish {
    case .edit(let find):
      let edit = try find(library)
      do {
        return try library.decide(edit, newAlbums: newAlbums)
      } catch {
        throw InterfaceError(error)
      }
    case .undo:
      let history = desk.book.history(from: desk.store)
      guard let decision = library.decideUndo(history, newAlbums: newAlbums) else {
        throw .nothingToUndo
      }
      return decision
    case .redo:
      let history = desk.book.history(from: desk.store)
      guard let decision = library.decideRedo(history, newAlbums: newAlbums) else {
        throw .nothingToRedo
      }
      return decision
    case .text(let written, let sequence, let crate):
      let base = sequence == library.sequence ? library : past(sequence, desk)
      guard let base else { throw .outdated(sequence: library.sequence) }
      do {
        return try library.decide(written, readFrom: base, only: crate, newAlbums: newAlbums)
      } catch {
        throw InterfaceError(error)
      }
    }
  }

  /// The library as it was; nil where nobody knows any more.
  private func past(_ sequence: Int, _ desk: borrowing Desk) -> Library? {
    if sequence > desk.library.sequence { return nil }
    return texts.library(at: sequence) ?? desk.store.library(at: sequence)
  }

  private func settle(
    _ decided: [Decided], _ changes: [CommittedChange], _ draft: Library, _ desk: inout Desk
  ) {
    var numbered: [CommittedChange] = []
    if !changes.isEmpty {
      do {
        let before = desk.library
        numbered = try commit(changes, draft, &desk)
        let steps = changes.flatMap(\.changes)
        index.note(steps, from: before, to: desk.library)
        forget(steps, from: before, &desk)
      } catch {
        for one in decided where one.place != nil { one.request.answer(.failure(error)) }
      }
    }
    for one in decided {
      if let place = one.place {
        guard place < numbered.count else { continue }
        one.request.answer(.success(Interface.Change(numbered[place])))
      } else {
        let now = clock.wall() / 1_000_000
        one.request.answer(
          .success(
            Interface.Change(
              changed: false, sequence: desk.library.sequence, time: Timestamp.text(now),
              author: .person, summary: one.decision.summary, notes: one.decision.notes)))
      }
    }
  }

  /// What the person forgot is not recognised any longer, here and after the next start.
  private func forget(
    _ changes: [Change], from before: Library, _ desk: inout Desk
  ) {
    let files = desk.lookups.follow(changes, from: before, to: desk.library)
    if files.isEmpty { return }
    index.drop(files)
    forgotten.withLock { $0 }(files)
    showDuplicates(desk.lookups, desk.library)
  }

  private func committed(_ decision: Decision, by author: Author) -> CommittedChange {
    CommittedChange(
      sequence: 0, time: clock.wall() / 1_000_000, author: author, summary: decision.summary,
      notes: decision.notes, changes: decision.changes)
  }

  /// Durable, then applied, then published, then told.
  private func commit(
    _ changes: [CommittedChange], _ draft: Library, _ desk: inout Desk
  ) throws(InterfaceError) -> [CommittedChange] {
    defer { storeState.withLock { $0 = desk.store.state } }
    do {
      let numbered = try desk.store.commit(changes, to: desk.library)
      desk.library = draft
      if let last = numbered.map(\.sequence).max() { desk.library.advance(to: last) }
      published.publish(desk.library)
      for change in numbered { desk.book.follow(change) }
      feed.tell(numbered.map { Interface.Change($0) })
      return numbered
    } catch {
      logger.error("changes were refused: \(error.reason)")
      throw error.isUnknown
        ? .outcomeUnknown(reason: error.reason) : .changesRefused(reason: error.reason)
    }
  }
}

// MARK: Merges

extension Librarian {
  /// A merge that the store refuses is tried again later; edits are answered meanwhile.
  private func merge(_ request: MergeRequest, isLast: Bool, _ desk: inout Desk) {
    let outcome = Merge.merge(
      request.contents, into: desk.library, lookups: desk.lookups, newAlbums: desk.newAlbums)
    let before = desk.library
    do throws(InterfaceError) {
      if outcome.decision.changes.isEmpty {
        // Tags may have changed where no order did.
        desk.library = outcome.decision.library
        published.publish(desk.library)
      } else {
        _ = try commit(
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
    follow(outcome, from: before, &desk)
    request.done()
  }

  private func follow(_ outcome: Merge.Outcome, from before: Library, _ desk: inout Desk) {
    desk.lookups.follow(
      from: before, to: desk.library, songs: outcome.songs, albums: outcome.albums,
      files: outcome.files)
    let strangers = outcome.strangers(in: before.away)
    if !strangers.isEmpty { forgotten.withLock { $0 }(strangers) }
    showDuplicates(desk.lookups, desk.library)
    index.note(
      outcome.decision.changes, files: outcome.files, from: before, to: desk.library)
    if !outcome.decision.changes.isEmpty {
      logger.info("\(outcome.decision.summary)")
      for change in outcome.decision.changes {
        if let note = change.note { logger.debug("\(note)") }
      }
    }
  }

  private func showDuplicates(_ lookups: Lookups, _ library: Library) {
    let shown = lookups.duplicateFiles.compactMap { path, id, facts -> Duplicate? in
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
