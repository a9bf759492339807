import CLinuxShims
import Glibc
import LibraryModel
import Platform

/// What the pool's thread does: gives files to readers, takes their answers, and puts up with their
/// ends. It alone touches any of this.
final class ReaderLoop {
  private let launch: ReaderLaunch
  private let count: Int
  private let clock: Clock
  private let limits: ReaderLimits
  private let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp

  private var readers: [ReaderConnection] = []
  private var leaving: [pid_t] = []
  // Files that wait here, by care; the rest wait in the queue.
  private var alone: [ReaderJob] = []
  private var oneByOne: [ReaderJob] = []
  private var plain: [ReaderJob] = []
  private var starting = StartAttempts()

  init(
    launch: ReaderLaunch, count: Int, clock: Clock, limits: ReaderLimits,
    queue: Monitor<ReaderQueue>, wakeUp: WakeUp
  ) {
    self.launch = launch
    self.count = count
    self.clock = clock
    self.limits = limits
    self.queue = queue
    self.wakeUp = wakeUp
  }

  func run() {
    while !queue.withLock({ $0.isClosing }) {
      assign()
      waitForNews()
      // Answers first: after a long pause of this very process they are there, and not late.
      receive()
      endLateReaders()
      releaseIdleReaders()
      reap()
    }
    close()
  }

  // MARK: Giving

  private func assign() {
    while !alone.isEmpty, let reader = startReader() {
      reader.isReserved = true
      give([alone.removeFirst()], to: reader)
    }
    while let reader = readerWithRoom() {
      let batch = nextBatch()
      if batch.isEmpty { break }
      give(batch, to: reader)
    }
    refuseIfNoneStarts()
  }

  private func give(_ batch: [ReaderJob], to reader: ReaderConnection) {
    if !reader.send(batch, now: clock.monotonic()) { end(reader, because: .crashed) }
  }

  private func nextBatch() -> [ReaderJob] {
    if !oneByOne.isEmpty { return takeFirst(&oneByOne) }
    if plain.isEmpty {
      let most = ReaderRequest.filesMost
      plain = queue.withLock { $0.take(most) }.map { ReaderJob($0) }
    }
    return takeFirst(&plain)
  }

  private func takeFirst(_ jobs: inout [ReaderJob]) -> [ReaderJob] {
    let batch = Array(jobs.prefix(ReaderRequest.filesMost))
    jobs.removeFirst(batch.count)
    return batch
  }

  /// About two batches are under way in each reader, so that it never waits for the next.
  private func readerWithRoom() -> ReaderConnection? {
    let most = ReaderRequest.filesMost
    let best =
      readers
      .filter { !$0.isReserved && $0.jobsTaken < limits.filesPerReader }
      .min { $0.jobs.count < $1.jobs.count }
    if let best, best.jobs.isEmpty { return best }
    let isBusy = best.map { $0.jobs.count >= most } ?? true
    if isBusy, alone.isEmpty, hasWork(), let fresh = startReader() { return fresh }
    guard let best, best.jobs.count <= most else { return nil }
    return best
  }

  private func hasWork() -> Bool {
    if oneByOne.isEmpty && plain.isEmpty {
      plain = queue.withLock { $0.take(ReaderRequest.filesMost) }.map { ReaderJob($0) }
    }
    return !(oneByOne.isEmpty && plain.isEmpty)
  }

  // MARK: Starting

