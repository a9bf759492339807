/// When the files of machines are read, and this machine's is written. Pure: it is told what time
/// it is, in nanoseconds that never jump.
struct MachineTiming {
  /// From the first change to the writing.
  static let quiet: Int64 = 2_000_000_000
  /// From one writing to the next: thousands of edits may follow each other, and each writing is
  /// carried to all machines.
  static let rest: Int64 = 30_000_000_000
  /// From an event in the folder to reading it; more of them mostly follow at once.
  static let murmur: Int64 = 50_000_000
  /// How often a folder is read that others change without the kernel's knowing, or that has a
  /// problem.
  static let poll: Int64 = 60_000_000_000
  /// How long this machine's file may be missing before it is written again: a program that carries
  /// files may be replacing it.
  static let missing: Int64 = 10_000_000_000

  private(set) var reads = Int64.max
  private(set) var writes = Int64.max
  private var notBefore = Int64.min

  var due: Int64 { min(reads, writes) }

  /// Something changed in the library.
  mutating func change(at now: Int64) {
    if writes == .max { writes = max(now + Self.quiet, notBefore) }
  }

  /// Something happened in the folder.
  mutating func hear(at now: Int64) { reads = min(reads, now + Self.murmur) }

  /// Everything is read now.
  mutating func begin(at now: Int64) { reads = now }

  mutating func beginReading() { reads = .max }
  mutating func beginWriting() { writes = .max }

  /// What happened in a round.
  enum Event: Sendable {
    /// The folder was read. `isPolled`: it is read again though nothing is heard of it.
    /// `isMissing`: this machine's file is not there. `hasNews`: it says something else now.
    case read(isPolled: Bool, isMissing: Bool, hasNews: Bool)
    /// What other machines decided could not be done here yet.
    case refused
    /// This machine's file was written, or could not be.
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
