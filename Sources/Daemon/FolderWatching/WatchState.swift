package import LibraryModel

/// Takes what a watcher found. All calls come from the watcher's threads, one after the other, but
/// `folderState`, which also comes when the watcher itself is stuck in the kernel.
package protocol ContentsReceiver: Sendable {
  /// Returns when the merge is durable.
  func merge(_ contents: FolderContents)
  /// Problems of files and directories, by absolute path; nil: there is none any more.
  func report(_ problems: [BytePath: FileProblem?])
  func folderState(_ state: WatchState)
  /// Everything is about to be scanned.
  func willScan(because reason: ScanReason)
  /// A directory was scanned, by absolute path, and its image file is new, another or gone: what
  /// tells it from others; nil: it has none. At the first scan each directory is told.
  func cover(_ cover: CoverDigest?, in folder: BytePath)
}

extension ContentsReceiver {
  package func willScan(because reason: ScanReason) {}
  package func cover(_ cover: CoverDigest?, in folder: BytePath) {}
}

/// How the watching of one music folder is going.
package struct WatchState: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    case watching
    /// Something has to be scanned again and again, because the kernel doesn't tell of it.
    case polling(reason: String)
    case offline(reason: String)
  }

  package struct Progress: Sendable, Hashable {
    /// Files that were scanned, and read where necessary.
    package var scanned: Int
    /// Files seen so far, or known from before if these are more.
    package var toScan: Int

    package init(scanned: Int, toScan: Int) {
      self.scanned = scanned
      self.toScan = toScan
    }
  }

  package var mode: Mode
  /// Directories that have a watch.
  package var foldersWatched: Int
  /// During a full scan.
  package var progress: Progress?
  /// Absolute paths of directories (or links) whose mount is away; songs below are offline.
  package var offlineSubtrees: [BytePath]
  /// Everything has been scanned once, or is offline.
  package var isSeen = false
  /// To be kept, and passed in at the next start, as what follows. Nil while it isn't known.
  package var rootIdentity: FileIdentity?
  /// By their absolute paths.
  package var innerFileSystems: [InnerFileSystem] = []
  /// When the first scan that goes on began.
  package var firstScanSeen: Int64?

  package init(
    mode: Mode, foldersWatched: Int = 0, progress: Progress? = nil,
    offlineSubtrees: [BytePath] = [], rootIdentity: FileIdentity? = nil
  ) {
    self.mode = mode
    self.foldersWatched = foldersWatched
    self.progress = progress
    self.offlineSubtrees = offlineSubtrees
    self.rootIdentity = rootIdentity
  }
}

/// What is remembered of a music folder from one run to the next.
package struct FolderMemory: Sendable {
  /// Whether there was no full scan of the folder yet.
  package var isFirstScan: Bool
  package var rootIdentity: FileIdentity?
  package var innerFileSystems: [InnerFileSystem]
  /// Milliseconds since 1970: the `FolderContents.seen` of a first scan that was cut off.
  package var firstScanSeen: Int64?

  package init(
    isFirstScan: Bool, rootIdentity: FileIdentity? = nil, innerFileSystems: [InnerFileSystem] = [],
    firstScanSeen: Int64? = nil
  ) {
    self.isFirstScan = isFirstScan
    self.rootIdentity = rootIdentity
    self.innerFileSystems = innerFileSystems
    self.firstScanSeen = firstScanSeen
  }
}
