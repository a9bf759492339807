import LibraryModel
import Logging
import Platform
import Playlists
import Synchronization

/// Keeps the playlists in step with the published library, on a thread of its own: they may lie on
/// a drive that is slow or hangs.
final class PlaylistService: Sendable {
  /// How long a stop waits for the last writing. A next start makes good what it missed.
  static let stopPatience: Int64 = 5_000_000_000

  private struct Pending {
    /// Nil: no playlists are kept.
    var directory: BytePath?
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
    case write(Set<AlbumID>, to: BytePath?)
    case end
    /// Another time is due than the one that is waited for.
    case waitAnew
  }

  private let published: PublishedLibrary
  /// Whether the store was begun in this life.
  private let isStoreNew: Bool
  private let clock: Clock
  private let logger: Logger
  private let pending = Monitor(Pending())
  private let thread = Mutex<BlockingThread?>(nil)
  /// Of this service: where files that crated reads have problems of their own.
  let problems = ProblemList()

  init(published: PublishedLibrary, clock: Clock, logger: Logger) {
    self.published = published
    isStoreNew = published.atHand.sequence == 0
    self.clock = clock
    self.logger = logger
  }

  /// At the start, and when the settings were read again: everything is looked at.
  ///
  /// - Parameter directory: nil where none are wanted; what is there then stays as it is.
  func keep(in directory: BytePath?) {
    pending.withLock { pending in
      pending.directory = directory
      pending.albums = []
      pending.isBehind = true
      pending.timing.change(at: clock.monotonic())
    }
    thread.withLock { thread in
      if directory == nil || thread != nil { return }
      thread = BlockingThread("playlists") { [self] in run() }
    }
  }

  /// What an edit or a merge came to; it is published already.
  ///
  /// - Parameter files: as in `Merge.Outcome`.
  func note(
    _ changes: [Change], files: [BytePath: (song: SongID, facts: FileFacts?)?] = [:],
    from before: Library, to library: Library
  ) {
    if changes.isEmpty && files.isEmpty || pending.withLock({ $0.directory == nil }) { return }
    var albums = Library.albumsTouched(by: changes, from: before, to: library)
    for case (let song, _)? in files.values {
      if let song = library.songs[song] { albums.insert(song.album) }
    }
    pending.change { pending in
      let due = pending.timing.due
      pending.albums.formUnion(albums)
      pending.isBehind = true
      pending.timing.change(at: clock.monotonic())
      // Who already waits for an earlier time sees then for how long to wait on.
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

  /// Returns when everything was looked at so many times; for tests.
  func wait(forRounds count: Int) {
    pending.wait { $0.rounds >= count ? () : nil }
  }

  // MARK: The thread

  private func run() {
    var keeper: PlaylistKeeper?
    while true {
      let due = pending.withLock { $0.timing.due }
      let step = pending.wait(until: due) { nextStep(&$0, waitingFor: due) }
      switch step ?? .waitAnew {
      case .waitAnew: continue
      case .write(let albums, let directory):
        if keeper?.directory != directory {
          keeper = directory.map { PlaylistKeeper($0, setsAside: isStoreNew) }
        }
        let start = clock.monotonic()
        let found = keeper?.follow(published.library, touched: albums) ?? []
        tell(found)
        pending.withLock { pending in
          pending.timing.end(
            from: start, at: clock.monotonic(), isProblem: found.contains(where: \.mayPass))
          pending.rounds += 1
        }
      case .end:
        pending.withLock { $0.hasStopped = true }
        return
      }
    }
  }

  private func nextStep(_ pending: inout Pending, waitingFor due: Int64) -> Step? {
    if pending.isStopping && !pending.isBehind { return .end }
    if !pending.isStopping, clock.monotonic() < pending.timing.due {
      return pending.timing.due == due ? nil : .waitAnew
    }
    pending.timing.begin()
    pending.isBehind = false
    defer { pending.albums = [] }
    return .write(pending.albums, to: pending.directory)
  }

  private func tell(_ found: [PlaylistProblem]) {
    let list = Dictionary(
      found.map { ($0.path, FileProblem(.playlist, $0.message)) },
      uniquingKeysWith: { first, _ in first })
    for path in problems.replace(with: list, now: clock.wall() / 1_000_000).sorted() {
      guard let problem = list[path] else { continue }
      logger.warning("\(path.display): \(problem.message)")
    }
  }
}
