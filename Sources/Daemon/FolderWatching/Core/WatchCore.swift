import LibraryModel
import Platform

/// Decides what a watcher does: takes inputs and returns effects. It has no thread, reads no clock,
/// and asks the kernel only through `FolderKernel`.
///
/// # How it works
///
/// An event is a hint; the truth is what a scan finds. So everything comes down to one question,
/// asked again and again: which directories are dirty, and which of them are due?
///
/// 1. *Events* (`+Events`) make directories dirty (`Agenda.pending`), and renames are recorded. The
///    first event of a quiet directory is due at once; further events are debounced.
/// 2. *Rounds of scans* (`+Rounds`, `+Comparing`): a due directory is opened, watched and listed,
///    and its files' stamps are compared with the catalogue (`Tree`). It is watched before it is
///    listed, so no change slips between. Everything is scanned at the start, each hour, after an
///    overflow, and when mounts change (`ScanReason`). Before each round, the root is checked
///    (`+Root`).
/// 3. *Reads* (`+Reading`, `Reads`): a new or changed file is read once it is unchanged for a
///    while. A file that fails is retried after longer and longer delays.
/// 4. *Merges* (`+Merging`, `Outbox`): the results of reads are collected. They are handed over
///    once the directories with pending deletions are scanned, from which files may have moved.
///    Missing files wait for their reappearance elsewhere (`AbsentFiles`). They are reported as
///    vanished only if an error-free listing of their directory lacks them.
/// 5. *Clients that wait* (`+Syncing`, `SyncWaiters`): a sync is answered when everything that
///    happened before it is merged.
///
/// A turn is a plan of stages. A stage that needs an action, such as a scan, ends with an effect,
/// and the plan continues with the input that answers it. So events, answers and requests are taken
/// in between two scans, and a long scan is not one long call.
struct WatchCore {
  /// A stage of a turn.
  enum Stage {
    case checkTimes
    case pollFolders
    case triedToWatch(Catalogue.ID, hasFound: Bool)
    case pollFiles
    case polledFiles(before: Int)
    case scanDue
    case merge
    case beginSyncs
    case hearSyncs
    case scanForSyncs
    case scanForSyncsCompared
    /// Scans directories that became dirty by what was found, at most this many times more.
    case scanFound(Int)
    case endSyncScan
    case answerSyncs
    case end
    /// Scans the next directory of the round.
    case scan
    case betweenScans
  }

  let settings: WatchSettings
  let kernel: any FolderKernel
  var tree: Tree
  var presence = Presence.unknown
  var session: Session
  var rootWatch: RootWatch
  var reads: Reads
  var outbox: Outbox
  var waiters: SyncWaiters
  var locations = Locations()
  var plan: [Stage] = []
  /// Whether the plan waits for the answer to an effect.
  var isWaiting = false
  private(set) var isStopping = false
  private var effects: [Effect] = []
  /// The time of the input, in nanoseconds, monotonic.
  private(set) var now = Int64.min

  /// - Parameter name: a name that no other watcher has.
  init(
    root: BytePath, settings: WatchSettings, memory: FolderMemory, known: [KnownFile],
    kernel: any FolderKernel, name: String
  ) {
    self.settings = settings
    self.kernel = kernel
    tree = Tree(settings, root: root, memory: memory, known: known)
    rootWatch = RootWatch(identity: memory.rootIdentity, probe: settings.intervals.root)
    session = Session(settings, because: .start)
    reads = Reads(retries: settings.retries)
    outbox = Outbox(root: root, memory: memory)
    waiters = SyncWaiters(cookiePrefix: "cookie-\(name)-")
  }

  /// Handles an input, and returns the effects to carry out.
  ///
  /// - Parameter now: nanoseconds, monotonic.
  mutating func handle(_ input: Input, at now: Int64) -> [Effect] {
    self.now = now
    take(input)
    while !isWaiting, !plan.isEmpty { run(plan.removeFirst()) }
    defer { effects = [] }
    return effects
  }

  /// Reports what was found, and answers the clients that wait. No input may follow.
  mutating func end(at now: Int64) -> [Effect] {
    self.now = now
    plan = []
    flush(withVanished: false)
    answer(waiters.takeAll())
    defer { effects = [] }
    return effects
  }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  /// Requests an effect. The plan continues when it is answered.
  mutating func emit(waitingFor effect: Effect) {
    effects.append(effect)
    isWaiting = true
  }

