import CratesInterface
import FolderWatching
import Glibc
import LibraryModel
import LibraryStore
import Logging
import Machines
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
    // Before anyone can ask for them; scanning begins when clients can already be answered.
    folders.prepare { [weak self] progress in self?.showProgress(progress) }
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
    keepMachines(surroundings.settings)
    headStart.end(at: listening + headStart.length)
    answering.prepareNames()
    machines.waitForFirstRound()
    folders.start()
  }

  private func makeAnswering() -> Answering {
    let clock = surroundings.clock
    let pools = Answering.Pools(clock)
    return Answering(
      on: pools, daemon: self, published: published, librarian: librarian, feed: followers.feed,
      pictures: Answering.Pictures(
        on: pools, published: published,
        folders: CoverFolders(readers: folders.readers, on: pools.memory.lane(), clock: clock),
        covers: folders.covers, cache: surroundings.paths.index.parent.appending("covers".utf8),
        clock: clock),
      searching: Searching(
        on: pools.disk.lane(), index: followers.index, published: published,
        isScanning: { [folders] in folders.isScanning }, logger: logger),
      naming: followers.naming, covers: folders.covers, machines: machines, clock: clock,
      logger: logger)
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
    configuration.withLock { $0 = Configuration(settings: new) }
    librarian.setNewAlbums(new.newAlbums)
    folders.configure(MusicFolders.Configuration(new, surroundings.paths))
    keepPlaylists(new)
    keepMachines(new)
    notification.ready(status: watchingLine)
    logger.notice("the settings were read again")
    if let playlists = new.playlists, !rights.hold(for: playlists) {
      logger.warning(
        "\(playlists.display): crated may write there when it is restarted, and not before")
    }
  }

  /// New settings that can't be: the old ones stay, and people find it among the problems.
  package func refuse(_ reason: String) {
    let now = surroundings.clock.wall() / 1_000_000
    configuration.withLock { $0.refused = (reason, now) }
  }

  private func keepPlaylists(_ settings: Settings) {
    let lists = PlaylistSettings(settings, state: surroundings.paths.playlistState)
    let mpd =
      settings.mpd.map { MPDSocket([$0]) }
      ?? .usual(runtime: surroundings.environment["XDG_RUNTIME_DIR"])
    playlists.keep(lists, telling: mpd)
  }

  private func keepMachines(_ settings: Settings) {
    machines.keep(MachineKeeper.Settings(settings, surroundings.paths))
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
    folders.stop()
    server?.stop()
    answering?.stop()
    followers.index.stop()
    playlists.stop()
    machines.stop()
    leaveOutline()
    logger.notice("stopped")
  }

  // MARK: Folders

  /// Shows in the service manager's status line how far scans have come.
  private func showProgress(_ progress: [WatchState.Progress]) {
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
    let count = settings.musicFolders.count
    return count == 1 ? "Watching 1 folder" : "Watching \(count) folders"
  }
}

extension MusicFolders.Configuration {
  init(_ settings: Settings, _ paths: SettingsPaths) {
    self.init(
      roots: settings.musicFolders, ignore: settings.ignore, playlists: settings.playlists,
      runtime: paths.runtime)
  }
}

extension MachineKeeper.Settings {
  /// Nil where the order is shared with no other machine.
  init?(_ settings: Settings, _ paths: SettingsPaths) {
    guard let folder = settings.machines else { return nil }
    self.init(
      folder: folder, name: settings.machineName ?? Self.nameOfHost, stateFile: paths.machineState,
      newAlbums: settings.newAlbums)
  }

  private static var nameOfHost: String {
    let name = String(hostName.prefix { $0 != "." })
    return machineNameFault(name) == nil ? name : "machine"
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
