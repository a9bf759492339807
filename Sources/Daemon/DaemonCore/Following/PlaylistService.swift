import LibraryModel
import Logging
import Platform
import Playlists
import Synchronization

/// Keeps the playlists in step with the published library, and takes what players make of them for
/// edits where the person wants that, on a thread of its own: they may lie on a drive that is slow
/// or hangs.
final class PlaylistService: Sendable {
  /// How long a stop waits for the last writing. A next start makes good what it missed.
  static let stopPatience: Int64 = 5_000_000_000

  private struct Pending {
    /// Nil: no playlists are kept.
    var settings: PlaylistSettings?
    /// Whether none were kept since the last writing: what changed then was not noted.
    var beginsAnew = false
    /// Whom to tell that they changed.
    var mpd = MPDSocket([])
    /// Whose songs changed since the last writing.
    var albums: Set<AlbumID> = []
    var timing = PlaylistTiming()
    /// Whether anything may have to be written at a stop.
    var isBehind = false
    var isStopping = false
    var hasStopped = false
    /// How often was looked at everything; for tests.
    var rounds = 0
  }

  private enum Step {
    case write(Set<AlbumID>, PlaylistSettings?, isAnew: Bool)
    case end
    /// Another time is due than the one that is waited for.
    case waitAnew
  }

  let published: PublishedLibrary
  /// Whether the store was begun in this life.
  private let isStoreNew: Bool
  private let clock: Clock
  let logger: Logger
  private let pending = Monitor(Pending())
  private let thread = Mutex<BlockingThread?>(nil)
  private let librarian = Mutex<(@Sendable (Librarian.EditRequest) -> Void)?>(nil)
  let telling: MPDTelling
  /// Problems of this service: where files that crated reads have problems of their own.
  let problems = ProblemList()

  init(published: PublishedLibrary, clock: Clock, logger: Logger) {
    self.published = published
    isStoreNew = published.atHand.sequence == 0
    self.clock = clock
    self.logger = logger
    telling = MPDTelling(clock)
  }

  /// Who decides on what players did.
  func submitEdits(to submit: @escaping @Sendable (Librarian.EditRequest) -> Void) {
    librarian.withLock { $0 = submit }
  }

  /// At the start, and when the settings were read again: everything is looked at.
  ///
  /// - Parameter settings: nil where none are wanted; what is there then stays as it is.
  func keep(_ settings: PlaylistSettings?, telling mpd: MPDSocket = MPDSocket([])) {
    pending.withLock { pending in
      pending.settings = settings
      if settings == nil { pending.beginsAnew = true }
      pending.mpd = mpd
      pending.isBehind = true
      pending.timing.change(at: clock.monotonic())
    }
    thread.withLock { thread in
      if settings == nil || thread != nil { return }
      thread = BlockingThread("playlists") { [self] in run() }
    }
  }

  /// What an edit or a merge came to; it is published already.
  ///
  /// - Parameter files: as in `Merge.Outcome`.
  func note(
    _ changes: [Change], files: [BytePath: FileOwner] = [:], from before: Library,
    to library: Library
  ) {
    if changes.isEmpty && files.isEmpty || pending.withLock({ $0.settings == nil }) { return }
    var albums = Library.albumsTouched(by: changes, from: before, to: library)
    for song in files.values.compactMap(\.song) {
      if let song = library.songs[song] { albums.insert(song.album) }
    }
    pending.change { pending in
      let due = pending.timing.due
      pending.albums.formUnion(albums)
      pending.isBehind = true
      pending.timing.change(at: clock.monotonic())
      // A thread that waits for an earlier time works out anew for how long when it wakes.
      return pending.timing.due >= due ? .none : .all
    }
  }

