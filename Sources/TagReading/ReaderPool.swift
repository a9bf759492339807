package import LibraryModel
package import Platform

/// The tag readers: separate programs, since what reads tags must be free to crash on them.
///
/// Files are read in no order. Readers start when there is something to read, and leave when there
/// has been nothing for a while.
package final class ReaderPool: Sendable {
  private let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp
  private let limits: ReaderLimits
  private let thread: BlockingThread

  /// One per core, up to four: more only compete for the same disk.
  package static var usualCount: Int { min(max(onlineCores(), 1), 4) }

  /// Starts the pool's thread, and no reader yet.
  ///
  /// - Parameters:
  ///   - program: where `crate-tag-reader` is. It may be missing; files then get a problem, and
  ///     starting it is tried again.
  ///   - count: how many readers run at most.
  package init(
    program: BytePath, count: Int = ReaderPool.usualCount, clock: Clock = .system,
    limits: ReaderLimits = ReaderLimits()
  ) throws(SystemCallError) {
    precondition(count >= 1, "a pool has at least one reader")
    let queue = Monitor(ReaderQueue())
    let wakeUp = try WakeUp()
    self.queue = queue
    self.wakeUp = wakeUp
    self.limits = limits
    thread = BlockingThread("tag-readers") {
      let loop = ReaderLoop(
        launch: ReaderLaunch(program: program), count: count, clock: clock, limits: limits,
        queue: queue, wakeUp: wakeUp)
      loop.run()
    }
  }

  deinit { shutDown() }

  /// Has the file's tags and sound read. Waits while `limits.waitingMost` files wait.
  ///
  /// The completion is called exactly once, on the pool's thread: it must be quick, and must not
  /// call `read`, which could wait for itself. The pool doesn't ask whether the file changed while
  /// it was read: compare stamps afterwards. After `shutDown` a file is a problem at once.
  ///
  /// - Parameter pathExtension: in lower case, without a dot; only a hint.
  package func read(
    _ file: consuming OpenFile, stamp: FileStamp, pathExtension: String,
    completion: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    enter(FileToRead(file, .song(stamp, completion), pathExtension: pathExtension))
  }

  /// Has the file's front cover read, or the first of its pictures. Like `read` in everything else;
  /// nil where there is none, or it can't be read, or takes more than 6 MB.
  package func readPicture(
    _ file: consuming OpenFile, pathExtension: String,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  ) {
    enter(FileToRead(file, .picture(completion), pathExtension: pathExtension))
  }

  private func enter(_ file: FileToRead) {
    precondition(file.file.descriptor >= 0, "a file to read is open")
    let entry = queue.wait { queue -> ReaderQueue.Entry? in
      queue.enter(file, most: limits.waitingMost)
    }
    switch entry {
    case .waiting: break
    case .waitingForSleeper: wakeUp.wake()
    case .refused: file.fail(.interrupted)
    }
  }

  /// Why no reader can be started at present. While this isn't nil, problems say nothing about the
  /// files that have them.
  package var startFailure: String? { queue.withLock { $0.startFailure } }

  /// What the last reader that started could not put on itself; nothing while none has started.
  package var missingProtections: ReaderProtections { queue.withLock { $0.missing } }

  /// Ends the readers, and the thread. Every file that was waiting or being read is a problem of
  /// kind `unreadable` by then, which says that reading was interrupted and nothing about the file.
  /// May be called again.
  package func shutDown() {
    let isFirst = queue.withLock { queue in
      defer { queue.isClosing = true }
      return !queue.isClosing
    }
    guard isFirst else { return }
    wakeUp.wake()
    thread.join()
  }
}

/// How much of everything a pool allows. Times are in nanoseconds.
package struct ReaderLimits: Sendable {
  /// Files that wait for a reader before `read` waits too.
  package var waitingMost = 64
  /// For one file, from the answer to the one before it.
  package var deadline: Int64 = 5_000_000_000
  /// After which a reader without work leaves.
  package var idle: Int64 = 10_000_000_000
  /// After which a reader is replaced: TagLib may leak.
  package var filesPerReader = 5_000
  /// Bytes by which a reader may grow before it is replaced.
  package var growthPerReader = 40 << 20
  /// Between the first attempts to start a reader; doubled up to `startDelayMost`.
  package var startDelay: Int64 = 100_000_000
  package var startDelayMost: Int64 = 60_000_000_000
  /// Attempts after which the files that wait become problems.
  package var startAttempts = 4

  package init() {}
}

/// A file on its way through the pool. Its descriptor stays open until it has an outcome, since
/// another reader may have to be asked.
final class FileToRead: Sendable {
  enum Wish: Sendable {
    case song(FileStamp, @Sendable (ReadOutcome) -> Void)
    case picture(@Sendable ([UInt8]?) -> Void)
  }

  let file: OpenFile
  let pathExtension: String
  private let wish: Wish

  init(_ file: consuming OpenFile, _ wish: Wish, pathExtension: String) {
    self.file = file
    self.wish = wish
    self.pathExtension = pathExtension
  }

  var wantsPicture: Bool {
    if case .picture = wish { true } else { false }
  }

  func fail(_ problem: FileProblem) {
    switch wish {
    case .song(_, let completion): completion(.problem(problem))
    case .picture(let completion): completion(nil)
    }
  }

  func complete(with reply: ReaderReply) {
    switch (wish, reply) {
    case (_, .problem(let status, let errorNumber)):
      fail(.of(status, errorNumber: errorNumber))
    case (.song(let stamp, let completion), .song(let song)):
      completion(
        .facts(
          FileFacts(
            stamp: stamp, tags: song.tags, audio: song.audio, digest: song.digest,
            format: song.format)))
    case (.picture(let completion), .song(let song)):
      completion(song.picture.isEmpty ? nil : song.picture)
    }
  }
}

/// What callers and the pool's thread share.
struct ReaderQueue {
  enum Entry {
    case waiting, waitingForSleeper, refused
  }

  var isClosing = false
  var startFailure: String?
  var missing = ReaderProtections()
  private var files: [FileToRead] = []
  // Whether the thread sleeps for want of files. Waking it costs two system calls, so it is done
  // only then.
  private var threadWantsFiles = false

  /// Nil while there is no room.
  mutating func enter(_ file: FileToRead, most: Int) -> Entry? {
    if isClosing { return .refused }
    guard files.count < most else { return nil }
    files.append(file)
    defer { threadWantsFiles = false }
    return threadWantsFiles ? .waitingForSleeper : .waiting
  }

  /// The first files, up to so many. If there are none, the next one to enter wakes the thread.
  mutating func take(_ most: Int) -> [FileToRead] {
    threadWantsFiles = files.isEmpty
    let taken = Array(files.prefix(most))
    files.removeFirst(taken.count)
    return taken
  }
}
