import LibraryModel

/// The identity of a directory or file while this process runs.
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

/// A sequence of directory scans, and the state that they share.
struct Round {
  struct Step {
    var folder: Catalogue.ID
    var descends: Bool
  }

  /// The directory that is being scanned.
  struct Current {
    var folder: Catalogue.ID
    /// The path in the music folder.
    var path: BytePath
    var descends: Bool
    /// The directory's status at its last scan.
    var former: FolderStatus?
    /// The mount that it is on.
    var mount = KnownMounts.ID.unknown
    var isRemote = false
    /// When the directory was opened (monotonic).
    var began = Int64.min
  }

  /// Directories that the round has yet to scan, the next one last.
  var steps: [Step] = []
  var current: Current?
  /// Whether the round is running, from its first scan to the end of its last.
  var isGoing = false
  var isFull = false
  /// Whether it is a full scan because the kernel lost events.
  var answersOverflow = false
  /// Whether failed reads are retried.
  var retriesFailures = false
  /// When everything that it finds counts as seen, in milliseconds since 1970.
  var seen: Int64 = 0
  private var count = 0
  private var scanned: Set<Catalogue.ID> = []
  /// Directories that are gone. A scan of what is above them reports them.
  var gone: Set<BytePath> = []
  /// The names whose writers are done, by directory.
  private(set) var finished: [BytePath: Set<[UInt8]>] = [:]
  /// When the pending events of a directory began, if a deletion is among them (monotonic).
  private(set) var since: [BytePath: Int64] = [:]
  var newFiles: [NewFile] = []

  /// The number of new files that are resolved between scans, without waiting for the end of the
  /// round. In a first scan this loses nothing, since no file can be absent.
  static let mostNewFiles = 256
  /// The number of scans after which events, answers and requests are taken in.
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

  /// Adds the directories below one that was scanned as the next ones, in their order.
  mutating func descend(_ below: [(folder: Catalogue.ID, descends: Bool)]) {
    for (folder, descends) in below.reversed() {
      steps.append(Step(folder: folder, descends: descends))
    }
  }

  /// Returns the next directory; nil if there is none.
  ///
  /// - Parameter isKnown: whether a directory is still in the catalogue. It may have gone with
  ///   another since its step was added.
  mutating func next(where isKnown: (Catalogue.ID) -> Bool) -> Step? {
    while let step = steps.popLast() {
      guard isKnown(step.folder), step.descends || !scanned.contains(step.folder) else { continue }
      scanned.insert(step.folder)
      return step
    }
    return nil
  }

  func hasScanned(_ folder: Catalogue.ID) -> Bool { scanned.contains(folder) }

  /// Ends the scan of the current directory. Returns true when it is time to take in other input.
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

/// The progress of a full scan.
struct Progress {
  /// When the round began, or an earlier one whose files were not all read by then (monotonic).
  var began = Int64.min
  /// Whether a full scan, or the reads that it requested, are still running.
  var isShown = false
  var filesListed = 0
  /// The number of files known before the round, or before the first of the files absent now was
  /// found missing.
  var knownFiles = 0

  func shown(unread: Int, known: Int, at now: Int64) -> WatchState.Progress? {
    guard isShown, now - began >= 200 * milliseconds else { return nil }
    return WatchState.Progress(
      scanned: max(0, filesListed - unread), toScan: max(filesListed, known))
  }
}
