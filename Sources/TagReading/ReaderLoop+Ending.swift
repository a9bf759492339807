import CLinuxShims
import Glibc
import LibraryModel
import Platform

/// How readers end, and which of their files pays for it.
extension ReaderLoop {
  func endLateReaders() {
    let now = clock.monotonic()
    for reader in readers where now >= reader.headSince + limits.deadline {
      if !reader.jobs.isEmpty || !reader.hasGreeted {
        end(reader, because: .timedOut(after: limits.deadline))
      }
    }
  }

  /// A reader that has closed its socket ends in this moment.
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

  /// The reader ended or has to. Its first file pays if it is certain that it was the cause and
  /// this was its second time; the other files go to other readers.
  func end(_ reader: ReaderConnection, because problem: FileProblem) {
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
      head.file.fail(problem)
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

  func release(_ reader: ReaderConnection) {
    readers.removeAll { $0 === reader }
    kill(reader.process, SIGKILL)
    leaving.append(reader.process)
  }

  /// Never waits: a reader that hangs in a dead disk can't even be killed.
  func reap() {
    leaving.removeAll { process in
      let result = waitpid(process, nil, WNOHANG)
      return result == process || (result < 0 && errno == ECHILD)
    }
  }

  func close() {
    let jobs = readers.flatMap(\.jobs) + alone + oneByOne + plain
    for reader in readers { release(reader) }
    for job in jobs { job.file.fail(.interrupted) }
    while true {
      let files = queue.withLock { $0.take(ReaderRequest.filesMost) }
      if files.isEmpty { break }
      for file in files { file.fail(.interrupted) }
    }
    for _ in 0..<200 where !leaving.isEmpty {
      reap()
      if !leaving.isEmpty { usleep(5_000) }
    }
  }
}
