package import LibraryModel
package import Platform

/// The tag readers: separate programs, since what reads tags must be free to crash on them.
///
/// Files are read in no order, and those of several folders in turn (`ReaderShare`). Readers start
/// when there is something to read, and leave when there has been nothing for a while.
package final class ReaderPool: Sendable {
  private let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp
  private let limits: ReaderLimits
  private let thread: BlockingThread

  /// One per core, up to four: more only compete for the same disk.
  package static var usualCount: Int { usualCount(cores: onlineCores()) }

  static func usualCount(cores: Int) -> Int { min(max(cores, 1), 4) }

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

  /// The folder's part in the pool. What is asked for through it competes with the files of other
  /// folders, and not with its own.
  package func share(of folder: BytePath) -> ReaderShare {
    ReaderShare(in: queue, of: folder, wakeUp, waitingMost: limits.waitingMost)
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
  /// Files of one folder that wait for a reader before `read` waits too: more than a watcher and
  /// the covers have open, so that who opens files is free to open one that is to go before them.
  package var waitingMost = 160
  /// After which a reader without an answer leaves room for one for another folder.
  package var slow: Int64 = 250_000_000
  /// After which a reader that was ended and is still there counts as one that can't be ended.
  package var leaving: Int64 = 250_000_000
  /// Processes at most, for each reader of the pool: those that the kernel doesn't let go are among
  /// them. Beyond it files wait, until some come back; but for those of folders with fewer than
  /// `processesPerFolder`, of which none is at work.
  package var processesPerReader = 4
  /// The unit that starts the daemon has room for so many of each of the most music folders.
  package var processesPerFolder = 2
  /// Readers that one folder may lose to the kernel, even where others of its files are read.
  package var stuckMost = 6
  /// For how long files wait for a trial, where readers are stuck with others of their folder,
  /// before one of them is made the trial: a trial's own time and some more.
  package var held: Int64 = 6_000_000_000
  /// For the first word of a reader, from its start.
  package var greeting: Int64 = 5_000_000_000
  /// For one file, from the answer to the one before it.
  package var deadline: Int64 = 5_000_000_000
  /// For a file that is to show whether others can be read, where some gave nothing before the
  /// deadline: all in all a folder that hangs is known within ten seconds.
  package var trial: Int64 = 4_000_000_000
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
