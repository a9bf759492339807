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

/// The whole daemon, put together: what starts, in which order, and stops in the reverse one.
package final class Daemon: Sendable {
  /// What the daemon is given from outside.
  package struct Surroundings: Sendable {
    package var settings: Settings
    package var paths: SettingsPaths
    package var readerProgram: BytePath
    package var environment: [String: String]
    package var clock: Clock

    package init(
      settings: Settings, paths: SettingsPaths, readerProgram: BytePath,
      environment: [String: String], clock: Clock = .system
    ) {
      self.settings = settings
      self.paths = paths
      self.readerProgram = readerProgram
      self.environment = environment
      self.clock = clock
    }
  }

  let surroundings: Surroundings
  let logger: Logger
  let started: Int64
  let confinementWarnings: [String]
  let lock: FileLock
  let published: PublishedLibrary
  let feed: ChangeFeed
  let indexService: IndexService
  let playlists: PlaylistService
  let librarian: Librarian
  let past: PastLibrary<DiskFiles>
  let readers: ReaderPool
  let problems = ProblemList()
  let notification: ServiceNotification
  let settings: Mutex<Settings>
  let folders = Mutex<[FolderService]>([])
  let folderBook: FolderBook
  let parts = Mutex(Parts())
  /// Held by who says what is offline; whether it was said since all folders were seen.
  let awayTurn = Mutex(false)

  struct Parts {
    var server: VarlinkServer?
    var answering: Answering?
    var statusLine = ""
  }

  /// Recovers the store and opens the index; nothing listens or watches yet. From then on this
  /// process can write to the daemon's own directories only.
  package init(_ surroundings: Surroundings, logger: Logger) throws(DaemonFailure) {
    self.surroundings = surroundings
    self.logger = logger
    let clock = surroundings.clock
    started = clock.wall() / 1_000_000
    notification = ServiceNotification(environment: surroundings.environment, clock: clock)
    let files: DiskFiles
    let bookFiles: DiskFiles
    do {
      files = try DiskFiles(directory: surroundings.paths.store)
      // Of its own: the kernel tells a failed synchronization once to each opened directory.
      bookFiles = try DiskFiles(directory: surroundings.paths.store)
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "the store can't be opened (\(error)): check the directory and the disk")
    }
    confinementWarnings = Daemon.confineWriting(surroundings)
    for warning in confinementWarnings { logger.warning("\(warning)") }
    lock = try Daemon.claim(surroundings.paths.store)
    let reading = IndexReading(surroundings.paths.index)
    var opened: Recovery<DiskFiles>.Opened
    do {
      opened = try Recovery.open(files)
    } catch {
      reading.giveUp()
      throw DaemonFailure(error)
    }
    for note in opened.notes { logger.warning("\(note)") }
    past = PastLibrary(files)
    var library = opened.takeLibrary()
    library.away.folders = surroundings.settings.musicFolders
    // Until a folder has been looked at it is not known whether it is there.
    let indexed = reading.finish(&library, logger)
    published = PublishedLibrary(library)
    feed = ChangeFeed(sequence: library.sequence) {
      Timestamp.text(clock.wall() / 1_000_000)
    }
    indexService = IndexService(
      path: surroundings.paths.index, published: published, clock: clock, logger: logger)
    playlists = PlaylistService(published: published, clock: clock, logger: logger)
    librarian = Librarian(
      published: published, feed: feed, index: indexService, playlists: playlists, clock: clock,
      logger: logger)
    do {
      readers = try ReaderPool(program: surroundings.readerProgram, clock: clock)
    } catch {
      throw DaemonFailure(error, "close other programs, or raise the limit of open files")
    }
    settings = Mutex(surroundings.settings)
    folderBook = FolderBook(bookFiles, logger: logger)
    indexService.start(indexed.index, library)
    indexService.drop(indexed.strangers)
    librarian.start(
      library: library, duplicates: indexed.duplicates, store: opened.store,
      newAlbums: surroundings.settings.newAlbums)
    logger.notice(
      "recovered \(library.songs.count) songs in \(library.crates.count) crates",
      metadata: ["store": "\(surroundings.paths.store.display)"])
  }

  /// A program that was just being started when the last daemon was killed holds the lock until it
  /// runs.
  private static let locksOutliveOwners: Int64 = 1_000_000_000

  static func claim(_ store: BytePath) throws(DaemonFailure) -> FileLock {
    let path = store.appending("lock".utf8).bytes
    let until = Clock.system.monotonic() + locksOutliveOwners
    while true {
      do {
        return try FileLock(path: path)
      } catch {
        switch error {
        case .held(let pid):
          if let pid, kill(pid, 0) != 0, errno == ESRCH, Clock.system.monotonic() < until {
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
