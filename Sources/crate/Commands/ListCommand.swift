import Arguments
import CratesInterface

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the crates, the albums of a crate, or the songs of an album.",
    discussion: """
      `crate list` shows the crates, `crate list Jazz` the albums of one, `crate list Jazz 3` or \
      `crate list 5kqv` the songs of an album.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Show kept places of what is gone, too.") var gone = false
  @Argument(help: "A crate or an album.") var what: [String] = []

  func run() throws {
    let daemon = try Daemon(common)
    if what.isEmpty {
      try listCrates(daemon)
    } else {
      let things = try Finder(daemon: daemon, wanted: [.crate, .album]).things(what)
      for (position, thing) in things.enumerated() {
        let heading = things.count > 1 ? thing : nil
        if position > 0, !common.json { Output.line("") }
        try list(thing, heading: heading, daemon)
      }
    }
    Output.flush()
  }

  private func list(_ thing: Interface.Thing, heading: Interface.Thing?, _ daemon: Daemon)
    throws(Failure)
  {
    if !gone { try thing.refuseGone() }
    if let heading, !common.json { Output.line(title(heading.label)) }
    if let crate = thing.crate {
      try listAlbums(of: crate, daemon)
    } else {
      try listSongs(of: thing.key, daemon)
    }
  }

  private func title(_ text: String) -> String { Terminal.output.bold(Shown.harmless(text)) }

  private func listCrates(_ daemon: Daemon) throws(Failure) {
    var table = Table([
      .init(heading: "", isNumber: true), .init(heading: "Crate", canShrink: true),
      .init(heading: "Albums", isNumber: true), .init(heading: "Songs", isNumber: true),
      .init(heading: "Length", isNumber: true),
    ])
    for object in try daemon.parameters(of: .listCrates)["crates"]?.array ?? [] {
      if common.json {
        Output.line(object)
        continue
      }
      let crate: Interface.Crate = try Daemon.structure(object)
      table.add(
        [
          position(crate.position), crate.name, Shown.count(crate.albums),
          Shown.count(crate.songs), Shown.duration(crate.seconds),
        ], isDim: crate.position == nil)
    }
    show(table, orElse: "there is no music yet; `crate status` shows where it is looked for")
  }

  private func listAlbums(of crate: String, _ daemon: Daemon) throws(Failure) {
    var table = Table([
      .init(heading: "", isNumber: true), .init(heading: "Album", canShrink: true),
      .init(heading: "Artist", canShrink: true), .init(heading: "Year", isNumber: true),
      .init(heading: "Songs", isNumber: true), .init(heading: "Length", isNumber: true),
      .init(heading: "Id"),
    ])
    let call = Call.listAlbums(crate: crate, gone: gone, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "albums") { object throws(Failure) in
      if common.json { return Output.line(object) }
      let album: Interface.Album = try Daemon.structure(object)
      table.add(
        [
          position(album.position), album.title, album.artist, album.year.map(String.init) ?? "",
          Shown.count(album.songs), Shown.duration(album.seconds),
          album.id + Shown.mark(album.presence),
        ], isDim: album.presence != .present)
    }
    show(table, orElse: "no album is listed there; `--gone` shows kept places")
  }

  private func listSongs(of album: String, _ daemon: Daemon) throws(Failure) {
    var table = Table([
      .init(heading: "", isNumber: true), .init(heading: "Song", canShrink: true),
      .init(heading: "Artist", canShrink: true), .init(heading: "Length", isNumber: true),
      .init(heading: "Id"),
    ])
    let call = Call.listSongs(crate: nil, album: album, gone: gone, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "songs") { object throws(Failure) in
      if common.json { return Output.line(object) }
      let song: Interface.Song = try Daemon.structure(object)
      table.add(
        [
          position(song.position), song.title, song.artist, Shown.duration(song.seconds),
          song.id + Shown.mark(song.presence),
        ], isDim: song.presence != .present)
    }
    show(table, orElse: "no song is listed there; `--gone` shows kept places")
  }

  private func position(_ position: Int?) -> String { position.map(String.init) ?? "–" }

  private func show(_ table: Table, orElse remark: String) {
    guard !common.json else { return }
    for line in table.lines(for: .output) { Output.line(line) }
    if table.rows.isEmpty {
      Output.flush()
      Output.complain("crate: \(remark)")
    }
  }
}
