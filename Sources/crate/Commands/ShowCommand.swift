import Arguments
import CratesInterface

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything known about a crate, an album or a song.",
    discussion: """
      With the changes that name it, the newest first, among the last \(historyLooked): why it is \
      where it is, and by which evidence a song was recognised.
      """)

  /// Changes that are looked through, which is as many as one answer holds.
  private static let historyLooked = 1000

  @OptionGroup var common: CommonOptions
  @Argument(help: "Crates, albums or songs.") var what: [String]

  func run() throws {
    let daemon = try Daemon(common)
    let things = try Finder(daemon: daemon).things(what)
    let call = Call.history(limit: Self.historyLooked, before: nil)
    guard case .changes(let history) = try daemon.reply(to: call) else { return }
    for (number, thing) in things.enumerated() {
      if number > 0, !common.json { Output.line("") }
      if let name = thing.crate {
        let crate = try daemon.crate(name)
        show(crate.json, Self.lines(crate), history.filter { $0.crates.contains(name) })
      } else if let id = thing.song {
        let song = try daemon.song(id)
        show(song.json, Self.lines(song), history.filter { $0.songs.contains(id) }, file: song.path)
      } else if let album = try daemon.album(thing.key) {
        let past = history.filter { $0.albums.contains(album.id) }
        show(album.json, Self.lines(album), past)
      }
    }
    Output.flush()
  }

  /// With `--json` the thing and then each change, an object a line.
  private func show(
    _ object: JSON, _ lines: [(name: String, value: String)], _ past: [Interface.Change],
    file: String? = nil
  ) {
    if common.json {
      Output.line(object)
      for change in past { Output.line(change.json) }
      return
    }
    for (name, value) in lines where !value.isEmpty {
      let label = name + String(repeating: " ", count: max(10 - name.count, 1))
      Output.line(Terminal.output.dim(label) + Shown.harmless(value))
    }
    for (number, change) in past.enumerated() {
      let when = "\(Shown.time(change.time))  \(Shown.author(of: change))  "
      Output.line(
        Terminal.output.dim((number == 0 ? "history   " : "          ") + when)
          + Shown.harmless(change.summary))
      guard let file else { continue }
      for note in change.notes where note.hasPrefix("\(file) ") {
        Output.line("            \(Shown.harmless(note))")
      }
    }
  }

  private static func lines(_ crate: Interface.Crate) -> [(name: String, value: String)] {
    [
      ("crate", crate.name), ("position", crate.position.map(String.init) ?? ""),
      ("albums", Shown.count(crate.albums)), ("songs", Shown.count(crate.songs)),
      ("length", Shown.duration(crate.seconds)),
    ]
  }

  private static func lines(_ album: Interface.Album) -> [(name: String, value: String)] {
    [
      ("album", album.title), ("artist", album.artist), ("year", album.year.map(String.init) ?? ""),
      ("crate", album.crate), ("position", album.position.map(String.init) ?? ""),
      ("songs", Shown.count(album.songs)), ("length", Shown.duration(album.seconds)),
      ("order", album.arranged ? "yours" : "by disc and track"),
      ("presence", album.presence.rawValue), ("added", Shown.time(album.added)), ("id", album.id),
    ]
  }

  private static func lines(_ song: Interface.Song) -> [(name: String, value: String)] {
    [
      ("song", song.title), ("artist", song.artist),
      ("album", "\(song.albumTitle) (\(song.album))"), ("by", song.albumArtist),
      ("crate", song.crate), ("position", song.position.map(String.init) ?? ""),
      ("disc", song.disc.map(String.init) ?? ""), ("track", song.track.map(String.init) ?? ""),
      ("length", Shown.duration(song.seconds)), ("format", song.format),
      ("presence", song.presence.rawValue), ("added", Shown.time(song.added)),
      ("file", song.path), ("id", song.id),
    ]
  }
}
