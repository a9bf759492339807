package import LibraryModel
package import Platform

/// The tag readers: separate processes, because the code that reads tags must be free to crash.
///
/// Files are read in no particular order, and those of several folders in turn (`ReaderShare`).
/// Readers start when there is something to read, and end after a while without work.
package final class ReaderPool: Sendable {
  private let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp
  private let limits: ReaderLimits
  private let thread: BlockingThread

  /// The usual number of readers: one per core, up to four. More only compete for the same disk.
  package static var usualCount: Int { usualCount(cores: onlineCores()) }

  static func usualCount(cores: Int) -> Int { min(max(cores, 1), 4) }

  /// Starts the pool's thread, and no reader yet.
  ///
  /// - Parameters:
  ///   - program: the path of `crate-tag-reader`. If it is missing, files get a problem, and
  ///     starting it is retried.
  ///   - count: the maximum number of readers that run.
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

  /// Returns the folder's share of the pool. Files requested through it compete with those of other
  /// folders.
  package func share(of folder: BytePath) -> ReaderShare {
    ReaderShare(in: queue, of: folder, wakeUp, waitingMost: limits.waitingMost)
  }

  /// Why no reader can be started at present. While this isn't nil, problems say nothing about the
  /// files that have them.
  package var startFailure: String? { queue.withLock { $0.startFailure } }

  /// The protections that the last started reader could not apply; empty before any has started.
  package var missingProtections: ReaderProtections { queue.withLock { $0.missing } }

  /// Ends the readers and the thread. Before this returns, every file that was waiting or being
  /// read gets a problem of kind `unreadable`. It says that reading was interrupted, and nothing
  /// about the file. May be called repeatedly.
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

/// The limits of a pool. Times are in nanoseconds.
package struct ReaderLimits: Sendable {
  /// The number of waiting files of one folder at which `read` blocks. A watcher and the covers
  /// have fewer files open, so the thread that opens files is free to open a probe.
  package var waitingMost = 160
  /// The time after which a reader without an answer makes room for a reader of another folder.
  package var slow: Int64 = 250_000_000
  /// The time after which a reader that was killed and is still there counts as stuck.
  package var leaving: Int64 = 250_000_000
  /// The maximum number of processes for each reader of the pool, including those that are stuck in
  /// the kernel. Beyond it, files wait until some come back. This doesn't apply to folders without
  /// a running reader and with fewer than `processesPerFolder` processes.
  package var processesPerReader = 4
  /// The number of processes that each folder may always have. The unit that starts the daemon
  /// allows this many for each of the maximum number of music folders.
  package var processesPerFolder = 2
  /// The number of readers that one folder may lose to the kernel, even if its other files are
  /// read.
  package var stuckMost = 6
  /// How long files wait for a probe, while readers are stuck on other files of their folder,
  /// before one of them becomes the probe: somewhat longer than a probe may take.
  package var held: Int64 = 6_000_000_000
  /// The time for a reader's greeting, from its start.
  package var greeting: Int64 = 5_000_000_000
  /// The time for one file, from the answer to the file before it.
  package var deadline: Int64 = 5_000_000_000
  /// The time for a probe. Together with the deadline before it, a folder that hangs is detected
  /// within ten seconds.
  package var trial: Int64 = 4_000_000_000
  /// The time after which a reader without work ends.
  package var idle: Int64 = 10_000_000_000
  /// The number of files after which a reader is replaced: TagLib may leak.
  package var filesPerReader = 5_000
  /// The number of bytes by which a reader may grow before it is replaced.
  package var growthPerReader = 40 << 20
  /// The delay after the first failed start of a reader. It is doubled each time, up to
  /// `startDelayMost`.
  package var startDelay: Int64 = 100_000_000
  package var startDelayMost: Int64 = 60_000_000_000
  /// The number of attempts after which the waiting files get a problem.
  package var startAttempts = 4

  package init() {}
}
