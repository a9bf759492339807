package import LibraryModel

/// Receives what a watcher found. All calls come from the watcher's threads, one after the other.
/// The exception is `folderState`, which also comes while the watcher is stuck in the kernel.
package protocol ContentsReceiver: Sendable {
  /// Merges the contents. Returns when the merge is durable.
  func merge(_ contents: FolderContents)
  /// Reports problems of files and directories, by absolute path. Nil means that a problem is gone.
  func report(_ problems: [BytePath: FileProblem?])
  func folderState(_ state: WatchState)
  /// Called before a full scan.
  func willScan(because reason: ScanReason)
  /// Called after a directory, given by its absolute path, was scanned and its image file is new,
  /// changed or gone (nil). The first scan reports every directory.
  func cover(_ cover: CoverDigest?, in folder: BytePath)
}

extension ContentsReceiver {
  package func willScan(because reason: ScanReason) {}
  package func cover(_ cover: CoverDigest?, in folder: BytePath) {}
}

/// The state of the watching of one music folder.
package struct WatchState: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    case watching
    /// Something is scanned periodically, because the kernel sends no events for it.
    case polling(reason: String)
    case offline(reason: String)
  }

  package struct Progress: Sendable, Hashable {
    /// The number of files that were scanned, and read where necessary.
    package var scanned: Int
    /// The number of files seen so far, or the number known before if that is larger.
    package var toScan: Int

    package init(scanned: Int, toScan: Int) {
      self.scanned = scanned
      self.toScan = toScan
    }
  }

  package var mode: Mode
  /// The number of directories that have a watch.
  package var foldersWatched: Int
  /// The progress of a full scan while one is running.
  package var progress: Progress?
  /// The absolute paths of directories or links whose mount is absent. Songs below them are
  /// offline.
  package var offlineSubtrees: [BytePath]
  /// Whether everything has been scanned once, or is offline.
  package var isSeen = false
  /// The identity of the root; nil while unknown. To be stored and passed in at the next start,
  /// like the properties below.
  package var rootIdentity: FileIdentity?
  /// The file systems inside the folder, by their absolute paths.
  package var innerFileSystems: [InnerFileSystem] = []
  /// The start of a first scan that is still going on, in milliseconds since 1970.
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

/// The state of a music folder that is stored from one run to the next.
package struct FolderMemory: Sendable {
  /// Whether no full scan of the folder has been completed yet.
  package var isFirstScan: Bool
  package var rootIdentity: FileIdentity?
  package var innerFileSystems: [InnerFileSystem]
  /// The `FolderContents.seen` of an interrupted first scan, in milliseconds since 1970.
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
