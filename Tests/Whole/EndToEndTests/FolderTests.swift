import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Music folders that are not there", .serialized, .limited)
struct FolderTests {
  let home: Home

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.mp3, .flac]), to: "\(home.music)/Here")
  }

  @Test("One that is missing at the start is offline; its songs come when it does")
  func missing() throws {
    let away = home.folder.path("Away")
    #expect(rename(home.music, away) == 0)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.status().folders.map(\.state) == [.offline])
    #expect(try home.status().folders.first?.reason?.isEmpty == false)
    #expect(try home.json("list").isEmpty)
    #expect(rename(away, home.music) == 0)
    try daemon.sync()
    #expect(try home.status().folders.map(\.state) == [.watching])
    #expect(try home.status().songs == 6)
    try daemon.stop()
  }

  @Test("One that goes and comes back loses nothing", arguments: [true, false])
  func removed(whileRunning: Bool) throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album flac", "to", "Evening")
    let places = try home.places()
    let listings = try home.listings()
    let away = home.folder.path("Away")
    for (from, to) in [(home.music, away), (away, home.music)] {
      if !whileRunning { try daemon.stop() }
      #expect(rename(from, to) == 0)
      if !whileRunning { daemon = try RunningDaemon(home) }
      try daemon.sync()
      expectSame(try home.places(), places)
      #expect(try home.status().gone == 0)
      let state: Interface.FolderState = to == away ? .offline : .watching
      #expect(try home.status().folders.map(\.state) == [state])
      let presence = to == away ? "offline" : "present"
      #expect(
        try home.json("paths", "Music").allSatisfy { $0["presence"]?.string == presence })
    }
    #expect(try home.listings() == listings)
    try daemon.stop()
  }

  @Test(
    "An empty one in its place, as a drive's mount point is, loses nothing",
    arguments: [true, false])
  func replaced(whileRunning: Bool) throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    let places = try home.places()
    let away = home.folder.path("Away")
    if !whileRunning { try daemon.stop() }
    #expect(rename(home.music, away) == 0)
    #expect(mkdir(home.music, 0o755) == 0)
    if !whileRunning { daemon = try RunningDaemon(home) }
    try daemon.sync()
    expectSame(try home.places(), places)
    let status = try home.status()
    #expect(status.gone == 0)
    #expect(status.folders.map(\.state) == [.offline])
    #expect(status.folders.first?.reason?.contains("rescan") == true)
    try daemon.kill()

    #expect(rmdir(home.music) == 0)
    #expect(rename(away, home.music) == 0)
    daemon = try RunningDaemon(home)
    try daemon.sync()
    expectSame(try home.places(), places)
    #expect(try home.status().folders.map(\.state) == [.watching])

    // The folder's own root, and nothing in it: the person has deleted the songs, and their places
    // are kept.
    removeTree("\(home.music)/Here")
    try daemon.sync()
    #expect(try home.status().gone == 6)
    expectSame(try home.keptPlaces(of: ["Music"]).map(\.unnumbered), places.map(\.unnumbered))
    try daemon.stop()
  }
}
