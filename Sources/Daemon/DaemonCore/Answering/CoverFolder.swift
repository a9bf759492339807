import FolderWatching
import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading

/// Opens the covers of one music folder, on a thread of its own: if the folder hangs, no other
/// folder is affected. The folder's share of the readers decodes them.
final class CoverFolder: Sendable {
  /// The place where a cover may be.
  enum Place: Sendable {
    case song(BytePath)
    /// An image file in the first of these directories that has one.
    case beside([BytePath])
  }

  /// The form in which a cover is requested. `found` is called once, from any thread.
  enum Request: Sendable {
    /// Shrunk. Only image files of formats that the readers decode are considered.
    case thumbnail(
      side: Int, form: Thumbnail.Form = .pixels, found: @Sendable (ThumbnailOutcome) -> Void)
    /// The bytes of the file, whatever they are.
    case whole(found: @Sendable (PictureOutcome) -> Void)

    fileprivate func refuse(_ problem: FileProblem = CoverFolder.hangs) {
      switch self {
      case .thumbnail(_, _, let found): found(.unknown(problem))
      case .whole(let found): found(.unknown(problem))
      }
    }
  }

  static let hangs = FileProblem(.timedOutReader, "the folder doesn't answer")
  static let fileHangs = FileProblem(.timedOutReader, "the cover's file doesn't answer")

  /// The file may reappear in a moment, so that the cover does not count as unshowable.
  private static let isAway = FileProblem(.unreadable, "the cover is not there now")

  struct Job: Sendable {
    var place: Place
    var request: Request
  }

  private struct State {
    // Bounded by the albums that calls search at a time, and the calls by the number of clients.
    var waiting: [Job] = []
    var opened = 0
    /// Descriptors that are read and wait to be closed, which may hang.
    var read: [Int32] = []
    /// The time since which the thread has been in the kernel with a file.
    var busySince: Int64?
    var isStopping = false
  }

  private enum Step {
    case job(Job)
    case close(Int32)
    case end
  }

  /// The maximum number of files open at a time: enough for all readers.
  static let openMost = 4
  /// The time after which a folder whose system call has not returned counts as hung, in
  /// nanoseconds.
  static let patience: Int64 = 2_000_000_000

  private let share: ReaderShare
  private let clock: Clock
  private let state = Monitor(State())

  init(share: ReaderShare, clock: Clock) {
    self.share = share
    self.clock = clock
    // The thread is not joined: it may hang forever, and holds nothing else.
    _ = BlockingThread("covers") { [state, share, clock] in
      Self.run(state, share, clock)
    }
  }

  deinit { stop() }

  /// Refuses all waiting jobs, and ends the thread.
  func stop() {
    let left = state.withLock { state in
      state.isStopping = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for job in left { job.request.refuse() }
  }

  /// Queues a job; refuses it at once if the folder hangs.
  func find(_ job: Job) {
    let now = clock.monotonic()
    let isTaken = state.withLock { state in
      if state.isStopping || state.busySince.map({ now - $0 >= Self.patience }) == true {
        return false
      }
      state.waiting.append(job)
      return true
    }
    if !isTaken { job.request.refuse() }
  }

  /// Whether the thread is in the kernel or passing on a result.
  var isBusy: Bool { state.withLock { $0.busySince != nil } }

  /// The number of waiting jobs.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

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

  private static func next(_ state: Monitor<State>, _ clock: Clock) -> Step {
    state.wait { state -> Step? in
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
    do throws(KeepsReader) {
      try open(job, state, share)
    } catch {
      job.request.refuse(fileHangs)
    }
  }

  private static func open(
    _ job: Job, _ state: Monitor<State>, _ share: ReaderShare
  ) throws(KeepsReader) {
    switch (job.place, job.request) {
    case (.song(let path), .whole(let found)):
      guard let file = try open(path, share) else { return found(.noPicture) }
      state.withLock { $0.opened += 1 }
      share.readPicture(file.descriptor, stamp: file.stamp, pathExtension: path.pathExtension) {
        found($0)
        state.withLock { $0.read.append(file.descriptor) }
      }
    case (.song(let path), .thumbnail(let side, let form, let found)):
      guard let file = try open(path, share) else { return found(.unknown(isAway)) }
      shrink(file, side, form, path.pathExtension, state, share, found)
    case (.beside(let folders), .thumbnail(let side, let form, let found)):
      guard let file = try beside(folders, isShown: true, share) else {
        return found(.unknown(isAway))
      }
      shrink(file, side, form, "", state, share, found)
    case (.beside(let folders), .whole(let found)):
      guard let image = try beside(folders, isShown: false, share) else { return found(.noPicture) }
      let file = OpenFile(owning: image.descriptor)
      found(ImageFiles.contents(file).map { .found($0) } ?? .noPicture)
    }
  }

  /// An open file, which its holder closes.
  private struct Opened {
    var descriptor: Int32
    var stamp: FileStamp
  }

  private static func shrink(
    _ file: Opened, _ side: Int, _ form: Thumbnail.Form, _ pathExtension: String,
    _ state: Monitor<State>, _ share: ReaderShare,
    _ found: @escaping @Sendable (ThumbnailOutcome) -> Void
  ) {
    state.withLock { $0.opened += 1 }
    share.readThumbnail(
      file.descriptor, stamp: file.stamp, side: side, form: form, pathExtension: pathExtension
    ) { outcome in
      found(outcome)
      state.withLock { $0.read.append(file.descriptor) }
    }
  }

  /// Returns the best image of the first directory that has one which can be opened.
  private static func beside(
    _ folders: [BytePath], isShown: Bool, _ share: ReaderShare
  ) throws(KeepsReader) -> Opened? {
    for folder in folders {
      if let best = ImageFiles.best(in: folder, isShown: isShown),
        let opened = try open(best, share)
      {
        return opened
      }
    }
    return nil
  }

  /// A reader that can't be ended has the file, or may have it. With FUSE, opening the file would
  /// wait for that reader.
  private struct KeepsReader: Error {}

  /// Opens a regular file, following symbolic links.
  private static func open(
    _ path: BytePath, _ share: ReaderShare
  ) throws(KeepsReader) -> Opened? {
    let health = share.health
    let lost = health.lost.union(health.suspects)
    if !lost.isEmpty, let stamp = path.stamp, lost.contains(stamp) { throw KeepsReader() }
    guard let file = ImageFiles.open(path),
      let status = FileStatus(descriptor: file.descriptor),
      let system = FileSystemStatus(descriptor: file.descriptor)
    else { return nil }
    return Opened(descriptor: file.release(), stamp: FileStamp(status, on: system))
  }
}

/// The threads for covers, one for each music folder, so that a folder that hangs is recognized by
/// all its covers.
final class CoverFolders: Sendable {
  /// Gives up covers that clients have waited for too long.
  let deadlines: Deadlines
  private let readers: ReaderPool
  private let clock: Clock
  private let folders = Mutex<[BytePath: CoverFolder]>([:])

  /// - Parameter lane: A lane for the deadlines only.
  init(readers: ReaderPool, on lane: WorkPool.Lane, clock: Clock) {
    deadlines = Deadlines(on: lane, clock: clock)
    self.readers = readers
    self.clock = clock
  }

  func folder(_ root: BytePath) -> CoverFolder {
    folders.withLock { folders in
      if let known = folders[root] { return known }
      let new = CoverFolder(share: readers.share(of: root), clock: clock)
      folders[root] = new
      return new
    }
  }

  /// Refuses all waiting jobs and all later ones.
  func stop() {
    for folder in folders.withLock({ Array($0.values) }) { folder.stop() }
    deadlines.stop()
  }
}
