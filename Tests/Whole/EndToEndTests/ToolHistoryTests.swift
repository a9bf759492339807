import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// What people do to their files with the tools that they have, as they type it. Whatever it is,
/// the album stays where the person put it, in the order that they gave it.
@Suite("What people do with their tools", .serialized, .limited)
struct ToolHistoryTests {
  /// Lines for a shell in the music folder. `wait` stands between them where a moment passes.
  struct History: CustomTestStringConvertible {
    var name: String
    var format = SampleFormat.mp3
    /// Whether the songs say whose album it is.
    var hasAlbumArtist = true
    var lines: [String]
    /// The album's songs afterwards, from the top, by the numbers that they have before: the
    /// person's order, unless the history itself takes songs out of the album.
    var order = ToolHistoryTests.order
    /// Another album that holds the rest, likewise.
    var other: [Int] = []

    var testDescription: String { name }
  }

  enum Meanwhile: CaseIterable {
    /// The daemon looks whenever it wants to.
    case running
    /// The daemon is waited for wherever a moment passes.
    case waiting
    case stopped
  }

  /// What the person made of tracks 1 to 6.
  static let order = [4, 6, 1, 3, 5, 2]

  /// Each file of the album in turn: `$f` its path, `$n` its name.
  private static func each(_ line: String, of tracks: String = "*") -> String {
    "for f in A/\(tracks).*; do n=${f##*/}; \(line); done"
  }

  private static func beside(_ tags: String) -> String {
    "ffmpeg -i \"$f\" -map 0 -c copy \(tags) \"A/tmp_$n\" && mv \"A/tmp_$n\" \"$f\""
  }

  private static func aside(_ tags: String) -> String {
    "mv \"$f\" \"A/orig_$n\"; ffmpeg -i \"A/orig_$n\" -map 0 -c copy \(tags) \"$f\";"
      + " wait; rm \"A/orig_$n\""
  }

  private static func inFolder(_ tags: String) -> String {
    "mkdir -p fixed; ffmpeg -i \"$f\" -map 0 -c copy \(tags) \"fixed/$n\""
  }

  private static func elsewhere(_ tags: String) -> String {
    "\(inFolder(tags)); wait; rm \"$f\""
  }

  static let histories: [History] = {
    let third = "f='A/3 Song.mp3'; n='3 Song.mp3'; "
    var all = [
      History(name: "a track renumbered beside", lines: [third + beside("-metadata track=40")]),
      History(
        name: "a track renumbered beside, seen before it is renamed",
        lines: [
          "ffmpeg -i 'A/3 Song.mp3' -map 0 -c copy -metadata track=40 'A/tmp.mp3'", "wait",
          "mv A/tmp.mp3 'A/3 Song.mp3'",
        ]),
      History(name: "a track renumbered from aside", lines: [third + aside("-metadata track=41")]),
      History(
        name: "a copy renumbered by a tagger and moved over",
        lines: [
          "cp 'A/3 Song.mp3' A/new.mp3", "wait", "mid3v2 -T 40 A/new.mp3", "wait",
          "mv A/new.mp3 'A/3 Song.mp3'",
        ]),
    ]
    all.append(
      History(
        name: "every song with another album into a folder, the old one removed later",
        lines: [each(inFolder("-metadata album='Brand New'")), "wait", "rm -r A"]))
    for tag in ["--album 'Brand New'", "--albumArtist Somebody"] {
      all.append(
        History(
          name: "every song with another \(tag) by AtomicParsley", format: .aac,
          lines: [each("AtomicParsley \"$f\" \(tag) --overWrite >/dev/null; wait")]))
    }
    for (name, way) in [("beside", beside), ("from aside", aside), ("elsewhere", elsewhere)] {
      for tag in ["album='Brand New'", "album_artist='Somebody'"] {
        let line = each(way("-metadata \(tag)") + "; wait")
        all.append(History(name: "every song with another \(tag), \(name)", lines: [line]))
      }
    }
    all += [
      History(
        name: "WAV remuxed, which drops the track", format: .wav, lines: [each(beside(""))]),
      History(
        name: "AIFF remuxed, which drops the track", format: .aiff, lines: [each(beside(""))]),
      History(
        name: "WAV remuxed, seen before it is renamed", format: .wav,
        lines: [
          each("ffmpeg -i \"$f\" -map 0 -c copy \"A/tmp_$n\"; wait; mv \"A/tmp_$n\" \"$f\"; wait")
        ]),
      History(
        name: "an album copied, deleted later", lines: ["cp -r A 'sorted A'", "wait", "rm -r A"]),
      History(
        name: "an album of a folder copied, deleted later", hasAlbumArtist: false,
        lines: ["cp -r A 'sorted A'", "wait", "rm -r A"]),
      History(
        name: "an album of a folder copied and deleted file by file", hasAlbumArtist: false,
        lines: ["mkdir B", each("cp \"$f\" B/; wait; rm \"$f\"; wait")]),
      History(
        name: "an album of a folder copied by rsync, deleted later", hasAlbumArtist: false,
        lines: ["rsync -a A/ B/", "wait", "rm -r A"]),
      History(
        name: "songs split off one by one",
        lines: [each("mid3v2 -A 'Disc 2' \"$f\"; wait", of: "[456]*")], order: [1, 3, 2],
        other: [4, 6, 5]),
      History(
        name: "songs split off one by one from the last",
        lines: [
          "for k in 6 5 4; do mid3v2 -A 'Disc 2' \"A/$k Song.mp3\"; wait; done"
        ], order: [1, 3, 2], other: [4, 6, 5]),
      History(
        name: "WAV to FLAC, tags lost", format: .wav,
        lines: [each("flac -s --delete-input-file \"$f\"; wait")]),
      History(
        name: "WAV to WavPack", format: .wav,
        lines: [each("wavpack -q -d --import-id3 \"$f\"; wait")]),
      History(
        name: "retitled and taken back",
        lines: [
          each("mid3v2 -A New \"$f\"; wait", of: "[123]*"),
          each("mid3v2 -A Album \"$f\"; wait", of: "[123]*"),
        ]),
      History(
        name: "folder renamed and retagged", lines: ["mv A B", "mid3v2 -A New B/*.mp3", "mv B C"]),
    ]
    return all
  }()

