import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// `crate play` with the players that there are.
@Suite("Playing", .serialized, .limited)
struct PlayTests {
  private let home: Home
  private let daemon: RunningDaemon
  private let client: CratesClient

  init() throws {
    home = try Home()
    try OddSongs.write(to: home.music)
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums()
    try client.move(albums: Array(albums[5...]).map(\.id).reversed(), .top, to: "Jazz")
    // An order that no player would come upon.
    let song = try client.songs().filter { $0.album == albums[1].id }[1]
    try client.move(songs: [song.id], .top)
  }

  private func paths(_ crate: String) throws -> [[UInt8]] {
    try client.songs().filter { $0.crate == crate }.map(\.pathBytes)
  }

  /// The rest of a path in the music folder.
  private func inside(_ path: [UInt8]) -> [UInt8] {
    Array(path.dropFirst(home.music.utf8.count + 1))
  }

  private func set(_ lines: String) throws {
    try home.configure("music_folders = [\"\(home.music)\"]\n\(lines)\n")
    try daemon.reload()
  }

  /// What MPD knows of songs that lie so; it leaves names out that begin with a blank.
  private func known(_ mpd: RunningMPD, _ paths: [[UInt8]]) throws -> [[UInt8]] {
    let all = Set(try mpd.ask("listall", for: "file"))
    return paths.map(inside).filter(all.contains)
  }

  private func queue(_ mpd: RunningMPD) throws -> [[UInt8]] {
    try mpd.ask("playlistinfo", for: "file")
  }

