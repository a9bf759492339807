import CLinuxShims
import Glibc
import LibraryModel
import Platform

/// The work of the pool's thread: gives files to readers, takes their answers, and handles their
/// ends. Only that thread touches any of this.
final class ReaderLoop {
  let launch: ReaderLaunch
  let count: Int
  let clock: Clock
  let limits: ReaderLimits
  let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp

  var readers: [ReaderConnection] = []
  var leaving: [LeavingReader] = []
  /// Files that wait here; the rest wait in the queue.
  var waiting: [ShareID: WaitingJobs] = [:]
  var starting = StartAttempts()
  /// Folders with a timeout, and no answer since.
  var late: Set<ShareID> = []
  /// The readers of each folder that can't be ended.
  var stuckReaders: [ShareID: StuckReaders] = [:]
  /// Since when the files of folders wait for a probe.
  var heldSince: [ShareID: Int64] = [:]
  /// The number of the last batch of each folder. Numbers grow with each batch that a reader is
  /// given.
  private var served: [ShareID: Int] = [:]
  private var servedLast = 0
  /// Folders that have files, but no reader with room for them.
  var unserved: Set<ShareID> = []

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
      // Answers first: after a long suspension of this process, they have arrived and are not late.
      receive()
      endLateReaders()
      releaseIdleReaders()
      reap()
    }
    close()
  }

  // MARK: Assigning

  /// Gives readers one batch of each folder in turn, as long as there is a reader for any.
  func assign() {
    dropGivenUp()
    starting.isAwaited = false
    var hasGiven = true
    while hasGiven {
      hasGiven = false
      unserved = queue.withLock { $0.wanted() }.union(
        waiting.lazy.filter { !$0.value.isEmpty }.map(\.key))
      for share in unserved.sorted(by: { turn($0) < turn($1) }) where serve(share) {
        servedLast += 1
        served[share] = servedLast
        hasGiven = true
      }
    }
    refuseIfNoneStarts()
  }

  private func turn(_ share: ShareID) -> (Int, ShareID) { (served[share] ?? 0, share) }

  /// Gives one batch of the folder to a reader, if there is one for it now. Returns whether it did.
  private func serve(_ share: ShareID) -> Bool {
    if hasNoReader(share) {
      fail(share, .hangs)
      return false
    }
    failLost(share)
    if let trial = takeProbe(of: share) {
      give([trial.job], to: trial.reader)
      return true
    }
    if isHeld(share) { return serveHeld(share) }
    if let first = waiting[share]?.alone.first, !isLeaving(first) {
      // A folder that has all the readers it may have waits until one of them is idle.
      guard mayHaveMore(share) else { return false }
      if let reader = startReader(for: share, inPlaceOfIdle: true),
        let job = waiting[share]?.takeAlone()
      {
        reader.isReserved = true
        give([job], to: reader)
        return true
      }
    }
    guard let reader = readerWithRoom(for: share) else { return false }
    let batch = nextBatch(of: share)
    if batch.isEmpty { return false }
    give(batch, to: reader)
    return true
  }

  func give(_ batch: [ReaderJob], to reader: ReaderConnection) {
    if reader.send(batch, now: clock.monotonic()) { return }
    // Its last messages tell a file that ends readers from a program that doesn't run.
    receive(from: reader)
    end(reader, because: whyGone(reader))
  }

  func nextBatch(of share: ShareID) -> [ReaderJob] {
    var jobs = waiting[share] ?? WaitingJobs()
    defer { waiting[share] = jobs.isEmpty ? nil : jobs }
    if jobs.oneByOne.isEmpty && jobs.plain.isEmpty { jobs.plain = takeNew(of: share) }
    let later = jobs.oneByOne.filter(isLeaving)
    if later.isEmpty { return jobs.takeBatch() }
    jobs.oneByOne.removeAll(where: isLeaving)
    if jobs.oneByOne.isEmpty && jobs.plain.isEmpty { jobs.plain = takeNew(of: share) }
    defer { jobs.oneByOne += later }
    return jobs.takeBatch()
  }

  // MARK: Order of folders

  private func own(_ share: ShareID) -> [ReaderConnection] {
    readers.filter { $0.share == share }
  }

  /// Returns a reader with room for a batch. About two batches are under way in each reader, so
  /// that it never waits for the next.
  func readerWithRoom(for share: ShareID) -> ReaderConnection? {
    let most = ReaderRequest.filesMost
    let usable = readers.filter { !$0.isReserved && !$0.isWornOut(by: limits) }
    let best = usable.filter { $0.share == share }.min { $0.jobs.count < $1.jobs.count }
    if mayHaveMore(share) {
      if let idle = usable.first(where: { $0.jobs.isEmpty }) { return idle }
      // Files that wait behind a hung one show nothing about their folder.
      let isBusy = best.map { $0.jobs.count >= most || late.contains(share) } ?? true
      if isBusy, let fresh = startReader(for: share) { return fresh }
    }
    guard let best, best.jobs.count <= most, !hasToYield(share) else { return nil }
    return best
  }

  /// Whether the folder may have another reader. A folder with timeouts gets half of the readers
  /// while other folders need some.
  func mayHaveMore(_ share: ShareID) -> Bool {
    let isHalved = late.contains(share) && unserved.count > 1
    let most = isHalved ? max(1, count / 2) : count
    let own = own(share).count
    // However often a file that keeps its readers is tried, it doesn't keep other files from
    // readers.
    let lost = Set(leaving.lazy.filter { $0.isLost && $0.share == share }.map(\.file)).count
    return own < most && own + lost < max(most, Self.filesForHang)
  }

  /// Whether the next free reader belongs to another folder, which has less than its share.
  func hasToYield(_ share: ShareID) -> Bool {
    let others = unserved.filter { $0 != share && mayUse($0) }
    if others.isEmpty { return false }
    let active = unserved.union(readers.compactMap(\.share))
    let fair = max(1, count / active.count)
    let count = own(share).count
    return others.contains { other in
      if hasProbe(of: other) { return true }
      let others = own(other).count
      return others < fair && (others == 0 || count > fair)
    }
  }

  /// Whether a reader would be given a file of the folder now.
  private func mayUse(_ share: ShareID) -> Bool {
    if hasNoReader(share) { return false }
    return !isHeld(share) || hasWaitedForProbe(share) || hasProbe(of: share)
  }

  func hasProbe(of share: ShareID) -> Bool { queue.withLock { $0.hasProbe(of: share) } }

  /// The number of readers that have not waited long for a file: the others are as good as none.
  var quickReaders: Int {
    let now = clock.monotonic()
    return readers.count { !isSlow($0, at: now) }
  }

  func isSlow(_ reader: ReaderConnection, at now: Int64) -> Bool {
    !reader.jobs.isEmpty && now >= reader.headSince + limits.slow
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

  /// Returns the timeout of poll(2) in milliseconds, rounded up; -1 to wait for any event.
  func timeout() -> Int32 {
    let now = clock.monotonic()
    var next = Int64.max
    for reader in readers {
      next = min(next, reader.headSince + (patience(with: reader) ?? limits.idle))
      if !reader.jobs.isEmpty, !isSlow(reader, at: now) {
        next = min(next, reader.headSince + limits.slow)
      }
    }
    // The next start may be due by now.
    if starting.isAwaited { next = min(next, max(now, starting.next)) }
    for reader in leaving { next = min(next, now + reader.nextLook(now)) }
    if next == .max { return -1 }
    return Clock.milliseconds(from: now, until: next)
  }

  // MARK: Receiving

  private func receive() {
    for reader in readers { receive(from: reader) }
  }

  private func receive(from reader: ReaderConnection) {
    let news = reader.receive(now: clock.monotonic()) {
      noteStart(lacking: reader.missing)
    } answer: { job, reply in
      noteAnswer(of: job.file.stamp, in: job.file.share)
      job.file.complete(with: reply)
    }
    switch news {
    case .nothing: reuse(reader)
    case .gone: end(reader, because: whyGone(reader))
    case .nonsense: end(reader, because: .nonsense)
    }
  }

  private func reuse(_ reader: ReaderConnection) {
    guard reader.jobs.isEmpty else { return }
    // Another file may wait for a reader of its own.
    if reader.isReserved && waiting.values.contains(where: { !$0.alone.isEmpty }) {
      return release(reader)
    }
    reader.isReserved = false
    if reader.isWornOut(by: limits) { release(reader) }
  }
}

