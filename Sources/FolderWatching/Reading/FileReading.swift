import Glibc
import LibraryModel
import Platform
import Synchronization

/// Opens files and hands them to the reader, on a thread of its own, so that looking never waits
/// for reading. At most so many files are open at a time; those that wait are as many as the music
/// folder has at most, since each is asked for once.
final class FileReading: Sendable {
  private struct State {
    var waiting: [ReadRequest] = []
    var next = 0
    var inFlight = 0
    var answers: [ReadAnswer] = []
    var isStopped = false

    var isIdle: Bool { next == waiting.count && inFlight == 0 }
  }

  private let state = Monitor(State())
  private let hasAnswers = Atomic(false)
  private let reader: FileReader
  private let clock: Clock
  private let wakeUp: WakeUp
  private let mostInFlight: Int
  private let standStill: Int64
  private let stuckCalls: StuckCalls

  init(
    settings: WatchSettings, clock: Clock, reader: @escaping FileReader, wakeUp: WakeUp,
    stuckCalls: StuckCalls
  ) {
    self.stuckCalls = stuckCalls
    self.reader = reader
    self.clock = clock
    self.wakeUp = wakeUp
    mostInFlight = settings.mostInFlight
    standStill = settings.standStill
  }

  func request(_ requests: [ReadRequest]) {
    if requests.isEmpty { return }
    state.withLock { $0.waiting.append(contentsOf: requests) }
  }

  func takeAnswers() -> [ReadAnswer] {
    guard hasAnswers.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    return state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  func stop() {
    state.withLock {
      $0.isStopped = true
      $0.waiting = []
      $0.next = 0
    }
  }

  /// The thread's work: ends after `stop`.
  func run() {
    while let request = nextRequest() { handle(request) }
  }

  /// Opens one of the files that wait, if any may be opened now.
  func openOne() -> Bool {
    guard let request = state.withLock({ takeRequest(&$0) }) else { return false }
    handle(request)
    return true
  }

  private func handle(_ request: ReadRequest) {
    stuckCalls.begin(.opener)
    open(request)
    stuckCalls.end(.opener)
  }

  private func nextRequest() -> ReadRequest? {
    state.wait { state -> ReadRequest?? in
      if state.isStopped { return .some(nil) }
      return takeRequest(&state).map { .some($0) }
    }
  }

  private func takeRequest(_ state: inout State) -> ReadRequest? {
    guard state.next < state.waiting.count, state.inFlight < mostInFlight else { return nil }
    let request = state.waiting[state.next]
    state.next += 1
    if state.next == state.waiting.count {
      state.waiting.removeAll(keepingCapacity: state.next < 4_096)
      state.next = 0
    }
    state.inFlight += 1
    return request
  }

  private func open(_ request: ReadRequest) {
    let opened = clock.wall()
    var answer = ReadAnswer(
      sequence: request.sequence, stamp: .none, opened: opened, result: .notThere)
    let path = request.path
    let descriptor = path.openFile()
    guard descriptor >= 0 else {
      if ![ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) {
        answer.result = .failed(SystemCallError("open", path.display))
      }
      return finish(answer)
    }
    let file = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: file.descriptor),
      let system = FileSystemStatus(descriptor: file.descriptor)
    else {
      answer.result = .failed(SystemCallError("statx", path.display))
      return finish(answer)
    }
    guard status.isFile else { return finish(answer) }
    answer.stamp = FileStamp(status, on: system)
    let ready = request.isReady(answer.stamp, now: opened, standStill: standStill) {
      Writers(descriptor: descriptor)
    }
    guard ready.isReady else {
      answer.result = .notReady(ready.writers)
      return finish(answer)
    }
    readAhead(descriptor, size: answer.stamp.size)
    // It may make us wait.
    stuckCalls.end(.opener)
    reader(file, answer.stamp, request.path.pathExtension) { [answer] outcome in
      var answer = answer
      answer.result = .read(outcome)
      self.finish(answer)
    }
  }

  private func finish(_ answer: ReadAnswer) {
    let isWorthWaking = state.withLock { state in
      state.answers.append(answer)
      state.inFlight -= 1
      // The watcher comes by itself before long; to wake it for each of many would slow the
      // reading.
      return state.isIdle || state.answers.count >= 64 || state.waiting.count - state.next < 8
    }
    hasAnswers.store(true, ordering: .releasing)
    if isWorthWaking { wakeUp.wake() }
  }
}

extension BytePath {
  /// Opens what the path names, without waiting for anything; what a symbolic link leads to, where
  /// it is one. Negative with errno set.
  fileprivate func openFile() -> Int32 {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = withCPath { path in retrying { open(path, flags) } }
    if descriptor >= 0 || errno != ELOOP { return descriptor }
    guard let target = resolved() else { return -1 }
    return target.withCPath { path in retrying { open(path, flags) } }
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
