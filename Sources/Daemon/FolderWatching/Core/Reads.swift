import LibraryModel
import Platform

/// The reading of files: one state for each file that is read or waits for it. Pure; times in
/// nanoseconds, monotonic. Bounded by the files of the catalogue.
struct Reads {
  /// What the reader was asked.
  struct Asked: Equatable {
    var number: Int
    /// How often the file changed while it was read.
    var tries = 0
    /// Nil, or what was told of the file by a first reading that came too close to its last change.
    var earlier: FileFacts?
    /// A later scan found the file while it was being opened, so that an answer that it is away or
    /// not ready is out of date. Whether its writer is done.
    var again: Bool?
    /// Until when the file, if it is still the one of this stamp, has to stand still.
    var waits: Waits?
  }

  struct Waits: Equatable {
    var stamp: FileStamp?
    var until: Int64
  }

  /// Where one file is on its way.
  enum Phase: Equatable {
    /// Nothing is asked: it is known from before, or was not there when it was opened. In the end
    /// it is asked for at that time.
    case unread(askAt: Int64?)
    case asked(Asked)
    /// It has to stand still until then.
    case standing(until: Int64)
    /// It could not be read, and is asked for then; nil: at its next change.
    case failed(retryAt: Int64?)
    /// It was read just after a change, and is read once more then.
    case racy(until: Int64)

    fileprivate var time: Int64? {
      switch self {
      case .unread(let time): time
      case .asked: nil
      case .standing(let until): until
      case .failed(let time): time
      case .racy(let until): until
      }
    }
  }

  /// What to do about a file that could not be opened although it is listed.
  enum AfterGoing: Equatable {
    case scanAgain
    case wait
  }

  private struct File {
    var phase = Phase.unread(askAt: nil)
    /// How often in a row it could not be read.
    var failures = 0
    /// Whether nothing says that its writer is done.
    var isFresh = false

    var isIdle: Bool { phase == .unread(askAt: nil) && failures == 0 && !isFresh }
  }

  private let retries: [Int64]
  private var files: [FileKey: File] = [:]
  private var numbers = OpenSequences()
  /// The files that are with the reader, by the numbers of their readings.
  private var keys: [Int: FileKey] = [:]
  private var timers = Timers<FileKey>()
  /// Files of which nothing says whether their writers are done.
  private(set) var fresh: Set<FileKey> = []

  /// - Parameter retries: how long to wait after each failure in a row, in nanoseconds.
  init(retries: [Int64]) { self.retries = retries }

  func phase(_ key: FileKey) -> Phase { files[key]?.phase ?? .unread(askAt: nil) }

  /// The only place where a file's state changes, with all that follows from it.
  private mutating func set(_ key: FileKey, _ update: (inout File) -> Void) {
    var file = files[key] ?? File()
    if case .asked(let asked) = file.phase { keys[asked.number] = nil }
    update(&file)
    if case .asked(let asked) = file.phase { keys[asked.number] = key }
    timers[key] = file.phase.time
    if file.isFresh { fresh.insert(key) } else { fresh.remove(key) }
    files[key] = file.isIdle ? nil : file
    // Not for ever as large as a first scan made them.
    if files.isEmpty, files.capacity > Self.mostKeptRoom { (files, keys) = ([:], [:]) }
  }

  private static let mostKeptRoom = 4_096

  // MARK: Asking

  /// Whether all that was asked for is answered.
  var isEmpty: Bool { numbers.isEmpty }
  var count: Int { numbers.count }
  /// The number of the next reading.
  var next: Int { numbers.next }

  /// Whether all readings below this number are answered.
  func areClosed(below number: Int) -> Bool { numbers.areClosed(below: number) }

  /// - Parameter number: of a reading that is asked for again; nil: a new one.
  /// - Returns: the reading's number.
  mutating func ask(
    _ key: FileKey, tries: Int = 0, earlier: FileFacts? = nil, waits: Waits? = nil,
    again number: Int? = nil
  ) -> Int {
    let number = number ?? numbers.open()
    let asked = Asked(number: number, tries: tries, earlier: earlier, waits: waits)
    set(key) { $0.phase = .asked(asked) }
    return number
  }

  /// A scan found the file that is being read.
  mutating func foundAgain(_ key: FileKey, isFinished: Bool) {
    guard case .asked(var asked)? = files[key]?.phase else { return }
    asked.again = isFinished || asked.again == true
    files[key]?.phase = .asked(asked)
  }

