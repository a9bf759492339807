package import LibraryModel
package import Platform
import Synchronization

/// Watches one music folder on threads of its own, and tells a receiver what is there.
///
/// An event of the kernel is only a hint to scan: what is told to the receiver was found by a scan,
/// and differs from what was told before.
package final class FolderWatcher: Sendable {
  private let traceLog = TraceLog()
  private let mailbox: Mailbox
  private let reading: FileReading
  private let makeLoop: @Sendable () -> WatchLoop
  private let stuckCalls: StuckCalls
  private let completions = Completions()
  private let receiver: LeavableReceiver
  private let leaving: Leaving
  private let threads = Monitor<[(caller: StuckCalls.Caller?, thread: BlockingThread)]>([])
  private let ended = Monitor<Set<StuckCalls.Caller>>([])

  /// - Parameters:
  ///   - root: the music folder, as an absolute path.
  ///   - looks: of all the watchers of a library.
  ///   - known: the files that the library has songs for, each once, in any order; asked for when
  ///     the watching begins, and for each rescan.
  ///   - memory: what `WatchState` said last time.
  /// - Throws: where the process has no descriptor left.
  package init(
    root: BytePath, settings: WatchSettings, clock: Clock = .system,
    looks: LookTimes = LookTimes(), known: @escaping @Sendable () -> [KnownFile],
    memory: FolderMemory, reader: any FileReader,
    receiver: any ContentsReceiver
  ) throws(SystemCallError) {
    ignoreLeaseBreaks()
    let wakeUp = try WakeUp()
    let mailbox = Mailbox(wakeUp: wakeUp)
    let stuckCalls = try StuckCalls(most: settings.answerWithin)
    let reading = FileReading(
      settings: settings, clock: clock, reader: reader, wakeUp: wakeUp, stuckCalls: stuckCalls)
    let receiver = LeavableReceiver(receiver)
    self.stuckCalls = stuckCalls
    self.receiver = receiver
    leaving = Leaving(within: settings.leaveWithin)
    self.mailbox = mailbox
    self.reading = reading
    let (completions, trace) = (completions, traceLog)
    makeLoop = {
      WatchLoop(
        root: root, settings: settings, clock: clock, looks: looks, known: known, memory: memory,
        receiver: receiver, reading: reading, mailbox: mailbox, completions: completions,
        stuckCalls: stuckCalls, trace: trace,
        openEvents: { () throws(SystemCallError) in try Inotify() })
    }
  }

  /// To be called once.
  package func start() {
    let started = [
      thread("watch stuck") { [self] in stuckCalls.run(whenStuck: giveUp) },
      thread("watch files", .opener) { [reading] in reading.run() },
      thread("watch folder", .watcher) { [makeLoop] in makeLoop().run() },
    ]
    threads.withLock { $0 = started }
  }

  /// Stops scanning; the results of reads that are still running are ignored. `stop` is to follow.
  package func prepareToStop() {
    mailbox.post(.stop)
  }

  private func thread(
    _ name: String, _ caller: StuckCalls.Caller? = nil, _ work: @escaping @Sendable () -> Void
  ) -> (StuckCalls.Caller?, BlockingThread) {
    let thread = BlockingThread(name) { [ended] in
      work()
      if let caller { ended.withLock { _ = $0.insert(caller) } }
    }
    return (caller, thread)
  }

  /// Returns when the threads have ended; those that are stuck in the kernel are left behind, and
  /// are not heard any more. What was read is merged before; what was asked for and not answered is
  /// answered now.
  package func stop() {
    mailbox.post(.stop)
    reading.stop()
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for (caller, thread) in ending.reversed() {
      if let caller, !waitForEnd(of: caller) { continue }
      // The last one, which notices others, is told when they have ended.
      if caller == nil { stuckCalls.stop() }
      thread.join()
    }
    receiver.leave()
    completions.answerAll()
  }

  /// False where it has been in one call for too long, or where files that are being read keep it,
  /// which it closes by itself.
  private func waitForEnd(of caller: StuckCalls.Caller) -> Bool {
    let began = Clock.system.monotonic()
    while true {
      let now = Clock.system.monotonic()
      let since = stuckCalls.callSince(caller) ?? (caller == .opener ? began : nil)
      let next = leaving.nextLook(at: now, inCallSince: since)
      let hasEnded = ended.wait(until: next ?? now) { $0.contains(caller) ? () : nil } != nil
      if hasEnded || next == nil { return hasEnded }
    }
  }

  /// Completes, on one of the watcher's threads, when everything that was done in the music folder
  /// before this call is merged. Waits for fresh files to stand still, but not for those being
  /// written, nor for a folder that doesn't answer.
  package func sync(_ completion: @escaping @Sendable () -> Void) {
    mailbox.post(.sync(completions.add(completion)))
    if stuckCalls.isStuck(.watcher) { completions.answerAll() }
  }

  /// Scans all files at or below an absolute path, or everything, and tells whatever the library
  /// knows otherwise; tries again what failed. A root with another identity, or one that
  /// has lost most of its songs, is accepted where the path is the root's own.
  /// - Parameter progress: called from time to time with the files scanned and those to scan.
  package func rescan(
    _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void = { _ in },
    completion: @escaping @Sendable () -> Void
  ) {
    mailbox.post(.rescan(path, completions.add(progress: progress, completion)))
    if stuckCalls.isStuck(.watcher) { completions.answerAll() }
  }

  /// Files, by their absolute paths, that the library has no song for any longer: they are told
  /// of again when they are seen next.
  package func forget(_ paths: [BytePath]) {
    mailbox.post(.forget(paths))
  }

  /// What it heard, did and found last, the oldest first; also where it is stuck.
  package var trace: [Trace.Entry] { traceLog.entries }

  /// What the watcher cannot say itself where it is the one that is stuck.
  private func giveUp(_ caller: StuckCalls.Caller) {
    if caller == .watcher {
      var state = WatchState(mode: .offline(reason: noAnswer))
      state.isSeen = true
      receiver.folderState(state)
      completions.answerAll()
    }
    // The thread says what is to be said of others; and may have come back in this very moment, and
    // gone to sleep without knowing.
    mailbox.wakeUp.wake()
  }
}

/// How long a watcher that ends waits for its threads. Pure; nanoseconds, monotonic.
struct Leaving {
  /// A thread that is in one call for so long is left behind.
  let within: Int64

  /// Until when to wait for a thread's end before that is checked again; nil: it is left behind.
  ///
  /// - Parameter since: when the call began that it is in; nil: it is in none.
  func nextLook(at now: Int64, inCallSince since: Int64?) -> Int64? {
    guard let since else { return now + within / 4 }
    return since + within > now ? since + within : nil
  }
}
