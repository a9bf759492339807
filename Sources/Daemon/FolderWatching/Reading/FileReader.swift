package import LibraryModel

/// What reads the tags of a music folder's files.
package protocol FileReader: Sendable {
  /// Reads a file's tags. May block until there is room; answers exactly once, on any thread.
  ///
  /// - Parameters:
  ///   - descriptor: stays open until the answer.
  ///   - isTrial: whether it is only to show whether files can be read: before all others, once,
  ///     and without waiting for room. There is one at a time.
  func read(
    _ descriptor: Int32, _ stamp: FileStamp, _ pathExtension: String, isTrial: Bool,
    _ answer: @escaping @Sendable (ReadOutcome) -> Void)

  /// How the folder's files have answered lately.
  var health: ReadingHealth { get }

  /// Answers whatever was asked for and is not being read yet: nobody wants it any longer.
  func giveUp()

  /// The file system gave something after all.
  func forgetTimeouts()
}

/// Whether reading comes back from a music folder.
package struct ReadingHealth: Sendable, Equatable {
  /// Readings in a row that were ended because the file system gave nothing for too long.
  package var timeouts: Int
  /// The files that were certainly the cause of one of them. One that can't be read, however often
  /// it is tried, says nothing of the others.
  package var late: Set<FileStamp>
  /// The files that certainly keep readers in the kernel, where to open them may hang, too.
  package var lost: Set<FileStamp>
  /// Others, of which each may keep one: of several that a reader had, nobody knows which.
  package var suspects: Set<FileStamp>
  /// Readers that the kernel doesn't let go, so that they can't be ended.
  package var stuckReaders: Int
  /// Those are with different files, none of the folder's was read since, and all but a trial wait
  /// until one shows whether any can be read.
  package var isHeld: Bool
  /// No reader is left to this folder, were it for a trial, until some of those come back.
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

  /// Whether the last file that was read gave something, and none of several keeps a reader.
  var isWell: Bool { timeouts == 0 && !isHeld }
  /// The files that can't be read.
  var bad: Set<FileStamp> { late.union(lost) }
  /// The files that are no witnesses.
  var unfit: Set<FileStamp> { bad.union(suspects) }

  /// What is told of a folder whose files can't be read.
  var reason: String {
    let reason = "its files can't be read: the drive or server behind it hangs"
    switch stuckReaders {
    case 0: return reason
    case 1: return reason + " (and 1 tag reader waits for it)"
    default: return reason + " (and \(stuckReaders) tag readers wait for it)"
    }
  }
}
