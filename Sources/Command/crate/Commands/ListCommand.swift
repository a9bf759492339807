import Arguments
import CratesInterface

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the crates, the albums of a crate, or the songs of an album.",
    discussion: """
      `crate list` shows the crates, `crate list Jazz` the albums of one, `crate list Jazz 5-8` \
      these of its albums, `crate list Jazz 3` or `crate list 5kqv` the songs of an album. In a \
      pipe each is a line of position, title, artist, year, songs, length and id, with tabs \
      between them; where several are listed, the album and the crate follow.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Also show the places kept for music that is gone.") var gone = false
  @Option(name: .customShort("n"), help: ArgumentHelp("Show only the first N.", valueName: "n"))
  var count: Int?
  @Argument(help: "A crate or an album.") var what: [String] = []

  func validate() throws {
    if let count, count < 0 { throw ValidationError("-n takes 0 or more") }
  }

  func run() throws {
    let daemon = try DaemonConnection(common)
    var page = ListedPage(daemon: daemon, json: common.json)
    if what.isEmpty {
      try listCrates(daemon, &page)
    } else {
      let found = try Finder(daemon: daemon, wanted: [.crate, .album]).found(what)
      if let song = found.things.first(where: { $0.song != nil }) {
        throw Failure.refused("\(song.label) is a song; this command takes crates or albums")
      }
      let isMixed = found.things.count > 1
      for (things, isOfSeveral) in found.groups {
        if !gone { for thing in things { try thing.refuseGone() } }
        let albums = things.compactMap(\.album)
        if isOfSeveral, albums.count == things.count {
          try listTogether(albums, daemon, &page)
          continue
        }
        for thing in things {
          if isMixed { page.begin(thing.label) }
          try list(thing, isMixed, daemon, &page)
        }
      }
    }
    page.end()
    if what.isEmpty, !common.json {
      let status = try daemon.status()
      let offline = Shown.offline(status)
      if offline.count == status.folders.count {
        for line in offline { Output.complain("crate: \(line)") }
      }
      if let scan = Scan(status) {
        Output.complain("crate: \(scan.text); crate sync waits for the rest")
      }
    }
  }

  private func listCrates(_ daemon: DaemonConnection, _ page: inout ListedPage) throws(Failure) {
    var crates: [Interface.Crate] = []
    var objects = try daemon.parameters(of: .listCrates)["crates"]?.array ?? []
    if gone { objects += try goneCrates(besides: objects, daemon).map(\.json) }
    for object in objects.prefix(count ?? .max) {
      if common.json {
        Output.line(object)
      } else {
        crates.append(try DaemonConnection.structure(object))
      }
    }
    if common.json { return }
    page.show(crates, of: objects.count)
    guard objects.isEmpty else { return }
    let status = try daemon.status()
    if status.store == .readOnly, let reason = status.storeReason {
      page.remark = "no crate is listed: \(Shown.harmless(reason))"
    } else if Scan(status) == nil {
      let why = Shown.allGone(status) ?? "there is no music yet"
      page.remark = "\(why); crate status shows where it is looked for"
    }
  }

  /// Returns the crates in which everything is gone, in their order.
  private func goneCrates(
    besides listed: [JSON], _ daemon: DaemonConnection
  ) throws(Failure) -> [Interface.Crate] {
    var seen = Set(listed.compactMap { $0["name"]?.string })
    var crates: [Interface.Crate] = []
    let call = Call.listAlbums(crate: nil, gone: true, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "albums") { album throws(Failure) in
      guard let name = album["crate"]?.string, seen.insert(name).inserted else { return }
      crates.append(
        Interface.Crate(name: name, position: nil, albums: 0, songs: 0, seconds: 0))
    }
    return crates
  }

  private func list(
    _ thing: Interface.Thing, _ isMixed: Bool, _ daemon: DaemonConnection, _ page: inout ListedPage
  ) throws(Failure) {
    if let crate = thing.crate {
      let call = Call.listAlbums(crate: crate, gone: gone, first: nil, count: count)
      let (albums, total): ([Interface.Album], Int) = try listed(
        call, in: "albums", { LeanLine.of($0, withHome: isMixed) }, daemon)
      try page.show(albums, of: total)
      if total == 0 { page.remark = "no album is listed there; --gone shows kept places" }
    } else {
      let call = Call.listSongs(
        crate: nil, album: thing.key, gone: gone, first: nil, count: count)
      let (songs, total): ([Interface.Song], Int) = try listed(
        call, in: "songs", { LeanLine.of($0, withHome: isMixed) }, daemon)
      try page.show(songs, of: total)
      if total == 0 { page.remark = "no song is listed there; --gone shows kept places" }
    }
  }

  /// Lists albums that were named together, for example as a range, in the order given.
  private func listTogether(
    _ ids: [String], _ daemon: DaemonConnection, _ page: inout ListedPage
  ) throws(Failure) {
    var objects: [String: JSON] = [:]
    let call = Call.listAlbums(crate: nil, albums: ids, gone: gone, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "albums") { object throws(Failure) in
      if let id = object["id"]?.string { objects[id] = object }
    }
    var albums: [Interface.Album] = []
    let listed = ids.compactMap { objects[$0] }
    for object in listed.prefix(count ?? .max) {
      if common.json {
        Output.line(object)
      } else {
        albums.append(try DaemonConnection.structure(object))
      }
    }
    page.begin(nil)
    page.lines(albums.map { LeanLine.of($0, withHome: true) })
    try page.show(albums, of: listed.count)
  }

  /// Returns the items for a table, with their total. For a program, prints them as they come
  /// instead.
  private func listed<Item: WireStructure>(
    _ call: Call, in list: String, _ line: (Item) -> String, _ daemon: DaemonConnection
  ) throws(Failure) -> ([Item], Int) {
    var items: [Item] = []
    var total = 0
    try daemon.eachReply(to: call) { parameters throws(Failure) in
      total = parameters["total"]?.integer ?? total
      for object in parameters[list]?.array ?? [] {
        if common.json {
          Output.line(object)
        } else if Terminal.output.isTerminal {
          items.append(try DaemonConnection.structure(object))
        } else {
          Output.line(line(try DaemonConnection.structure(object)))
        }
      }
    }
    return (items, total)
  }
}

/// The output of a listing on a terminal: tables one below the other.
struct ListedPage {
  let daemon: DaemonConnection
  let json: Bool
  /// A remark for standard error if nothing was listed.
  var remark: String?
  private var lines: [String] = []

  init(daemon: DaemonConnection, json: Bool) {
    self.daemon = daemon
    self.json = json
  }

  private var isTerminal: Bool { !json && Terminal.output.isTerminal }

  /// Starts another table.
  mutating func begin(_ heading: String?) {
    guard isTerminal else { return }
    if !lines.isEmpty { lines.append("") }
    if let heading { lines.append(Terminal.output.bold(Shown.harmless(heading))) }
  }

  /// Prints lines if the output is not a table.
  func lines(_ lines: [String]) {
    if json || isTerminal { return }
    for line in lines { Output.line(line) }
  }

  mutating func show(_ crates: [Interface.Crate], of total: Int) {
    guard isTerminal else {
      for crate in crates { Output.line(LeanLine.of(crate)) }
      return
    }
    var table = Table([
      .number(""), .name("Crate"), .number("Albums", leaves: 3), .number("Songs", leaves: 2),
      .number("Length", leaves: 1),
    ])
    for crate in crates {
      table.add(
        [
          Self.position(crate.position), crate.name, Shown.count(crate.albums),
          Shown.count(crate.songs), Shown.duration(crate.seconds),
        ], isDim: crate.position == nil)
    }
    add(table, of: total)
  }

  mutating func show(_ albums: [Interface.Album], of total: Int) throws(Failure) {
    guard isTerminal else { return }
    let ids = try ShortIds(albums.map(\.id), daemon, for: .output)
    var table = Table([
      .number(""), .name("Album"), .name("Artist"), .number("Year", leaves: 4),
      .number("Songs", leaves: 2), .number("Length", leaves: 1), .word("Id", leaves: 3), .word(""),
    ])
    for album in albums {
      table.add(
        [
          Self.position(album.position), album.title, album.artist,
          album.year.map(String.init) ?? "", Shown.count(album.songs),
          Shown.duration(album.seconds), ids.shown(album.id), Shown.mark(album.presence),
        ], isDim: album.presence != .present)
    }
    add(table, of: total)
  }

  mutating func show(_ songs: [Interface.Song], of total: Int) throws(Failure) {
    guard isTerminal else { return }
    let ids = try ShortIds(songs.map(\.id), daemon, for: .output)
    var table = Table([
      .number(""), .name("Song"), .name("Artist"), .number("Length", leaves: 2),
      .word("Id", leaves: 1), .word(""),
    ])
    var discs = DiscHeadings(songs)
    for song in songs {
      if let heading = discs.heading(of: song) { table.add(heading: heading) }
      table.add(
        [
          Self.position(song.position), song.title, song.artist, Shown.duration(song.seconds),
          ids.shown(song.id), Shown.mark(song.presence),
        ], isDim: song.presence != .present)
    }
    add(table, of: total)
  }

  /// Adds a line below the table.
  mutating func add(_ line: String) { if isTerminal { lines.append(line) } }

  private static func position(_ position: Int?) -> String { position.map(String.init) ?? "–" }

  private mutating func add(_ table: Table, of total: Int) {
    lines += table.lines(for: .output)
    let more = total - table.rowCount
    if more > 0, table.rowCount > 0 {
      lines.append(Terminal.output.dim("and \(Shown.count(more)) more"))
    }
  }

  func end() {
    if isTerminal { Pager.show(lines) }
    Output.flush()
    if !json, let remark { Output.complain("crate: \(remark)") }
  }
}

/// The headings such as `Disc 2` above the first song of a disc. Shown if the album has several
/// discs and its songs are in their order.
private struct DiscHeadings {
  private let areShown: Bool
  private var last: Int?

  init(_ songs: [Interface.Song]) {
    let discs = songs.compactMap(\.disc)
    areShown = Set(discs).count > 1 && discs == discs.sorted()
  }

  mutating func heading(of song: Interface.Song) -> String? {
    guard areShown, let disc = song.disc, disc != last else { return nil }
    last = disc
    return "Disc \(disc)"
  }
}
