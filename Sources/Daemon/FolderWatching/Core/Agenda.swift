import LibraryModel

/// What is to be scanned, when, and why. Pure; times in nanoseconds, monotonic.
struct Agenda {
  var pending: PendingFolders
  var renames = PendingRenames()
  /// Why everything is to be scanned; nil: it isn't.
  var fullScan: ScanReason?
  /// Whether events were lost, which a full scan makes good.
  var hasOverflowed = false
  /// A client that makes ever so many events is not followed by one full scan after the other.
  var nextAfterOverflow = Int64.min
  var nextFullScan = Int64.max
  /// How often in a row scans of directories failed.
  private(set) var failures: [BytePath: Int] = [:]
  private var timers = Timers<BytePath>()
  private let retries: [Int64]
  private let betweenFullScans: Int64
  private let betweenOverflows: Int64

  init(_ settings: WatchSettings, fullScan reason: ScanReason) {
    pending = PendingFolders(quiet: settings.quiet, longest: settings.longest)
    fullScan = reason
    retries = settings.retries
    betweenFullScans = settings.intervals.fullScan
    betweenOverflows = settings.intervals.overflow
  }

  // MARK: Everything

  /// The first reason is the one that is told.
  mutating func scanAll(because reason: ScanReason) { fullScan = fullScan ?? reason }

  /// Whether nothing that is known by now has to be scanned as a whole.
  var isWhole: Bool { fullScan == nil && !hasOverflowed }

  /// Whether a scan would find half of what the kernel lost, and is to wait for the full one.
  func waitsForOverflow(at now: Int64) -> Bool { hasOverflowed && now < nextAfterOverflow }

  mutating func overflowed() {
    hasOverflowed = true
    // A file may have gone on from where it was renamed to.
    renames.removeAll()
  }

  /// A full scan begins, which answers for all that is pending.
  ///
  /// - Returns: why.
  mutating func beginFullScan(at now: Int64) -> ScanReason {
    let reason = fullScan ?? (hasOverflowed ? .overflow : .rescan)
    fullScan = nil
    hasOverflowed = false
    nextFullScan = now + betweenFullScans
    failures = [:]
    return reason
  }

  /// A full scan is over that an overflow asked for: the next such one has to wait.
  mutating func answeredOverflow(at now: Int64) { nextAfterOverflow = now + betweenOverflows }

  // MARK: Single directories

  mutating func scanSucceeded(_ path: BytePath) {
    failures[path] = nil
    timers[path] = nil
  }

  /// - Parameter isRoot: which is scanned again and again, since no directory above tells of it.
  mutating func scanFailed(_ path: BytePath, isRoot: Bool, at now: Int64) {
    let times = failures[path, default: 0]
    failures[path] = times + 1
    let last = isRoot ? retries.last : nil
    let wait = times < retries.count ? retries[times] : last
    timers[path] = wait.map { now + $0 }
  }

  mutating func forget(_ path: BytePath) { scanSucceeded(path) }

  // MARK: Time

  /// What the passing of time makes due.
  mutating func checkTimes(at now: Int64) {
    if now >= nextFullScan { scanAll(because: .hourly) }
    if hasOverflowed && now >= nextAfterOverflow { scanAll(because: .overflow) }
    for path in timers.takeDue(at: now) {
      pending.note([.other, .finished], in: path, at: now)
    }
  }

  /// When something is due.
  func nextTime() -> Int64 {
    var next = nextFullScan
    func consider(_ time: Int64?) {
      if let time { next = min(next, time) }
    }
    consider(hasOverflowed ? nextAfterOverflow : pending.nextDue())
    consider(timers.next)
    return next
  }
}
