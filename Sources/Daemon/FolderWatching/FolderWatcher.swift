package import LibraryModel
package import Platform
import Synchronization

/// Watches one music folder on its own threads and reports the folder's contents to a receiver.
///
/// An event of the kernel is only a hint to scan. What the receiver gets was found by a scan and
/// differs from what was reported before.
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
  ///   - root: the absolute path of the music folder.
  ///   - looks: the scan times, shared by all watchers of a library.
  ///   - known: returns the files that the library has songs for, each once, in any order. Called
  ///     when watching begins and for each rescan.
  ///   - memory: the state that the previous run stored (see `WatchState`).
  /// - Throws: if the process has no file descriptor left.
  package init(
    root: BytePath, settings: WatchSettings, clock: Clock = .system,
    scanTimes: ScanTimes = ScanTimes(), known: @escaping @Sendable () -> [KnownFile],
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
        root: root, settings: settings, clock: clock, scanTimes: scanTimes, known: known,
        memory: memory,
        receiver: receiver, reading: reading, mailbox: mailbox, completions: completions,
        stuckCalls: stuckCalls, trace: trace,
        openEvents: { () throws(SystemCallError) in try Inotify() })
    }
  }

  /// Starts the watcher's threads. Must be called once.
  package func start() {
    let started = [
      thread("watch stuck") { [self] in stuckCalls.run(whenStuck: giveUp) },
      thread("watch files", .opener) { [reading] in reading.run() },
      thread("watch folder", .watcher) { [makeLoop] in makeLoop().run() },
    ]
    threads.withLock { $0 = started }
  }

  /// Stops scanning. The results of reads that are still running are ignored. `stop` must follow.
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

  /// Stops the watcher and waits for its threads. Threads that are stuck in the kernel are left
  /// behind, and their later reports are ignored. The results so far are merged first, and pending
  /// requests are answered.
  package func stop() {
    mailbox.post(.stop)
    reading.stop()
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for (caller, thread) in ending.reversed() {
      if let caller, !waitForEnd(of: caller) { continue }
      // The monitoring thread has no caller. It stops after the threads that it monitors.
      if caller == nil { stuckCalls.stop() }
      thread.join()
    }
    receiver.leave()
    completions.answerAll()
  }

  /// Returns whether the thread ended. Gives up on a thread that has been in one call for too long,
  /// and on an opener that waits too long for files being read. The opener closes those files by
  /// itself.
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

  /// Calls the completion, on one of the watcher's threads, when everything done in the music
  /// folder before this call is merged. Waits until new files are unchanged for a while, but not
  /// for files being written, nor for a folder that doesn't answer.
  package func sync(_ completion: @escaping @Sendable () -> Void) {
    mailbox.post(.sync(completions.add(completion)))
    if stuckCalls.isStuck(.watcher) { completions.answerAll() }
  }

  /// Scans all files at or below an absolute path, or everything, and reports each difference from
  /// the library. Retries what failed. If the path is the root's own, a root with another identity,
  /// or one that has lost most of its songs, is accepted.
  /// - Parameter progress: called from time to time with the number of files scanned and to scan.
  package func rescan(
    _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void = { _ in },
    completion: @escaping @Sendable () -> Void
  ) {
    mailbox.post(.rescan(path, completions.add(progress: progress, completion)))
    if stuckCalls.isStuck(.watcher) { completions.answerAll() }
  }

  /// Forgets files, by their absolute paths, for which the library no longer has a song. They are
  /// reported again when they are next seen.
  package func forget(_ paths: [BytePath]) {
    mailbox.post(.forget(paths))
  }

  /// Remembers files of songs that were forgotten and are back, for example by an undo. Those that
  /// are not there are reported as vanished, once the folder is present.
  package func remember(_ files: [KnownFile]) {
    mailbox.post(.remember(files))
  }

  /// The watcher's latest events, actions and results, oldest first. Available even while the
  /// watcher is stuck.
  package var trace: [Trace.Entry] { traceLog.entries }

  /// Reports that the watcher's thread is stuck, which it cannot do itself.
  private func giveUp(_ caller: StuckCalls.Caller) {
    if caller == .watcher {
      var state = WatchState(mode: .offline(reason: noAnswer))
      state.isSeen = true
      receiver.folderState(state)
      completions.answerAll()
    }
    // The watcher's thread reports other stuck threads. It may also have come back at this moment
    // and gone to sleep without knowing that it was stuck.
    mailbox.wakeUp.wake()
  }
}

/// Decides how long to wait for the watcher's threads at the end. Pure; nanoseconds, monotonic.
struct Leaving {
  /// How long a thread may be in one call before it is left behind.
  let within: Int64

  /// Returns until when to wait for a thread's end before checking again; nil if the thread is to
  /// be left behind.
  ///
  /// - Parameter since: when the thread's current call began; nil if it is in none.
  func nextLook(at now: Int64, inCallSince since: Int64?) -> Int64? {
    guard let since else { return now + within / 4 }
    return since + within > now ? since + within : nil
  }
}
