package import LibraryModel

/// The settings for watching one music folder. Times are in nanoseconds.
package struct WatchSettings: Sendable {
  /// A directory of ours, outside every music folder. Cookie files are made in it to find out how
  /// far the kernel has delivered its events.
  package var cookies: BytePath
  /// All music folders of the library. A link to a directory above one of them is not followed.
  package var musicFolders: [BytePath] = []
  /// Directories that are neither watched nor scanned, such as the playlist directory.
  package var leftOut: [BytePath] = []
  /// Ignore patterns in gitignore syntax, in addition to those of the `.crateignore` files.
  package var ignorePatterns: [String] = []
  /// How long a directory must be without events before it is scanned again.
  package var quiet: Int64 = 100 * milliseconds
  /// The longest time for which further events may delay the scan of a directory.
  package var longest: Int64 = 1_000 * milliseconds
  /// How long a file that disappeared may take to appear elsewhere.
  package var vanishWait: Int64 = 100 * milliseconds
  /// How long a file that may be open for writing must be unchanged before it is read.
  package var standStill: Int64 = 2 * seconds
  /// The delays before a failed read is retried. After the last one, the next change triggers a
  /// retry.
  package var retries: [Int64] = [2 * seconds, 10 * seconds, 60 * seconds]
  /// The granularity of file timestamps: closer changes may leave the timestamp as it is.
  package var timeGrain: Int64 = 10 * milliseconds
  /// How long one system call may take before the folder counts as offline.
  package var answerWithin: Int64 = 10 * seconds
  /// How long a thread may be in one call at the end of watching before it is left behind.
  package var leaveWithin: Int64 = 1 * seconds
  package var intervals = Intervals()
  package var limits = Limits()

  package init(cookies: BytePath) {
    self.cookies = cookies
  }

  /// The intervals of checks that don't depend on events. Nanoseconds.
  package struct Intervals: Sendable {
    /// The time between two full scans.
    package var fullScan: Int64 = 3_600 * seconds
    /// The time from the end of a full scan after an overflow of events to the next such scan.
    package var overflow: Int64 = 1 * seconds
    /// The time between two checks of the timestamps of directories that cannot be watched.
    package var folders: Int64 = 30 * seconds
    /// The time between two scans of directories that cannot be watched.
    package var files: Int64 = 900 * seconds
    /// The time between two checks whether an offline folder is back.
    package var root: Int64 = 5 * seconds
  }

  package struct Limits: Sendable {
    /// The maximum number of watches. Beyond it, directories are polled, as when the kernel has no
    /// more.
    package var watches = Int.max
    /// The maximum number of files that are read at the same time.
    package var inFlight = 128
    /// The number of files from which a directory rests after a scan: for nine times the duration
    /// of the scan, and at most for `longest`.
    package var manyFiles = 10_000
    /// During a long scan, found files are merged once there are about this many, or after
    /// `pieceTime`.
    package var pieceFiles = 1_000
    package var pieceTime: Int64 = 500 * milliseconds
  }
}

/// A file for which the library has a song.
package struct KnownFile: Sendable {
  package var path: BytePath
  /// Nil if the file must be read again.
  package var facts: FileFacts?

  package init(path: BytePath, facts: FileFacts?) {
    self.path = path
    self.facts = facts
  }
}

let milliseconds: Int64 = 1_000_000
let seconds: Int64 = 1_000_000_000
