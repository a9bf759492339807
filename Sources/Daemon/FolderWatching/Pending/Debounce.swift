/// Decides when one dirty directory is due for a scan. The first finished file makes it due at
/// once, so that a copy is in its crate within milliseconds. Further events wait for a quiet
/// period, so that a thousand copies are few merges. After a long scan, as of tens of thousands of
/// files, the directory rests, so that most of the time is left for others. Times in nanoseconds of
/// the monotonic clock.
struct Debounce: Equatable {
  /// The time of the first event since the last scan.
  private(set) var first: Int64?
  private var last: Int64 = .min
  private var isDueAtOnce = false
  /// Whether a scan was made at once, with no quiet period since.
  private var isBusy = false
  /// The directory is not due before this time.
  private var restsUntil: Int64 = .min

  /// Records an event. It is finished if a file was closed after writing or moved in, or if a
  /// directory appeared.
  mutating func note(isFinished: Bool, at now: Int64, quiet: Int64) {
    if isBusy && now - last >= quiet { isBusy = false }
    if isFinished && !isBusy { isDueAtOnce = true }
    if first == nil { first = now }
    last = max(last, now)
  }

  /// Returns when the directory is due; nil if it is not dirty.
  func due(quiet: Int64, longest: Int64) -> Int64? {
    guard let first else { return nil }
    return max(restsUntil, isDueAtOnce ? first : min(last + quiet, first + longest))
  }

  /// Records that the directory is scanned now, which answers all events so far.
  mutating func scanned() {
    if isDueAtOnce { isBusy = true }
    isDueAtOnce = false
    first = nil
  }

  /// Records the end of the scan.
  ///
  /// - Parameter took: how long the scan took.
  mutating func rest(after took: Int64, at now: Int64, longest: Int64) {
    restsUntil = now + min(Self.restPerScan * took, longest)
  }

  /// The rest after a scan, in multiples of its duration. A directory that is always dirty is being
  /// scanned for a tenth of the time.
  private static let restPerScan: Int64 = 9

  /// Whether nothing must be remembered: the next event would be the first one.
  func isOver(at now: Int64, quiet: Int64) -> Bool {
    first == nil && (!isBusy || now - last >= quiet) && now >= restsUntil
  }
}
