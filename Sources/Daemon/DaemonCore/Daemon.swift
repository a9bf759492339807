import CratesInterface
import FolderWatching
import Glibc
import LibraryIndex
package import LibraryModel
import LibraryStore
package import Logging
package import Platform
package import Settings
import Synchronization
import TagReading
import VarlinkServer

/// The whole daemon: creates its parts, starts them in order, and stops them in the reverse order.
package final class Daemon: Sendable {
  /// The daemon's inputs from outside.
  package struct Surroundings: Sendable {
    package var settings: Settings
    package var paths: SettingsPaths
    package var readerProgram: BytePath
    package var environment: [String: String]
    package var clock: Clock
    /// The descriptor of a socket that the environment announces.
    package var promisedSocket: Int32

    package init(
      settings: Settings, paths: SettingsPaths, readerProgram: BytePath,
      environment: [String: String], clock: Clock = .system,
      promisedSocket: Int32 = ListenDescriptors.first
    ) {
      self.settings = settings
      self.paths = paths
      self.readerProgram = readerProgram
      self.environment = environment
      self.clock = clock
      self.promisedSocket = promisedSocket
    }
  }

  let surroundings: Surroundings
  let logger: Logger
  let started: Int64
  let rights: WritingRights
  let lock: FileLock
  let startupGrace: StartupGrace
  let followers: Librarian.Followers
  let librarian: Librarian
  let past: PastLibrary<DiskFiles>
  let machines: MachineService
  let folders: MusicFolders
  let notification: ServiceNotification
  let configuration: Mutex<Configuration>
  let outlineFile: OutlineFile
  private let files: DiskFiles
  let parts = Mutex(Parts())

  struct Configuration {
    var settings: Settings
    /// Why the settings were rejected at the last reload, and when, in milliseconds since 1970.
    var refused: (reason: String, since: Int64)?
  }

  struct Parts {
    var server: VarlinkServer?
    var answering: Answering?
    var statusLine = ""
  }

  /// Recovers the store and opens the index, unless a summary of the library suffices to begin
  /// with. Nothing listens or watches yet. From then on this process can write only to the daemon's
  /// own directories.
  package init(_ surroundings: Surroundings, logger: Logger) throws(DaemonFailure) {
    self.surroundings = surroundings
    self.logger = logger
    let clock = surroundings.clock
    started = clock.wall() / 1_000_000
    notification = ServiceNotification(environment: surroundings.environment, clock: clock)
    let bookFiles: DiskFiles
    do {
      files = try DiskFiles(directory: surroundings.paths.store)
      // A second instance, so that faults of the directory are reported to each of them.
      bookFiles = try DiskFiles(again: files)
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "the store can't be opened (\(error)): check the directory and the disk")
    }
    rights = Daemon.confineWriting(surroundings)
    for warning in rights.warnings { logger.warning("\(warning)") }
    lock = try Daemon.claim(surroundings.paths.store, clock)
    past = PastLibrary(files)
    let knownFolders = KnownFolders(bookFiles, logger: logger)
    outlineFile = OutlineFile(besideIndex: surroundings.paths.index)
    let roots = surroundings.settings.musicFolders
    // Otherwise only the songs can tell whether a folder was ever scanned in full.
    let areScanned = roots.allSatisfy { knownFolders[$0]?.isScanned == true }
    let outline = areScanned ? outlineFile.read(files, folders: roots) : nil
    let recovered = outline == nil ? try RecoveredLibrary(surroundings, files, logger) : nil
    let published =
      outline.map(PublishedLibrary.init) ?? PublishedLibrary(recovered?.library ?? Library())
    startupGrace = StartupGrace(for: published.atHand)
    machines = MachineService(published: published, past: past, clock: clock, logger: logger)
    followers = Librarian.Followers(
      published: published,
      feed: ChangeFeed(sequence: published.atHand.sequence) {
        Timestamp.text(clock.wall() / 1_000_000)
      },
      index: IndexService(
        path: surroundings.paths.index, published: published, startupGrace: startupGrace,
        clock: clock,
        logger: logger),
      playlists: PlaylistService(published: published, clock: clock, logger: logger),
      naming: Naming(published: published), machines: machines)
    librarian = Librarian(
      followers, folders: knownFolders, startupGrace: startupGrace, clock: clock, logger: logger)
    let readers: ReaderPool
    do {
      readers = try ReaderPool(program: surroundings.readerProgram, clock: clock)
    } catch {
      throw DaemonFailure(error, "close other programs, or raise the limit of open files")
    }
    folders = MusicFolders(
      MusicFolders.Configuration(surroundings.settings, surroundings.paths), librarian: librarian,
      published: published, knownFolders: knownFolders, readers: readers,
      scanTimes: librarian.scanTimes,
      clock: clock,
      logger: logger)
    configuration = Mutex(Configuration(settings: surroundings.settings))
    guard let recovered else { return }
    SummariesAhead.workOut(of: recovered.library)
    begin(with: recovered)
  }

  /// Recovers the store and opens the index if `init` has deferred that.
  func completeLibrary() throws(DaemonFailure) {
    begin(with: try RecoveredLibrary(surroundings, files, logger))
  }

  private func begin(with recovered: sending RecoveredLibrary) {
    let (library, isNew) = (recovered.library, recovered.isNew)
    published.complete(library)
    librarian.scanTimes.note(library.newestScan)
    outlineFile.remove()
    let indexed = recovered.indexed
    followers.index.start(indexed.index, unwritten: indexed.unwritten, library)
    followers.index.drop(indexed.strangers)
    librarian.start(
      library: library, store: recovered.store, newestTime: recovered.newestTime,
      newAlbums: surroundings.settings.newAlbums)
    logger.notice(
      isNew
        ? "the store is new"
        : "the store has \(library.songs.count) songs in \(library.crates.count) crates",
      metadata: ["store": "\(surroundings.paths.store.display)"])
  }

  var published: PublishedLibrary { followers.published }
  var playlists: PlaylistService { followers.playlists }
  var settings: Settings { configuration.withLock { $0.settings } }

  /// Writes the summary for the next start. The store and the index must be closed.
  func leaveOutline() {
    outlineFile.leave(published.atHand, files)
  }

  /// The time that a lock may outlive its owner, in nanoseconds. A child process that was forked
  /// when the last daemon was killed holds the lock until its exec.
  private static let locksOutliveOwners: Int64 = 1_000_000_000

  static func claim(
    _ store: BytePath, _ clock: Clock = .system
  ) throws(DaemonFailure) -> FileLock {
    let path = store.appending("lock".utf8).bytes
    let until = clock.monotonic() + locksOutliveOwners
    while true {
      do {
        return try FileLock(path: path)
      } catch {
        switch error {
        case .held(let pid):
          if let pid, kill(pid, 0) == -1, errno == ESRCH, clock.monotonic() < until {
            usleep(5_000)
            continue
          }
          let owner = pid.map { "the crated with process id \($0)" } ?? "another crated"
          throw DaemonFailure(
            status: DaemonFailure.owned,
            "\(owner) owns the store \(store.display): use that one, or stop it first")
        case .system(let error):
          throw DaemonFailure(
            status: DaemonFailure.unusableStore,
            "the store can't be locked (\(error)): check the directory and the disk")
        }
      }
    }
  }
}

