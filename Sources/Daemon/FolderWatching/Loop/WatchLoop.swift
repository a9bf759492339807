import Glibc
import LibraryModel
import Platform
import Synchronization

/// The watcher's thread: waits for news, looks, gathers what was read, and merges. Its parts are in
/// extensions, by what they are about.
///
/// # How it works
///
/// An event is a hint; the truth is what a look finds. So everything comes down to one question,
/// asked again and again: which directories are dirty, and which of them are due?
///
/// 1. *News* (`+Events`): events make directories dirty (`PendingFolders`), and renames are noted.
///    The first news of a quiet directory is due at once, what follows when it has settled.
/// 2. *Looks* (`+Rounds`, `+Comparing`): a due directory is listed and its files' stamps compared
///    with the catalogue (`Catalogue`), which has every file with what is known of it. A
///    directory is watched before it is listed, so nothing slips between. Everything is looked at
///    in full at the start, each hour, after an overflow, and when mounts change (`MountPoints`).
///    Before each look, the root itself (`+Root`, `RootWatch`).
/// 3. *Readings* (`+Reading`, `Readings`): a file that is new or changed is read once it stands
///    still. A file that fails is tried again, later and later.
/// 4. *Merges* (`+Merging`): what was read is gathered in a batch and handed over, which waits
///    until it is durable. Files that are missing wait for their reappearance elsewhere
///    (`AbsentFiles`) before they are told as vanished, and only where a faultless listing of their
///    directory lacks them.
/// 5. *Those who wait* (`+Syncing`, `SyncDesk`): a Sync is answered, through `Completions`, when
///    all that happened before it is merged.
///
/// One thread does all of this for one music folder. It waits in one place (`+Waiting`), for the
/// kernel, for answers, for requests and for the next time at which something is due.
final class WatchLoop {
  /// The music folder.
  let root: BytePath
  let settings: WatchSettings
  let clock: Clock
  let receiver: any ContentsReceiver
  /// What the library knows of the music folder's files.
  let known: @Sendable () -> [KnownFile]
  let mailbox: Mailbox
  let completions: Completions
  let stuckCalls: StuckCalls
  let trace: TraceLog

  var catalogue = Catalogue()
  var absent = AbsentFiles()
  var pending: PendingFolders
  var renames = PendingRenames()
  var batch: MergeBatch

  // The kernel.
  let openEvents: () throws(SystemCallError) -> any KernelEvents
  var inotify: (any KernelEvents)?
  /// Why there was none when it was last asked for.
  var inotifyFailure: Int32?
  var watches = WatchTable()
  var cookieWatch: Int32?
  var mounts: OpenFile?
  let clockJumps: ClockJumps?
  let directoryLook = DirectoryLook()
  var listing = FolderListing()

  // Looking.
  var rootWatch: RootWatch
  /// Why everything is to be scanned; nil: it isn't.
  var fullScan: ScanReason? = .start
  /// News were lost. Whoever makes so many is not followed by one full look after the other.
  var hasOverflowed = false
  var nextLookAfterOverflow: Int64 = .min
  var isFirstScan: Bool
  /// When everything that the first scan finds counts as seen; nil: there is none, or it has yet to
  /// begin.
  var firstScanSeen: Int64?
  let looks: LookTimes
  var walk = Walk()
  var paths = Paths()
  var mountPoints = MountPoints()
  var linkTargets = LinkTargets()
  /// Of the directories above the music folders; nil until asked for.
  var locationsAbove: [MountPoints.Location: BytePath]?
  /// The offline names of a directory, or the directory where it is empty, as its last scan found.
  var offlinePlaces: [BytePath: Set<BytePath>] = [:]
  var knownMounts: KnownMounts
  /// Files that are away, and were last seen on another mount than their directory is on by now.
  var strays: [Catalogue.ID: [[UInt8]: KnownMounts.ID]] = [:]
  /// Links and mounts in which fewer than half of the known files were found, and those of which a
  /// person has said since then that the others are gone.
  var emptied: Set<BytePath> = []
  var acceptedPlaces: Set<BytePath> = []
  /// What `rememberedMounts` gave last; nil where that may be out of date.
  var innerFileSystems: [InnerFileSystem]?
  /// By the directory in which they lie.
  var ignoreRules: [BytePath: IgnoreRules] = [:]
  let settingsRules: IgnoreRules
  /// How often in a row looks at directories failed, and when they are looked at again.
  var failedLooks: [BytePath: Int] = [:]
  var folderTimers = Timers<BytePath>()

  // Reading.
  let reader: FileReading
  var readings: Readings
  /// How often a file was picked to see whether files can be read.
  var trials = 0

  // Asked for by others.
  var syncs = SyncDesk()
  var cookieCount = 0
  var isStopping = false

  // Times, monotonic.
  var nextFullLook = Int64.max
  var polling: Polling
  var coverage = Coverage()
  var told: WatchState?
  var toldAt = Int64.min

