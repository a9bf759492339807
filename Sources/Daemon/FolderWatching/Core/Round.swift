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

/// Scans of directories, one after the other, and what they share.
struct Round {
  struct Step {
    var folder: Catalogue.ID
    var descends: Bool
  }

  /// The directory that is being scanned.
  struct Current {
    var folder: Catalogue.ID
    /// In the music folder.
    var path: BytePath
    var descends: Bool
    /// The status of its last scan.
    var former: FolderStatus?
    /// The mount that it is on.
    var mount = KnownMounts.ID.unknown
    var isRemote = false
    /// When it was opened (monotonic).
    var began = Int64.min
  }

  /// Directories that the round has yet to scan, the next one last.
  var steps: [Step] = []
  var current: Current?
  /// From the first scan of the round to the end of the last.
  var isGoing = false
  var isFull = false
  /// Whether the kernel lost events, for which it is full.
  var answersOverflow = false
  /// Whether what failed is tried again.
  var retriesFailures = false
  /// Milliseconds since 1970: when everything that it finds counts as seen.
  var seen: Int64 = 0
  private var count = 0
  private var scanned: Set<Catalogue.ID> = []
  /// Directories that are gone, and are told of by a scan of what is above them.
  var gone: Set<BytePath> = []
  /// Names whose writers are done, by directory.
  private(set) var finished: [BytePath: Set<[UInt8]>] = [:]
  /// When the events of a directory began.
  private(set) var since: [BytePath: Int64] = [:]
  var newFiles: [NewFile] = []

  /// Files of a first scan need not wait for what may be absent, for nothing can be.
  static let mostNewFiles = 256
  /// After so many scans events, answers and requests are taken in.
  private static let scansBetween = 16

  mutating func begin(_ due: [PendingFolders.Due], isFull: Bool, seen: Int64) {
    self = Round()
    isGoing = true
    self.isFull = isFull
    self.seen = seen
    for one in due {
      if !one.finished.isEmpty { finished[one.path] = one.finished }
      if one.changes.contains(.deletion) { since[one.path] = one.since }
    }
  }

  /// The directories below one that was scanned are scanned next, in their order.
  mutating func descend(_ below: [(folder: Catalogue.ID, descends: Bool)]) {
    for (folder, descends) in below.reversed() {
      steps.append(Step(folder: folder, descends: descends))
    }
  }

  /// The next directory; nil: there is none.
  ///
  /// - Parameter isKnown: whether a directory has not gone with another since its step was noted.
  mutating func next(where isKnown: (Catalogue.ID) -> Bool) -> Step? {
    while let step = steps.popLast() {
      guard isKnown(step.folder), step.descends || !scanned.contains(step.folder) else { continue }
      scanned.insert(step.folder)
      return step
    }
    return nil
  }

  func hasScanned(_ folder: Catalogue.ID) -> Bool { scanned.contains(folder) }

  /// The current directory is done. True where it is time to take in what came meanwhile.
  mutating func endScan() -> Bool {
    current = nil
    count += 1
    return count % Self.scansBetween == 0
  }

  mutating func end() {
    isGoing = false
    steps = []
    finished = [:]
    since = [:]
  }
}

/// How far a full scan has come.
struct Progress {
  /// When the round began, or the one before whose files were not read by then (monotonic).
  var began = Int64.min
  /// Whether a full scan, or the reading that it asked for, is going on.
  var isShown = false
  var filesListed = 0
  /// Files that were known before the round, or before the first one of those that are absent now
  /// was found missing.
  var knownFiles = 0

  func shown(unread: Int, known: Int, at now: Int64) -> WatchState.Progress? {
    guard isShown, now - began >= 200 * milliseconds else { return nil }
    return WatchState.Progress(
      scanned: max(0, filesListed - unread), toScan: max(filesListed, known))
  }
}
