import LibraryModel
import Platform

/// Starting readers, and what becomes of files when none can be started.
extension ReaderLoop {
  func startReader() -> ReaderConnection? {
    let now = clock.monotonic()
    guard readers.count < count, now >= starting.next else { return nil }
    do {
      let reader = ReaderConnection(try launch.start(), now: now)
      readers.append(reader)
      // Until it has greeted, it may yet turn out not to run.
      starting.next = max(starting.next, now)
      return reader
    } catch {
      noteStartFailure(error.reason, isOfProgram: error.call == "posix_spawn")
      return nil
    }
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

  /// Files don't wait for a program that may never come.
  func refuseIfNoneStarts() {
    guard readers.isEmpty, starting.failures >= limits.startAttempts,
      clock.monotonic() < starting.next
    else { return }
    let problem = FileProblem.notStarted(starting.reason)
    repeat {
      for job in alone + oneByOne + plain { job.file.fail(problem) }
      alone = []
      oneByOne = []
      plain = []
    } while hasWork()
  }
}

/// Since a reader last said that it runs.
struct StartAttempts {
  var failures = 0
  /// Not before this time.
  var next = Int64.min
  var reason = ""
}