  private func startReader() -> ReaderConnection? {
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

  private func noteStartFailure(_ reason: String, isOfProgram: Bool = true) {
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

  private func noteStart() {
    guard starting.failures > 0 else { return }
    starting = StartAttempts()
    queue.withLock { $0.startFailure = nil }
  }

  /// Files don't wait for a program that may never come.
  private func refuseIfNoneStarts() {
    guard readers.isEmpty, starting.failures >= limits.startAttempts,
      clock.monotonic() < starting.next
    else { return }
    let problem = FileProblem.notStarted(starting.reason)
    repeat {
      for job in alone + oneByOne + plain { job.file.completion(.problem(problem)) }
      alone = []
      oneByOne = []
      plain = []
    } while hasWork()
  }

  // MARK: Waiting

  private func waitForNews() {
    var polled = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    for reader in readers {
      polled.append(pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0))
    }
    let result = poll(&polled, nfds_t(polled.count), timeout())
    if result > 0, polled[0].revents != 0 { wakeUp.clear() }
  }

  /// In milliseconds, rounded up; -1: until something happens.
  private func timeout() -> Int32 {
    let now = clock.monotonic()
    var next = Int64.max
    for reader in readers {
      let span = reader.jobs.isEmpty && reader.hasGreeted ? limits.idle : limits.deadline
      next = min(next, reader.headSince + span)
    }
    if !(alone.isEmpty && oneByOne.isEmpty && plain.isEmpty) && starting.next > now {
      next = min(next, starting.next)
    }
    if !leaving.isEmpty { next = min(next, now + 100_000_000) }
    if next == .max { return -1 }
    return Int32(clamping: max(0, (next - now + 999_999) / 1_000_000))
  }

  // MARK: Taking

  private func receive() {
    for reader in readers {
      let hadGreeted = reader.hasGreeted
      let news = reader.receive(now: clock.monotonic()) { job, reply in
        job.file.completion(outcome(of: reply, stamp: job.file.stamp))
      }
      if !hadGreeted && reader.hasGreeted { noteStart() }
      switch news {
      case .nothing: reuse(reader)
      case .gone: end(reader, because: .crashed)
      case .nonsense: end(reader, because: .nonsense)
      }
    }
  }

  private func reuse(_ reader: ReaderConnection) {
    guard reader.jobs.isEmpty else { return }
    // Another file may wait for a reader of its own.
    if reader.isReserved && !alone.isEmpty { return release(reader) }
    reader.isReserved = false
    if reader.jobsTaken >= limits.filesPerReader { release(reader) }
  }

  private func outcome(of reply: ReaderReply, stamp: FileStamp) -> ReadOutcome {
    switch reply {
    case .song(let song):
      .facts(
        FileFacts(
          stamp: stamp, tags: song.tags, audio: song.audio, digest: song.digest,
          format: song.format))
    case .problem(let status, let errorNumber):
      .problem(.of(status, errorNumber: errorNumber))
    }
  }

  // MARK: Ending

  private func endLateReaders() {
    let now = clock.monotonic()
    for reader in readers where now >= reader.headSince + limits.deadline {
      if !reader.jobs.isEmpty || !reader.hasGreeted {
        end(reader, because: .timedOut(after: limits.deadline))
      }
    }
  }

  private func releaseIdleReaders() {
    let now = clock.monotonic()
    for reader in readers where reader.jobs.isEmpty && now >= reader.headSince + limits.idle {
      release(reader)
    }
  }

  /// The reader ended or has to. Its first file pays if it is certain that it was the cause and this
  /// was its second time; the other files go to other readers.
  private func end(_ reader: ReaderConnection, because problem: FileProblem) {
    guard readers.contains(where: { $0 === reader }) else { return }
    release(reader)
    guard let head = reader.jobs.first else {
      if !reader.hasGreeted { noteStartFailure("it ended before it said anything") }
      return
    }
    if !reader.hasGreeted {
      noteStartFailure("it ended before it said anything")
      return putBack(reader.jobs)
    }
    switch head.care {
    case .alone:
      head.file.completion(.problem(problem))
      putBack(Array(reader.jobs.dropFirst()))
    case .oneByOne:
      var suspect = head
      suspect.care = .alone
      alone.append(suspect)
      putBack(Array(reader.jobs.dropFirst()))
    case .none:
      let suspects = reader.jobs.prefix { $0.batch == head.batch }
      putBack(Array(reader.jobs[suspects.count...]))
      oneByOne += suspects.map { job in
        var job = job
        job.care = .oneByOne
        return job
      }
    }
  }

  private func putBack(_ jobs: [ReaderJob]) {
    alone = jobs.filter { $0.care == .alone } + alone
    oneByOne = jobs.filter { $0.care == .oneByOne } + oneByOne
    plain = jobs.filter { $0.care == .none } + plain
  }

  private func release(_ reader: ReaderConnection) {
    readers.removeAll { $0 === reader }
    kill(reader.process, SIGKILL)
    leaving.append(reader.process)
  }

  /// Never waits: a reader that hangs in a dead disk can't even be killed.
  private func reap() {
    leaving.removeAll { process in
      let result = waitpid(process, nil, WNOHANG)
      return result == process || (result < 0 && errno == ECHILD)
    }
  }

  private func close() {
    let jobs = readers.flatMap(\.jobs) + alone + oneByOne + plain
    for reader in readers { release(reader) }
    for job in jobs { job.file.completion(.problem(.interrupted)) }
    while true {
      let files = queue.withLock { $0.take(ReaderRequest.filesMost) }
      if files.isEmpty { break }
      for file in files { file.completion(.problem(.interrupted)) }
    }
    for _ in 0..<200 where !leaving.isEmpty {
      reap()
      if !leaving.isEmpty { usleep(5_000) }
    }
  }
}

private struct StartAttempts {
  var failures = 0
  /// Not before this time.
  var next = Int64.min
  var reason = ""
}
