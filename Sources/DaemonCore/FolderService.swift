import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization
import TagReading

/// One music folder: its watcher, and what it says on its way to the librarian.
final class FolderService: ContentsReceiver {
  let root: BytePath
  private let librarian: Librarian
  private let book: FolderBook
  private let problems: ProblemList
  private let clock: Clock
  private let logger: Logger
  /// Called when what is offline may have changed.
  private let stateChanged: @Sendable () -> Void
  private let state = Mutex(WatchState(mode: .watching))
  private let watcher = Mutex<FolderWatcher?>(nil)
  private let isScanned: Mutex<Bool>

  init(
    root: BytePath, isScanned: Bool, librarian: Librarian, book: FolderBook,
    problems: ProblemList, clock: Clock, logger: Logger,
    stateChanged: @escaping @Sendable () -> Void
  ) {
    self.root = root
    self.isScanned = Mutex(isScanned)
    self.librarian = librarian
    self.book = book
    self.problems = problems
    self.clock = clock
    self.logger = logger
    self.stateChanged = stateChanged
  }

  func prepare(
    settings: WatchSettings, known: @escaping @Sendable () -> [KnownFile],
    knownRoot: FileIdentity?, readers: ReaderPool
  ) throws(SystemCallError) {
    let watcher = try FolderWatcher(
      root: root, settings: settings, clock: clock, known: known, knownRoot: knownRoot,
      isFirstScan: !isScanned.withLock { $0 },
      reader: { file, stamp, pathExtension, answer in
        readers.read(file, stamp: stamp, pathExtension: pathExtension, completion: answer)
      }, receiver: self)
    self.watcher.withLock { $0 = watcher }
  }

  /// Begins to look. What was asked of the folder before is answered then.
  func start() {
    watcher.withLock { $0 }?.start()
  }

  var watchState: WatchState { state.withLock { $0 } }

  /// Before the readers are shut down, whose last answers say nothing.
  func prepareToStop() {
    watcher.withLock { $0 }?.prepareToStop()
  }

  func stop() {
    let watcher = watcher.withLock { $0.take() }
    watcher?.stop()
  }

  func synchronize(_ done: @escaping @Sendable () -> Void) {
    guard let watcher = watcher.withLock({ $0 }) else { return done() }
    watcher.sync(done)
  }

  /// Files that are new when they are there again.
  func forget(_ paths: [BytePath]) {
    if !paths.isEmpty { watcher.withLock { $0 }?.forget(paths) }
  }

  func rescan(
    _ path: BytePath?, _ progress: @escaping @Sendable (WatchState.Progress) -> Void,
    _ done: @escaping @Sendable () -> Void
  ) {
    guard let watcher = watcher.withLock({ $0 }) else { return done() }
    watcher.rescan(path, progress: progress, completion: done)
  }

  // MARK: What the watcher says

  func merge(_ contents: FolderContents) {
    logger.debug(
      """
      a look found \(contents.found.count) files, \(contents.vanished.count) vanished, \
      \(contents.absent.count) absent, \(contents.renames.count) renamed
      """,
      metadata: ["folder": "\(root.display)"])
    librarian.merge(contents)
    if contents.endsFirstScan {
      isScanned.withLock { $0 = true }
      if let identity = watchState.rootIdentity { keep(identity) }
    }
  }

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
    if let identity = new.rootIdentity, identity != old.rootIdentity { keep(identity) }
    if new.mode != old.mode || new.offlineSubtrees != old.offlineSubtrees {
      switch new.mode {
      case .watching: logger.notice("\(root.display) is watched")
      case .polling(let reason): logger.warning("\(root.display) is polled: \(reason)")
      case .offline(let reason): logger.warning("\(root.display) is offline: \(reason)")
      }
    }
    stateChanged()
  }

  private func keep(_ identity: FileIdentity) {
    let isScanned = isScanned.withLock { $0 }
    book.note(FolderRecord(identity: identity, isScanned: isScanned), at: root)
  }
}