  /// An answer came. Nil: what it would answer means nothing any more, and its number is closed.
  ///
  /// The caller closes it otherwise, or asks again under its number.
  mutating func take(_ number: Int) -> (key: FileKey, asked: Asked)? {
    guard let key = keys[number], case .asked(let asked)? = files[key]?.phase else {
      numbers.close(number)
      return nil
    }
    set(key) { $0.phase = .unread(askAt: nil) }
    return (key, asked)
  }

  mutating func close(_ number: Int) { numbers.close(number) }

  // MARK: Waiting

  /// When a file is due to be asked for.
  var nextTime: Int64? { timers.next }

  /// Files whose time is over, those first that are read a second time.
  mutating func takeDue(at now: Int64) -> [FileKey] {
    let due = timers.takeDue(at: now)
    return due.filter(isRacy) + due.filter { !isRacy($0) }
  }

  /// Files that have to stand still.
  var standing: [FileKey] {
    timers.keys.filter { key in
      if case .standing = phase(key) { true } else { false }
    }
  }

  /// Files that are to be read a second time.
  var racy: [FileKey] { timers.keys.filter(isRacy) }

  private func isRacy(_ key: FileKey) -> Bool {
    if case .racy = phase(key) { true } else { false }
  }

  /// The file has to stand still until then.
  ///
  /// - Parameter isFresh: whether nothing says that its writer is done.
  mutating func stand(_ key: FileKey, until time: Int64, isFresh: Bool) {
    set(key) { ($0.phase, $0.isFresh) = (.standing(until: time), isFresh) }
  }

  /// What is known of the file is as it is now.
  ///
  /// - Parameter racy: when it is read once more; nil: it isn't.
  mutating func succeeded(_ key: FileKey, racy: Int64? = nil) {
    set(key) { $0 = File(phase: racy.map { .racy(until: $0) } ?? .unread(askAt: nil)) }
  }

  /// The file could not be read: it is asked for later and later, and in the end at its next
  /// change.
  mutating func failed(_ key: FileKey, at now: Int64) {
    let retries = retries
    set(key) { file in
      let isLast = file.failures >= retries.count
      file.phase = .failed(retryAt: isLast ? nil : now + retries[file.failures])
      file.failures = isLast ? 0 : file.failures + 1
      file.isFresh = false
    }
  }

  /// The file was not there when it was opened, as one whose directory was moved away and back.
  ///
  /// - Returns: whether its directory is scanned again at once, or, where the file is listed and
  ///   cannot be opened time after time, the file is asked for later.
  mutating func wentMeanwhile(_ key: FileKey, at now: Int64) -> AfterGoing {
    let retries = retries
    var next = AfterGoing.scanAgain
    set(key) { file in
      file.isFresh = false
      file.failures += 1
      if file.failures > retries.count { next = .wait }
      file.phase = .unread(askAt: next == .wait ? retries.last.map { now + $0 } : nil)
    }
    return next
  }

  // MARK: Going

  /// The file is in the catalogue no more, or was put there anew. An answer that is on its way
  /// finds nothing.
  mutating func forget(_ key: FileKey) {
    if files[key] != nil { set(key) { $0 = File() } }
  }

  /// The music folder is away: what would be answered means nothing.
  ///
  /// - Parameter hangs: whether it is because reading doesn't come back. Then failures are kept, so
  ///   that a file that is the cause is not tried for ever.
  mutating func forgetAll(hangs: Bool) {
    let failures = hangs ? files.mapValues(\.failures).filter { $0.value > 0 } : [:]
    files = failures.mapValues { File(failures: $0) }
    keys = [:]
    timers.removeAll()
    fresh = []
    numbers.closeAll()
  }
}

/// Numbers given out and taken back, of which the oldest that is still out can be asked for.
struct OpenSequences {
  private(set) var next = 0
  private var oldest = 0
  private var closed: Set<Int> = []

  var isEmpty: Bool { oldest == next }
  var count: Int { next - oldest - closed.count }

  mutating func open() -> Int {
    defer { next += 1 }
    return next
  }

  mutating func close(_ sequence: Int) {
    guard sequence >= oldest, sequence < next else { return }
    closed.insert(sequence)
    while closed.remove(oldest) != nil { oldest += 1 }
  }

  mutating func closeAll() {
    oldest = next
    closed = []
  }

  /// Whether all numbers below it are back.
  func areClosed(below sequence: Int) -> Bool { oldest >= sequence }
}
