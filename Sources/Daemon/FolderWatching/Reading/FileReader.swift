package import LibraryModel

/// Reads the tags of a music folder's files.
package protocol FileReader: Sendable {
  /// Reads a file's tags. May block until there is room. Calls `answer` exactly once, on any
  /// thread.
  ///
  /// - Parameters:
  ///   - descriptor: must stay open until the answer.
  ///   - isProbe: whether this is a probe, which only shows whether files can be read. It goes
  ///     before all others, is tried once and doesn't wait for room. There is one at a time.
  func read(
    _ descriptor: Int32, _ stamp: FileStamp, _ pathExtension: String, isProbe: Bool,
    _ answer: @escaping @Sendable (ReadOutcome) -> Void)

  /// The recent results of reading the folder's files.
  var health: ReadingHealth { get }

  /// Answers all requests that are not being read yet: their results are no longer needed.
  func giveUp()

  /// Resets the timeouts, because the file system has answered.
  func forgetTimeouts()
}

/// Whether the files of a music folder can be read.
package struct ReadingHealth: Sendable, Equatable {
  /// The number of consecutive reads that were ended because the file system returned nothing for
  /// too long.
  package var timeouts: Int
  /// The files that certainly caused one of these timeouts. A single file that can't be read,
  /// however often it is tried, says nothing about the others.
  package var late: Set<FileStamp>
  /// The files that certainly keep readers stuck in the kernel. Opening them may hang, too.
  package var lost: Set<FileStamp>
  /// Files of which each may keep a reader stuck: when a reader had several, the cause is unknown.
  package var suspects: Set<FileStamp>
  /// The number of readers that are stuck in the kernel and can't be ended.
  package var stuckReaders: Int
  /// Whether reads of this folder are suspended: several readers are stuck on different files, and
  /// no file was read since. Only a probe is let through.
  package var isHeld: Bool
  /// Whether no reader is left for this folder, not even for a probe, until a stuck one comes back.
  package var hasNoReader: Bool

  package init(
    timeouts: Int = 0, late: Set<FileStamp> = [], lost: Set<FileStamp> = [],
    suspects: Set<FileStamp> = [], stuckReaders: Int = 0, isHeld: Bool = false,
    hasNoReader: Bool = false
  ) {
    self.isHeld = isHeld
    self.lost = lost
    self.suspects = suspects
    self.timeouts = timeouts
    self.late = late
    self.stuckReaders = stuckReaders
    self.hasNoReader = hasNoReader
  }

  /// Whether the last read did not time out and reads are not suspended.
  var isWell: Bool { timeouts == 0 && !isHeld }
  /// The files that can't be read.
  var bad: Set<FileStamp> { late.union(lost) }
  /// The files that are unsuitable as probes.
  var unfit: Set<FileStamp> { bad.union(suspects) }

  /// The reason reported for a folder whose files can't be read.
  var reason: String {
    let reason = "its files can't be read: the drive or server behind it hangs"
    switch stuckReaders {
    case 0: return reason
    case 1: return reason + " (and 1 tag reader waits for it)"
    default: return reason + " (and \(stuckReaders) tag readers wait for it)"
    }
  }
}
