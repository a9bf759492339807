import LibraryModel

/// The pending scans, with their times and reasons. Pure; times in nanoseconds, monotonic.
struct Agenda {
  var pending: PendingFolders
  var renames = PendingRenames()
  /// The reason for the next full scan; nil if none is needed.
  var fullScan: ScanReason?
  /// Whether events were lost, which takes a full scan to make up for.
  var hasOverflowed = false
  /// When the next full scan after an overflow may begin. Keeps a program that causes very many
  /// events from causing one full scan after the other.
  var nextAfterOverflow = Int64.min
  var nextFullScan = Int64.max
  /// The number of consecutive failed scans of each directory.
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

  /// Requests a full scan. The first reason is the one that is reported.
  mutating func scanAll(because reason: ScanReason) { fullScan = fullScan ?? reason }

  /// Whether no full scan is needed, as far as is known.
  var isWhole: Bool { fullScan == nil && !hasOverflowed }

  /// Whether a scan would miss half of what happened, and must wait for the full scan.
  func waitsForOverflow(at now: Int64) -> Bool { hasOverflowed && now < nextAfterOverflow }

  mutating func overflowed() {
    hasOverflowed = true
    // A file may have been renamed again since, by a lost event.
    renames.removeAll()
  }

  /// Starts a full scan, which covers everything that is pending.
  ///
  /// - Returns: the reason for the scan.
  mutating func beginFullScan(at now: Int64) -> ScanReason {
    let reason = fullScan ?? (hasOverflowed ? .overflow : .rescan)
    fullScan = nil
    hasOverflowed = false
    nextFullScan = now + betweenFullScans
    failures = [:]
    return reason
  }

  /// Records the end of a full scan after an overflow: the next such one has to wait.
  mutating func answeredOverflow(at now: Int64) { nextAfterOverflow = now + betweenOverflows }

  // MARK: Single directories

  mutating func scanSucceeded(_ path: BytePath) {
    failures[path] = nil
    timers[path] = nil
  }

  /// - Parameter isRoot: whether to retry indefinitely, since no directory above reports the root.
  mutating func scanFailed(_ path: BytePath, isRoot: Bool, at now: Int64) {
    let times = failures[path, default: 0]
    failures[path] = times + 1
    let last = isRoot ? retries.last : nil
    let wait = times < retries.count ? retries[times] : last
    timers[path] = wait.map { now + $0 }
  }

  mutating func forget(_ path: BytePath) { scanSucceeded(path) }

  // MARK: Time

  /// Requests the scans that have become due.
  mutating func checkTimes(at now: Int64) {
    if now >= nextFullScan { scanAll(because: .hourly) }
    if hasOverflowed && now >= nextAfterOverflow { scanAll(because: .overflow) }
    for path in timers.takeDue(at: now) {
      pending.note([.other, .finished], in: path, at: now)
    }
  }

  /// Returns when the next scan is due.
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
