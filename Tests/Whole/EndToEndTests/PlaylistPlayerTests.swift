import CratesInterface
import ProgramSupport
import TestSupport
import Testing

/// What players make of the playlists: MPD, mpv and ffmpeg, in a folder with names as odd as names
/// can be.
@Suite("Playlists in players", .serialized, .limited)
struct PlaylistPlayerTests {
  /// Crates, and how their files are called.
  static let crates = [
    "AC/DC": "AC_DC", ".hidden": "_hidden", "-rf": "_rf", "#1 🎷": "#1 🎷",
    "He said: \"what?\"": "He said_ _what__", "it's 100%": "it's 100%", "a\\b": "a_b",
    String(repeating: "ü", count: 127): String(repeating: "ü", count: 125),
  ]

  private let home: Home
  private let files: PlaylistFiles
  /// The paths of each playlist's songs, as the daemon lists them.
  private let expected: [String: [[UInt8]]]
  private let titles: [String: [String]]

  init() throws {
    home = try Home()
    files = try PlaylistFiles(home)
    try OddSongs.write(to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try #require(try client.songs().count == OddSongs.paths.count)
    let albums = try client.albums()
    for (album, crate) in zip(albums, Self.crates.keys.sorted()) {
      try client.move(albums: [album.id], .bottom, to: crate)
    }
    // Two albums in one crate, and an order that no player would come upon.
    let last = albums[albums.count - 1]
    try client.move(albums: [last.id], .top, to: "AC/DC")
    let second = try client.songs().filter { $0.album == last.id }[1]
    try client.move(songs: [second.id], .top)
    let listed = Dictionary(grouping: try client.songs()) { song in
      (Self.crates[song.crate] ?? song.crate) + ".m3u8"
    }
    expected = listed.mapValues { $0.map(\.pathBytes) }
    titles = listed.mapValues { $0.map(\.title) }
    #expect(try home.problems().isEmpty)
    try daemon.stop()
    #expect(try files.names() == expected.keys.sorted())
    #expect(expected.count == Self.crates.count && expected["AC_DC.m3u8"]?.count == 4)
    #expect(expected.values.joined().count == OddSongs.paths.count)
  }

  @Test("MPD lists each and loads it in the order of the crate")
  func mpd() throws {
    // With its own playlists in the same folder, and elsewhere.
    for own in [files.directory, try home.folder.makeFolder("own")] {
      let mpd = try RunningMPD(home, playlists: own)
      let listed = try mpd.ask("lsinfo Playlists", for: "playlist")
      #expect(
        listed.map { String(decoding: $0, as: UTF8.self) }.sorted()
          == expected.keys.map { "Playlists/\($0)" }.sorted())
      for (name, paths) in expected {
        let music = home.music.utf8.count + 1
        let songs = paths.map { Array($0.dropFirst(music)) }
        let quoted = RunningMPD.quoted("Playlists/\(name)")
        #expect(try mpd.ask("listplaylist \(quoted)", for: "file") == songs, "\(name)")
        _ = try mpd.ask("clear")
        _ = try mpd.ask("load \(quoted)")
        #expect(try mpd.ask("playlistinfo", for: "file") == songs, "\(name)")
      }
    }
    // Nothing that it does changes them.
    let before = try files.statuses()
    try RunningDaemon(home).stop()
    #expect(try files.statuses() == before)
  }

  @Test("mpv plays each in the order of the crate")
  func mpv() throws {
    let script = try home.folder.write(
      """
      -- mpv waits for a hook; an event may come when the next song has begun.
      mp.add_hook("on_preloaded", 50, function()
        io.stdout:write("PLAYED " .. mp.get_property("path") .. "\\n")
      end)

      """, to: "played.lua")
    for (name, paths) in expected {
      let played = try run(
        "mpv",
        [
          "--no-config", "--ao=null", "--ao-null-untimed=yes", "--vo=null", "--length=0.01",
          "--really-quiet", "--script=\(script)", "--playlist=\(files.path(name))",
        ], environment: home.environment)
      #expect(played.status == 0, "\(name): \(played.output) \(played.errors)")
      let beginning = Array("PLAYED \(files.directory)/../".utf8)
      let found = played.outputBytes.split(separator: 0x0A).filter { $0.starts(with: beginning) }
      let songs = found.map { Array("\(home.music)/".utf8) + $0.dropFirst(beginning.count) }
      #expect(songs == paths, "\(name): \(played.output)")
    }
  }

  @Test("ffprobe finds the right song behind every path, from where the playlists lie")
  func ffprobe() throws {
    let script = """
      cd "$1" || exit
      for list in ./*.m3u8; do
        echo "$list"
        grep -av '^#' "$list" | while IFS= read -r song; do
          ffprobe -v error -show_entries format_tags=title -of default=nw=1:nk=1 "file:$song"
        done
      done
      """
    let found = try run("sh", ["-c", script, "sh", files.directory])
    #expect(found.errors.isEmpty)
    let lines = expected.keys.sorted().flatMap { ["./\($0)"] + (titles[$0] ?? []) }
    #expect(
      found.output.split(separator: "\n").map(String.init).sorted() == lines.sorted())
    // In their order behind their list.
    for (name, titles) in titles {
      #expect(found.output.contains("./\(name)\n\(titles.joined(separator: "\n"))\n"), "\(name)")
    }
  }
}
