import CLinuxShims
import Glibc
import LibraryModel
import Platform

/// Ends readers, and decides which of their files gets a problem.
extension ReaderLoop {
  func endLateReaders() {
    let now = clock.monotonic()
    for reader in readers where isSlow(reader, at: now) && reader.computedWhenSlow == nil {
      reader.computedWhenSlow = ProcessStatus(reader.process)?.computed
    }
    for reader in readers {
      guard let patience = patience(with: reader), now >= reader.headSince + patience else {
        continue
      }
      if reader.hasGreeted { noteTimeout(of: reader, after: patience) }
      end(reader, because: .timedOut(after: patience))
    }
  }

  /// Returns how long the reader may take for its next message; nil if none is awaited.
  func patience(with reader: ReaderConnection) -> Int64? {
    if !reader.hasGreeted { return limits.greeting }
    return reader.jobs.first.map { $0.isProbe ? limits.trial : limits.deadline }
  }

  // MARK: Folders that hang

  /// Records a timeout of the folder. A reader that uses processor time is no sign of a folder that
  /// hangs.
  private func noteTimeout(of reader: ReaderConnection, after patience: Int64) {
    guard let share = reader.share, let before = reader.computedWhenSlow,
      let computed = ProcessStatus(reader.process)?.computed,
      computed - before < (patience - limits.slow) / 20
    else { return }
    late.insert(share)
    queue.withLock { queue in
      var health = queue.health(of: share)
      health.noteTimeout(of: reader.isSureOfFirst ? reader.jobs.first?.file.stamp : nil)
      queue.setHealth(health, of: share)
    }
  }

  func noteAnswer(of file: FileStamp, in share: ShareID) {
    for index in leaving.indices where leaving[index].share == share {
      leaving[index].note(read: file)
    }
    guard late.remove(share) != nil else { return }
    queue.withLock { queue in
      var health = queue.health(of: share)
      health.forgetTimeouts()
      queue.setHealth(health, of: share)
    }
  }

  /// Fails all waiting files of the folder.
  func fail(_ share: ShareID, _ problem: FileProblem) {
    while let trial = queue.withLock({ $0.takeProbe(of: share) }) { trial.file.fail(problem) }
    failFiles(of: share, problem)
  }

  /// Fails all waiting files of the folder, except probes.
  func failFiles(of share: ShareID, _ problem: FileProblem) {
    for job in waiting.removeValue(forKey: share)?.all ?? [] { job.file.fail(problem) }
    while true {
      let jobs = queue.withLock { $0.take(ReaderRequest.filesMost, of: share) }
      if jobs.isEmpty { return }
      for job in jobs { job.file.fail(problem) }
    }
  }

  func dropGivenUp() {
    for share in queue.withLock({ $0.takeGivenUp() }) {
      let generation = queue.withLock { $0.generation(of: share) }
      for job in waiting[share]?.takeOlder(than: generation) ?? [] { job.file.fail(.interrupted) }
    }
  }

  private func noteStuckReaders() {
    let now = clock.monotonic()
    var stuck: [ShareID: StuckReaders] = [:]
    for reader in leaving where reader.isStuck(now, after: limits.leaving) {
      if let share = reader.share { stuck[share, default: StuckReaders()].add(reader) }
    }
    let before = stuckReaders
    stuckReaders = stuck
    // Whether there is room for another reader also depends on those of the other folders.
    for share in Set(stuck.keys).union(before.keys) {
      heldSince[share] = isHeld(share) ? heldSince[share] ?? now : nil
      queue.withLock { queue in
        let known = queue.health(of: share)
        var health = known
        health.stuckReaders = stuck[share]?.count ?? 0
        health.lost = stuck[share]?.lost ?? []
        health.suspects = stuck[share]?.suspects ?? []
        health.isHeld = isHeld(share)
        health.hasNoReader = hasNoReader(share)
        if health != known { queue.setHealth(health, of: share) }
      }
    }
  }

