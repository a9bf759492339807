/// Schedules the writing of playlists. Pure: the current time is passed in, in monotonic
/// nanoseconds.
struct PlaylistTiming {
  /// The delay from the last change to the write, so that related changes are written together.
  static let quiet: Int64 = 200_000_000
  /// The maximum delay from the first change, if changes don't end.
  static let longestLag: Int64 = 1_000_000_000
  /// The delay from an event in the directory to the scan.
  static let murmur: Int64 = 50_000_000
  /// The delay after a problem, even without a change.
  static let retry: Int64 = 60_000_000_000
  /// The factor of the last write's duration for which nothing is written: a first scan has
  /// thousands of albums to come, and a long playlist may be on a slow disk.
  static let rest: Int64 = 10

  private var changed = Int64.max
  private var latest = Int64.max
  private var again = Int64.max
  /// The time at which the lists themselves need a scan: a player may be writing one.
  private var wanted = Int64.max
  private var notBefore = Int64.min

  /// The next time at which something is due; `.max` if only a change can be.
  var due: Int64 { max(min(changed, latest, again, wanted), notBefore) }

  mutating func change(at now: Int64) {
    changed = now + Self.quiet
    if latest == .max { latest = now + Self.longestLag }
  }

  /// Schedules a scan after an event in the directory; more events mostly follow at once.
  mutating func hear(at now: Int64) { wanted = min(wanted, now + Self.murmur) }

  /// Clears what the write that starts now covers.
  mutating func begin() { (changed, latest, again, wanted) = (.max, .max, .max, .max) }

  /// - Parameter wanted: The time at which the lists need a scan even without an event.
  mutating func end(
    from start: Int64, at now: Int64, isProblem: Bool, wanted: Int64 = .max
  ) {
    self.wanted = min(self.wanted, wanted)
    notBefore = now + min(Self.rest * (now - start), Self.retry)
    if isProblem { again = now + Self.retry }
  }
}
