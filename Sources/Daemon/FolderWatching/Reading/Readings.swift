import LibraryModel
import Platform

/// Which files are being read, and which are to be read again and when. Pure: the catalogue says
/// what is known of each, and the loop asks the readers. Times in nanoseconds, monotonic.
///
/// Bounded by the files of the catalogue: each is in here once, but for a second reading.
struct Readings {
  /// A reading that was asked for.
  struct Asked {
    var key: FileKey
    /// How often the file changed while it was read.
    var tries = 0
    /// Nil, or what was told of the file by a first reading that came too close to its last change.
    var earlier: FileFacts?
    /// A later look found the file while it was being opened, so that an answer that it is away or
    /// not ready is out of date. Whether its writer is done.
    var again: Bool?
    /// Until when the file, if it is still the one of this stamp, has to stand still.
    var waits: (stamp: FileStamp?, until: Int64)?
  }

  /// What to do about a file that could not be opened although it is listed.
  enum AfterGoing: Equatable {
    case lookAgain
    case wait
  }

  private let retries: [Int64]
  private var asked: [Int: Asked] = [:]
  private var numbers = OpenSequences()
  /// When files are asked for again: those that have to stand still, and those that failed.
  private var timers = Timers<FileKey>()
  /// When files are read a second time that changed just before they were read.
  private var racy = Timers<FileKey>()
  /// Files of which nothing says whether their writers are done.
  private(set) var fresh: Set<FileKey> = []
  /// How often in a row files could not be read.
  private var failures: [FileKey: Int] = [:]

  /// - Parameter retries: how long to wait after each failure in a row, in nanoseconds.
  init(retries: [Int64]) { self.retries = retries }

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
  mutating func ask(_ reading: Asked, again number: Int? = nil) -> Int {
    let number = number ?? numbers.open()
    asked[number] = reading
    return number
  }

  /// A look found the file that is being read.
  mutating func foundAgain(_ number: Int, isFinished: Bool) {
    guard let earlier = asked[number]?.again else {
      asked[number]?.again = isFinished
      return
    }
    asked[number]?.again = isFinished || earlier
  }

  /// An answer came. Nil: what it would answer means nothing any more.
  ///
  /// Whoever takes it closes it, or asks again under its number.
  mutating func take(_ number: Int) -> Asked? { asked.removeValue(forKey: number) }

  mutating func close(_ number: Int) { numbers.close(number) }

  // MARK: Waiting

  /// When a file is due to be asked for.
  var nextTime: Int64? {
    guard let timer = timers.next, let second = racy.next else { return timers.next ?? racy.next }
    return min(timer, second)
  }

  /// Files whose time is over.
  mutating func takeDue(at now: Int64) -> [FileKey] { timers.takeDue(at: now) }

  /// Files that wait for their time.
  var waiting: [FileKey] { Array(timers.keys) }

  /// Files whose second reading is due.
  mutating func takeSecondDue(at now: Int64) -> [FileKey] { racy.takeDue(at: now) }

  /// Takes out the files that wait for a second reading and are meant.
  mutating func takeSecond(where isMeant: (FileKey) -> Bool) -> [FileKey] {
    let keys = racy.keys.filter(isMeant)
    for key in keys { racy[key] = nil }
    return keys
  }

  /// The file is asked for a second time then.
  mutating func readAgain(_ key: FileKey, at time: Int64) { racy[key] = time }

  /// The file has to stand still until then.
  ///
  /// - Parameter isFresh: whether nothing says that its writer is done.
  mutating func wait(_ key: FileKey, until time: Int64, isFresh: Bool) {
    timers[key] = time
    if isFresh { fresh.insert(key) } else { fresh.remove(key) }
  }

  /// The file is asked for now, or is not to be.
  mutating func stopWaiting(_ key: FileKey) { timers[key] = nil }

  /// What is known of the file is as it is now.
  mutating func settled(_ key: FileKey) {
    timers[key] = nil
    fresh.remove(key)
  }

  /// The file was read.
  mutating func succeeded(_ key: FileKey) { failures[key] = nil }

  /// The file could not be read.
  ///
  /// - Returns: how often in a row, and when it is asked for again; nil: at its next change.
  mutating func failed(_ key: FileKey, at now: Int64) -> (times: Int, retryAt: Int64?) {
    let times = (failures[key] ?? 0) + 1
    let retryAt = times <= retries.count ? now + retries[times - 1] : nil
    failures[key] = retryAt == nil ? nil : times
    timers[key] = retryAt
    fresh.remove(key)
    return (times, retryAt)
  }

  /// The file was not there when it was opened, as one whose directory was moved away and back.
  ///
  /// - Returns: whether its directory is looked at again at once, or, where the file is listed and
  ///   cannot be opened time after time, the file is asked for later.
  mutating func wentMeanwhile(_ key: FileKey, at now: Int64) -> AfterGoing {
    fresh.remove(key)
    let times = (failures[key] ?? 0) + 1
    failures[key] = times
    if times <= retries.count { return .lookAgain }
    timers[key] = retries.last.map { now + $0 }
    return .wait
  }

  // MARK: Going

  /// The file is in the catalogue no more. An answer that is on its way finds nothing.
  mutating func forget(_ key: FileKey) {
    timers[key] = nil
    racy[key] = nil
    fresh.remove(key)
    failures[key] = nil
  }

  /// The music folder is away: what would be answered means nothing.
  ///
  /// - Parameter hangs: whether it is because reading doesn't come back. Then failures are kept, so
  ///   that a file that is the cause is not tried for ever.
  /// - Returns: the files that were being read or waited.
  mutating func forgetAll(hangs: Bool = false) -> Set<FileKey> {
    let keys = Set(asked.values.map(\.key)).union(timers.keys)
    asked = [:]
    numbers.closeAll()
    timers.removeAll()
    racy.removeAll()
    fresh = []
    if !hangs { failures = [:] }
    return keys
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
