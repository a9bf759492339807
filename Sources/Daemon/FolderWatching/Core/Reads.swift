import LibraryModel
import Platform

/// The reads of files: one state for each file that is being read or waits for it. Pure; times in
/// nanoseconds, monotonic. Bounded by the files of the catalogue.
struct Reads {
  /// A request to the reader.
  struct Asked: Equatable {
    var number: Int
    /// The number of times that the file changed while it was read.
    var tries = 0
    /// The facts from a first read that came too close to the file's last change; nil if there was
    /// none.
    var earlier: FileFacts?
    /// Set if a later scan found the file while it was being opened: an answer that it is gone or
    /// not ready is then out of date. The value is whether its writer is done.
    var again: Bool?
    /// Until when the file must be unchanged, if it still has this stamp.
    var waits: Waits?
  }

  struct Waits: Equatable {
    var stamp: FileStamp?
    var until: Int64
  }

  /// The stage that one file has reached.
  enum Phase: Equatable {
    /// No read is requested: the file is known from before, or was not there when it was opened.
    /// After repeated attempts to open it, the next request is at this time.
    case unread(askAt: Int64?)
    case asked(Asked)
    /// The file must be unchanged until this time.
    case standing(until: Int64)
    /// The file could not be read, and is retried at this time; nil: at its next change.
    case failed(retryAt: Int64?)
    /// The file was read just after a change, and is read once more at this time.
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

  /// The reaction to a listed file that could not be opened.
  enum AfterGoing: Equatable {
    case scanAgain
    case wait
  }

  private struct File {
    var phase = Phase.unread(askAt: nil)
    /// The number of consecutive failures.
    var failures = 0
    /// Whether it is unknown if the file's writer is done.
    var isFresh = false

    var isIdle: Bool { phase == .unread(askAt: nil) && failures == 0 && !isFresh }
  }

  private let retries: [Int64]
  private var files: [FileKey: File] = [:]
  private var numbers = OpenSequences()
  /// The files that are being read, by the numbers of their reads.
  private var keys: [Int: FileKey] = [:]
  private var timers = Timers<FileKey>()
  /// The files for which it is unknown whether their writers are done.
  private(set) var fresh: Set<FileKey> = []

  /// - Parameter retries: the delay after each consecutive failure, in nanoseconds.
  init(retries: [Int64]) { self.retries = retries }

  func phase(_ key: FileKey) -> Phase { files[key]?.phase ?? .unread(askAt: nil) }

  /// Changes a file's state, and everything that is derived from it.
  private mutating func set(_ key: FileKey, _ update: (inout File) -> Void) {
    var file = files[key] ?? File()
    if case .asked(let asked) = file.phase { keys[asked.number] = nil }
    update(&file)
    if case .asked(let asked) = file.phase { keys[asked.number] = key }
    timers[key] = file.phase.time
    if file.isFresh { fresh.insert(key) } else { fresh.remove(key) }
    files[key] = file.isIdle ? nil : file
    // Releases the memory that a first scan needed.
    if files.isEmpty, files.capacity > Self.mostKeptRoom { (files, keys) = ([:], [:]) }
  }

  private static let mostKeptRoom = 4_096

  // MARK: Requesting

  /// Whether all requests are answered.
  var isEmpty: Bool { numbers.isEmpty }
  var count: Int { numbers.count }
  /// The number of the next read.
  var next: Int { numbers.next }

  /// Whether all reads below this number are answered.
  func areClosed(below number: Int) -> Bool { numbers.areClosed(below: number) }

  /// Requests a read.
  ///
  /// - Parameter number: the number of a read that is requested again; nil for a new one.
  /// - Returns: the number of the read.
  mutating func ask(
    _ key: FileKey, tries: Int = 0, earlier: FileFacts? = nil, waits: Waits? = nil,
    again number: Int? = nil
  ) -> Int {
    let number = number ?? numbers.open()
    let asked = Asked(number: number, tries: tries, earlier: earlier, waits: waits)
    set(key) { $0.phase = .asked(asked) }
    return number
  }

  /// Records that a scan found a file that is being read.
  mutating func foundAgain(_ key: FileKey, isFinished: Bool) {
    guard case .asked(var asked)? = files[key]?.phase else { return }
    asked.again = isFinished || asked.again == true
    files[key]?.phase = .asked(asked)
  }

  /// Removes and returns the request that an answer belongs to. Returns nil, and closes the number,
  /// if the answer is no longer relevant.
  ///
  /// Otherwise the caller closes the number, or requests the read again under it.
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

  /// When the next file is due.
  var nextTime: Int64? { timers.next }

  /// Removes and returns the files that are due, second reads first.
  mutating func takeDue(at now: Int64) -> [FileKey] {
    let due = timers.takeDue(at: now)
    return due.filter(isRacy) + due.filter { !isRacy($0) }
  }

  /// The files that must be unchanged for a while.
  var standing: [FileKey] {
    timers.keys.filter { key in
      if case .standing = phase(key) { true } else { false }
    }
  }

  /// The files that are to be read a second time.
  var racy: [FileKey] { timers.keys.filter(isRacy) }

  private func isRacy(_ key: FileKey) -> Bool {
    if case .racy = phase(key) { true } else { false }
  }

  /// Makes the file wait until it has been unchanged for long enough.
  ///
  /// - Parameter isFresh: whether it is unknown if its writer is done.
  mutating func stand(_ key: FileKey, until time: Int64, isFresh: Bool) {
    set(key) { ($0.phase, $0.isFresh) = (.standing(until: time), isFresh) }
  }

  /// Records that the known facts are those of the present file.
  ///
  /// - Parameter racy: when to read the file once more; nil if not at all.
  mutating func succeeded(_ key: FileKey, racy: Int64? = nil) {
    set(key) { $0 = File(phase: racy.map { .racy(until: $0) } ?? .unread(askAt: nil)) }
  }

  /// Records a failed read. It is retried after longer and longer delays, and finally at the file's
  /// next change.
  mutating func failed(_ key: FileKey, at now: Int64) {
    let retries = retries
    set(key) { file in
      let isLast = file.failures >= retries.count
      file.phase = .failed(retryAt: isLast ? nil : now + retries[file.failures])
      file.failures = isLast ? 0 : file.failures + 1
      file.isFresh = false
    }
  }

  /// Records that the file was not there when it was opened, for example because its directory was
  /// moved away and back.
  ///
  /// - Returns: whether to scan its directory at once. A listed file that repeatedly cannot be
  ///   opened is requested later instead.
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

  // MARK: Removal

  /// Forgets a file that left the catalogue or was added anew. An answer on its way is ignored.
  mutating func forget(_ key: FileKey) {
    if files[key] != nil { set(key) { $0 = File() } }
  }

  /// Forgets all files, because the music folder went offline. Answers on their way are ignored.
  ///
  /// - Parameter hangs: whether the reason is that reads hang. Then failure counts are kept, so
  ///   that a file that causes it is not tried forever.
  mutating func forgetAll(hangs: Bool) {
    let failures = hangs ? files.mapValues(\.failures).filter { $0.value > 0 } : [:]
    files = failures.mapValues { File(failures: $0) }
    keys = [:]
    timers.removeAll()
    fresh = []
    numbers.closeAll()
  }
}

/// Sequence numbers that are opened and closed. Tells whether all below a given one are closed.
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

  /// Whether all numbers below it are closed.
  func areClosed(below sequence: Int) -> Bool { oldest >= sequence }
}
