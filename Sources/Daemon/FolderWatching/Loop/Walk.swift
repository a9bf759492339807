import LibraryModel

/// Which directory or file it is, while this process runs.
struct Inode: Hashable {
  var device: UInt64
  var inode: UInt64
}

/// A file that is new at its path, held until the round knows what is absent.
struct NewFile {
  var key: FileKey
  var stamp: FileStamp
  var isFinished: Bool
}

/// What a round of looks remembers while it goes on.
struct Walk {
  /// Milliseconds since 1970: when everything that it finds counts as seen.
  var seen: Int64 = 0
  /// When it began, or the one before whose readings were not done by then (monotonic).
  var began: Int64 = .min
  /// The one that the directory is on that is being looked at.
  var mount = KnownMounts.ID.unknown
  var isFull = false
  /// Whether there are directories that the round has yet to look at.
  var isGoing = false
  /// Whether a full look, or the reading it asked for, is going on.
  var showsProgress = false
  /// Whether somebody waits for what it finds.
  var isForSync = false
  /// Whether what failed is tried again.
  var retriesFailures = false
  var filesListed = 0
  /// Files that were known before the round, or before the first one of those that are absent now
  /// was found missing.
  var knownFiles = 0
  /// Directories that were looked at in this round.
  var looked: Set<Catalogue.ID> = []
  /// Directories that are gone, and are told of by a look at what is above them.
  var gone: Set<BytePath> = []
  /// Names whose writers are done, by directory.
  var finished: [BytePath: Set<[UInt8]>] = [:]
  /// When the news of a directory began.
  var since: [BytePath: Int64] = [:]
  var newFiles: [NewFile] = []
  /// Files on a first look need not wait for what may be absent, for nothing can be.
  static let mostNewFiles = 256
}
