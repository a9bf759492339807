package import LibraryModel

/// How one music folder is watched. Times in nanoseconds.
package struct WatchSettings: Sendable {
  /// A directory of ours, outside every music folder, in which files are made to ask the kernel how
  /// far it has told its events.
  package var cookies: BytePath
  /// All of the library's music folders: a link to what is above one of them is not followed.
  package var musicFolders: [BytePath] = []
  /// Directories that are neither watched nor scanned, such as the one playlists are written to.
  package var leftOut: [BytePath] = []
  /// Patterns of gitignore, beside those of the `.crateignore` files.
  package var ignorePatterns: [String] = []
  /// How long a directory has to be without events before it is scanned again.
  package var quiet: Int64 = 100 * milliseconds
  /// How long a directory may go on having events before it is scanned all the same.
  package var longest: Int64 = 1_000 * milliseconds
  /// How long a file that disappeared may take to appear elsewhere.
  package var vanishWait: Int64 = 100 * milliseconds
  /// How long a file that may be open for writing has to stand still before it is read.
  package var standStill: Int64 = 2 * seconds
  /// When a reading that failed is tried again; after the last one, at the next change.
  package var retries: [Int64] = [2 * seconds, 10 * seconds, 60 * seconds]
  /// How close to its scan a file may have changed without its time telling.
  package var timeGrain: Int64 = 10 * milliseconds
  /// After this long in one call of the kernel the folder counts as offline.
  package var answerWithin: Int64 = 10 * seconds
  /// After this long in one call, at the end of the watching, its thread is left behind.
  package var leaveWithin: Int64 = 1 * seconds
  package var intervals = Intervals()
  package var limits = Limits()

  package init(cookies: BytePath) {
    self.cookies = cookies
  }

  /// How often what the kernel doesn't tell of is asked. Nanoseconds.
  package struct Intervals: Sendable {
    /// Between two full scans.
    package var fullScan: Int64 = 3_600 * seconds
    /// Between the end of a full scan and one because more was told than the kernel keeps.
    package var overflow: Int64 = 1 * seconds
    /// Between two checks of the times of directories that cannot be watched.
    package var folders: Int64 = 30 * seconds
    /// Between two scans of directories that cannot be watched.
    package var files: Int64 = 900 * seconds
    /// Between two questions whether an offline folder is back.
    package var root: Int64 = 5 * seconds
  }

  package struct Limits: Sendable {
    /// Beyond as many watches directories are polled, as where the kernel has no more.
    package var watches = Int.max
    /// The most files that are being read at the same time.
    package var inFlight = 128
    /// A directory with so many files rests after a scan for as long as nine of them, and at most
    /// for `longest`.
    package var manyFiles = 10_000
    /// A merge takes at most about this many files of a long scan, or what came in this time.
    package var pieceFiles = 1_000
    package var pieceTime: Int64 = 500 * milliseconds
  }
}

/// A file that is known when the watching begins.
package struct KnownFile: Sendable {
  package var path: BytePath
  /// Nil: a song is known here, but the file has to be read again.
  package var facts: FileFacts?

  package init(path: BytePath, facts: FileFacts?) {
    self.path = path
    self.facts = facts
  }
}

let milliseconds: Int64 = 1_000_000
let seconds: Int64 = 1_000_000_000
