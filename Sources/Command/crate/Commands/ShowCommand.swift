import Arguments
import CratesInterface

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything known about a crate, an album or a song.",
    discussion: """
      Its tags, its file, why its songs are one album, how it was recognised, and the last \
      changes that name it.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "Crates, albums or songs.") var what: [String]

  func run() throws {
    let daemon = try DaemonConnection(common)
    var page: [String] = []
    for thing in try Finder(daemon: daemon).things(what) {
      let past: Past
      let object: JSON
      var facts: [Fact]
      if let name = thing.crate {
        let crate = try daemon.crate(name)
        (object, facts) = (crate.json, Self.facts(crate))
        past = try Past(daemon) { $0.crates.contains(name) }
      } else if let id = thing.song {
        let song = try daemon.song(id)
        (object, facts) = (song.json, Self.facts(song))
        past = try Past(daemon) { $0.songs.contains(id) }
      } else {
        guard let album = try daemon.album(thing.key) else { continue }
        let songs = try self.songs(of: thing, daemon)
        (object, facts) = (album.json, Self.facts(album, songs))
        // Changes may name only the album's songs, if songs arrived, disappeared or moved.
        let ids = Set(songs.map(\.id))
        past = try Past(daemon, since: album.came) { change in
          change.albums.contains(album.id) || change.songs.contains(where: ids.contains)
        }
      }
      if common.json {
        // One object a line: the thing, then each change.
        Output.line(object)
        for change in past.changes { Output.line(change.json) }
        continue
      }
      if !page.isEmpty { page.append("") }
      facts.removeAll { $0.value.isEmpty }
      page += facts.map { fact in
        let label = fact.name + String(repeating: " ", count: max(11 - fact.name.count, 1))
        return Terminal.output.dim(label) + Shown.harmless(fact.value)
      }
      page += past.lines
    }
    Pager.show(page)
    Output.flush()
  }

  /// Returns the songs of an album, including gone ones; empty for other things.
  private func songs(
    of thing: Interface.Thing, _ daemon: DaemonConnection
  ) throws(Failure) -> [Interface.Song] {
    guard thing.kind == .album, let album = thing.album else { return [] }
    var songs: [Interface.Song] = []
    let call = Call.listSongs(crate: nil, album: album, gone: true, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "songs") { object throws(Failure) in
      songs.append(try DaemonConnection.structure(object))
    }
    return songs
  }

  private typealias Fact = (name: String, value: String)

  private static func facts(_ crate: Interface.Crate) -> [Fact] {
    [
      ("crate", crate.name), ("position", number(crate.position)),
      ("albums", Shown.count(crate.albums)), ("songs", Shown.count(crate.songs)),
      ("length", Shown.duration(crate.seconds)),
    ]
  }

  private static func facts(_ album: Interface.Album, _ songs: [Interface.Song]) -> [Fact] {
    [
      ("album", album.title), ("artist", album.artist), ("year", number(album.year)),
      ("crate", album.crate), ("position", number(album.position)),
      ("songs", Shown.count(album.songs)), ("length", Shown.duration(album.seconds)),
      ("genre", few(songs.compactMap(\.details.genre))), ("format", few(songs.map(\.format))),
      ("cover", album.cover == nil ? "none" : "crate art shows it"),
      ("folder", few(songs.map { Self.folder(of: $0.path) })),
      ("one album", album.because),
      ("order", album.arranged ? "yours" : "by disc and track"),
      ("place", place(of: album)),
      ("state", album.presence.words), ("added", Shown.time(album.added)), ("id", album.id),
    ]
  }

  private static func place(of album: Interface.Album) -> String {
    if let machine = album.placedBy { return "put here on \(machine)" }
    return album.moved ? "where you put it" : "where it arrived"
  }

  private static func facts(_ song: Interface.Song) -> [Fact] {
    let details = song.details
    return [
      ("song", song.title), ("artist", song.artist), ("album", song.albumTitle),
      ("album by", song.albumArtist), ("crate", song.crate), ("position", number(song.position)),
      ("disc", number(song.disc)), ("track", number(song.track)), ("year", number(details.year)),
      ("genre", details.genre ?? ""), ("composer", details.composer ?? ""),
      ("length", Shown.duration(song.seconds)), ("format", format(song)),
      ("state", song.presence.words), ("known by", evidence(song)),
      ("added", Shown.time(song.added)), ("file", song.path),
      ("recording", details.recording ?? ""), ("release", details.release ?? ""),
      ("album id", song.album), ("id", song.id),
    ]
  }

  /// The most values to list; of further ones only the number is shown.
  private static let fewMost = 3

  /// Lists values without duplicates, up to `fewMost`.
  private static func few(_ all: [String]) -> String {
    var seen: Set<String> = []
    let different = all.filter { !$0.isEmpty && seen.insert($0).inserted }
    let named = different.prefix(fewMost).joined(separator: ", ")
    let more = different.count - fewMost
    return more > 0 ? "\(named) and \(more) more" : named
  }

  private static func folder(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func number(_ number: Int?) -> String { number.map(String.init) ?? "" }

  /// Returns the evidence without the beginning of its sentence.
  private static func evidence(_ song: Interface.Song) -> String {
    let beginning = "it was recognised by "
    let sentence = song.details.evidence ?? ""
    return sentence.hasPrefix(beginning) ? String(sentence.dropFirst(beginning.count)) : sentence
  }

  /// For example `flac, 44.1 kHz, 912 kbit/s`.
  private static func format(_ song: Interface.Song) -> String {
    var parts = [song.format]
    if let rate = song.details.sampleRate {
      let tenths = (rate + 50) / 100
      parts.append("\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + " kHz")
    }
    if let rate = song.details.bitRate { parts.append("\(Shown.count(rate)) kbit/s") }
    return parts.joined(separator: ", ")
  }
}

/// The latest changes that name a thing.
private struct Past {
  private(set) var changes: [Interface.Change] = []

  /// - Parameter since: The change that added the thing; no earlier one names it.
  init(
    _ daemon: DaemonConnection, since: Int = 0, where isNamed: (Interface.Change) -> Bool
  ) throws(Failure) {
    var look = LookBack(since: since)
    while let step = look.step {
      let next = try Self.newest(step, before: look.oldest, daemon)
      changes += next.filter(isNamed)
      look.take(next, found: changes.count)
    }
    changes = Array(changes.prefix(LookBack.foundMost))
  }

  private static func newest(
    _ count: Int, before: Int?, _ daemon: DaemonConnection
  ) throws(Failure) -> [Interface.Change] {
    let call = Call.history(limit: count, before: before)
    guard case .changes(let changes) = try daemon.reply(to: call) else { return [] }
    return changes
  }

  var lines: [String] {
    changes.enumerated().map { number, change in
      let label = number == 0 ? "history    " : "           "
      let when = "\(Shown.time(change.time))  \(Shown.author(of: change))  "
      return Terminal.output.dim(label + when) + Shown.harmless(change.summary)
    }
  }
}

extension Interface.Presence {
  fileprivate var words: String {
    switch self {
    case .present: "available"
    case .offline: "offline: its music folder or drive is not there"
    case .gone: "gone: its file is not there any more; its place is kept"
    case .unknown: ""
    }
  }
}
