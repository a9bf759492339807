/// Schedules reading the machines' files and writing this machine's. Pure: the current time is
/// passed in, in monotonic nanoseconds.
struct MachineTiming {
  /// The delay from the first change to the write.
  static let quiet: Int64 = 2_000_000_000
  /// The minimum time between writes: thousands of edits may follow each other, and each write is
  /// transferred to all machines.
  static let rest: Int64 = 30_000_000_000
  /// The delay from an event in the folder to reading it; more events mostly follow at once.
  static let murmur: Int64 = 50_000_000
  /// The interval at which a folder is read that has a problem, or that other machines change
  /// without events from the kernel.
  static let poll: Int64 = 60_000_000_000
  /// The time for which this machine's file may be missing before it is written again: a program
  /// that syncs files may be replacing it.
  static let missing: Int64 = 10_000_000_000

  private(set) var reads = Int64.max
  private(set) var writes = Int64.max
  private var notBefore = Int64.min

  var due: Int64 { min(reads, writes) }

  /// Schedules a write after a change of the library.
  mutating func change(at now: Int64) {
    if writes == .max { writes = max(now + Self.quiet, notBefore) }
  }

  /// Schedules reading after an event in the folder.
  mutating func hear(at now: Int64) { reads = min(reads, now + Self.murmur) }

  /// Schedules reading everything now.
  mutating func begin(at now: Int64) { reads = now }

  mutating func beginReading() { reads = .max }
  mutating func beginWriting() { writes = .max }

  /// An event of a round.
  enum Event: Sendable {
    /// The folder was read. `isPolled`: it has to be read again without an event. `isMissing`: this
    /// machine's file is missing. `hasNews`: this machine's file has to change.
    case read(isPolled: Bool, isMissing: Bool, hasNews: Bool)
    /// The decisions of other machines could not be applied yet.
    case refused
    /// This machine's file was written, or the write failed.
    case written(hasFailed: Bool)
  }

  mutating func note(_ event: Event, at now: Int64) {
    switch event {
    case .read(let isPolled, let isMissing, let hasNews):
      if isPolled { reads = min(reads, now + Self.poll) }
      if isMissing { writes = min(writes, now + Self.missing) }
      if hasNews { change(at: now) }
    case .refused: reads = min(reads, now + Self.poll)
    case .written(let hasFailed):
      notBefore = now + Self.rest
      if hasFailed { writes = min(writes, now + Self.poll) }
    }
  }
}
