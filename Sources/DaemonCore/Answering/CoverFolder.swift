import Glibc
import LibraryModel
import Platform
import TagReading

/// Opens the covers of one music folder, on a thread of its own: where the folder hangs, no other
/// one waits for it. What comes of them is made by the folder's share of the readers.
final class CoverFolder: Sendable {
  /// Where a cover may be.
  enum Place: Sendable {
    /// In a song.
    case song(BytePath)
    /// An image file in one of these directories, the first that has one.
    case beside([BytePath])
  }

  struct Job: Sendable {
    var place: Place
    var side: Int
    /// Called once, from any thread.
    var found: @Sendable (ThumbnailOutcome) -> Void
  }

  private struct State {
    // Bounded by the albums that calls look for at a time, and the calls by the clients.
    var waiting: [Job] = []
    var opened = 0
    /// Read, and to be closed, which may hang.
    var read: [Int32] = []
    /// Since when the thread has been in the kernel with a file.
    var busySince: Int64?
    var isStopping = false
  }

  private enum Turn {
    case job(Job)
    case close(Int32)
    case end
  }

  /// Files that are open at a time: enough for all readers.
  private static let openMost = 4
  /// After which a call that has not returned makes the folder one that hangs, in nanoseconds.
  static let patience: Int64 = 2_000_000_000

  private let share: ReaderShare
  private let clock: Clock
  private let state = Monitor(State())

  init(share: ReaderShare, clock: Clock) {
    self.share = share
    self.clock = clock
    // The thread is not joined: it may hang for ever, and holds nothing that anyone would miss.
    _ = BlockingThread("covers") { [state, share, clock] in
      Self.run(state, share, clock)
    }
  }

  deinit { stop() }

  /// What waits is not found.
  func stop() {
    let left = state.withLock { state in
      state.isStopping = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for job in left { job.found(.unknown(Self.hangs)) }
  }

  /// Answers at once where the folder hangs.
  func find(_ job: Job) {
    let now = clock.monotonic()
    let isTaken = state.withLock { state in
      if state.isStopping || state.busySince.map({ now - $0 >= Self.patience }) == true {
        return false
      }
      state.waiting.append(job)
      return true
    }
    if !isTaken { job.found(.unknown(Self.hangs)) }
  }

  private static let hangs = FileProblem(.timedOutReader, "the folder doesn't answer")

  // MARK: The thread

  private static func run(_ state: Monitor<State>, _ share: ReaderShare, _ clock: Clock) {
    while true {
      switch next(state, clock) {
      case .end: return
      case .close(let descriptor): close(descriptor)
      case .job(let job): begin(job, state, share)
      }
      state.withLock { $0.busySince = nil }
    }
  }

  private static func next(_ state: Monitor<State>, _ clock: Clock) -> Turn {
    state.wait { state -> Turn? in
      if let descriptor = state.read.popLast() {
        state.opened -= 1
        state.busySince = clock.monotonic()
        return .close(descriptor)
      }
      if !state.waiting.isEmpty, state.opened < openMost {
        state.busySince = clock.monotonic()
        return .job(state.waiting.removeFirst())
      }
      return state.isStopping && state.opened == 0 ? .end : nil
    }
  }

  private static func begin(_ job: Job, _ state: Monitor<State>, _ share: ReaderShare) {
    let file: (descriptor: Int32, pathExtension: String)?
    switch job.place {
    case .song(let path):
      file = open(path).map { ($0, path.pathExtension) }
    case .beside(let folders):
      file = beside(folders).map { ($0, "") }
    }
    guard let file else { return job.found(.noCover(nil)) }
    state.withLock { $0.opened += 1 }
    share.readThumbnail(file.descriptor, side: job.side, pathExtension: file.pathExtension) {
      outcome in
      job.found(outcome)
      state.withLock { $0.read.append(file.descriptor) }
    }
  }

  /// The image of the first directory that has one which can be opened.
  private static func beside(_ folders: [BytePath]) -> Int32? {
    for folder in folders {
      if let opened = ImageFiles.best(in: folder, isShown: true).flatMap(open) { return opened }
    }
    return nil
  }

  /// A regular file, links followed.
  private static func open(_ path: BytePath) -> Int32? {
    ImageFiles.open(path)?.release()
  }
}
