/// When one directory that has news is due to be looked at: at once for the first thing that is
/// finished, so that a copy is in its crate within milliseconds; for what follows when it is quiet,
/// so that a thousand copies are few merges. After a look that took long, as through tens of
/// thousands of files, it rests, so that most of the time is left to others. Times in nanoseconds
/// of the monotonic clock.
struct Settling: Equatable {
  /// The time of the first news that was not looked at yet.
  private(set) var first: Int64?
  private var last: Int64 = .min
  private var isDueAtOnce = false
  /// Something was looked at immediately, and there was no quiet since.
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

  /// Nil: nothing is new.
  func due(quiet: Int64, longest: Int64) -> Int64? {
    guard let first else { return nil }
    return max(restsUntil, isDueAtOnce ? first : min(last + quiet, first + longest))
  }

  /// The directory is looked at now: all news up to here is answered.
  mutating func looked() {
    if isDueAtOnce { isBusy = true }
    isDueAtOnce = false
    first = nil
  }

  /// The look is over.
  ///
  /// - Parameter took: how long it was.
  mutating func rest(after took: Int64, at now: Int64, longest: Int64) {
    restsUntil = now + min(Self.restPerLook * took, longest)
  }

  /// A directory that always has news is looked at for a tenth of the time.
  private static let restPerLook: Int64 = 9

  /// Whether there is nothing to remember: what comes next would be the first news.
  func isOver(at now: Int64, quiet: Int64) -> Bool {
    first == nil && (!isBusy || now - last >= quiet) && now >= restsUntil
  }
}