  private func state(_ mpd: RunningMPD, _ name: String) throws -> String {
    String(decoding: try #require(try mpd.ask("status", for: name).first), as: UTF8.self)
  }

  @Test("MPD gets a crate by its local socket, in order; --add adds, and others take its place")
  func mpd() throws {
    let mpd = try RunningMPD(home)
    try set("player = \"mpd\"\nmpd = \"\(mpd.socket)\"")
    let music = try known(mpd, try paths("Music"))
    try #require(music.count > 5)
    // A slow machine asks when songs of a second are over.
    _ = try mpd.ask("repeat 1")
    let said = try home.crate("play", "crate:Music")
    #expect(said.output.hasPrefix("MPD plays \(music.count) songs"))
    #expect(said.errors.contains("doesn't know") == (music.count < (try paths("Music").count)))
    #expect(try queue(mpd) == music)
    #expect(try state(mpd, "state") == "play")

    let jazz = try known(mpd, try paths("Jazz"))
    _ = try mpd.ask("pause 1")
    let playing = try state(mpd, "songid")
    #expect(try home.crate("play", "--add", "Jazz").output.contains("to the end in MPD"))
    #expect(try queue(mpd) == music + jazz)
    #expect(try state(mpd, "state") == "pause" && state(mpd, "songid") == playing)

    // Two albums in the order in which they are named; a song.
    let third = try known(mpd, try album("Jazz", 3))
    let first = try known(mpd, try album("Jazz", 1))
    try home.crate("play", "Jazz", "3,1")
    #expect(try queue(mpd) == third + first)
    #expect(try state(mpd, "state") == "play")
    let object = try #require(try home.json("play", "Jazz", "3", "1").first)
    #expect(object["songs"] == 1 && object["player"] == "MPD" && object["unknown"] == [])
    #expect(try queue(mpd) == [third[0]])
    try daemon.stop()
  }

  private func album(_ crate: String, _ position: Int) throws -> [[UInt8]] {
    let album = try client.albums().filter { $0.crate == crate }[position - 1]
    return try client.songs().filter { $0.album == album.id }.map(\.pathBytes)
  }

  @Test("songs that MPD doesn't know are named, and where it knows none its queue stays")
  func unknown() throws {
    let mpd = try RunningMPD(home)
    try set("player = \"mpd\"\nmpd = \"\(mpd.socket)\"\nnew_albums = \"New\"")
    for track in 1...4 { try SmallLibrary.song(50, track, to: home.music) }
    try client.sync()
    let before = try known(mpd, try paths("Jazz"))
    try home.crate("play", "Jazz")
    let nothing = try home.crate("play", "New", status: 1)
    #expect(nothing.errors.contains("doesn't know 4 songs: \(home.music)/50-1.flac, "))
    #expect(nothing.errors.contains(" and 1 more"))
    #expect(nothing.errors.contains("took none of the songs"))
    #expect(try queue(mpd) == before)
    let some = try home.crate("play", "New", "Jazz")
    #expect(some.errors.contains("doesn't know 4 songs"))
    #expect(try queue(mpd) == before)
    _ = try mpd.ask("random 1")
    #expect(try home.crate("play", "Jazz").errors.contains("random order"))
    try daemon.stop()
  }

  @Test("an MPD that MPD_HOST names, with another music folder and a password, plays the same")
  func elsewhere() throws {
    let other = home.folder.path("other")
    #expect(symlink(home.music, other) == 0)
    let port = try freePort()
    let mpd = try RunningMPD(
      home, music: other, port: port,
      settings: """
        password "secret@read,add,control"
        local_permissions "read,add,control,admin"
        default_permissions "read"
        """)
    let music = try known(mpd, try paths("Music"))
    home.environment["MPD_PORT"] = "\(port)"
    home.environment["MPD_HOST"] = "127.0.0.1"
    let refused = try home.crate("play", "Music", status: 1)
    #expect(refused.errors.contains("permission") && refused.errors.contains("PASSWORD@HOST"))
    #expect(try queue(mpd).isEmpty)
    home.environment["MPD_HOST"] = "secret@127.0.0.1"
    #expect(try home.crate("play", "Music").output.hasPrefix("MPD plays \(music.count) songs"))
    #expect(try queue(mpd) == music)
    // By its socket it is told of files that it knows by another path.
    home.environment["MPD_HOST"] = mpd.socket
    try home.crate("play", "Jazz")
    let jazz = try known(mpd, try paths("Jazz"))
    #expect(try queue(mpd).map { $0.suffix(while: jazz) } == jazz)
    try daemon.stop()
  }

  @Test("an mpv that runs gets them by its socket")
  func mpv() throws {
    let socket = home.folder.path("mpv.socket")
    try set("player = \"mpv:\(socket)\"")
    #expect(try home.crate("play", "Jazz", status: 1).errors.contains(socket))
    let program = try RunningProgram(
      "mpv",
      [
        "--no-config", "--idle", "--ao=null", "--vo=null", "--no-terminal",
        // It stays at what it was told to play.
        "--loop-file=inf", "--input-ipc-server=\(socket)",
      ], environment: home.environment, errors: home.folder.path("mpv.log"))
    var connection = try connected(socket)
    try home.crate("play", "--add", "Jazz")
    try expect(playlist(&connection), paths("Jazz"))
    try expect(ask(&connection, "get_property", "idle-active"), false)
    try expect(ask(&connection, "set_property", "pause", true), .null)
    try home.crate("play", "crate:Music")
    try expect(playlist(&connection), paths("Music"))
    try expect(ask(&connection, "get_property", "pause"), false)
    try expect(ask(&connection, "get_property", "playlist-pos"), 0)
    #expect(try home.crate("play", "--add", "Jazz").output.contains("to the end in mpv"))
    try expect(playlist(&connection), paths("Music") + paths("Jazz"))
    try expect(ask(&connection, "quit"), .null)
    #expect(try program.end() == 0)
    try daemon.stop()
  }

  @Test("one mpv is started and used again, paused and stopped, also without crated")
  func ownMPV() throws {
    let line = "mpv --no-config --ao=null --vo=null --no-terminal --loop-file=inf --playlist={}"
    try set("player = \"\(line)\"")
    #expect(try home.crate("play").output == "nothing plays\n")
    #expect(try home.crate("play", "--stop").output == "nothing plays\n")
    #expect(try home.crate("play", "Jazz").output.hasPrefix("mpv plays 8 songs"))
    var mpv = try connected(home.folder.path("run/crated/mpv.socket"))
    let process = try ask(&mpv, "get_property", "pid")
    try expect(playlist(&mpv), paths("Jazz"))

    try home.crate("play", "crate:Music")
    try expect(playlist(&mpv), paths("Music"))
    #expect(try home.crate("play", "--add", "Jazz").output.contains("to the end in mpv"))
    try expect(playlist(&mpv), paths("Music") + paths("Jazz"))
    // The one that answers is the one that was started first.
    try expect(ask(&mpv, "get_property", "pid"), process)

    #expect(try home.crate("play", "--pause").output == "mpv is paused\n")
    #expect(try home.json("play").first?["state"] == "paused")
    #expect(try home.crate("play", "--pause").output == "mpv is playing again\n")
    let count = try paths("Music").count + paths("Jazz").count
    #expect(try home.crate("play", "--next").output == "mpv goes on to song 2 of \(count)\n")
    try expect(ask(&mpv, "get_property", "playlist-pos"), 1)
    try daemon.stop()
    #expect(try home.crate("play").output.hasPrefix("mpv plays "))
    #expect(try home.crate("play", "--stop").output == "mpv has stopped\n")
    let id = try #require(process.integer)
    #expect(kill(pid_t(id), 0) != 0)
  }

  private func expect(
    _ found: [String], _ paths: [[UInt8]], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(found == paths.shown, sourceLocation: location)
  }

  private func expect(
    _ found: JSON, _ answer: JSON, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(found == answer, sourceLocation: location)
  }

  private func connected(_ socket: String) throws -> LineConnection {
    let folder = String(socket[..<(socket.lastIndex(of: "/") ?? socket.startIndex)])
    try waitForChange(of: folder) { access(socket, F_OK) == 0 }
    // The socket is bound, and mpv listens in a moment.
    let end = Patience.end
    while Clock.system.monotonic() < end {
      if let connection = LineConnection(local: Array(socket.utf8)) { return connection }
      sched_yield()
    }
    throw SystemCallError("connect", socket)
  }

  private func ask(_ mpv: inout LineConnection, _ words: JSON...) throws -> JSON {
    let until = Patience.end
    let request: JSON = ["command": .array(words), "request_id": 5]
    let isSent = mpv.send(request.bytes + [0x0A], until: until)
    #expect(isSent)
    while true {
      let said = mpv.line(until: until)
      let line = String(decoding: try #require(said), as: UTF8.self)
      let answer = try JSON(parsing: line)
      if answer["request_id"] == 5 {
        #expect(answer["error"] == "success", "\(words): \(line)")
        return answer["data"] ?? .null
      }
    }
  }

  private func playlist(_ mpv: inout LineConnection) throws -> [String] {
    try ask(&mpv, "get_property", "playlist").array?.compactMap { $0["filename"]?.string } ?? []
  }

  @Test("a command gets a list with the songs in order, and nothing is added to it")
  func command() throws {
    let (played, mark) = (home.folder.path("played"), home.folder.path("mark"))
    try set("player = \"cp {} \(played); touch \(mark)\"")
    #expect(try home.crate("play", "Jazz").output.hasPrefix("cp plays 8 songs (0:08)"))
    try waitForChange(of: home.folder.path) { access(mark, F_OK) == 0 }
    let lines = try readFile(played).split(separator: 0x0A).filter { $0.first == 0x2F }
    #expect(lines.map { Array($0) } == (try paths("Jazz")))
    let added = try home.crate("play", "Jazz", "--add", status: 64)
    #expect(added.errors.contains("nothing can be added"))
    try home.crate("play", "Nothing", status: 1)
    try home.crate("play", "--add", status: 64)
    try home.crate("play", "--stop", "Jazz", status: 64)
    try home.crate("play", "--stop", "--next", status: 64)
    #expect(
      try home.crate("play", "--stop", status: 1).errors.contains("cp has controls of its own"))
    try daemon.stop()
  }

  @Test("where nothing is set and no MPD answers, it is mpv, on the terminal if there is one")
  func unset() throws {
    let programs = try home.folder.makeFolder("programs")
    let said = home.folder.path("said")
    let script =
      "#!/bin/sh\n{ echo \"${0##*/} $1\"; test -t 0 && echo terminal; echo end; } >> \(said)\n"
    for name in ["mpv", "xdg-open"] {
      try home.folder.write(script, to: "programs/\(name)")
      chmod("\(programs)/\(name)", 0o755)
    }
    home.environment["PATH"] = "\(programs):/usr/bin:/bin"
    home.environment["MPD_HOST"] = home.folder.path("nobody")
    let list = home.folder.path("run/crated/play.m3u8")
    func heard() throws -> [String] {
      defer { unlink(said) }
      try waitForChange(of: home.folder.path) {
        (try? readFile(said))?.suffix(4).elementsEqual("end\n".utf8) == true
      }
      return String(decoding: try readFile(said), as: UTF8.self).split(separator: "\n")
        .map(String.init)
    }
    #expect(try home.crate("play", "Jazz").output.hasPrefix("mpv plays 8 songs"))
    let socket = home.folder.path("run/crated/mpv.socket")
    #expect(try heard() == ["mpv --input-ipc-server=\(socket)", "end"])
    let crate = try Home.program("crate")
    let terminal = try run(
      "script", ["-qec", "'\(crate)' play Jazz", "/dev/null"], environment: home.environment)
    #expect(terminal.status == 0 && terminal.output.contains("mpv plays 8 songs"))
    #expect(try heard() == ["mpv --input-ipc-server=\(socket)", "terminal", "end"])
    home.environment["PATH"] = "\(programs)/none:\(programs)"
    unlink("\(programs)/mpv")
    #expect(try home.crate("play", "Jazz").output.hasPrefix("xdg-open plays 8 songs"))
    #expect(try heard() == ["xdg-open \(list)", "end"])
    unlink("\(programs)/xdg-open")
    #expect(try home.crate("play", "Jazz", status: 1).errors.contains("no player is there"))
    try daemon.stop()
  }

  @Test("what is away is left out, and told of")
  func away() throws {
    let (played, drive) = (home.folder.path("played"), home.folder.path("drive"))
    mkdir(drive, 0o755)
    for track in 1...3 { try SmallLibrary.song(60, track, to: drive) }
    try home.configure(
      """
      music_folders = ["\(home.music)", "\(drive)"]
      new_albums = "Drive"
      player = "cp {} \(played)"

      """)
    try daemon.reload()
    try client.sync()
    try home.crate("play", "Drive")
    #expect(rename(drive, "\(drive) away") == 0)
    try home.crate("sync")
    let refused = try home.crate("play", "Drive", status: 1)
    #expect(refused.errors.contains("are not there"))
    let some = try home.crate("play", "Drive", "Jazz")
    #expect(some.errors.contains("3 songs are not there") && some.output.contains("plays 8 songs"))
    try daemon.stop()
  }
}

extension [[UInt8]] {
  /// The paths as JSON has them, where bytes that are no UTF-8 are replaced.
  fileprivate var shown: [String] { map { String(decoding: $0, as: UTF8.self) } }
}

extension [UInt8] {
  /// What one of the others is the end of it; itself where none is.
  fileprivate func suffix(while others: [[UInt8]]) -> [UInt8] {
    others.first { ending in
      count >= ending.count && suffix(ending.count).elementsEqual(ending)
    } ?? self
  }
}
