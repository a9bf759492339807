import LibraryModel
import Platform

/// Files that keep their readers in the kernel, and what shows whether others can be read.
extension ReaderLoop {
  /// The job of a trial, and a reader for it: none that has other files, which may hang.
  func takeTrial(of share: ShareID) -> (job: ReaderJob, reader: ReaderConnection)? {
    guard hasTrial(of: share), let reader = freeReader(for: share),
      let job = queue.withLock({ $0.takeTrial(of: share) })
    else { return nil }
    return (job, reader)
  }

  /// However many the folder has: its readers may all hang.
  private func freeReader(for share: ShareID) -> ReaderConnection? {
    let idle = readers.first {
      $0.jobs.isEmpty && !$0.isReserved && !$0.isWornOut(by: limits)
    }
    return idle ?? startReader(for: share)
  }

  /// Whether the folder's files wait until a trial shows whether any can be read: readers are stuck
  /// with different files, and none of its files was read since.
  func isHeld(_ share: ShareID) -> Bool {
    (stuckReaders[share]?.files.count ?? 0) >= Self.filesForHang
  }

  /// Whether no other reader is to be lost to the folder, were it to a trial: one was, or as many
  /// as any folder may lose, or those of the other folders leave no room for one.
  func hasNoReader(_ share: ShareID) -> Bool {
    guard let stuck = stuckReaders[share] else { return false }
    return (isHeld(share) && stuck.hasTrial) || stuck.count >= limits.stuckMost
      || (stuck.count >= limits.processesPerFolder && !hasProcess(for: share)
        && !readers.contains { $0.share == share })
  }

  /// One file that can't be read doesn't make a folder one that hangs.
  static let filesForHang = 2

  /// Files don't wait for a trial longer than one may take: then one of them is it, as where only
  /// covers are asked for, and the others are problems.
  func serveHeld(_ share: ShareID) -> Bool {
    guard hasWaitedForTrial(share) else { return false }
    if readers.contains(where: { $0.share == share }) {
      failFiles(of: share, .hangs)
      return false
    }
    guard let reader = freeReader(for: share) else { return false }
    let job = takeOne(of: share)
    failFiles(of: share, .hangs)
    guard var job else { return false }
    job.makeTrial()
    give([job], to: reader)
    return true
  }

  func hasWaitedForTrial(_ share: ShareID) -> Bool {
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

  /// New files of the folder, without those whose readers can't be ended.
  func takeNew(of share: ShareID) -> [ReaderJob] {
    while true {
      let jobs = queue.withLock { $0.take(ReaderRequest.filesMost, of: share) }
      let good = jobs.filter { !isLost($0) }
      for job in jobs where isLost(job) { fail(lost: job) }
      if !good.isEmpty || jobs.isEmpty { return good }
    }
  }

  /// A file whose reader can't be ended costs no other one: it is not tried until that one comes
  /// back.
  func failLost(_ share: ShareID) {
    guard stuckReaders[share]?.lost.isEmpty == false else { return }
    for job in waiting[share]?.take(where: isLost) ?? [] { fail(lost: job) }
    if waiting[share]?.isEmpty == true { waiting[share] = nil }
  }

  private func fail(lost job: ReaderJob) { job.file.fail(.timedOut(after: limits.deadline)) }

  private func isLost(_ job: ReaderJob) -> Bool {
    stuckReaders[job.file.share]?.lost.contains(job.file.stamp) == true
  }

  /// Whether its last reader may yet turn out to be one that can't be ended.
  func isLeaving(_ job: ReaderJob) -> Bool {
    if job.care == .none { return false }
    let now = clock.monotonic()
    return leaving.contains {
      $0.isSure && $0.file == job.file.stamp && $0.share == job.file.share
        && now < $0.since + limits.leaving
    }
  }
}

/// Readers of one folder that the kernel doesn't let go.
struct StuckReaders: Equatable {
  var count = 0
  /// The files that they were with, of those that no other file's answer followed.
  var files: Set<FileStamp> = []
  /// The files that certainly keep them.
  var lost: Set<FileStamp> = []
  /// Others, of which each may keep one.
  var suspects: Set<FileStamp> = []
  /// Whether one of them had a trial, after which no other file was read.
  var hasTrial = false

  mutating func add(_ reader: LeavingReader) {
    count += 1
    lost.formUnion(reader.found)
    suspects.formUnion(reader.suspects)
    guard let file = reader.file else { return }
    if reader.isLost { files.insert(file) }
    if reader.isLost && reader.isTrial { hasTrial = true }
    if reader.isSure { lost.insert(file) }
  }
}
