import Glibc
import LibraryModel
import Platform
import Synchronization

/// The watcher's thread: waits for news, looks, gathers what was read, and merges. Its parts are in
/// extensions, by what they are about.
final class WatchLoop {
  /// A file in the catalogue.
  struct FileKey: Hashable {
    var folder: KnownFolders.ID
    var name: [UInt8]
  }

  /// A reading that was asked for.
  struct Reading {
    var key: FileKey
    /// How often the file changed while it was read.
    var tries = 0
    /// Nil, or what was told of the file by a first reading that came too close to its last change.
    var earlier: FileFacts?
    /// A later look found the file while it was being opened, so that an answer that it is away or
    /// not ready is out of date. Whether its writer is done.
    var again: Bool?
    /// Until when the file, if it is still the one of this stamp, has to stand still.
    var waits: (stamp: FileStamp?, until: Int64)?
  }

  enum Connection: Equatable {
    case unknown, online
    case offline(reason: String)
  }

  let root: BytePath
  let settings: WatchSettings
  let clock: Clock
  let receiver: any ContentsReceiver
  let reading: FileReading
  let mailbox: Mailbox
  let completions: Completions
  let stuckCalls: StuckCalls

  var catalogue = KnownFolders()
  var absent = AbsentFiles()
  var pending: PendingFolders
  var renames = PendingRenames()
  var batch: MergeBatch

  // The kernel.
  let openEvents: () throws(SystemCallError) -> any KernelEvents
  var inotify: (any KernelEvents)?
  var watches = WatchTable()
  var cookieWatch: Int32?
  var mounts: OpenFile?
  var mountTable: MountTable?
  let clockJumps: ClockJumps?
  let directoryLook = DirectoryLook()
  var listing = FolderListing()

  // The root.
  var connection = Connection.unknown
  var knownRoot: FileIdentity?
  /// File systems that the files were on before they came to this one.
  var formerFileSystems: Set<UInt64> = []
  var acceptsOtherRoot = false

  // Looking.
  var needsFullLook = true
  var isFirstScan: Bool
  var walk = Walk()
  var owners: [Inode: KnownFolders.ID] = [:]
  var linkedFiles: [Inode: BytePath] = [:]
  var offlineSubtrees: Set<BytePath> = []
  /// By the directory in which they lie.
  var ignoreRules: [BytePath: IgnoreRules] = [:]
  let settingsRules: IgnoreRules
  var retryFolders: [BytePath: (times: Int, at: Int64)] = [:]

  // Reading.
  var readings: [Int: Reading] = [:]
  var sequences = OpenSequences()
  var requests: [ReadRequest] = []
  var fileTimers: [FileKey: Int64] = [:]
  var racy: [FileKey: Int64] = [:]
  var freshFiles: Set<FileKey> = []
  var failures: [FileKey: Int] = [:]

  // Asked for by others.
  var syncs: [SyncRequest] = []
  var cookieCount = 0
  var resolvedRoot: BytePath?
  var isStopping = false

  // Times, monotonic.
  var nextFullLook: Int64 = 0
  var nextProbe: Int64 = 0
  var polling: Polling
  var unwatched: Set<KnownFolders.ID> = []
  var remote: Set<KnownFolders.ID> = []
  var told: WatchState?
  var toldAt: Int64 = 0

  init(
    root: BytePath, settings: WatchSettings, clock: Clock, known: [KnownFile],
    knownRoot: FileIdentity?, isFirstScan: Bool, receiver: any ContentsReceiver,
    reading: FileReading, mailbox: Mailbox, completions: Completions, stuckCalls: StuckCalls,
    openEvents: @escaping () throws(SystemCallError) -> any KernelEvents
  ) {
    self.root = root
    self.settings = settings
    self.clock = clock
    self.receiver = receiver
    self.reading = reading
    self.mailbox = mailbox
    self.completions = completions
    self.stuckCalls = stuckCalls
    self.openEvents = openEvents
    self.knownRoot = knownRoot
    self.isFirstScan = isFirstScan
    pending = PendingFolders(quiet: settings.quiet, longest: settings.longest)
    batch = MergeBatch(root: root)
    polling = Polling(settings)
    settingsRules = IgnoreRules(settings.ignorePatterns.joined(separator: "\n").utf8)
    clockJumps = try? ClockJumps()
    for file in known {
      guard let path = file.path.relative(to: root), !path.isEmpty else { continue }
      keep(path, file.facts)
    }
    catalogue.compact()
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
    for sync in syncs { completions.answer(sync.number) }
    stuckCalls.end(.watcher)
  }

  /// Does everything that there is to do at this time.
  func step() {
    answers()
    takeNews()
    if isStopping { return }
    checkTimes()
    lookAtWhatIsDue()
    mergeWhatIsDue()
    answerSyncs()
    tellState()
  }

  /// The kernel came back from the last call.
  func answers() {
    stuckCalls.begin(.watcher)
    guard stuckCalls.isStuck.exchange(false, ordering: .acquiringAndReleasing) else { return }
    // The folder was told to be offline. What happened meanwhile waits in the kernel's queue.
    told = nil
  }

  var now: Int64 { clock.monotonic() }

  func absolute(_ path: BytePath) -> BytePath { root.appending(path) }

  func absolute(_ key: FileKey) -> BytePath {
    absolute(catalogue.path(of: key.folder)).appending(key.name)
  }

  /// Puts a file into the catalogue that is a song's, as it was.
  func keep(_ path: BytePath, _ facts: FileFacts?) {
    let folder = catalogue.makeFolder(path.parent)
    let unread = KnownFolders.Unsettled(facts: nil, isSong: true, stamp: nil, phase: .unread)
    let state = facts.map { KnownFolders.State.settled($0) } ?? .unsettled(unread)
    catalogue.setState(state, path.name, in: folder)
  }

  /// Everything that came in from the kernel, the reader, and other threads.
  func takeNews() {
    readEvents()
    takeAnswers()
    takeRequests()
  }

  func lookAtWhatIsDue() {
    guard isOnline else { return }
    if needsFullLook {
      lookAtEverything()
    } else {
      let due = pending.takeDue(at: now)
      if !due.isEmpty { look(at: due) }
    }
  }

  var isOnline: Bool { connection == .online }
}
