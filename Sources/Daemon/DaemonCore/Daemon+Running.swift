import CratesInterface
import FolderWatching
import Glibc
import LibraryModel
import LibraryStore
import Logging
import Platform
import Playlists
package import Settings
import Synchronization
import TagReading
import VarlinkServer

extension Daemon {
  /// Listens, says that it is ready, and watches the folders.
  package func start() throws(DaemonFailure) {
    let answering = makeAnswering()
    let server = VarlinkServer(
      identity: ServiceIdentity(
        vendor: "Crated", product: "crated", version: softwareVersion,
        url: "https://varlink.org/\(Interface.name)"), logger: logger
    ) { request in answering.take(request) }
    parts.withLock { parts in
      parts.server = server
      parts.answering = answering
    }
    let socket = surroundings.paths.socket
    do {
      try makeDirectories(socket.parent.bytes)
    } catch {
      throw DaemonFailure(error, "check XDG_RUNTIME_DIR")
    }
    librarian.tellForgotten { [weak self] files in
      for folder in self?.folders.withLock({ $0 }) ?? [] {
        folder.forget(files.filter { $0.isInside(folder.root) })
      }
    }
    // Before anyone can ask for them; looking begins when clients can already be answered.
    let folders = prepareFolders(settings.withLock { $0.musicFolders })
    try listen(server, socket)
    let listening = Clock.system.monotonic()
    if published.atHand.isOutline {
      notification.status("Reading the songs")
      try completeLibrary()
    }
    if let interval = notification.watchdogInterval {
      server.repeat(every: interval / 2) { [weak self] in self?.tellAlive() }
    }
    notification.ready(status: watchingLine)
    logger.notice("ready", metadata: ["socket": "\(socket.display)"])
    keepPlaylists(surroundings.settings)
    headStart.end(at: listening + headStart.length)
    answering.prepareNames()
    for folder in folders { folder.start() }
  }

  private func makeAnswering() -> Answering {
    let clock = surroundings.clock
    let pools = Answering.Pools(clock)
    return Answering(
      on: pools, daemon: self, published: published, librarian: librarian, feed: feed,
      pictures: Answering.Pictures(
        on: pools, published: published,
        folders: CoverFolders(readers: readers, on: pools.memory.lane(), clock: clock),
        covers: covers, cache: surroundings.paths.index.parent.appending("covers".utf8),
        clock: clock),
      searching: Searching(
        on: pools.disk.lane(), index: indexService, published: published,
        isScanning: { [weak self] in self?.isScanning ?? false }, logger: logger),
      naming: naming, covers: covers, clock: clock, logger: logger)
  }

  /// On the server's thread: a daemon that can take calls and has a library to answer them with
  /// can be asked, and needs no kill. The librarian, the watchers and the main thread are left out
  /// on purpose. Each of them may wait for a disk or a network as long as that takes, the main
  /// thread in a reload; reading goes on meanwhile, and a new process would wait for the same disk.
  private func tellAlive() {
    _ = published.atHand
    notification.watchdog()
  }

  private func listen(_ server: VarlinkServer, _ path: BytePath) throws(DaemonFailure) {
    let inherited: OpenFile?
    do {
      inherited = try ListenDescriptors.socket(
        boundTo: path.bytes, environment: surroundings.environment,
        first: surroundings.promisedSocket)
    } catch {
      throw DaemonFailure(status: DaemonFailure.configuration, "\(error)")
    }
    do {
      if let inherited {
        try server.start(inheriting: inherited.release())
      } else {
        try server.start(path: path.display)
      }
    } catch {
      throw DaemonFailure(error)
    }
  }

  /// New settings: folders come and go, the library stays.
  package func reload(_ new: Settings) {
    notification.reloading()
    refusedSettings.withLock { $0 = nil }
    let old = settings.withLock { settings in
      defer { settings = new }
      return settings
    }
    librarian.setNewAlbums(new.newAlbums)
    let leaving = old.musicFolders.filter { !new.musicFolders.contains($0) }
    let isOtherwise = old.ignore != new.ignore || old.playlists != new.playlists
    let stopping = folders.withLock { folders in
      let stopping = folders.filter { isOtherwise || leaving.contains($0.root) }
      folders.removeAll { folder in stopping.contains { $0 === folder } }
      return stopping
    }
    for folder in stopping {
      folder.stop()
      // Whoever watches it next finds them again.
      problems.drop(below: folder.root)
    }
    let watched = Set(folders.withLock { $0.map(\.root) })
    updateAway()
    let added = prepareFolders(new.musicFolders.filter { !watched.contains($0) })
    for folder in added { folder.start() }
    keepPlaylists(new)
    notification.ready(status: watchingLine)
    logger.notice("the settings were read again")
    if let playlists = new.playlists, !rights.hold(for: playlists) {
      logger.warning(
        "\(playlists.display): crated may write there when it is restarted, and not before")
    }
  }