  /// Writes what waits and ends, or leaves a drive that hangs to itself.
  func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    pending.withLock { $0.isStopping = true }
    let until = clock.monotonic() + Self.stopPatience
    if pending.wait(until: until, for: { $0.hasStopped ? () : nil }) == nil {
      logger.warning("the playlists could not be written in time: the next start does it")
    } else {
      thread.join()
    }
  }

  /// How often everything was looked at; for tests.
  var rounds: Int { pending.withLock(\.rounds) }

  /// Returns when everything was looked at so many times; for tests.
  func wait(forRounds count: Int) {
    pending.wait { $0.rounds >= count ? () : nil }
  }

  // MARK: The thread

  /// What only the thread touches.
  struct Desk {
    var keeper: PlaylistKeeper?
    var watch: DirectoryWatch?
    /// Directories whose lists of an earlier store were forgotten.
    var known: Set<BytePath> = []
    /// Device and inode of the directory that is watched.
    var watched: [UInt64] = []
  }

  private func run() {
    var desk = Desk()
    while true {
      let due = pending.withLock { $0.timing.due }
      let step = pending.wait(until: due) { nextStep(&$0, waitingFor: due) }
      switch step ?? .waitAnew {
      case .waitAnew: continue
      case .write(let albums, let settings, let isAnew):
        write(albums, settings, isAnew: isAnew, &desk)
        pending.withLock { $0.rounds += 1 }
      case .end:
        desk.watch?.stop()
        pending.withLock { $0.hasStopped = true }
        return
      }
    }
  }

  private func write(
    _ albums: Set<AlbumID>, _ settings: PlaylistSettings?, isAnew: Bool, _ desk: inout Desk
  ) {
    if isAnew || desk.keeper?.settings != settings {
      desk.keeper = settings.map { settings in
        let isNew = desk.known.insert(settings.directory).inserted
        return PlaylistKeeper(settings, isStoreNew: isStoreNew && isNew)
      }
      desk.watch?.stop()
      (desk.watch, desk.watched) = (nil, [])
    }
    let start = clock.monotonic()
    guard var keeper = desk.keeper else { return }
    _ = watch(settings, &desk)
    let library = published.library
    let outcome = keeper.update(to: library, touched: albums, now: start)
    for notice in outcome.notices { logger.notice("\(notice.file.display): \(notice.reason)") }
    let faults = decide(outcome.edits, &keeper, in: library)
    let isNews = watch(settings, &desk)
    desk.keeper = keeper
    tell(outcome.problems + faults)
    if outcome.written > 0, settings?.ending == .m3u, let settings {
      telling.tell(pending.withLock { $0.mpd }, of: settings.directory)
    }
    pending.withLock { pending in
      pending.timing.end(
        from: start, at: clock.monotonic(),
        isProblem: (outcome.problems + faults).contains(where: \.mayPass),
        wanted: isNews ? start : keeper.due)
    }
  }

  /// Watches the directory that is there now, where players may edit.
  ///
  /// - Returns: whether it is another one than before; it was looked at unwatched, then.
  private func watch(_ settings: PlaylistSettings?, _ desk: inout Desk) -> Bool {
    guard let settings, settings.takesEdits else { return false }
    let status = FileStatus(name: settings.directory.cString, followsLinks: true)
    let found = status.map { [$0.device, $0.inode] } ?? []
    if found.isEmpty || found == desk.watched { return false }
    desk.watch?.stop()
    desk.watch = nil
    desk.watched = found
    do {
      desk.watch = try DirectoryWatch(
        settings.directory.bytes, thread: "playlist watch"
      ) { [pending, clock] in
        pending.withLock { $0.timing.hear(at: clock.monotonic()) }
      }
    } catch {
      logger.warning(
        "what players make of playlists is seen with the next change only: \(error)")
    }
    return true
  }

  private func nextStep(_ pending: inout Pending, waitingFor due: Int64) -> Step? {
    if pending.isStopping && !pending.isBehind { return .end }
    if !pending.isStopping, clock.monotonic() < pending.timing.due {
      return pending.timing.due == due ? nil : .waitAnew
    }
    pending.timing.begin()
    pending.isBehind = false
    defer { (pending.albums, pending.beginsAnew) = ([], false) }
    return .write(pending.albums, pending.settings, isAnew: pending.beginsAnew)
  }

  func submit(_ request: Librarian.EditRequest) -> Bool {
    guard let submit = librarian.withLock({ $0 }) else { return false }
    submit(request)
    return true
  }

  private func tell(_ found: [PlaylistProblem]) {
    problems.replace(
      with: found.map { ($0.path, $0.message) }, of: .playlist, now: clock.wall() / 1_000_000,
      logger)
  }
}
