import LibraryModel
import Platform

/// Starts readers, and handles the files if none can be started.
extension ReaderLoop {
  /// Starts a reader if there is room for one.
  ///
  /// - Parameters:
  ///   - share: the folder whose files it is for.
  ///   - inPlaceOfIdle: whether a reader without work may be ended for it.
  func startReader(for share: ShareID, inPlaceOfIdle: Bool = false) -> ReaderConnection? {
    let now = clock.monotonic()
    let hasRoom = { [self] in quickReaders < count && hasProcess(for: share) }
    if inPlaceOfIdle, !hasRoom(), now >= starting.next,
      let idle = readers.first(where: { $0.jobs.isEmpty && $0.hasGreeted })
    {
      release(idle)
    }
    guard hasRoom() else { return nil }
    guard now >= starting.next else {
      starting.isAwaited = true
      return nil
    }
    do {
      let reader = ReaderConnection(try launch.start(), now: now)
      readers.append(reader)
      // Until it has greeted, it may still turn out not to run.
      starting.next = max(starting.next, now)
      return reader
    } catch {
      noteStartFailure(error.reason, isOfProgram: error.call == "posix_spawn")
      starting.isAwaited = true
      return nil
    }
  }

  /// Whether one more process may start. However many processes the folders that hang have, another
  /// folder may always have its own few: its files never wait for theirs.
  func hasProcess(for share: ShareID) -> Bool {
    if readers.count + leaving.count < count * limits.processesPerReader { return true }
    if readers.contains(where: { $0.share == share }) { return false }
    return leaving.count { $0.share == share } < limits.processesPerFolder
  }

  func noteStartFailure(_ reason: String, isOfProgram: Bool = true) {
    starting.failures += 1
    let doublings = min(starting.failures - 1, 20)
    let delay = min(limits.startDelay << doublings, limits.startDelayMost)
    starting.next = clock.monotonic() + delay
    starting.reason =
      "The tag reader \(launch.program.display) could not be started (\(reason)); "
      + (isOfProgram ? "install crated again." : "it is tried again by itself.")
    if starting.failures >= limits.startAttempts {
      let reason = starting.reason
      queue.withLock { $0.startFailure = reason }
    }
  }

  func noteStart(lacking missing: ReaderProtections) {
    starting = StartAttempts()
    queue.withLock { queue in
      queue.startFailure = nil
      queue.missing = missing
    }
  }

  /// Fails the waiting files if no reader can be started: the program may never come.
  func refuseIfNoneStarts() {
    guard readers.isEmpty, starting.failures >= limits.startAttempts,
      clock.monotonic() < starting.next
    else { return }
    let problem = FileProblem.notStarted(starting.reason)
    for job in waiting.values.flatMap(\.all) { job.file.fail(problem) }
    waiting = [:]
    for file in queue.withLock({ $0.takeAll() }) { file.fail(problem) }
  }
}

/// The attempts to start a reader, since one last greeted.
struct StartAttempts {
  var failures = 0
  /// The time before which no reader is started again.
  var next = Int64.min
  var reason = ""
  /// Whether a file waits for the next attempt.
  var isAwaited = false
}