  /// New settings that can't be: the old ones stay, and people find it among the problems.
  package func refuse(_ reason: String) {
    refusedSettings.withLock { $0 = (reason, surroundings.clock.wall() / 1_000_000) }
  }

  private func keepPlaylists(_ settings: Settings) {
    let lists = PlaylistSettings(settings, state: surroundings.paths.playlistState)
    let mpd =
      settings.mpd.map { MPDSocket([$0]) }
      ?? .usual(runtime: surroundings.environment["XDG_RUNTIME_DIR"])
    playlists.keep(lists, telling: mpd)
  }

  /// Stops everything in the reverse order. What was answered is durable.
  package func stop() {
    notification.stopping()
    // They are taken out: what answers holds the daemon, whose lock goes with it.
    let (server, answering) = parts.withLock { parts in
      defer { (parts.server, parts.answering) = (nil, nil) }
      return (parts.server, parts.answering)
    }
    if published.atHand.isOutline {
      // The outline could not be completed: nobody is told what only looks like a library.
      server?.stop()
      published.giveUp()
    }
    let stopping = folders.withLock { folders in
      defer { folders = [] }
      return folders
    }
    for folder in stopping { folder.prepareToStop() }
    readers.shutDown()
    // A watcher may wait for the librarian, who lets it go when it stops.
    let watchers = stopping.map { folder in BlockingThread("stopping") { folder.stop() } }
    librarian.stop()
    for watcher in watchers { watcher.join() }
    server?.stop()
    answering?.stop()
    indexService.stop()
    playlists.stop()
    leaveOutline()
    logger.notice("stopped")
  }

  // MARK: Folders

  private func prepareFolders(_ roots: [BytePath]) -> [FolderService] {
    roots.map { root in
      let folder = FolderService(
        root: root, isScanned: isScanned(root), librarian: librarian, book: folderBook,
        problems: problems, covers: covers, clock: surroundings.clock, logger: logger
      ) { [weak self] in self?.folderChanged() }
      folders.withLock { $0.append(folder) }
      do {
        try folder.prepare(
          settings: watchSettings(),
          known: { [weak self] in self?.published.library.knownFiles(below: root) ?? [] },
          looks: looks, readers: readers)
      } catch {
        logger.error("\(root.display) can't be watched: \(error)")
      }
      return folder
    }
  }

  /// Whether the folder has been scanned whole before. Where the book was lost, the library tells.
  private func isScanned(_ root: BytePath) -> Bool {
    folderBook[root]?.isScanned == true || published.library.hasScanned(root)
  }

  private func watchSettings() -> WatchSettings {
    let current = settings.withLock { $0 }
    var watch = WatchSettings(cookies: surroundings.paths.runtime)
    watch.musicFolders = current.musicFolders
    watch.ignorePatterns = current.ignore
    if let playlists = current.playlists { watch.leftOut = [playlists] }
    return watch
  }

  private func folderChanged() {
    updateAway()
    let progress = folders.withLock { $0.compactMap { $0.watchState.progress } }
    let line =
      progress.isEmpty
      ? watchingLine
      : "Scanning: \(progress.reduce(0) { $0 + $1.scanned }) of"
        + " \(progress.reduce(0) { $0 + $1.toScan }) files"
    let isNews = parts.withLock { parts in
      defer { parts.statusLine = line }
      return parts.statusLine != line
    }
    if isNews {
      notification.status(line)
      // A scan is over.
      if progress.isEmpty { returnFreeMemory() }
    }
  }

  private var watchingLine: String {
    let count = settings.withLock { $0.musicFolders.count }
    return count == 1 ? "Watching 1 folder" : "Watching \(count) folders"
  }

  /// Shows in answers what is offline, where that is otherwise than they say.
  private func updateAway() {
    let (away, isWhole) = currentAway
    // Once in any case: what is offline may have changed while nobody looked.
    let isFirst = isWhole && !hasShownAway.load(ordering: .acquiring)
    if away == published.library.away, !isFirst { return }
    librarian.setAway { [weak self] in self?.currentAway.away ?? away }
    // The start is over.
    if isWhole, !hasShownAway.exchange(true, ordering: .acquiringAndReleasing) {
      returnFreeMemory()
    }
  }

  /// What the watchers know to be offline, and whether each of them has seen its folder.
  private var currentAway: (away: Away, isWhole: Bool) {
    var isWhole = true
    var away = Away()
    away.folders = settings.withLock { $0.musicFolders }
    for folder in folders.withLock({ $0 }) {
      let state = folder.watchState
      if case .offline = state.mode { away.places.append(folder.root) }
      away.places += state.offlineSubtrees
      isWhole = isWhole && state.isSeen
    }
    return (away, isWhole)
  }
}

extension PlaylistSettings {
  /// Nil where no playlists are wanted.
  init?(_ settings: Settings, state: BytePath) {
    guard let directory = settings.playlists else { return nil }
    self.init(
      directory: directory, state: state,
      ending: settings.playlistsEnding == .m3u ? .m3u : .m3u8,
      takesEdits: settings.playlistsEdited == .taken)
  }
}
