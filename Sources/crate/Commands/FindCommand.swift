import Arguments
import CratesInterface

struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find albums and songs by words of artist, album or title.",
    discussion: """
      Every word must begin a word of the artist, the album or the title, whatever the case and \
      accents; the best come first. `artist:`, `album:`, `title:`, `year:` and `path:` in front of \
      a word look for it only there, and double quotes make a phrase of several: \
      `crate find miles year:195`, `crate find 'album:"kind of blue"'`.
      """)

  @OptionGroup var common: CommonOptions
  @Option(name: .shortAndLong, help: ArgumentHelp("So many albums, and songs.", valueName: "n"))
  var limit = 20
  @Argument(help: "What to look for.") var words: [String]

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more") }
  }

  func run() throws {
    let call = Call.search(query: words.joined(separator: " "), limit: limit)
    let found = try Daemon(common).parameters(of: call)
    let albums = found["albums"]?.array ?? []
    let songs = found["songs"]?.array ?? []
    if common.json {
      for object in albums + songs { Output.line(object) }
      Output.flush()
      return
    }
    try show(albums: albums.map { try Daemon.structure($0) })
    if !albums.isEmpty, !songs.isEmpty { Output.line("") }
    try show(songs: songs.map { try Daemon.structure($0) })
    Output.flush()
    if albums.isEmpty, songs.isEmpty { Output.complain("crate: nothing was found") }
  }

  private func show(albums: [Interface.Album]) throws {
    var table = Table([
      .init(heading: "Album", canShrink: true), .init(heading: "Artist", canShrink: true),
      .init(heading: "Year", isNumber: true), .init(heading: "Crate", canShrink: true),
      .init(heading: "", isNumber: true), .init(heading: "Id"),
    ])
    for album in albums {
      table.add(
        [
          album.title, album.artist, album.year.map(String.init) ?? "", album.crate,
          album.position.map(String.init) ?? "", album.id + Shown.mark(album.presence),
        ], isDim: album.presence != .present)
    }
    for line in table.lines(for: .output) { Output.line(line) }
  }

  private func show(songs: [Interface.Song]) throws {
    var table = Table([
      .init(heading: "Song", canShrink: true), .init(heading: "Artist", canShrink: true),
      .init(heading: "Album", canShrink: true), .init(heading: "", isNumber: true),
      .init(heading: "Crate", canShrink: true), .init(heading: "Id"),
    ])
    for song in songs {
      table.add(
        [
          song.title, song.artist, song.albumTitle, song.position.map(String.init) ?? "",
          song.crate, song.id + Shown.mark(song.presence),
        ], isDim: song.presence != .present)
    }
    for line in table.lines(for: .output) { Output.line(line) }
  }
}
