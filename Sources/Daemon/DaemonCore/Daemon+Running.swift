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
  /// Listens on the socket, reports readiness, and watches the folders.
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
    // Clients can ask for folders from here on; scanning begins once they can be answered.
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
    startupGrace.end(at: listening + startupGrace.length)
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

  /// Pings the watchdog from the server's thread. A daemon that accepts calls and has a library to
  /// answer them with needs no restart.
  ///
  /// The librarian, the watchers and the main thread are left out on purpose. Each may wait for a
  /// disk or a network for any length of time, the main thread during a reload. Reading goes on
  /// meanwhile, and a new process would wait for the same disk.
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

  /// Applies new settings: folders are added and removed, the library stays.
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

  /// Rejects invalid new settings: the old ones stay in force, and the reason is listed as a
  /// problem.
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

  /// Stops everything in the reverse order of the start. All answered edits are durable.
  package func stop() {
    notification.stopping()
    // Removed to break the reference cycle: `answering` holds the daemon, which holds the store's
    // lock.
    let (server, answering) = parts.withLock { parts in
      defer { (parts.server, parts.answering) = (nil, nil) }
      return (parts.server, parts.answering)
    }
    if published.atHand.isOutline {
      // The library was never completed: no client may take the summary for a library.
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

  /// Shows the progress of scans in the service manager's status line.
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
      // The scan is over.
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
  /// Nil if the order is shared with no other machine.
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
  /// Nil if no playlists are configured.
  init?(_ settings: Settings, state: BytePath) {
    guard let directory = settings.playlists else { return nil }
    self.init(
      directory: directory, state: state,
      ending: settings.playlistsEnding == .m3u ? .m3u : .m3u8,
      takesEdits: settings.playlistsEdited == .taken)
  }
}
