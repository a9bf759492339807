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

  /// The folder was read.
  ///
  /// - Parameters:
  ///   - isPolled: whether it is read again though nothing is heard of it.
  ///   - isMissing: whether this machine's file is not there.
  mutating func haveRead(at now: Int64, isPolled: Bool, isMissing: Bool) {
    if isPolled { reads = min(reads, now + Self.poll) }
    if isMissing { writes = min(writes, now + Self.missing) }
  }

  /// The file was written, or could not be.
  mutating func haveWritten(at now: Int64, hasFailed: Bool) {
    notBefore = now + Self.rest
    if hasFailed { writes = min(writes, now + Self.poll) }
  }
}
