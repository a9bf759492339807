/// When one dirty directory is due to be scanned: at once for the first thing that is finished, so
/// that a copy is in its crate within milliseconds; for what follows after a quiet period, so that
/// a thousand copies are few merges. After a scan that took long, as through tens of thousands of
/// files, it rests, so that most of the time is left to others. Times in nanoseconds of the
/// monotonic clock.
struct Debounce: Equatable {
  /// The time of the first event that was not answered by a scan.
  private(set) var first: Int64?
  private var last: Int64 = .min
  private var isDueAtOnce = false
  /// A scan was made at once, and there was no quiet period since.
  private var isBusy = false
  /// No sooner.
  private var restsUntil: Int64 = .min

  /// Finished: a file was closed after writing, moved in, or a directory appeared.
  mutating func note(isFinished: Bool, at now: Int64, quiet: Int64) {
    if isBusy && now - last >= quiet { isBusy = false }
    if isFinished && !isBusy { isDueAtOnce = true }
    if first == nil { first = now }
    last = max(last, now)
  }

  /// Nil: it is not dirty.
  func due(quiet: Int64, longest: Int64) -> Int64? {
    guard let first else { return nil }
    return max(restsUntil, isDueAtOnce ? first : min(last + quiet, first + longest))
  }

  /// The directory is scanned now, which answers all events up to here.
  mutating func scanned() {
    if isDueAtOnce { isBusy = true }
    isDueAtOnce = false
    first = nil
  }

  /// The scan is over.
  ///
  /// - Parameter took: how long it was.
  mutating func rest(after took: Int64, at now: Int64, longest: Int64) {
    restsUntil = now + min(Self.restPerScan * took, longest)
  }

  /// A directory that is always dirty is scanned for a tenth of the time.
  private static let restPerScan: Int64 = 9

  /// Whether there is nothing to remember: what comes next would be the first event.
  func isOver(at now: Int64, quiet: Int64) -> Bool {
    first == nil && (!isBusy || now - last >= quiet) && now >= restsUntil
  }
}
