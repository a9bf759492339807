import CLinuxShims
import Glibc
import LibraryModel
import Platform

/// What the pool's thread does: gives files to readers, takes their answers, and puts up with their
/// ends. It alone touches any of this.
final class ReaderLoop {
  let launch: ReaderLaunch
  let count: Int
  let clock: Clock
  let limits: ReaderLimits
  let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp

  var readers: [ReaderConnection] = []
  var leaving: [pid_t] = []
  // Files that wait here, by care; the rest wait in the queue.
  var alone: [ReaderJob] = []
  var oneByOne: [ReaderJob] = []
  var plain: [ReaderJob] = []
  var starting = StartAttempts()

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

  /// As many as go into one request: all want the same.
  private func takeFirst(_ jobs: inout [ReaderJob]) -> [ReaderJob] {
    let wantsPicture = jobs.first?.file.wantsPicture
    let alike = jobs.prefix { $0.file.wantsPicture == wantsPicture }
    let batch = Array(alike.prefix(ReaderRequest.filesMost))
    jobs.removeFirst(batch.count)
    return batch
  }

  /// About two batches are under way in each reader, so that it never waits for the next.
  private func readerWithRoom() -> ReaderConnection? {
    let most = ReaderRequest.filesMost
    let best =
      readers
      .filter { !$0.isReserved && !$0.isWornOut(by: limits) }
      .min { $0.jobs.count < $1.jobs.count }
    if let best, best.jobs.isEmpty { return best }
    let isBusy = best.map { $0.jobs.count >= most } ?? true
    if isBusy, alone.isEmpty, hasWork(), let fresh = startReader() { return fresh }
    guard let best, best.jobs.count <= most else { return nil }
    return best
  }

  func hasWork() -> Bool {
    if oneByOne.isEmpty && plain.isEmpty {
      plain = queue.withLock { $0.take(ReaderRequest.filesMost) }.map { ReaderJob($0) }
    }
    return !(oneByOne.isEmpty && plain.isEmpty)
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
    // What still waits with room for a reader waits for the next start, which may be due by now.
    if !(alone.isEmpty && oneByOne.isEmpty && plain.isEmpty) && readers.count < count {
      next = min(next, max(now, starting.next))
    }
    if !leaving.isEmpty { next = min(next, now + 100_000_000) }
    if next == .max { return -1 }
    return Int32(clamping: max(0, (next - now + 999_999) / 1_000_000))
  }

  // MARK: Taking

  private func receive() {
    for reader in readers {
      let news = reader.receive(now: clock.monotonic()) {
        noteStart(lacking: reader.missing)
      } answer: { job, reply in
        job.file.complete(with: reply)
      }
      switch news {
      case .nothing: reuse(reader)
      case .gone: end(reader, because: whyGone(reader))
      case .nonsense: end(reader, because: .nonsense)
      }
    }
  }

  private func reuse(_ reader: ReaderConnection) {
    guard reader.jobs.isEmpty else { return }
    // Another file may wait for a reader of its own.
    if reader.isReserved && !alone.isEmpty { return release(reader) }
    reader.isReserved = false
    if reader.isWornOut(by: limits) { release(reader) }
  }
}