  let home: Home

  init() throws { home = try Home() }

  @Test("cost no place", arguments: histories, Meanwhile.allCases)
  func places(_ history: History, _ meanwhile: Meanwhile) throws {
    let library = try RealLibrary(home, history.format, hasAlbumArtist: history.hasAlbumArtist)
    let session = try Session(home)
    try library.arrange(session.client, order: Self.order)
    let ids = try library.ids(session.client)
    let album = try session.client.album("Album").id
    let gone = try session.client.songs(gone: true).count

    let script = history.lines.joined(separator: "\n")
    try session.meanwhile(running: meanwhile != .stopped) {
      try perform(script, isWaiting: meanwhile == .waiting)
    }

    let mine = try session.client.albums().filter { $0.crate == "Mine" }
    let titles = try session.client.songs()
    func numbers(_ album: Interface.Album?) -> [Int] {
      titles.filter { $0.album == album?.id }.map { song in
        (ids.firstIndex(of: song.id) ?? -1) + 1
      }
    }
    let comment = "\(history.name), \(meanwhile): \(titles.map(\.path))"
    #expect(numbers(mine.last) == history.order, "\(comment)")
    #expect(numbers(mine.count > 1 ? mine.first : nil) == history.other, "\(comment)")
    #expect(mine.count == (history.other.isEmpty ? 1 : 2), "\(comment)")
    #expect(mine.last?.id == album, "\(comment)")
    #expect(try session.client.songs(gone: true).count == gone, "nothing is left behind")
    #expect(try session.client.albums().filter { $0.crate != "Mine" }.map(\.title) == ["Other"])
    try session.stop()
  }

  @Test("A download that gets its tags under another name leaves nothing behind")
  func download() throws {
    let library = try RealLibrary(home, .aac, hasAlbumArtist: true)
    let session = try Session(home)
    try library.arrange(session.client, order: Self.order)
    let count = try session.client.songs(gone: true).count
    try home.folder.makeFolder("Music/Y")
    for (number, sound) in try SampleMusic.sounds(.aac).suffix(3).enumerated() {
      try perform(
        """
        cp '\(sound)' Y/\(number).m4a; wait
        ffmpeg -i Y/\(number).m4a -map 0 -c copy -metadata title=T\(number) -metadata album=Y \
        -metadata album_artist=You Y/\(number).temp.m4a; wait
        mv Y/\(number).temp.m4a Y/\(number).m4a; wait
        """, isWaiting: true)
    }
    #expect(try session.client.songs(gone: true).count == count + 3)
    #expect(try session.client.songs().count == count + 3)
    try session.stop()
  }

  /// Runs lines of a shell in the music folder, which end at the first that fails.
  private func perform(_ script: String, isWaiting: Bool) throws {
    let crate = try Home.program("crate")
    let wait = isWaiting ? "'\(crate)' sync" : ":"
    let prelude = """
      set -eu; cd '\(home.music)'
      wait() { \(wait); }
      ffmpeg() { command ffmpeg -nostdin -v error -y "$@"; }

      """
    let result = try run(
      "timeout", ["--kill-after=1", "\(2 * Patience.seconds)", "bash", "-c", prelude + script],
      environment: home.environment)
    try #require(result.status == 0, "\(script): \(result.errors)")
  }
}

/// An album of six songs that the person arranged and put into a crate of their own, and another.
private struct RealLibrary {
  let home: Home

  init(_ home: Home, _ format: SampleFormat, hasAlbumArtist: Bool) throws {
    self.home = home
    let sounds = try SampleMusic.sounds(format)
    try home.folder.makeFolder("Music/A")
    try home.folder.makeFolder("Music/Z")
    for number in 1...8 {
      let isOther = number > 6
      var tags = [
        "title": "Song \(number)", "artist": "Artist", "album": isOther ? "Other" : "Album",
        "track": "\(number)",
      ]
      if hasAlbumArtist { tags["album_artist"] = "Artist" }
      let name = "\(number) Song.\(format.pathExtension)"
      try SampleMusic.retag(
        sounds[number], format, tags: tags, to: "\(home.music)/\(isOther ? "Z" : "A")/\(name)")
    }
  }

  /// The ids of the album's songs by their tracks.
  func ids(_ client: CratesClient) throws -> [String] {
    try client.songs().filter { $0.path.contains("/A/") }.sorted { $0.path < $1.path }.map(\.id)
  }

  func arrange(_ client: CratesClient, order: [Int]) throws {
    let ids = try ids(client)
    try client.move(albums: [try client.album("Album").id], .top, to: "Mine")
    for number in order.reversed() { try client.move(songs: [ids[number - 1]], .top) }
  }
}
