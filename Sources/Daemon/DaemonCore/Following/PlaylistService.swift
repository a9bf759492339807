import LibraryModel
import Logging
import Platform
import Playlists
import Synchronization

/// Updates the playlists to the published library, and turns players' changes to them into edits if
/// that is configured. It has a thread of its own, since the playlists may be on a drive that is
/// slow or hangs.
final class PlaylistService: Sendable {
  /// The time that a stop waits for the last write, in nanoseconds. The next start makes up for a
  /// missed one.
  static let stopPatience: Int64 = 5_000_000_000

  private struct Pending {
    /// Nil if there are no playlists.
    var settings: PlaylistSettings?
    /// Whether playlists were off since the last write, so that changes were not recorded.
    var beginsAnew = false
    /// The MPD to notify of changed playlists.
    var mpd = MPDSocket([])
    /// The albums whose songs changed since the last write.
    var albums: Set<AlbumID> = []
    var timing = PlaylistTiming()
    /// Whether anything may have to be written before a stop.
    var isBehind = false
    var isStopping = false
    var hasStopped = false
    /// The number of rounds; for tests.
    var rounds = 0
  }

  private enum Step {
    case write(Set<AlbumID>, PlaylistSettings?, isAnew: Bool)
    case end
    /// The time to wait for has changed.
    case waitAnew
  }

  let published: PublishedLibrary
  /// Whether the store was created by this process.
  private let isStoreNew: Bool
  private let clock: Clock
  let logger: Logger
  private let pending = Monitor(Pending())
  private let thread = Mutex<BlockingThread?>(nil)
  private let librarian = Mutex<(@Sendable (Librarian.EditRequest) -> Void)?>(nil)
  let telling: MPDTelling
  /// The problems of this service. It has its own list, since files that crated reads have problems
  /// of their own.
  let problems = ProblemList()

  init(published: PublishedLibrary, clock: Clock, logger: Logger) {
    self.published = published
    isStoreNew = published.atHand.sequence == 0
    self.clock = clock
    self.logger = logger
    telling = MPDTelling(clock)
  }

  /// Sets the receiver of edits, which decides on those of players.
  func submitEdits(to submit: @escaping @Sendable (Librarian.EditRequest) -> Void) {
    librarian.withLock { $0 = submit }
  }

  /// Applies settings, at the start and after a reload, and updates all playlists.
  ///
  /// - Parameter settings: Nil if there are no playlists; existing ones then stay as they are.
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

  /// Records the result of an edit or a merge, which is published already.
  ///
  /// - Parameter files: As in `Merge.Outcome`.
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
      // A thread that waits for an earlier time computes its deadline again when it wakes.
      return pending.timing.due >= due ? .none : .all
    }
  }

  /// Writes what is pending and ends the thread, or abandons it if the drive hangs.
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

  /// The number of rounds; for tests.
  var rounds: Int { pending.withLock(\.rounds) }

  /// Returns when there were that many rounds; for tests.
  func wait(forRounds count: Int) {
    pending.wait { $0.rounds >= count ? () : nil }
  }

  // MARK: The thread

  /// The state that the thread owns.
  struct ThreadState {
    var keeper: PlaylistKeeper?
    var watch: DirectoryWatch?
    /// The directories whose lists of an earlier store were forgotten.
    var known: Set<BytePath> = []
    /// The device and the inode of the watched directory.
    var watched: [UInt64] = []
  }

  private func run() {
    var owned = ThreadState()
    while true {
      let due = pending.withLock { $0.timing.due }
      let step = pending.wait(until: due) { nextStep(&$0, waitingFor: due) }
      switch step ?? .waitAnew {
      case .waitAnew: continue
      case .write(let albums, let settings, let isAnew):
        write(albums, settings, isAnew: isAnew, &owned)
        pending.withLock { $0.rounds += 1 }
      case .end:
        owned.watch?.stop()
        pending.withLock { $0.hasStopped = true }
        return
      }
    }
  }

  private func write(
    _ albums: Set<AlbumID>, _ settings: PlaylistSettings?, isAnew: Bool, _ owned: inout ThreadState
  ) {
    if isAnew || owned.keeper?.settings != settings {
      owned.keeper = settings.map { settings in
        let isNew = owned.known.insert(settings.directory).inserted
        return PlaylistKeeper(settings, isStoreNew: isStoreNew && isNew)
      }
      owned.watch?.stop()
      (owned.watch, owned.watched) = (nil, [])
    }
    let start = clock.monotonic()
    guard var keeper = owned.keeper else { return }
    _ = watch(settings, &owned)
    let library = published.library
    let outcome = keeper.update(to: library, touched: albums, now: start)
    for notice in outcome.notices { logger.notice("\(notice.file.display): \(notice.reason)") }
    let faults = decide(outcome.edits, &keeper, in: library)
    let isNews = watch(settings, &owned)
    owned.keeper = keeper
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

  /// Watches the directory that the path names now, if players may edit.
  ///
  /// - Returns: Whether it differs from the previous one, so that it was read while unwatched.
  private func watch(_ settings: PlaylistSettings?, _ owned: inout ThreadState) -> Bool {
    guard let settings, settings.takesEdits else { return false }
    let status = FileStatus(name: settings.directory.cString, followsLinks: true)
    let found = status.map { [$0.device, $0.inode] } ?? []
    if found.isEmpty || found == owned.watched { return false }
    owned.watch?.stop()
    owned.watch = nil
    owned.watched = found
    do {
      owned.watch = try DirectoryWatch(
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