/// The files of one folder that wait for another reader, by care, and those that wait for room.
struct WaitingJobs {
  var alone: [ReaderJob] = []
  var oneByOne: [ReaderJob] = []
  var plain: [ReaderJob] = []

  var isEmpty: Bool { alone.isEmpty && oneByOne.isEmpty && plain.isEmpty }
  var all: [ReaderJob] { alone + oneByOne + plain }

  mutating func takeAlone() -> ReaderJob? { alone.isEmpty ? nil : alone.removeFirst() }

  mutating func takeBatch() -> [ReaderJob] {
    oneByOne.isEmpty ? Self.takeFirst(&plain) : Self.takeFirst(&oneByOne)
  }

  /// Removes and returns the first files that go into one request: all need the same data.
  private static func takeFirst(_ jobs: inout [ReaderJob]) -> [ReaderJob] {
    let wanted = jobs.first?.file.wants
    let alike = jobs.prefix { $0.file.wants == wanted }
    let batch = Array(alike.prefix(ReaderRequest.filesMost))
    jobs.removeFirst(batch.count)
    return batch
  }

  mutating func takeOlder(than generation: Int) -> [ReaderJob] {
    take { $0.generation < generation }
  }

  mutating func take(where isMeant: (ReaderJob) -> Bool) -> [ReaderJob] {
    let taken = all.filter(isMeant)
    if taken.isEmpty { return [] }
    alone.removeAll(where: isMeant)
    oneByOne.removeAll(where: isMeant)
    plain.removeAll(where: isMeant)
    return taken
  }

  /// Puts a job back, in front of those of its care.
  mutating func putBack(_ job: ReaderJob) {
    switch job.care {
    case .alone: alone.insert(job, at: 0)
    case .oneByOne: oneByOne.insert(job, at: 0)
    case .none: plain.insert(job, at: 0)
    }
  }
}
