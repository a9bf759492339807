import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// MPD's own clients, as they are, edit the lists of the real daemon.
@Suite("Playlists that clients of MPD edit", .serialized, .limited)
struct PlaylistToolTests: SharingPlaylists {
  let home: Home
  let files: PlaylistFiles
  let mpd: RunningMPD

  init() throws {
    (home, files, mpd) = try Self.shared()
  }

  @Test("ncmpcpp moves a song and an album, and shows what is taken back")
  func ncmpcpp() throws {
    let (daemon, client) = try start()
    let changes = try ChangeStream(home)
    let settings = try home.folder.write(
      "mpd_host = \"\(mpd.socket)\"\nncmpcpp_directory = \"\(home.folder.path)\"\n",
      to: "ncmpcpp.conf")
    let screen = try TerminalScreen("ncmpcpp -c '\(settings)'", environment: home.environment)
    // The editor of playlists, with Jazz and Music, and the songs of Music beside them.
    try screen.wait(for: "Volume")
    try screen.type("5")
    try screen.wait(for: "Content (3 items)")
    try screen.type("Down")
    try screen.wait(for: "the songs of Music") { shownSongs($0).count == 15 }
    let songs = try songs(client, "Music")
    let albums = try albums(client, "Music")
    let before = shownSongs(try screen.text)

    try screen.type("Right", "End", "m")
    let turned = songs.dropLast(2) + [songs[14], songs[13]]
    try wait(for: changes) { try self.songs(client, "Music") == Array(turned) }
    try agree(client)
    #expect(try self.albums(client, "Music") == albums)
    let after = before.dropLast(2) + [before[14], before[13]]
    try screen.wait(for: "the songs as they were moved") { shownSongs($0) == Array(after) }
    try home.crate("undo")
    try agree(client)
    #expect(try self.songs(client, "Music") == songs)
    // The player is told that the list changed under it.
    try screen.wait(for: "the songs as before") { shownSongs($0) == before }

    // The last album, chosen by the song under the cursor, before the one above it.
    try screen.type("End", "B", "m", "m", "m")
    let goal = Array(albums.prefix(3)) + [albums[4], albums[3]]
    try wait(for: changes) { try self.albums(client, "Music") == goal }
    try agree(client)
    #expect(try Set(self.songs(client, "Music")) == Set(songs))
    let order = try self.songs(client, "Music").suffix(6)
    #expect(Array(order) == Array(songs[12...]) + songs[9..<12])
    #expect(try home.problems().isEmpty)
    try daemon.stop()
  }

  @Test("mpc removes a list and saves the queue in its place")
  func mpc() throws {
    let (daemon, client) = try start()
    let changes = try ChangeStream(home)
    let albums = try albums(client, "Music")
    home.environment["MPD_HOST"] = mpd.socket
    let commands = [
      ["load", "Music"], ["move", "13", "1"], ["move", "14", "2"], ["move", "15", "3"],
      ["rm", "Music"], ["save", "Music"],
    ]
    for words in commands {
      let result = try run("mpc", ["--quiet"] + words, environment: home.environment)
      #expect(result.status == 0, "\(words): \(result.errors)")
    }
    try wait(for: changes) { try self.albums(client, "Music").first == albums[4] }
    #expect(try self.albums(client, "Music") == [albums[4]] + albums.dropLast())
    try agree(client)
    try home.crate("undo")
    try agree(client)
    #expect(try self.albums(client, "Music") == albums)
    try daemon.stop()
  }

  @Test("python-mpd2 moves albums in one list of commands, and adds one of another crate")
  func python() throws {
    let (daemon, client) = try start()
    let changes = try ChangeStream(home)
    let albums = try albums(client, "Music")
    let jazz = try self.albums(client, "Jazz")
    // The system's, for which it is packaged.
    let script = try home.folder.write(
      """
      import sys, mpd
      client = mpd.MPDClient()
      client.connect(sys.argv[1])
      client.command_list_ok_begin()
      for place in range(3):
          client.playlistmove("Music", 12 + place, place)
      for song in sys.argv[2:]:
          client.playlistadd("Music", song)
      client.command_list_end()
      client.playlistdelete("Music", 7)
      assert len(client.listplaylistinfo("Music")) == 17

      """, to: "edit.py")
    let added = try listed("Jazz").map { path in
      String(decoding: path.dropFirst(home.music.utf8.count + 1), as: UTF8.self)
    }
    let result = try run(
      "/usr/bin/python3", [script, mpd.socket] + added, environment: home.environment)
    #expect(result.status == 0, "\(result.errors)")
    try wait(for: changes) { try self.albums(client, "Music").count == 6 }
    #expect(try self.albums(client, "Music") == [albums[4]] + albums.dropLast() + jazz)
    // The song that it deleted is back.
    try agree(client)
    #expect(try listed("Music").count == 18)
    try home.crate("undo")
    try agree(client)
    try agree(client, "Jazz")
    #expect(try self.albums(client, "Music") == albums)
    try daemon.stop()
    #expect(try home.crated("check").status == 0)
  }

  /// The songs in the right half of ncmpcpp's screen. What it says of itself above and below comes
  /// and goes.
  private func shownSongs(_ screen: String) -> [Substring] {
    screen.split(separator: "\n").compactMap { line in
      guard let song = line.split(separator: "│").last, song.hasPrefix("Artist") else { return nil }
      return song
    }
  }
}