  mutating func trace(_ step: Trace.Step) { emit(.trace(step)) }

  /// Inserts stages before the rest of the plan.
  mutating func goOn(with stages: Stage...) { plan.insert(contentsOf: stages, at: 0) }

  private mutating func take(_ input: Input) {
    switch input {
    case .turn: beginTurn()
    case .events(let events): take(events)
    case .answers(let answers): take(answers)
    case .request(let request): take(request)
    case .checkHang: checkHang()
    case .cameBack: outbox.told = nil
    case .wokeUp: wokeUp()
    case .mountsChanged: readMounts()
    case .opened(let result):
      isWaiting = false
      opened(result)
    case .listed(let watch, let result):
      isWaiting = false
      listed(watch, result)
    case .cookie(let isMade):
      isWaiting = false
      cookieWasAsked(isMade: isMade)
    case .library(let files):
      isWaiting = false
      compareWithLibrary(files)
    case .tookIn: isWaiting = false
    }
  }

  private mutating func beginTurn() {
    precondition(plan.isEmpty, "a turn is done before the next one begins")
    if isStopping { return }
    plan = [.checkTimes, .scanDue, .merge, .beginSyncs, .hearSyncs, .scanForSyncs, .end]
  }

  private mutating func run(_ stage: Stage) {
    switch stage {
    case .checkTimes: checkTimes()
    case .pollFolders: pollFolders()
    case .triedToWatch(let folder, let hasFound): triedToWatch(folder, hasFound: hasFound)
    case .pollFiles: pollFiles()
    case .polledFiles(let before): polledFiles(before: before)
    case .scanDue: scanDue()
    case .merge: mergeWhatIsDue()
    case .beginSyncs: beginSyncs()
    case .hearSyncs: hearSyncs()
    case .scanForSyncs: scanForSyncs()
    case .scanForSyncsCompared: scanForSyncsCompared()
    case .scanFound(let most): scanFound(most)
    case .endSyncScan: endSyncScan()
    case .answerSyncs: answerSyncs()
    case .end: endTurn()
    case .scan: scanNext()
    case .betweenScans: betweenScans()
    }
  }

  private mutating func endTurn() {
    // What a rescan accepts may not have been scanned yet.
    if isWalkDone, tree.absent.isEmpty, waiters.isEmpty || rootWatch.deletions == .untold {
      rootWatch.toldAll()
      tree.mounts.accepted = []
    }
    tellState()
  }

  private mutating func take(_ request: Request) {
    trace(.request(request.description))
    switch request {
    case .stop:
      isStopping = true
    case .sync(let number):
      waiters.add(SyncRequest(number: number))
    case .rescan(let path, let number):
      let place = path.flatMap { $0.relative(to: tree.root) } ?? BytePath([])
      if path == tree.root { rootWatch.accept(other: true) } else { acceptEmptied(place) }
      waiters.add(SyncRequest(rescan: place, number: number))
    case .forget(let paths):
      for path in paths { forget(path) }
    case .remember(let files):
      for file in files { remember(file) }
    }
  }

  /// Forgets files at rest. A file that is being read or waits for it is reported anyway.
  private mutating func forget(_ path: BytePath) {
    guard let relative = path.relative(to: tree.root),
      let folder = tree.catalogue.find(relative.parent)
    else { return }
    let name = relative.name
    guard case .settled? = tree.catalogue.state(name, in: folder) else { return }
    tree.catalogue.setState(nil, name, in: folder)
    tree.mounts.forget(name, in: folder)
    reads.forget(FileKey(folder: folder, name: name))
    // The file may be back already, and its event handled.
    note(.other, in: relative.parent)
  }

  /// Adds a file to the catalogue unless it is there. A scan of its directory finds whether it is
  /// present.
  private mutating func remember(_ file: KnownFile) {
    guard let path = file.path.relative(to: tree.root), !tree.isListed(path),
      tree.absent[path] == nil
    else { return }
    tree.keep(path, file.facts)
    note(.other, in: path.parent)
  }

  // MARK: The folder

  var isOnline: Bool {
    if case .online = presence { true } else { false }
  }

  /// Whether all directories that need it were listed, and reads of their files requested.
  var isWalkDone: Bool {
    if !isOnline { return true }
    return session.agenda.isWhole && !session.round.isGoing && session.round.newFiles.isEmpty
  }

  /// Whether, in addition, all requested reads are done.
  var isScanDone: Bool { isWalkDone && reads.isEmpty }
}
