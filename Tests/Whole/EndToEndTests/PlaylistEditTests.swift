import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A real MPD edits the lists of the real daemon, in the folder that is both's.
@Suite("Playlists that MPD edits", .serialized, .limited)
struct PlaylistEditTests: SharingPlaylists {
  let home: Home
  let files: PlaylistFiles
  let mpd: RunningMPD

  init() throws {
    (home, files, mpd) = try Self.shared()
  }

  /// The newest change, as the history tells people of it: by whom, and what.
  private func newest() throws -> String {
    let line = try home.crate("history", "--limit", "1").output.split(separator: "\n").first
    return try #require(line).split(separator: "\t").dropFirst(2).joined(separator: "  ")
  }

  @Test("albums and songs that it moves are moved, and crate undo takes each back")
  func moves() throws {
    let (daemon, client) = try start()
    let changes = try ChangeStream(home)
    let before = try albums(client, "Music")
    // The last album on top, song by song.
    let last = try listed("Music").count - 1
    for _ in 0..<3 { _ = try mpd.ask("playlistmove Music \(last) 0") }
    try wait(for: changes) { try albums(client, "Music").first == before.last }
    #expect(try albums(client, "Music") == [before[4]] + before.dropLast())
    #expect(try newest() == "by Music.m3u  \(before[4]) is on top of Music (1 of 5)")
    try agree(client)
    try home.crate("undo")
    #expect(try albums(client, "Music") == before)
    try agree(client)

    // A song inside its album.
    let songs = try listed("Music")
    _ = try mpd.ask("playlistmove Music 2 0")
    try wait(for: changes) { try self.songs(client, "Music") != songs }
    #expect(try self.songs(client, "Music").prefix(3) == [songs[2], songs[0], songs[1]])
    #expect(try newest() == "by Music.m3u  Song 3 is on top of \(before[0]) (1 of 3)")
    try home.crate("undo")
    try agree(client)
    #expect(try listed("Music") == songs)
    try daemon.stop()
    #expect(try home.crated("check").status == 0)
  }

  @Test("an album that it adds comes from its crate, and what it deletes or clears is put back")
  func addsAndDeletes() throws {
    let (daemon, client) = try start()
    let changes = try ChangeStream(home)
    let before = try albums(client, "Music")
    let songs = try listed("Music")
    let album = try #require(try albums(client, "Jazz").first)
    for song in try listed("Jazz") {
      let path = String(decoding: song.dropFirst(home.music.utf8.count + 1), as: UTF8.self)
      _ = try mpd.ask("playlistadd Music \(RunningMPD.quoted(path))")
    }
    try wait(for: changes) { try albums(client, "Jazz").isEmpty }
    #expect(try albums(client, "Music") == before + [album])
    try files.wait { try files.names() == ["Music.m3u"] }
    try home.crate("undo")
    try agree(client)
    try agree(client, "Jazz")
    #expect(try listed("Music") == songs)

    _ = try mpd.ask("playlistdelete Music 4")
    try files.wait { try listed("Music") == songs }
    _ = try mpd.ask("playlistclear Music")
    try files.wait { try listed("Music") == songs }
    _ = try mpd.ask("rm Music")
    try files.wait { access(files.path("Music.m3u"), F_OK) == 0 }
    try agree(client)
    #expect(try home.problems().isEmpty)
    try daemon.stop()
  }

  @Test("what it does to a list at the moment when that is named is put back, too", .nightly)
  func justNamed() throws {
    let (daemon, client) = try start()
    let tracer = try Tracer(
      daemon, thread: "playlists", home, faults: ["renameat,renameat2:delay_exit=2000000"])
    try client.move(albums: [try client.albums()[2].id], .top)
    let songs = try songs(client, "Music")
    try files.wait { try listed("Music") == songs }
    _ = try mpd.ask("playlistclear Music")
    #expect(try listed("Music").isEmpty)
    try files.wait { try listed("Music") == songs }
    #expect(try tracer.end().contains { $0.name.hasPrefix("renameat") })
    try daemon.stop()
  }

