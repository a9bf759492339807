import LibraryModel

/// The files that wait to be opened, the open ones, and the answers. Pure: the opener carries out
/// the work.
struct ReadingQueue {
  enum Work {
    case open(ReadRequest)
    case close([HeldFile])
    case end
  }

  /// The sequence number of a probe.
  static let trial = -1
  /// The watcher is woken when there are this many answers, or so few requests that it should add
  /// more.
  private static let manyAnswers = 64
  private static let fewWaiting = 8

  private let mostInFlight: Int
  private var waiting: [ReadRequest] = []
  private var next = 0
  private var inFlight = 0
  private var answers: [ReadAnswer] = []
  /// Files that were read and must be closed.
  private var done: [HeldFile] = []
  /// Whether a probe waits or is being read.
  private(set) var isTrying = false
  /// The state of the last probe.
  private(set) var probe = HangJudge.Probe.unasked
  private var judge = HangJudge()
  /// When the next probe may be requested. Without the delay, probes that answer at once but prove
  /// nothing would follow each other endlessly.
  private var nextProbe = Int64.min
  private var isStopped = false

  init(mostInFlight: Int) { self.mostInFlight = mostInFlight }

  private var waitingCount: Int { waiting.count - next }
  private var isIdle: Bool { waitingCount == 0 && inFlight == 0 }

  mutating func add(_ request: ReadRequest) { waiting.append(request) }

  /// Drops the waiting requests: their results are no longer needed.
  mutating func forget() {
    if waiting[next...].contains(where: { $0.sequence == Self.trial }) { isTrying = false }
    waiting = []
    next = 0
  }

  /// Stops opening files.
  mutating func stop() {
    isStopped = true
    forget()
  }

  /// Requests a probe, which goes before all other files. There is one at a time.
  mutating func tryFile(_ path: BytePath, at now: Int64) {
    if isTrying || isStopped { return }
    isTrying = true
    probe = .waiting(since: now)
    waiting.insert(
      ReadRequest(sequence: Self.trial, path: path, isFinished: true, stoodStill: nil), at: next)
  }

  /// Records that the probe is given to the reader.
  mutating func noteProbe(_ stamp: FileStamp) { probe = .asked(stamp) }

  static let betweenProbes = seconds / 2

  /// Returns whether the folder's files can't be read. Requests a probe if that helps to decide.
  ///
  /// - Parameter find: returns a file that was read before and has none of the given stamps. If it
  ///   returns nil, the probe is a file that was not opened yet.
  mutating func judge(
    _ health: ReadingHealth, at now: Int64, probe find: (Set<FileStamp>) -> BytePath?
  ) -> Bool {
    // An earlier probe that timed out says nothing about new reads.
    if health.isWell, !isTrying { probe = .unasked }
    if !judge.isHung, !health.isWell, !isTrying, !isProbeLate(health), now >= nextProbe {
      nextProbe = now + Self.betweenProbes
      // The last waiting file comes up long after its probe is over: a FUSE file that a reader is
      // stuck on can't be opened again.
      let unread = waiting[next...].last { $0.sequence != Self.trial }?.path
      if let path = find(health.unfit) ?? unread {
        tryFile(path, at: now)
      } else {
        probe = .none
      }
    }
    return judge.judge(health, probe, at: now)
  }

  private func isProbeLate(_ health: ReadingHealth) -> Bool {
    if case .asked(let stamp) = probe { health.bad.contains(stamp) } else { false }
  }

  /// Returns the next work of the opener; nil if there is none for now.
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
      // Releases the memory of a queue that was large.
      waiting.removeAll(keepingCapacity: next < 4_096)
      next = 0
    }
    inFlight += 1
    return .open(request)
  }

  /// Records an answer. Returns whether to wake the watcher. It comes by itself before long, and
  /// waking it for each of many answers would slow down the reading.
  ///
  /// - Parameter file: the file to be closed.
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
