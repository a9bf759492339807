import Glibc
package import LibraryModel
import Platform

/// Opens files and hands them to the reader, on a thread of its own, so that looking never waits
/// for reading. At most so many files are open at a time; those that wait are as many as the music
/// folder has at most, since each is asked for once.
final class FileReading: Sendable {
  private let state: Monitor<ReadingQueue>
  private let reader: any FileReader
  private let clock: Clock
  private let wakeUp: WakeUp
  private let standStill: Int64
  private let stuckCalls: StuckCalls

  init(
    settings: WatchSettings, clock: Clock, reader: any FileReader, wakeUp: WakeUp,
    stuckCalls: StuckCalls
  ) {
    self.stuckCalls = stuckCalls
    self.reader = reader
    self.clock = clock
    self.wakeUp = wakeUp
    state = Monitor(ReadingQueue(mostInFlight: settings.limits.inFlight))
    standStill = settings.standStill
  }

  func request(_ request: ReadRequest) {
    state.change { state in
      state.add(request)
      // Only the opener waits.
      return .one
    }
  }

  func takeAnswers() -> [ReadAnswer] {
    var answers: [ReadAnswer] = []
    state.change { state in
      answers = state.takeAnswers()
      // Nobody waits for room.
      return .none
    }
    return answers
  }

  /// Why the folder's files can't be read; nil: they can, but for single ones.
  ///
  /// - Parameter find: a file that was read before, and is none of those; nil: there is none.
  func hang(witness find: (Set<FileStamp>) -> BytePath?) -> String? {
    let health = reader.health
    stuckCalls.noteReads(areLate: !health.isWell)
    var isHung = false
    state.change { state in
      isHung = state.judge(health, at: clock.monotonic(), witness: find)
      return state.isTrying ? .one : .none
    }
    return isHung ? health.reason : nil
  }

  /// Nobody wants what was asked for any longer.
  func forget() {
    state.withLock { $0.forget() }
    reader.giveUp()
  }

  /// Reads a file of a folder that hangs, to see whether files can be read by now.
  ///
  /// - Parameter find: any file, and rather none of those; nil: there is none.
  func tryAgain(_ find: (Set<FileStamp>) -> BytePath?) {
    let health = reader.health
    // It would lose one more.
    if health.hasNoReader { return }
    // A file timed out for an earlier watcher of the folder; this one has yet to ask.
    guard let path = find(health.unfit) else { return reader.forgetTimeouts() }
    state.change { state in
      state.tryFile(path, at: clock.monotonic())
      return .one
    }
  }

  func stop() {
    state.withLock { $0.stop() }
  }

  /// The thread's work: ends after `stop`, when all that was open is closed.
  func run() {
    while true {
      let work = state.wait { $0.takeWork() }
      if case .end = work { return }
      carryOut(work)
    }
  }

  /// Opens one of the files that wait, or closes those that were read, if there are any.
  func openOne() -> Bool {
    let work = state.withLock { $0.takeWork() }
    guard let work else { return false }
    if case .end = work { return false }
    carryOut(work)
    return true
  }

  private func carryOut(_ work: ReadingQueue.Work) {
    stuckCalls.begin(.opener)
    switch work {
    case .open(let request): open(request)
    case .close(let files): for file in files { file.close() }
    case .end: break
    }
    // The watcher waits for its return.
    if stuckCalls.end(.opener) { wakeUp.wake() }
  }

  private func open(_ request: ReadRequest) {
    let opened = clock.wall()
    var answer = ReadAnswer(
      sequence: request.sequence, stamp: .none, opened: opened, result: .notThere)
    let path = request.path
    if let stamp = stampOfLost(path) {
      answer.stamp = stamp
      answer.result = .read(.problem(.lost))
      return finish(answer)
    }
    let descriptor = path.openFile()
    guard descriptor >= 0 else {
      if ![ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) {
        answer.result = .failed(SystemCallError("open", path.display))
      }
      return finish(answer)
    }
    let file = HeldFile(owning: descriptor)
    guard let status = FileStatus(descriptor: descriptor),
      let system = FileSystemStatus(descriptor: descriptor)
    else {
      answer.result = .failed(SystemCallError("statx", path.display))
      return finish(answer, file)
    }
    guard status.isFile else { return finish(answer, file) }
    answer.stamp = FileStamp(status, on: system)
    let ready = request.isReady(answer.stamp, now: opened, standStill: standStill) {
      Writers(descriptor: descriptor)
    }
    guard ready.isReady else {
      answer.result = .notReady(ready.writers)
      return finish(answer, file)
    }
    let isTrial = request.sequence == ReadingQueue.trial
    // Only a reader asks for bytes that another machine has, or a program: it can be left behind
    // where they never come.
    if isTrial {
      forgetPages(descriptor)
      state.withLock { [answer] in $0.noteTrial(answer.stamp) }
    } else if !system.isRemote {
      readAhead(descriptor, size: answer.stamp.size)
    }
    // The reader may make us wait, which is no call that is stuck.
    if stuckCalls.end(.opener) { wakeUp.wake() }
    reader.read(descriptor, answer.stamp, path.pathExtension, isTrial: isTrial) {
      [answer] outcome in
      var answer = answer
      answer.result = .read(outcome)
      self.finish(answer, file)
    }
  }

  /// Of a file that keeps a reader: FUSE has whoever opens it wait for that one. Whether one that
  /// may keep a reader does is for a thread to try that can be left behind.
  private func stampOfLost(_ path: BytePath) -> FileStamp? {
    let health = reader.health
    if health.lost.isEmpty && health.suspects.isEmpty { return nil }
    guard let stamp = path.stamp else { return nil }
    if health.lost.contains(stamp) { return stamp }
    guard health.suspects.contains(stamp) else { return nil }
    let opens = answer(of: path.bytes, within: answerWithin) {
      _ = OpenFile(owning: path.openFile())
      return true
    }
    return opens == true ? nil : stamp
  }

  private func finish(_ answer: ReadAnswer, _ file: HeldFile? = nil) {
    // Whatever it said, the file system has answered.
    if answer.sequence == ReadingQueue.trial, !answer.isOfReading { reader.forgetTimeouts() }
    let isWorthWaking = state.withLock { $0.finish(answer, file) }
    if isWorthWaking { wakeUp.wake() }
  }
}

extension FileProblem {
  fileprivate static let lost = FileProblem(
    .timedOutReader, "Reading the file doesn't come back; check the drive or server that it is on.")
}

extension BytePath {
  /// Opens what the path names, without waiting for anything; what a symbolic link leads to, where
  /// it is one. Negative with errno set.
  fileprivate func openFile() -> Int32 {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = withCPath { path in retrying { open(path, flags) } }
    if descriptor >= 0 || errno != ELOOP { return descriptor }
    guard let target = resolved() else { return descriptor }
    return target.withCPath { path in retrying { open(path, flags) } }
  }

  /// Of the file that it leads to, without opening that; nil: there is none.
  package var stamp: FileStamp? {
    guard let status = withCPath({ FileStatus(name: $0, followsLinks: true) }),
      let system = withCPath({ FileSystemStatus(path: $0) })
    else { return nil }
    return FileStamp(status, on: system)
  }

  /// What symbolic links lead to; nil where that is away.
  func resolved() -> BytePath? {
    withCPath { path in
      guard let found = realpath(path, nil) else { return nil }
      defer { free(found) }
      let length = strlen(found)
      return found.withMemoryRebound(to: UInt8.self, capacity: length) {
        BytePath(Array(UnsafeBufferPointer(start: $0, count: length)))
      }
    }
  }
}
