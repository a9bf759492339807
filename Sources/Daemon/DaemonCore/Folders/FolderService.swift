import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization
import TagReading

/// One music folder: its watcher, and the path of its findings to the librarian.
final class FolderService: ContentsReceiver {
  let root: BytePath
  private let librarian: Librarian
  private let knownFolders: KnownFolders
  private let problems: ProblemList
  private let covers: FolderCovers
  private let clock: Clock
  private let logger: Logger
  /// Called when what is offline may have changed.
  private let stateChanged: @Sendable () -> Void
  private let state = Mutex(WatchState(mode: .watching))
  private let watcher = Mutex<FolderWatcher?>(nil)
  private let isScanned: Mutex<Bool>
  private let waiters = MergeWaiters()
  private let isEnding = Atomic(false)
  /// The files that the store will never accept in their current state.
  private let rejected = Mutex<Set<BytePath>>([])

  init(
    root: BytePath, isScanned: Bool, librarian: Librarian, knownFolders: KnownFolders,
    problems: ProblemList, covers: FolderCovers, clock: Clock, logger: Logger,
    stateChanged: @escaping @Sendable () -> Void
  ) {
    self.root = root
    self.isScanned = Mutex(isScanned)
    self.librarian = librarian
    self.knownFolders = knownFolders
    self.problems = problems
    self.covers = covers
    self.clock = clock
    self.logger = logger
    self.stateChanged = stateChanged
  }

  func prepare(
    settings: WatchSettings, known: @escaping @Sendable () -> [KnownFile],
    scanTimes: ScanTimes, readers: ReaderPool
  ) throws(SystemCallError) {
    let record = knownFolders[root]
    let memory = FolderMemory(
      isFirstScan: !isScanned.withLock { $0 }, rootIdentity: record?.identity,
      innerFileSystems: record?.innerFileSystems ?? [], firstScanSeen: record?.firstScanSeen)
    let watcher = try FolderWatcher(
      root: root, settings: settings, clock: clock, scanTimes: scanTimes, known: known,
      memory: memory,
      reader: FolderReader(share: readers.share(of: root)), receiver: self)
    self.watcher.withLock { $0 = watcher }
  }

  /// Starts watching. Requests for the folder that came before are answered then.
  func start() {
    librarian.watcherBegins(at: root)
    watcher.withLock { $0 }?.start()
  }

  var watchState: WatchState { state.withLock { $0 } }

  /// The last events, actions and findings of the watcher, the oldest first.
  var trace: [Trace.Entry] { watcher.withLock { $0 }?.trace ?? [] }

  /// The number of songs read so far, and of those to read if known, during a full scan. A first
  /// scan has a progress even before it starts, so that clients do not take the folder for empty.
  var progress: (scanned: Int, toScan: Int?)? {
    let state = watchState
    if let progress = state.progress { return (progress.scanned, progress.toScan) }
    let isWatched = watcher.withLock { $0 != nil }
    return isWatched && !state.isSeen && !isScanned.withLock { $0 } ? (0, nil) : nil
  }

  /// Must be called before the readers are shut down, whose last results mean nothing.
  func prepareToStop() {
    watcher.withLock { $0 }?.prepareToStop()
  }

  /// Stops the watcher. Findings that the store refused are found again by the next watcher.
  func stop() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    librarian.dropUnwanted()
    let watcher = watcher.withLock { $0.take() }
    watcher?.stop()
  }

  func synchronize(_ done: @escaping MergeWaiters.Completion) {
    guard let watcher = watcher.withLock({ $0 }) else { return done(nil) }
    if let refusal = librarian.mergeRefusal { return done(refusal) }
    if let merged = waiters.add(done) { watcher.sync(merged) }
  }

  /// Treats the files as new when they reappear.
  func forget(_ paths: [BytePath]) {
    if !paths.isEmpty { watcher.withLock { $0 }?.forget(paths) }
  }

  /// Finds out whether the files are present.
  func remember(_ files: [KnownFile]) {
    if !files.isEmpty { watcher.withLock { $0 }?.remember(files) }
  }

  func rescan(
    _ path: BytePath?, _ progress: @escaping @Sendable (WatchState.Progress) -> Void,
    _ done: @escaping MergeWaiters.Completion
  ) {
    guard let watcher = watcher.withLock({ $0 }) else { return done(nil) }
    if let refusal = librarian.mergeRefusal { return done(refusal) }
    guard let merged = waiters.add(done) else { return }
    watcher.rescan(path, progress: progress, completion: merged)
  }

  // MARK: Findings of the watcher

  func merge(_ contents: FolderContents) {
    logger.debug(
      """
      a scan found \(contents.found.count) files, \(contents.vanished.count) vanished, \
      \(contents.absent.count) absent, \(contents.renames.count) renamed
      """,
      metadata: ["folder": "\(root.display)"])
    let isWanted = { @Sendable in !self.isEnding.load(ordering: .sequentiallyConsistent) }
    guard
      let rejected = librarian.merge(
        contents, isWanted: isWanted,
        refused: { [waiters] reason in waiters.refuse(reason) })
    else { return }
    note(rejected, of: contents)
    if contents.endsFirstScan {
      isScanned.withLock { $0 = true }
      keep(watchState)
    }
  }

  /// Lists files that can't be merged as problems, until they change or vanish.
  private func note(_ rejections: [BytePath: String], of contents: FolderContents) {
    let changed = contents.found.lazy.map(\.path) + contents.vanished
    let mended = rejected.withLock { rejected in
      let mended = rejected.isEmpty ? [] : rejected.intersection(changed)
      rejected = rejected.subtracting(mended).union(rejections.keys)
      return mended
    }
    var problems: [BytePath: FileProblem?] = [:]
    for path in mended { problems[path] = .some(nil) }
    for (path, reason) in rejections { problems[path] = FileProblem(.unreadable, reason) }
    if !problems.isEmpty { report(problems) }
  }

  func willScan(because reason: ScanReason) {
    logger.info("\(root.display): full scan: \(reason)")
  }

  func cover(_ cover: CoverDigest?, in folder: BytePath) { covers.note(cover, in: folder) }

  func report(_ problems: [BytePath: FileProblem?]) {
    self.problems.note(problems, now: clock.wall() / 1_000_000)
    for (path, problem) in problems {
      guard let problem else { continue }
      logger.debug("\(path.display): \(problem.message)")
    }
  }

  func folderState(_ new: WatchState) {
    let old = state.withLock { state in
      defer { state = new }
      return state
    }
    keep(new)
    if new.mode != old.mode || new.offlineSubtrees != old.offlineSubtrees {
      switch new.mode {
      case .watching: logger.notice("\(root.display) is watched")
      case .polling(let reason): logger.warning("\(root.display) is polled: \(reason)")
      case .offline(let reason): logger.warning("\(root.display) is offline: \(reason)")
      }
    }
    stateChanged()
  }

  /// Records the folder's state. Only differences are written.
  private func keep(_ state: WatchState) {
    guard let identity = state.rootIdentity else { return }
    let isScanned = isScanned.withLock { $0 }
    knownFolders.note(
      FolderRecord(
        identity: identity, isScanned: isScanned,
        // The watcher ends its first scan when it hands over the last part. A stop may prevent the
        // merge of that part: the next start then continues the same scan.
        firstScanSeen: isScanned ? nil : state.firstScanSeen ?? knownFolders[root]?.firstScanSeen,
        innerFileSystems: state.innerFileSystems), at: root)
  }
}
