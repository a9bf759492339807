/// When playlists are written. Pure: it is told what time it is, in nanoseconds that never jump.
struct PlaylistTiming {
  /// From the last change to the writing: what belongs together is written together.
  static let quiet: Int64 = 200_000_000
  /// From the first one, where changes don't end.
  static let longestLag: Int64 = 1_000_000_000
  /// From news of the directory to the look.
  static let murmur: Int64 = 50_000_000
  /// After a problem, though nothing changes.
  static let retry: Int64 = 60_000_000_000
  /// How many times as long as the last writing took nothing is written: a first scan has thousands
  /// of albums to come, and a long playlist is on a slow disk.
  static let rest: Int64 = 10

  private var changed = Int64.max
  private var latest = Int64.max
  private var again = Int64.max
  /// When the lists themselves want to be looked at: a player may be writing one.
  private var wanted = Int64.max
  private var notBefore = Int64.min

  /// The next time that something is to be written; `.max`: when something changes.
  var due: Int64 { max(min(changed, latest, again, wanted), notBefore) }

  mutating func change(at now: Int64) {
    changed = now + Self.quiet
    if latest == .max { latest = now + Self.longestLag }
  }

  /// Something happened in the directory; more of it mostly follows at once.
  mutating func hear(at now: Int64) { wanted = min(wanted, now + Self.murmur) }

  /// What is there to be written is taken.
  mutating func begin() { (changed, latest, again, wanted) = (.max, .max, .max, .max) }

  /// - Parameter wanted: when the lists are to be looked at though nothing happens.
  mutating func end(
    from start: Int64, at now: Int64, isProblem: Bool, wanted: Int64 = .max
  ) {
    self.wanted = min(self.wanted, wanted)
    notBefore = now + min(Self.rest * (now - start), Self.retry)
    if isProblem { again = now + Self.retry }
  }
}
