import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization
import TagReading

/// The music folders, each watched by a service of its own: which exist, what of them is offline,
/// and the progress of their scans.
final class MusicFolders: Sendable {
  /// The records of the folders, which outlast the daemon.
  let knownFolders: KnownFolders
  let readers: ReaderPool
  let problems = ProblemList()
  let covers = FolderCovers()
  private let scanTimes: ScanTimes
  private let librarian: Librarian
  let published: PublishedLibrary
  private let clock: Clock
  private let logger: Logger
  private let configuration: Mutex<Configuration>
  let watched = Mutex<[FolderService]>([])
  /// Whether answers have shown the offline places of all folders once.
  private let hasShownAway = Atomic(false)
  /// Called with the progress of scans whenever that or a folder's state changes.
  private let listener = Mutex<@Sendable ([WatchState.Progress]) -> Void>({ _ in })
  let missedPlaces = OnceForLibrary<[BytePath], Set<BytePath>>()
  let leftFolders = OnceForLibrary<[BytePath], [LeftFolder]>()

  /// The settings of the folders.
  struct Configuration: Sendable, Equatable {
    var roots: [BytePath]
    /// The patterns of ignored names.
    var ignore: [String]
    /// The directory of playlists, which is not scanned; nil if there is none.
    var playlists: BytePath?
    /// A directory of the daemon's own, for the watchers.
    var runtime: BytePath

    /// Returns whether all folders need new watchers.
    func isOtherwise(than other: Configuration) -> Bool {
      ignore != other.ignore || playlists != other.playlists
    }

    fileprivate var watchSettings: WatchSettings {
      var watch = WatchSettings(cookies: runtime)
      watch.musicFolders = roots
      watch.ignorePatterns = ignore
      if let playlists { watch.leftOut = [playlists] }
      return watch
    }
  }

  init(
    _ configuration: Configuration, librarian: Librarian, published: PublishedLibrary,
    knownFolders: KnownFolders, readers: ReaderPool, scanTimes: ScanTimes, clock: Clock,
    logger: Logger
  ) {
    self.configuration = Mutex(configuration)
    self.librarian = librarian
    self.published = published
    self.knownFolders = knownFolders
    self.readers = readers
    self.scanTimes = scanTimes
    self.clock = clock
    self.logger = logger
  }

  var all: [FolderService] { watched.withLock { $0 } }

  // MARK: Coming and going

  /// Creates the services of all configured folders; `start` makes them watch.
  ///
  /// - Parameter changed: Called with the progress of scans, on threads of the watchers.
  func prepare(_ changed: @escaping @Sendable ([WatchState.Progress]) -> Void) {
    listener.withLock { $0 = changed }
    librarian.tellOfFiles { [weak self] forgotten, restored in
      for folder in self?.all ?? [] {
        folder.forget(forgotten.filter { $0.isInside(folder.root) })
        folder.remember(restored.filter { $0.path.isInside(folder.root) })
      }
    }
    add(configuration.withLock { $0.roots })
  }

  func start() { for folder in all { folder.start() } }

  /// Watches the folders of the new settings. The watchers of unchanged folders continue.
  func configure(_ new: Configuration) {
    let old = configuration.withLock { configuration in
      defer { configuration = new }
      return configuration
    }
    let isOtherwise = new.isOtherwise(than: old)
    let stopping = watched.withLock { watched in
      let stopping = watched.filter { isOtherwise || !new.roots.contains($0.root) }
      watched.removeAll { folder in stopping.contains { $0 === folder } }
      return stopping
    }
    for folder in stopping {
      folder.stop()
      // The next watcher finds the problems again.
      problems.drop(below: folder.root)
    }
    let kept = Set(all.map(\.root))
    updateAway()
    for folder in add(new.roots.filter { !kept.contains($0) }) { folder.start() }
  }

  /// Stops the watchers and the librarian, which watchers may be waiting for.
  func stop() {
    let stopping = watched.withLock { watched in
      defer { watched = [] }
      return watched
    }
    for folder in stopping { folder.prepareToStop() }
    readers.shutDown()
    let watchers = stopping.map { folder in BlockingThread("stopping") { folder.stop() } }
    librarian.stop()
    for watcher in watchers { watcher.join() }
  }

  @discardableResult
  private func add(_ roots: [BytePath]) -> [FolderService] {
    let settings = configuration.withLock { $0.watchSettings }
    return roots.map { root in
      let folder = FolderService(
        root: root, isScanned: isScanned(root), librarian: librarian, knownFolders: knownFolders,
        problems: problems, covers: covers, clock: clock, logger: logger
      ) { [weak self] in self?.folderChanged() }
      watched.withLock { $0.append(folder) }
      do {
        try folder.prepare(
          settings: settings,
          known: { [weak self] in self?.published.library.knownFiles(below: root) ?? [] },
          scanTimes: scanTimes, readers: readers)
      } catch {
        logger.error("\(root.display) can't be watched: \(error)")
      }
      return folder
    }
  }

  /// Returns whether the folder has been scanned in full. If its record was lost, the songs tell.
  private func isScanned(_ root: BytePath) -> Bool {
    knownFolders[root]?.isScanned == true || published.library.hasScanned(root)
  }

  // MARK: What is offline

  private func folderChanged() {
    updateAway()
    listener.withLock { $0 }(all.compactMap(\.watchState.progress))
  }

  /// Publishes what is offline if it has changed.
  private func updateAway() {
    let (away, isWhole) = currentAway
    // Once in any case: it may have changed before the folders were watched.
    let isFirst = isWhole && !hasShownAway.load(ordering: .acquiring)
    if away == published.library.away, !isFirst { return }
    librarian.setAway { [weak self] in self?.currentAway.away ?? away }
    // The start is complete.
    if isWhole, !hasShownAway.exchange(true, ordering: .acquiringAndReleasing) {
      returnFreeMemory()
    }
  }

  /// The offline places that the watchers know of, and whether each watcher has seen its folder.
  private var currentAway: (away: Away, isWhole: Bool) {
    var isWhole = true
    var away = Away()
    away.folders = configuration.withLock { $0.roots }
    for folder in all {
      let state = folder.watchState
      if case .offline = state.mode { away.places.append(folder.root) }
      away.places += state.offlineSubtrees
      isWhole = isWhole && state.isSeen
    }
    return (away, isWhole)
  }

  // MARK: Scans

  /// Whether the songs of any folder are being read for the first time, or again.
  var isScanning: Bool { progress.scanned != nil }

  /// The progress of scans, summed over all folders.
  var progress: (scanned: Int?, toScan: Int?) {
    let all = all.compactMap(\.progress)
    let toScan = all.compactMap(\.toScan)
    return (
      all.isEmpty ? nil : all.reduce(0) { $0 + $1.scanned },
      toScan.isEmpty ? nil : toScan.reduce(0, +)
    )
  }

  func synchronize(_ done: @escaping MergeWaiters.Completion) {
    let folders = all
    let waiting = Countdown(folders.count, done)
    for folder in folders { folder.synchronize(waiting.count) }
  }

  /// Rescans what is at and below the path, or everything; returns false if no folder contains it.
  func rescan(
    _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void,
    _ done: @escaping MergeWaiters.Completion
  ) -> Bool {
    let folders = all.filter { folder in
      path.map { $0.isInside(folder.root) || folder.root.isInside($0) } ?? true
    }
    if folders.isEmpty && path != nil { return false }
    let waiting = Countdown(folders.count, done)
    for folder in folders {
      let below = path.flatMap { $0.isInside(folder.root) ? $0 : nil }
      folder.rescan(below, progress, waiting.count)
    }
    return true
  }
}
