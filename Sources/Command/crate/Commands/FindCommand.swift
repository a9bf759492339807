import Arguments
import CratesInterface

struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find albums and songs by words of artist, album or title.",
    discussion: """
      Every word must begin a word of the artist, the album or the title, whatever the case and \
      accents; whole words come first. `artist:`, `album:`, `title:`, `year:`, `composer:`, \
      `genre:` and `path:` in front of a word look for it only there, a dash in front leaves out \
      what has it, and double quotes make a phrase of several: `crate find miles -davis \
      year:1950-1959`, `crate find 'album:"kind of blue"' -title:take`. Songs that match only by \
      title and artist of their album are left out where that is found. `crate find -p miles | mpv \
      --playlist=-` plays what is found, `crate find miles | crate move - to Jazz` moves it.
      """, takesDashedWords: true)

  /// The default limit of albums, and of songs, on a terminal.
  private static let shownUsual = 20
  /// The most results of one call.
  private static let most = 5_000

  @OptionGroup var common: CommonOptions
  @Option(
    name: .custom("n", "limit"),
    help: ArgumentHelp("Show at most N albums and N songs.", valueName: "n"))
  var limit: Int?
  @Flag(
    name: .custom("p", "paths"),
    help: "Print the files of the songs, and of all songs of the albums, each once.")
  var paths = false
  @Argument(help: "What to look for.") var words: [String]

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
  }

  func run() throws {
    let isAll = common.json || paths || !Terminal.output.isTerminal
    let limit = min(limit ?? (isAll ? Self.most : Self.shownUsual), Self.most)
    let daemon = try DaemonConnection(common)
    let call = Call.search(query: words.joined(separator: " "), limit: limit)
    let found = try daemon.parameters(of: call)
    let albums = found["albums"]?.array ?? []
    let songs = found["songs"]?.array ?? []
    let totals = (
      albums: found["totalAlbums"]?.integer ?? albums.count,
      songs: found["totalSongs"]?.integer ?? songs.count
    )
    guard totals.albums + totals.songs > 0 else {
      let pieces = words.flatMap { $0.split(separator: " ") }
      if pieces.allSatisfy({ $0.hasPrefix("-") }) {
        throw Failure.wrongUse(
          "say a word to look for; one with a dash in front leaves out what has it")
      }
      let year = words.first { $0.count == 4 && $0.allSatisfy { ("0"..."9").contains($0) } }
      let advice = year.map { "; for what came out then: year:\($0)" } ?? ""
      throw Failure.refused("nothing was found\(advice)")
    }
    if paths {
      try printFiles(albums, songs, daemon)
    } else if common.json {
      for object in albums + songs { Output.line(object) }
    } else {
      let albums: [Interface.Album] = try albums.map { try DaemonConnection.structure($0) }
      let songs: [Interface.Song] = try songs.map { try DaemonConnection.structure($0) }
      try show(albums, songs, daemon)
    }
    Output.flush()
    let isTooMany = self.limit.map { $0 > Self.most } ?? false
    let seesTerminal = Terminal.output.isTerminal && !common.json && !isTooMany
    if self.limit == nil || isTooMany,
      let remark = Self.remark(albums.count, songs.count, totals, onTerminal: seesTerminal)
    {
      Output.complain("crate: \(remark)")
    }
  }

  /// The remark that results were cut off.
  static func remark(
    _ albums: Int, _ songs: Int, _ totals: (albums: Int, songs: Int), onTerminal: Bool
  ) -> String? {
    var cut: [String] = []
    if albums < totals.albums {
      cut.append("\(Shown.count(albums)) of \(Shown.count(totals.albums, "album"))")
    }
    if songs < totals.songs {
      cut.append("\(Shown.count(songs)) of \(Shown.count(totals.songs, "song"))")
    }
    if cut.isEmpty { return nil }
    let advice = onTerminal ? "-n 100 shows more" : "say more words"
    return "these are \(cut.joined(separator: " and ")); \(advice)"
  }

  // MARK: Showing

  private func show(
    _ albums: [Interface.Album], _ songs: [Interface.Song], _ daemon: DaemonConnection
  ) throws(Failure) {
    guard Terminal.output.isTerminal else {
      for album in albums { Output.line(LeanLine.of(album, withHome: true)) }
      for song in songs { Output.line(LeanLine.of(song, withHome: true)) }
      return
    }
    let ids = try ShortIds(albums.map(\.id) + songs.map(\.id), daemon, for: .output)
    let tables = [table(of: albums, ids), table(of: songs, ids)].filter { !$0.isEmpty }
    Pager.show(Array(tables.joined(separator: [""])))
  }

  private func table(of albums: [Interface.Album], _ ids: ShortIds) -> [String] {
    var table = Table([
      .name("Album"), .name("Artist"), .number("Year", leaves: 1), .name("Crate"),
      .number("At", leaves: 2), .word("Id", leaves: 3), .word(""),
    ])
    for album in albums {
      table.add(
        [
          album.title, album.artist, album.year.map(String.init) ?? "", album.crate,
          album.position.map(String.init) ?? "", ids.shown(album.id), Shown.mark(album.presence),
        ], isDim: album.presence != .present)
    }
    return table.lines(for: .output)
  }

  private func table(of songs: [Interface.Song], _ ids: ShortIds) -> [String] {
    var table = Table([
      .name("Song"), .name("Artist"), .name("Album", leaves: 3), .number("At", leaves: 2),
      .name("Crate", leaves: 1), .word("Id", leaves: 4), .word(""),
    ])
    for song in songs {
      table.add(
        [
          song.title, song.artist, song.albumTitle, song.position.map(String.init) ?? "",
          song.crate, ids.shown(song.id), Shown.mark(song.presence),
        ], isDim: song.presence != .present)
    }
    return table.lines(for: .output)
  }

  // MARK: Files

  /// Prints the files in library order: by album, and by song within each.
  private func printFiles(_ albums: [JSON], _ songs: [JSON], _ daemon: DaemonConnection)
    throws(Failure)
  {
    let found = Set(albums.compactMap { $0["id"]?.string })
    let alone = songs.filter { $0["album"]?.string.map { !found.contains($0) } ?? true }
    let homes = found.union(alone.compactMap { $0["album"]?.string })
    let wanted = Set(alone.compactMap { $0["id"]?.string })
    var printed = PrintedPaths(nul: false, terminal: .output)
    let listing = Call.listAlbums(
      crate: nil, albums: homes.sorted(), gone: false, first: nil, count: nil)
    for album in try daemon.ids(of: listing, in: "albums") {
      let call = Call.listSongs(crate: nil, album: album, gone: false, first: nil, count: nil)
      try daemon.eachObject(of: call, in: "songs") { object throws(Failure) in
        let song: Interface.Song = try DaemonConnection.structure(object)
        guard found.contains(album) || wanted.contains(song.id) else { return }
        if common.json { return Output.line(object) }
        Output.bytes(printed.bytes(of: try song.filePath()))
      }
    }
    if let remark = printed.remark { Output.complain("crate: \(remark)") }
  }
}

extension Interface.Song {
  /// Returns the exact bytes of the file's path.
  func filePath() throws(Failure) -> [UInt8] {
    guard let path = FileURI.path(uri) else {
      throw .refused("the path of \(title) can't be read: \(uri)")
    }
    return path
  }
}