  /// Returns why a reader is gone. One that has closed its socket ends in this moment.
  func whyGone(_ reader: ReaderConnection) -> FileProblem {
    for _ in 0..<20 {
      let signal = crated_ended_by(reader.process)
      if signal != 0 { return signal == SIGPROF ? .computedTooLong : .crashed }
      usleep(500)
    }
    return .crashed
  }

  func releaseIdleReaders() {
    let now = clock.monotonic()
    for reader in readers where reader.jobs.isEmpty && now >= reader.headSince + limits.idle {
      release(reader)
    }
  }

  /// Ends the reader. Its first file gets the problem if it is certainly the cause and this was its
  /// second time. The other files go to other readers.
  func end(_ reader: ReaderConnection, because problem: FileProblem) {
    guard readers.contains(where: { $0 === reader }) else { return }
    release(reader, wasLate: reader.hasGreeted && problem.kind == .timedOutReader)
    guard let head = reader.jobs.first else {
      if !reader.hasGreeted { noteStartFailure("it ended before it said anything") }
      return
    }
    let generation = queue.withLock { $0.generation(of: head.file.share) }
    let unwanted = reader.jobs.prefix { $0.generation < generation }
    if !unwanted.isEmpty {
      for job in unwanted { job.file.fail(.interrupted) }
      return putBack(Array(reader.jobs[unwanted.count...]))
    }
    if !reader.hasGreeted {
      noteStartFailure("it ended before it said anything")
      return putBack(reader.jobs)
    }
    switch head.care {
    case .alone:
      head.file.fail(problem)
      putBack(Array(reader.jobs.dropFirst()))
    case .oneByOne:
      var suspect = head
      suspect.care = .alone
      waiting[suspect.file.share, default: WaitingJobs()].alone.append(suspect)
      putBack(Array(reader.jobs.dropFirst()))
    case .none:
      let suspects = reader.jobs.prefix { $0.batch == head.batch }
      putBack(Array(reader.jobs[suspects.count...]))
      for job in suspects {
        var job = job
        job.care = .oneByOne
        waiting[job.file.share, default: WaitingJobs()].oneByOne.append(job)
      }
    }
  }

  private func putBack(_ jobs: [ReaderJob]) {
    for job in jobs.reversed() {
      waiting[job.file.share, default: WaitingJobs()].putBack(job)
    }
  }

  func release(_ reader: ReaderConnection, wasLate: Bool = false) {
    readers.removeAll { $0 === reader }
    kill(reader.process, SIGKILL)
    let head = reader.jobs.first
    var gone = LeavingReader(
      process: reader.process, share: reader.share, since: clock.monotonic(), wasLate: wasLate,
      file: head?.file.stamp, isSure: wasLate && reader.isSureOfFirst,
      isProbe: head?.isProbe == true)
    if gone.isSure, let file = gone.file {
      for index in leaving.indices where leaving[index].share == gone.share {
        leaving[index].note(late: file)
      }
    } else if wasLate {
      gone.suspects = Set(
        reader.jobs.lazy.filter { $0.batch == head?.batch }.map(\.file.stamp))
    }
    leaving.append(gone)
  }

  /// Collects ended processes. Never waits: a reader that hangs in a dead disk can't even be
  /// killed.
  func reap() {
    if leaving.isEmpty { return }
    leaving.removeAll { reader in
      let result = waitpid(reader.process, nil, WNOHANG)
      return result == reader.process || (result < 0 && errno == ECHILD)
    }
    noteStuckReaders()
  }

  func close() {
    let jobs = readers.flatMap(\.jobs) + waiting.values.flatMap(\.all)
    for reader in readers { release(reader) }
    for job in jobs { job.file.fail(.interrupted) }
    for file in queue.withLock({ $0.takeAll() }) { file.fail(.interrupted) }
    for _ in 0..<200 where !leaving.isEmpty {
      reap()
      if !leaving.isEmpty { usleep(5_000) }
    }
  }
}