/// The contents of the store and the index. If the store was closed cleanly, its songs wait for the
/// index; otherwise both are read in parallel.
struct RecoveredLibrary {
  let library: Library
  let store: LibraryStore<DiskFiles>
  /// Whether the store has never been used. Damage may hide that it has.
  let isNew: Bool
  let indexed: IndexReading.Result
  /// The date of the newest durable change, in milliseconds since 1970; 0 if unknown.
  let newestTime: Int64

  init(
    _ surroundings: Daemon.Surroundings, _ files: DiskFiles, _ logger: Logger
  ) throws(DaemonFailure) {
    let reading = IndexReading(surroundings.paths.index)
    var opened: Recovery<DiskFiles>.Opened
    do {
      opened = try Recovery.open(files, writesLater: true) { reading.facts(newest: $0) }
    } catch {
      reading.giveUp()
      throw DaemonFailure(error)
    }
    for note in opened.notes { logger.warning("\(note)") }
    var library = opened.takeLibrary()
    // All folders count as offline until they have been scanned.
    library.away.folders = surroundings.settings.musicFolders
    indexed = reading.finish(&library, hasFacts: opened.hasFacts, logger)
    self.library = library
    store = opened.store
    isNew = library.sequence == 0 && opened.damage == nil
    newestTime = opened.transactions.last?.time ?? Self.newestTime(files, logger)
  }

  /// Returns the date of the last change before the open journal began; 0 if unknown.
  private static func newestTime(_ files: DiskFiles, _ logger: Logger) -> Int64 {
    do {
      return try PastLibrary(files).newestTime() ?? 0
    } catch {
      logger.warning("whether the clock is right can't be told: \(error.reason)")
      return 0
    }
  }
}