  @Test("a list that it shuffled is refused, kept and written again, and the crate stays")
  func shuffled() throws {
    let (daemon, client) = try start()
    let songs = try listed("Music")
    var lines = songs.indices.map { songs[($0 * 7) % songs.count] }
    lines.swapAt(0, 1)
    _ = try mpd.ask("playlistclear Music")
    for line in lines {
      let path = String(decoding: line.dropFirst(home.music.utf8.count + 1), as: UTF8.self)
      _ = try mpd.ask("playlistadd Music \(RunningMPD.quoted(path))")
    }
    try files.wait { try listed("Music") == songs }
    #expect(try self.songs(client, "Music") == songs)
    let problems = try home.problems()
    try #require(problems.count == 1)
    #expect(problems[0].message.contains("it mixes the songs of 5 albums"))
    let kept = home.folder.path(".local/state/crated/playlists/kept")
    let copy = try #require(try names(in: kept).first)
    #expect(problems[0].message.contains("\(kept)/\(copy)"))
    #expect(try readFile("\(kept)/\(copy)").split(separator: 0x0A).count == songs.count)
    try daemon.stop()
  }

  @Test("what it does while crated is stopped, or killed, is taken at the next start")
  func whileStopped() throws {
    var (daemon, client) = try start()
    let before = try albums(client, "Music")
    for isKilled in [false, true] {
      if isKilled {
        // An edit that is durable, and whose list is not written yet.
        try client.move(albums: [try client.album(before[1]).id], .bottom)
        try daemon.kill()
      } else {
        try daemon.stop()
      }
      let last = try listed("Music").count - 1
      for _ in 0..<3 { _ = try mpd.ask("playlistmove Music \(last) 0") }
      daemon = try RunningDaemon(home)
      let changes = try ChangeStream(home)
      client = try CratesClient(home)
      try client.sync()
      if !isKilled {
        try wait(for: changes) { try albums(client, "Music").first == before[4] }
      } else {
        try wait(for: changes) { try albums(client, "Music").first == before[3] }
        // What crated knew already stays beside it.
        #expect(
          try albums(client, "Music") == [before[3], before[4], before[0], before[2], before[1]])
      }
      try agree(client)
    }
    try daemon.stop()
  }

  @Test("its clients are told of what crated writes")
  func told() throws {
    let (daemon, client) = try start()
    _ = try mpd.ask("status")
    try client.move(albums: [try client.albums()[2].id], .top)
    #expect(try mpd.ask("idle stored_playlist") == [Array("changed: stored_playlist".utf8)])
    try agree(client)
    try daemon.stop()
    #expect(try files.names() == ["Jazz.m3u", "Music.m3u"])
  }

  @Test("edits on both sides at once lose nothing, and end in the same order")
  func bothSides() throws {
    let (daemon, client) = try start()
    var random = SeededGenerator(usually: 81)
    let all = Set(try client.songs().map(\.id))
    for round in 0..<60 {
      let count = try listed("Music").count
      if Bool.random(using: &random), count > 1 {
        let places = (
          Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
        )
        // The list may be shorter by now, or not be there for a moment.
        _ = try? mpd.ask("playlistmove Music \(places.0) \(places.1)")
      } else {
        let albums = try client.albums()
        let chosen = albums[Int.random(in: albums.indices, using: &random)]
        try client.move(
          albums: [chosen.id], .top, to: ["Music", "Jazz"].randomElement(using: &random))
      }
      #expect(Set(try client.songs().map(\.id)) == all, "\(random), round \(round)")
    }
    for crate in Set(try client.albums().map(\.crate)) { try agree(client, crate) }
    #expect(Set(try client.songs().map(\.id)) == all, "\(random)")
    try daemon.stop()
    #expect(try home.crated("check").status == 0)
  }
}
