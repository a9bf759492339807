import LibraryModel

/// Files that wait to be opened, those that are open, and what came of them. Pure: the opener
/// carries out what it gives.
struct ReadingQueue {
  enum Work {
    case open(ReadRequest)
    case close([HeldFile])
    case end
  }

  /// The number of a reading that only asks whether files are read again.
  static let trial = -1
  /// Answers of which the watcher is told at once, and so few requests that it is to bring more.
  private static let manyAnswers = 64
  private static let fewWaiting = 8

  private let mostInFlight: Int
  private var waiting: [ReadRequest] = []
  private var next = 0
  private var inFlight = 0
  private var answers: [ReadAnswer] = []
  /// Files that were read, and are to be closed.
  private var done: [HeldFile] = []
  /// The file that was given to the reader last.
  private var lastRead: BytePath?
  private var isStopped = false

  init(mostInFlight: Int) { self.mostInFlight = mostInFlight }

  private var waitingCount: Int { waiting.count - next }
  private var isIdle: Bool { waitingCount == 0 && inFlight == 0 }

  mutating func add(_ request: ReadRequest) { waiting.append(request) }

  /// Nobody wants what was asked for any longer.
  mutating func forget() {
    waiting = []
    next = 0
  }

  /// No more is opened.
  mutating func stop() {
    isStopped = true
    forget()
  }

  /// Has the file that was read last read once more, unless there is something to do anyhow.
  ///
  /// - Returns: false where none was.
  mutating func tryAgain() -> Bool {
    guard let lastRead else { return false }
    if isIdle {
      add(
        ReadRequest(sequence: Self.trial, path: lastRead, isFinished: true, stoodStill: nil))
    }
    return true
  }

  mutating func noteRead(_ path: BytePath) { lastRead = path }

  /// What the opener has to do; nil: nothing, for now.
  mutating func takeWork() -> Work? {
    if !done.isEmpty {
      defer { done = [] }
      return .close(done)
    }
    if isStopped { return inFlight == 0 ? .end : nil }
    guard waitingCount > 0, inFlight < mostInFlight else { return nil }
    let request = waiting[next]
    next += 1
    if waitingCount == 0 {
      // Not for ever as large as it once was.
      waiting.removeAll(keepingCapacity: next < 4_096)
      next = 0
    }
    inFlight += 1
    return .open(request)
  }

  /// Whether the watcher is to be woken for it: it comes by itself before long, and to wake it for
  /// each of many would slow the reading.
  ///
  /// - Parameter file: what is to be closed.
  mutating func finish(_ answer: ReadAnswer, _ file: HeldFile?) -> Bool {
    answers.append(answer)
    inFlight -= 1
    if let file { done.append(file) }
    return isIdle || answers.count >= Self.manyAnswers || waitingCount < Self.fewWaiting
  }

  mutating func takeAnswers() -> [ReadAnswer] {
    defer { answers = [] }
    return answers
  }
}
