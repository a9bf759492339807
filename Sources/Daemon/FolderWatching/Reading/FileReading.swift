import Glibc
package import LibraryModel
import Platform

/// Opens files and hands them to the reader, on its own thread, so that scanning never waits for
/// reading. The number of open files is limited. The queue is bounded by the number of files in the
/// music folder, since each is requested once.
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
      // No thread waits for room.
      return .none
    }
    return answers
  }

  /// Returns why the folder's files can't be read; nil if at most single ones can't.
  ///
  /// - Parameter find: returns a file that was read before and has none of the given stamps; nil if
  ///   there is none.
  func hang(probe find: (Set<FileStamp>) -> BytePath?) -> String? {
    let health = reader.health
    stuckCalls.noteReads(areLate: !health.isWell)
    var isHung = false
    state.change { state in
      isHung = state.judge(health, at: clock.monotonic(), probe: find)
      return state.isTrying ? .one : .none
    }
    return isHung ? health.reason : nil
  }

  /// Drops all requests: their results are no longer needed.
  func forget() {
    state.withLock { $0.forget() }
    reader.giveUp()
  }

  /// Probes a file of a hung folder, to find out whether files can be read again.
  ///
  /// - Parameter find: returns any file, preferably with none of the given stamps; nil if there is
  ///   none.
  func tryAgain(_ find: (Set<FileStamp>) -> BytePath?) {
    let health = reader.health
    // A probe would only lose another reader.
    if health.hasNoReader { return }
    // No file is known yet: the timeouts are from an earlier watcher of the folder.
    guard let path = find(health.unfit) else { return reader.forgetTimeouts() }
    state.change { state in
      state.tryFile(path, at: clock.monotonic())
      return .one
    }
  }

  func stop() {
    state.withLock { $0.stop() }
  }

  /// Runs the opener thread. Returns after `stop`, when all open files are closed.
  func run() {
    while true {
      let work = state.wait { $0.takeWork() }
      if case .end = work { return }
      carryOut(work)
    }
  }

  /// Opens one waiting file, or closes those that were read. Returns whether there was any.
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
    // The call was stuck, and the watcher waits for its return.
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
    let isProbe = request.sequence == ReadingQueue.trial
    // Only a reader process requests data that another machine or a program provides: it can be
    // left behind if the data never comes.
    if isProbe {
      forgetPages(descriptor)
      state.withLock { [answer] in $0.noteProbe(answer.stamp) }
    } else if !system.isRemote {
      readAhead(descriptor, size: answer.stamp.size)
    }
    // Waiting for the reader doesn't count as a stuck call.
    if stuckCalls.end(.opener) { wakeUp.wake() }
    reader.read(descriptor, answer.stamp, path.pathExtension, isProbe: isProbe) {
      [answer] outcome in
      var answer = answer
      answer.result = .read(outcome)
      self.finish(answer, file)
    }
  }

  /// Returns the file's stamp if a reader is stuck on it: opening such a file on FUSE waits for
  /// that reader. A suspect is opened by a thread that can be left behind, to find out.
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
    // Even an error is an answer of the file system.
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
  /// Opens the file that the path or its symbolic link leads to, without blocking. Returns a
  /// negative number with errno set on failure.
  fileprivate func openFile() -> Int32 {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = withCPath { path in retrying { open(path, flags) } }
    if descriptor >= 0 || errno != ELOOP { return descriptor }
    guard let target = resolved() else { return descriptor }
    return target.withCPath { path in retrying { open(path, flags) } }
  }

  /// The stamp of the file or of a link's target, without opening it; nil if there is none.
  package var stamp: FileStamp? {
    guard let status = withCPath({ FileStatus(name: $0, followsLinks: true) }),
      let system = withCPath({ FileSystemStatus(path: $0) })
    else { return nil }
    return FileStamp(status, on: system)
  }

  /// Returns the path with symbolic links resolved; nil if it doesn't exist.
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
