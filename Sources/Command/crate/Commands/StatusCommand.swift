import Arguments
import CratesInterface

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the daemon, its store and the music folders.",
    discussion: """
      With --trace it shows, instead, the last 512 things that the watcher of each music folder \
      heard, did and found: why a file is or is not in the library.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Show what the watchers of the music folders did last.") var trace = false

  func run() throws {
    if trace { return try showTrace() }
    let object = try DaemonConnection(common).parameters(of: .status)["status"] ?? .null
    if common.json {
      Output.line(object)
    } else {
      let lines = Self.lines(try DaemonConnection.structure(object), Terminal.output)
      for line in lines { Output.line(line) }
    }
    Output.flush()
  }

  private func showTrace() throws {
    let objects = try DaemonConnection(common).parameters(of: .trace)["entries"]?.array ?? []
    if common.json {
      for object in objects { Output.line(object) }
    } else {
      Pager.show(Self.lines(try objects.map { try DaemonConnection.structure($0) }, .output))
    }
    Output.flush()
  }

  /// Returns the entries of each folder below its path, with times in milliseconds.
  static func lines(_ trace: [Interface.TraceEntry], _ terminal: Terminal) -> [String] {
    var lines: [String] = []
    var folder: String?
    for entry in trace {
      if entry.folder != folder { lines.append(terminal.bold(Shown.harmless(entry.folder))) }
      folder = entry.folder
      let fraction = entry.time.drop { $0 != "." }.prefix(4)
      lines.append("  \(Shown.time(entry.time))\(fraction)  \(Shown.harmless(entry.text))")
    }
    return lines
  }

  static func lines(_ status: Interface.LibraryStatus, _ terminal: Terminal) -> [String] {
    var lines: [String] = []
    func add(_ label: String, _ text: String) {
      let padded = label + String(repeating: " ", count: max(0, 10 - label.count))
      lines.append("\(terminal.bold(padded))\(Shown.harmless(text))")
    }
    add(
      "crated", "\(status.version), process \(status.pid), since \(Shown.time(status.started))")
    let gone = status.gone > 0 ? ", \(Shown.count(status.gone)) gone" : ""
    add(
      "Library",
      "\(Shown.count(status.crates, "crate")), \(Shown.count(status.albums, "album")), "
        + "\(Shown.count(status.songs, "song"))\(gone); change \(status.sequence)")
    add("Store", "\(status.storePath): \(words(for: status.store))")
    if let reason = status.storeReason { add("", reason) }
    if !status.newAlbums.isEmpty {
      add("New", "albums go on top of \(status.newAlbums)")
    }
    for folder in status.folders {
      add("Folder", "\(folder.path): \(words(for: folder))")
      if let reason = folder.reason { add("", reason) }
    }
    if let directory = status.playlists { add("Playlists", directory) }
    if let player = status.player { add("Player", player) }
    if let mpd = status.mpd { add("MPD", mpd) }
    if status.folders.isEmpty { add("Folder", "none; see music_folders in config.toml") }
    if status.problems > 0 {
      add("Problems", "\(Shown.count(status.problems)); crate problems shows them")
    }
    for warning in status.warnings { add("Warning", warning) }
    return lines
  }

  private static func words(for state: Interface.StoreState) -> String {
    switch state {
    case .ready: "ready"
    case .full: "the disk is full; changes are refused until there is room"
    case .readOnly: "changes are refused"
    case .unknown: "in a state this program does not know; it may be older than the daemon"
    }
  }

  private static func words(for folder: Interface.MusicFolder) -> String {
    let holds =
      "\(Shown.count(folder.songs, "song")) in "
      + (folder.directories == 1 ? "1 directory" : "\(Shown.count(folder.directories)) directories")
    var words = "\(folder.state.rawValue), \(holds)"
    if let scanned = folder.scanned {
      words += "; looking, \(Shown.count(scanned))"
      if let toScan = folder.toScan { words += " of \(Shown.count(toScan))" }
      words += " read"
    }
    return words
  }
}
