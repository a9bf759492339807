import LibraryModel
import Platform

/// Files that keep their readers in the kernel, and probes that show whether others can be read.
extension ReaderLoop {
  /// Takes a probe, and a reader for it without other files, since those may hang.
  func takeProbe(of share: ShareID) -> (job: ReaderJob, reader: ReaderConnection)? {
    guard hasProbe(of: share), let reader = freeReader(for: share),
      let job = queue.withLock({ $0.takeProbe(of: share) })
    else { return nil }
    return (job, reader)
  }

  /// Returns an idle or a new reader, however many the folder has: they may all hang.
  private func freeReader(for share: ShareID) -> ReaderConnection? {
    let idle = readers.first {
      $0.jobs.isEmpty && !$0.isReserved && !$0.isWornOut(by: limits)
    }
    return idle ?? startReader(for: share)
  }

  /// Whether the folder's files wait until a probe shows whether any can be read: readers are stuck
  /// on different files, and no file was read since.
  func isHeld(_ share: ShareID) -> Bool {
    (stuckReaders[share]?.files.count ?? 0) >= Self.filesForHang
  }

  /// Whether no further reader may be lost to the folder, not even to a probe: a probe was lost,
  /// the folder has lost the maximum, or the readers of other folders leave no room for one.
  func hasNoReader(_ share: ShareID) -> Bool {
    guard let stuck = stuckReaders[share] else { return false }
    return (isHeld(share) && stuck.hasProbe) || stuck.count >= limits.stuckMost
      || (stuck.count >= limits.processesPerFolder && !hasProcess(for: share)
        && !readers.contains { $0.share == share })
  }

  /// A single file that can't be read doesn't mean that its folder hangs.
  static let filesForHang = 2

  /// Handles a folder whose files wait for a probe. They wait no longer than one may take. Then one
  /// of them becomes the probe, for example if only covers are requested, and the others fail.
  func serveHeld(_ share: ShareID) -> Bool {
    guard hasWaitedForProbe(share) else { return false }
    if readers.contains(where: { $0.share == share }) {
      failFiles(of: share, .hangs)
      return false
    }
    guard let reader = freeReader(for: share) else { return false }
    let job = takeOne(of: share)
    failFiles(of: share, .hangs)
    guard var job else { return false }
    job.makeProbe()
    give([job], to: reader)
    return true
  }

  func hasWaitedForProbe(_ share: ShareID) -> Bool {
    heldSince[share].map { clock.monotonic() >= $0 + limits.held } ?? false
  }

  private func takeOne(of share: ShareID) -> ReaderJob? {
    if let known = waiting[share]?.all.first(where: { !isStuck($0) }) {
      _ = waiting[share]?.take { $0.file === known.file }
      return known
    }
    var jobs = takeNew(of: share)
    let job = jobs.firstIndex { !isStuck($0) }.map { jobs.remove(at: $0) }
    waiting[share, default: WaitingJobs()].plain += jobs
    return job
  }

  private func isStuck(_ job: ReaderJob) -> Bool {
    stuckReaders[job.file.share]?.files.contains(job.file.stamp) == true
  }

  /// Takes new files of the folder. Those whose readers can't be ended fail.
  func takeNew(of share: ShareID) -> [ReaderJob] {
    while true {
      let jobs = queue.withLock { $0.take(ReaderRequest.filesMost, of: share) }
      let good = jobs.filter { !isLost($0) }
      for job in jobs where isLost(job) { fail(lost: job) }
      if !good.isEmpty || jobs.isEmpty { return good }
    }
  }

  /// Fails waiting files whose readers can't be ended. Such a file costs no further reader: it is
  /// not tried again until the stuck one comes back.
  func failLost(_ share: ShareID) {
    guard stuckReaders[share]?.lost.isEmpty == false else { return }
    for job in waiting[share]?.take(where: isLost) ?? [] { fail(lost: job) }
    if waiting[share]?.isEmpty == true { waiting[share] = nil }
  }

  private func fail(lost job: ReaderJob) { job.file.fail(.timedOut(after: limits.deadline)) }

  private func isLost(_ job: ReaderJob) -> Bool {
    stuckReaders[job.file.share]?.lost.contains(job.file.stamp) == true
  }

  /// Whether its last reader may still turn out to be one that can't be ended.
  func isLeaving(_ job: ReaderJob) -> Bool {
    if job.care == .none { return false }
    let now = clock.monotonic()
    return leaving.contains {
      $0.isSure && $0.file == job.file.stamp && $0.share == job.file.share
        && now < $0.since + limits.leaving
    }
  }
}

/// The readers of one folder that are stuck in the kernel.
struct StuckReaders: Equatable {
  var count = 0
  /// The files that they were reading, of those after which no other file was read.
  var files: Set<FileStamp> = []
  /// The files that certainly keep them stuck.
  var lost: Set<FileStamp> = []
  /// Further files, of which each may keep one stuck.
  var suspects: Set<FileStamp> = []
  /// Whether one of them had a probe, and no other file was read since.
  var hasProbe = false

  mutating func add(_ reader: LeavingReader) {
    count += 1
    lost.formUnion(reader.found)
    suspects.formUnion(reader.suspects)
    guard let file = reader.file else { return }
    if reader.isLost { files.insert(file) }
    if reader.isLost && reader.isProbe { hasProbe = true }
    if reader.isSure { lost.insert(file) }
  }
}
