import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The playlists of the real daemon.
@Suite("Playlists", .serialized, .limited)
struct PlaylistTests {
  private let home: Home
  private let files: PlaylistFiles

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 4, to: home.music)
    files = try PlaylistFiles(home)
  }

  /// Each crate that is listed has its songs in its file, and there are no other files.
  private func expectAgreement(
    _ client: CratesClient, _ files: PlaylistFiles? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let files = files ?? self.files
    let listed = Dictionary(grouping: try client.songs(), by: \.crate)
    #expect(
      try files.names() == listed.keys.map { "\($0).m3u8" }.sorted(), sourceLocation: location)
    for (crate, songs) in listed {
      let paths = songs.map(\.pathBytes)
      #expect(try files.songs("\(crate).m3u8") == paths, "\(crate)", sourceLocation: location)
    }
  }

  private func problems() throws -> [Interface.Problem] {
    let problems = try home.problems()
    #expect(try home.status().problems == problems.count)
    #expect(problems.allSatisfy { $0.kind == .playlist })
    return problems
  }

  @Test("Where the store was lost, the lists of the last order stay, and crate problems says so")
  func lostStore() throws {
    var daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try client.move(albums: [try client.albums()[3].id], .top, to: "Jazz")
    try daemon.stop()
    let lists = ["Jazz.m3u8", "Music.m3u8"]
    let texts = try lists.map { try readFile(files.path($0)) }
    removeTree(home.store)

    daemon = try RunningDaemon(home)
    try daemon.sync()
    try waitForChange(of: home.log) {
      daemon.log.contains("Music.m3u8: crated did not write this file")
    }
    #expect(try problems().map(\.path) == [files.path("Music.m3u8")])
    try daemon.stop()
    #expect(try files.names() == lists)
    #expect(try lists.map { try readFile(files.path($0)) } == texts)
    // What the problem says is done.
    unlink(files.path("Music.m3u8"))
    daemon = try RunningDaemon(home)
    try files.wait { access(files.path("Music.m3u8"), F_OK) == 0 }
    try daemon.stop()
    #expect(try files.names() == lists)
  }

  @Test("They follow what the person and the folder do, while crated runs and when it stops")
  func following() throws {
    var daemon = try RunningDaemon(home)
    var client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums()
    try client.move(albums: [albums[3].id], .top, to: "Jazz")
    try files.wait { access(files.path("Jazz.m3u8"), F_OK) == 0 }
    let first = try files.songs("Jazz.m3u8")
    let song = try client.songs().filter { $0.crate == "Jazz" }[2]
    try client.move(songs: [song.id], .top)
    try files.wait { try files.songs("Jazz.m3u8") != first }
    try SmallLibrary.song(9, 1, to: home.music)
    try client.sync()
    try files.wait { try files.songs("Music.m3u8").count == 10 }
    try expectAgreement(client)
    try home.crate("rename", "Jazz", "Late night")
    try files.wait { access(files.path("Jazz.m3u8"), F_OK) != 0 }
    try expectAgreement(client)
    try home.crate("undo")
    try client.move(albums: [albums[1].id], .bottom, to: "Rock")
    try daemon.stop()
    let expected = ["Jazz.m3u8", "Music.m3u8", "Rock.m3u8"]
    #expect(try files.names() == expected)
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
    try daemon.stop()
    #expect(try files.names() == expected)
  }

  @Test("They are no music, and nothing else in the music folder is written")
  func noMusic() throws {
    let listing = [
      "-path", files.directory, "-prune", "-o", "-type", "f", "-printf", "%p %i %T@ %C@\\n",
    ]
    let before = try run("find", [home.music] + listing).output.split(separator: "\n").sorted()
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    for name in ["Jazz", "Rock"] {
      try client.move(albums: [try client.albums()[0].id], .top, to: name)
    }
    let sequence = try client.status().sequence
    try files.wait { try files.names() == ["Jazz.m3u8", "Music.m3u8", "Rock.m3u8"] }
    try client.sync()
    #expect(try client.status().songs == 12)
    #expect(try client.status().sequence == sequence)
    #expect(try problems().isEmpty)
    try daemon.stop()
    let after = try run("find", [home.music] + listing).output.split(separator: "\n").sorted()
    #expect(before.count == 12 && after == before)
  }

  @Test("Starts and edits elsewhere write nothing, and offline songs stay in")
  func unchanged() throws {
    let folder = home.folder
    let space = try MountSpace(folder)
    let drive = try folder.makeFolder("drive")
    let place = try folder.makeFolder("Music/Drive")
    try space.mountNew(on: drive)
    for track in 1...3 { try SmallLibrary.song(7, track, to: space.path(drive)) }
    let home = try Home(folder: folder, prefix: space.prefix)
    let files = try PlaylistFiles(home)
    try space.mount(drive, on: place)
    var daemon = try RunningDaemon(home)
    var client = try CratesClient(home)
    try client.sync()
    try client.move(albums: [try client.album("Album 7").id], .top, to: "Jazz")
    try daemon.stop()
    let before = try files.statuses()
    #expect(try files.songs("Jazz.m3u8").count == 3)
    for isThere in [true, false] {
      if !isThere { try space.unmount(place) }
      daemon = try RunningDaemon(home)
      client = try CratesClient(home)
      try client.sync()
      let presence = try client.songs().filter { $0.crate == "Jazz" }.map(\.presence)
      #expect(presence == (1...3).map { _ in isThere ? .present : .offline })
      try client.move(albums: [try client.album("Album 1").id], .top)
      try daemon.stop()
      let after = try files.statuses()
      let same = Set(before).intersection(after)
      #expect(after.count == 2 && same.count == 1 && same.first?.hasPrefix("Jazz") == true)
    }
  }

  @Test("A folder set while it runs is written after a restart, and crated says so until then")
  func reloaded() throws {
    try home.configure("music_folders = [\"\(home.music)\"]\n")
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(access(files.directory, F_OK) != 0)
    #expect(mkdir(files.directory, 0o755) == 0)
    _ = try PlaylistFiles(home)
    try daemon.reload()
    try waitForChange(of: home.log) { daemon.log.contains("restart crated") }
    let told = try problems()
    try #require(told.count == 1)
    #expect(told[0].message.contains("restart crated"))
    #expect(told[0].path?.hasPrefix(files.directory) == true)
    #expect(try files.names() == [])
    try daemon.stop()
    daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try files.wait { access(files.path("Music.m3u8"), F_OK) == 0 }
    #expect(try problems().isEmpty)

    // And taken out again, what is there stays as it is.
    let before = try files.statuses()
    try home.configure("music_folders = [\"\(home.music)\"]\n")
    try daemon.reload()
    try client.move(albums: [try client.albums()[0].id], .top, to: "Jazz")
    try daemon.stop()
    #expect(try files.statuses() == before)
  }

  @Test("A copy that the person saved under another name stays when a crate of that name comes")
  func savedCopy() throws {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums()
    try client.move(albums: [albums[3].id], .top, to: "Jazz")
    try files.wait { access(files.path("Jazz.m3u8"), F_OK) == 0 }
    try copy(files.path("Jazz.m3u8"), to: files.path("Today.m3u8"))
    let text = try files.text("Today.m3u8")
    try client.move(albums: [albums[0].id], .top, to: "Today")
    try client.sync()
    try daemon.stop()
    #expect(try files.text("Today.m3u8") == text)
    #expect(daemon.log.contains("Today.m3u8"))
  }

  @Test("Other programs' files stay as they are, and crate problems names them")
  func foreign() throws {
    try home.folder.makeFolder("Music/Playlists")
    try writeFile(Array("#EXTM3U\nmine.mp3\n".utf8), to: files.path("Music.m3u8"))
    try writeFile(Array("mine.mp3\n".utf8), to: files.path("other.m3u8"))
    let before = try files.statuses()
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try waitForChange(of: home.log) { daemon.log.contains("crated did not write") }
    let told = try problems()
    #expect(told.map(\.path) == [files.path("Music.m3u8")])
    #expect(told.allSatisfy { $0.message.contains("crated did not write") })
    try daemon.stop()
    #expect(try files.statuses() == before)
    #expect(daemon.log.contains("Music.m3u8: crated did not write this file"))

    #expect(rename(files.path("Music.m3u8"), files.path("mine.m3u8")) == 0)
    daemon = try RunningDaemon(home)
    try daemon.sync()
    try daemon.stop()
    #expect(try files.names() == ["Music.m3u8", "mine.m3u8", "other.m3u8"])
    #expect(try files.songs("Music.m3u8").count == 12)
  }
}
