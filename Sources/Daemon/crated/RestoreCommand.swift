import Arguments
import CratesInterface
import DaemonCore
import Glibc
import LibraryModel
import Settings
import VarlinkClient

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "List the orders of the past, or go back to one.",
    discussion: """
      Without BACKUP the generations are listed. With it, what would be otherwise is shown, and \
      then it asks. Albums and songs go back to where they stood; what came since stays where it \
      is. It is one change, which crate undo takes back, whether crated runs or not.
      """)

  @Flag(help: "Do not ask.") var yes = false
  @Argument(
    help: """
      The number of a generation, the name of a file in the store's backups directory, or the path \
      of a snapshot from anywhere.
      """)
  var backup: String?

  func run() throws {
    umask(0o077)
    let care = StoreCare(store: try ownStore())
    do throws(DaemonFailure) {
      guard let backup else { return try care.backups().forEach(Self.show) }
      let former = try care.former(backup)
      if care.isInUse {
        try restore(former, in: try RunningOrder())
        return
      }
      switch try care.laidOver(
        former, newAlbums: newAlbums,
        index: try? SettingsPaths.index(environment: Crated.environment))
      {
      case .over(let laid): try restore(former, in: laid)
      case .nothing(let reason):
        Self.show("the order can't be laid over the store's: \(reason)")
        try ask("Put it in the place of the store's?")
        try care.put(former).forEach(Self.show)
      }
    } catch {
      throw failed(error)
    }
  }

  private var newAlbums: String? {
    guard let paths = try? SettingsPaths(environment: Crated.environment) else { return nil }
    let settings = try? Settings.read(
      file: paths.settingsFile, environment: Crated.environment, store: paths.store)
    return settings?.newAlbums
  }

  private func restore(
    _ former: FormerLibrary, in laid: LaidOrder
  ) throws(DaemonFailure) {
    guard let preview = laid.preview else { return sayNothing(former) }
    Self.show(preview)
    try ask("Restore the \(former.origin)?")
    Self.show(try laid.commit())
  }

  private func restore(
    _ former: FormerLibrary, in running: RunningOrder
  ) throws(DaemonFailure) {
    let (text, sequence) = try running.text(of: former)
    let trial = try running.apply(text, readAt: sequence, by: former.origin, isDryRun: true)
    guard trial.changed else { return sayNothing(former) }
    Self.show(trial.summary)
    try ask("Restore the \(former.origin)?")
    let change = try running.apply(text, readAt: sequence, by: former.origin, isDryRun: false)
    Self.show(change.summary)
  }

  private static func show(_ line: String) { say("\(line.harmless)\n", to: STDOUT_FILENO) }

  private func sayNothing(_ former: FormerLibrary) {
    let isEmpty = former.library.albums.isEmpty
    Self.show(
      "nothing to do: "
        + (isEmpty ? "there was no album on" : "the order is as it was on") + " \(former.date)")
  }

  private func ask(_ question: String) throws(DaemonFailure) {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw DaemonFailure(
        status: DaemonFailure.wrongUse,
        "there is no terminal to ask on; --yes restores without asking")
    }
    say("\(question.harmless) [y/N] ", to: STDERR_FILENO)
    let word = readLine()?.lowercased().filter { !$0.isWhitespace } ?? ""
    guard ["y", "yes"].contains(word) else {
      throw DaemonFailure(status: EXIT_FAILURE, "nothing was restored")
    }
  }
}

/// The order of a running daemon, which any client may edit.
private final class RunningOrder {
  private var client: VarlinkClient

  init() throws(DaemonFailure) {
    let path: String
    do throws(SettingsError) {
      path = try SettingsPaths(environment: Crated.environment).socket.display
    } catch {
      throw DaemonFailure(error)
    }
    do throws(ClientError) {
      client = try VarlinkClient(path: path)
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.owned,
        "another crated owns the store and can't be talked to (\(error)): stop it first")
    }
  }

  /// Returns the former order as a text for the current library, and the number of its last change.
  func text(of former: FormerLibrary) throws(DaemonFailure) -> (text: String, sequence: Int) {
    var albums: Set<AlbumID> = []
    var homes: [SongID: AlbumID] = [:]
    let albumsCall = Call.listAlbums(crate: nil, gone: true, first: nil, count: nil)
    try each(of: albumsCall, in: "albums") { album in
      if let id = album["id"]?.string.flatMap(AlbumID.init) { albums.insert(id) }
    }
    let songsCall = Call.listSongs(crate: nil, album: nil, gone: true, first: nil, count: nil)
    let sequence = try each(of: songsCall, in: "songs") { song in
      if let id = song["id"]?.string.flatMap(SongID.init) {
        homes[id] = song["album"]?.string.flatMap(AlbumID.init)
      }
    }
    return (former.text(isKnown: albums.contains) { homes[$0] }, sequence)
  }

  /// - Returns: the library's sequence number.
  @discardableResult
  private func each(
    of call: Call, in list: String, _ body: (JSON) -> Void
  ) throws(DaemonFailure) -> Int {
    var sequence = 0
    do throws(ClientError) {
      try client.eachReply(to: call) { parameters in
        sequence = parameters["sequence"]?.integer ?? sequence
        for object in parameters[list]?.array ?? [] { body(object) }
        return true
      }
    } catch {
      throw Self.failure(error)
    }
    return sequence
  }

  func apply(
    _ text: String, readAt sequence: Int, by origin: String, isDryRun: Bool
  ) throws(DaemonFailure) -> Interface.Change {
    let call = Call.applyText(
      text: text, sequence: sequence, crate: nil, album: nil, songs: true, origin: origin,
      dryRun: isDryRun)
    do throws(ClientError) {
      guard case .change(let change) = try client.reply(to: call) else { throw ClientError.closed }
      return change
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: ClientError) -> DaemonFailure {
    switch error {
    case .refused(.changesRefused):
      DaemonFailure(
        status: EX_TEMPFAIL,
        "\(error); if that does not pass, stop crated, and restore then:"
          + " systemctl --user stop crated crated.socket")
    case .refused(.outdated), .refused(.outcomeUnknown):
      DaemonFailure(status: EX_TEMPFAIL, "\(error)")
    case .refused: DaemonFailure(status: EXIT_FAILURE, "\(error)")
    default: DaemonFailure(status: EX_UNAVAILABLE, "\(error): try again")
    }
  }
}