  init(
    root: BytePath, settings: WatchSettings, clock: Clock, looks: LookTimes = LookTimes(),
    known: @escaping @Sendable () -> [KnownFile], memory: FolderMemory,
    receiver: any ContentsReceiver, reading: FileReading, mailbox: Mailbox,
    completions: Completions, stuckCalls: StuckCalls, trace: TraceLog = TraceLog(),
    openEvents: @escaping () throws(SystemCallError) -> any KernelEvents
  ) {
    self.root = root
    self.settings = settings
    self.clock = clock
    self.receiver = receiver
    reader = reading
    readings = Readings(retries: settings.retries)
    self.mailbox = mailbox
    self.completions = completions
    self.stuckCalls = stuckCalls
    self.trace = trace
    self.openEvents = openEvents
    self.known = known
    self.looks = looks
    rootWatch = RootWatch(identity: memory.rootIdentity, probe: settings.probe)
    isFirstScan = memory.isFirstScan
    if memory.isFirstScan { firstScanSeen = memory.firstScanSeen }
    if let seen = firstScanSeen { looks.note(seen) }
    let inside = memory.innerFileSystems.compactMap { system -> InnerFileSystem? in
      guard let path = system.path.relative(to: root), !path.isEmpty else { return nil }
      var system = system
      system.path = path
      return system
    }
    knownMounts = KnownMounts(inside, rootSystem: memory.rootIdentity?.fileSystem)
    pending = PendingFolders(quiet: settings.quiet, longest: settings.longest)
    batch = MergeBatch(root: root)
    polling = Polling(settings)
    settingsRules = IgnoreRules(settings.ignorePatterns.joined(separator: "\n").utf8)
    clockJumps = try? ClockJumps()
    for (path, files) in filesByFolder(known()) {
      let folder = catalogue.makeFolder(path)
      for file in files { keep(file.name, file.facts, in: folder) }
    }
    catalogue.compact()
    for path in knownMounts.links {
      if let folder = catalogue.find(path) { catalogue[folder].isLink = true }
    }
  }

  /// Ends when it is asked to stop.
  func run() {
    openMounts()
    while !isStopping {
      wait()
      step()
    }
    end()
  }

  /// Tells what was found, and answers who waits.
  func end() {
    flush(withVanished: false)
    answer(syncs.takeAll())
    leaveKernel()
  }

  /// Does everything that there is to do at this time.
  func step() {
    takeNews()
    if isStopping { return }
    checkTimes()
    lookAtWhatIsDue()
    mergeWhatIsDue()
    answerSyncs()
    // What a rescan accepts may have yet to be looked at.
    if isWalkDone, absent.isEmpty, syncs.isEmpty || rootWatch.deletions == .untold {
      rootWatch.toldAll()
      acceptedPlaces = []
    }
    tellState()
  }

  /// The kernel came back from the last call, and more are to come.
  func kernelCameBack() {
    // The folder was told to be offline. What happened meanwhile waits in the kernel's queue.
    if stuckCalls.begin(.watcher) { told = nil }
  }

  /// What follows may wait for others than the music folder.
  func leaveKernel() {
    if stuckCalls.end(.watcher) { told = nil }
  }

  var now: Int64 { clock.monotonic() }

  func absolute(_ path: BytePath) -> BytePath { root.appending(path) }

  func absolute(_ key: FileKey) -> BytePath {
    absolute(catalogue.path(of: key.folder)).appending(key.name)
  }

  /// A song's file goes into the catalogue as the library knows it.
  func keep(_ path: BytePath, _ facts: FileFacts?) {
    keep(path.name, facts, in: catalogue.makeFolder(path.parent))
  }

  func keep(_ name: [UInt8], _ facts: FileFacts?, in folder: Catalogue.ID) {
    let unread = Catalogue.Unsettled(facts: nil, isSong: true, stamp: nil, phase: .unread)
    let state = facts.map { Catalogue.State.settled($0) } ?? .unsettled(unread)
    catalogue.setState(state, name, in: folder)
  }

  /// Everything that came in from the kernel, the reader, and other threads.
  func takeNews() {
    readEvents()
    // What readers say of a folder that hangs is not of its files.
    noteHangs()
    takeAnswers()
    takeRequests()
  }

  func lookAtWhatIsDue() {
    guard isOnline else { return }
    if fullScan != nil {
      lookAtEverything()
    } else if !hasOverflowed {
      // Otherwise what was lost may be the other half of what a look would find.
      let due = pending.takeDue(at: now)
      if !due.isEmpty { lookAtDue(due) }
    }
  }

  /// The first reason is the one that is told.
  func scanAll(because reason: ScanReason) { fullScan = fullScan ?? reason }

  func note(_ step: Trace.Step) { trace.note(step, at: clock.wall()) }

  var isOnline: Bool { rootWatch.isOnline }
}
