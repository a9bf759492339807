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
  /// Whether a trial waits or is being read.
  private(set) var isTrying = false
  /// What is known of the last one.
  private(set) var witness = HangJudge.Witness.unasked
  private var judge = HangJudge()
  /// From when on another witness may be asked: one that answers at once, and shows nothing, would
  /// be followed by the next without an end.
  private var nextWitness = Int64.min
  private var isStopped = false

  init(mostInFlight: Int) { self.mostInFlight = mostInFlight }

  private var waitingCount: Int { waiting.count - next }
  private var isIdle: Bool { waitingCount == 0 && inFlight == 0 }

  mutating func add(_ request: ReadRequest) { waiting.append(request) }

  /// Nobody wants what was asked for any longer.
  mutating func forget() {
    if waiting[next...].contains(where: { $0.sequence == Self.trial }) { isTrying = false }
    waiting = []
    next = 0
  }

  /// No more is opened.
  mutating func stop() {
    isStopped = true
    forget()
  }

  /// Has a file read that shows whether files can be read, before all others; one at a time.
  mutating func tryFile(_ path: BytePath, at now: Int64) {
    if isTrying || isStopped { return }
    isTrying = true
    witness = .waiting(since: now)
    waiting.insert(
      ReadRequest(sequence: Self.trial, path: path, isFinished: true, stoodStill: nil), at: next)
  }

  /// The trial is given to the reader.
  mutating func noteTrial(_ stamp: FileStamp) { witness = .asked(stamp) }

  static let betweenWitnesses = seconds / 2

  /// Whether the folder's files can't be read, after a witness was asked where there is one.
  ///
  /// - Parameter find: a file that was read before, and is none of those; nil: there is none, and
  ///   one is asked that nobody has opened yet.
  mutating func judge(
    _ health: ReadingHealth, at now: Int64, witness find: (Set<FileStamp>) -> BytePath?
  ) -> Bool {
    // One that was late before says nothing of what comes now.
    if health.isWell, !isTrying { witness = .unasked }
    if !judge.isHung, !health.isWell, !isTrying, !isWitnessLate(health), now >= nextWitness {
      nextWitness = now + Self.betweenWitnesses
      // The last, whose turn comes when its trial is long over: a FUSE file that a reader is stuck
      // with can't be opened again.
      let unread = waiting[next...].last { $0.sequence != Self.trial }?.path
      if let path = find(health.unfit) ?? unread {
        tryFile(path, at: now)
      } else {
        witness = .none
      }
    }
    return judge.judge(health, witness, at: now)
  }

  private func isWitnessLate(_ health: ReadingHealth) -> Bool {
    if case .asked(let stamp) = witness { health.bad.contains(stamp) } else { false }
  }

  /// What the opener has to do; nil: nothing, for now.
  mutating func takeWork() -> Work? {
    if !done.isEmpty {
      defer { done = [] }
      return .close(done)
    }
    if isStopped { return inFlight == 0 ? .end : nil }
    guard waitingCount > 0 else { return nil }
    let request = waiting[next]
    guard inFlight < mostInFlight || request.sequence == Self.trial else { return nil }
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
    if answer.sequence == Self.trial { isTrying = false }
    if let file { done.append(file) }
    return isIdle || answers.count >= Self.manyAnswers || waitingCount < Self.fewWaiting
  }

  mutating func takeAnswers() -> [ReadAnswer] {
    defer { answers = [] }
    return answers
  }
}
