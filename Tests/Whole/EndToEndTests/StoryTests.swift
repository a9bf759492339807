import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What a person lives through with a folder of songs in every format.
@Suite("A music folder and its crates", .serialized, .limited)
struct StoryTests {
  static let formats: [SampleFormat] = [.mp3, .flac, .aac, .alac, .ogg, .opus, .wav, .aiff, .wv]

  let home: Home

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums(Self.formats), to: "\(home.music)/Here")
  }

  @Test("Every format is listed, with its tags")
  func formats() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let songs = try home.json("paths", "Music")
    #expect(songs.count == 27)
    for format in Self.formats {
      let own = songs.filter { $0["albumTitle"]?.string == "Album \(format)" }
      let titles = ["First", "Second", "Third"].map { "\($0) \(format)" }
      #expect(own.map { $0["title"]?.string } == titles)
      #expect(own.map { $0["track"]?.integer } == [1, 2, 3])
      #expect(own.allSatisfy { $0["albumArtist"]?.string == "Artist \(format)" })
      #expect(own.allSatisfy { abs(($0["seconds"]?.number ?? 0) - 1.5) < 0.2 })
      #expect(own.allSatisfy { $0["format"]?.string == format.pathExtension })
    }
    #expect(try home.problems().isEmpty)
    let table = try home.crate("list").output.split(separator: "\n")
    #expect(table.count == 1)
    #expect(table.last?.hasPrefix("1\tMusic\t") == true)
    try daemon.stop()
  }

  @Test("An album that is copied in comes on top, without any command")
  func copied() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let before = try home.albums("Music")
    let changes = try ChangeStream(home)
    try copy(try SampleMusic.albums([.oga]) + "/Album oga", to: "\(home.music)/New")
    let seen = try changes.songs(3)
    #expect(try home.albums("Music") == ["Album oga"] + before)
    let songs = try home.json("list", "Music", "1").compactMap { $0["id"]?.string }
    #expect(Set(songs) == seen)
    try daemon.stop()
    #expect(try changes.end() == 69)
  }

  @Test("The order survives kill -9, byte for byte")
  func killed() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try arrange()
    let order = try home.listings()
    try daemon.kill()
    daemon = try RunningDaemon(home)
    #expect(try home.listings() == order)
    try daemon.sync()
    #expect(try home.listings() == order)
    try daemon.stop()
    daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.listings() == order)
    #expect(try home.status().gone == 0)
    try daemon.stop()
  }

  @Test("What is deleted keeps its place and id until it comes back", arguments: [true, false])
  func deleted(whileRunning: Bool) throws {
    var daemon: RunningDaemon? = try RunningDaemon(home)
    try daemon?.sync()
    try arrange()
    let places = try home.places()
    let song = "\(home.music)/Here/Album ogg/2 Second ogg.ogg"
    let album = "\(home.music)/Here/Album wv"
    try copy(song, to: home.folder.path("song"))
    try copy(album, to: home.folder.path("album"))

    func meanwhile(_ body: () throws -> Void) throws {
      if !whileRunning { try daemon?.stop() }
      try body()
      if !whileRunning { daemon = try RunningDaemon(home) }
      try daemon?.sync()
    }
    try meanwhile {
      removeTree(song)
      removeTree(album)
    }
    expectSame(
      try home.places().map(\.unnumbered),
      places.filter { $0.title != "Second ogg" && !$0.title.hasSuffix("wv") }.map(\.unnumbered))
    expectSame(
      try home.keptPlaces(of: ["Evening", "Music"]).map(\.unnumbered), places.map(\.unnumbered))
    #expect(try home.status().gone == 4)

    try meanwhile {
      try copy(home.folder.path("song"), to: song)
      try copy(home.folder.path("album"), to: album)
    }
    expectSame(try home.places(), places)
    #expect(try home.status().gone == 0)
    try daemon?.stop()
  }

  @Test("A renamed folder changes no place and no id", arguments: [true, false])
  func renamed(whileRunning: Bool) throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try arrange()
    let places = try home.places()
    if !whileRunning { try daemon.stop() }
    // Only the upper one has a name that no tag repeats.
    #expect(rename("\(home.music)/Here", "\(home.music)/There") == 0)
    #expect(rename("\(home.music)/There/Album aac", "\(home.music)/There/Another name") == 0)
    if !whileRunning { daemon = try RunningDaemon(home) }
    try daemon.sync()
    expectSame(try home.places(), places)
    let paths = try home.crate("paths", "Music", "Evening").output.split(separator: "\n")
    #expect(paths.count == 27)
    #expect(paths.allSatisfy { access(String($0), R_OK) == 0 && $0.contains("/There/") })
    #expect(paths.filter { $0.contains("/Another name/") }.count == 3)
    try daemon.stop()
  }

  @Test(
    "A song with other tags than before stays where it is, and is told", arguments: [true, false])
  func retagged(whileRunning: Bool) throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try arrange()
    let places = try home.places()
    if !whileRunning { try daemon.stop() }
    for format in Self.formats {
      let path = "\(home.music)/Here/Album \(format)/2 Second \(format).\(format.pathExtension)"
      let retagged = home.folder.path("retagged.\(format.pathExtension)")
      try SampleMusic.retag(
        path, format,
        tags: [
          "title": "Second \(format) (again)", "artist": "Artist \(format)",
          "album": "Album \(format)", "album_artist": "Artist \(format)", "track": "2",
          "comment": String(repeating: "It has been said before. ", count: 2000),
        ], to: retagged)
      #expect(try readFile(retagged).count > readFile(path).count + 40_000)
      // Into the old file while crated runs. Otherwise nothing but the sound is left to know it by:
      // another file, of another name, with another title.
      if whileRunning {
        try writeFile(try readFile(retagged), to: path)
      } else {
        let name = "again \(format).\(format.pathExtension)"
        #expect(rename(retagged, "\(home.music)/Here/Album \(format)/\(name)") == 0)
        removeTree(path)
      }
    }
    if !whileRunning { daemon = try RunningDaemon(home) }
    try daemon.sync()
    let expected = places.map { place in
      var place = place
      if place.title.hasPrefix("Second") { place.title += " (again)" }
      return place
    }
    expectSame(try home.places(), expected)
    let told = try #require(try home.json("history", "-n", "1").first?["summary"]?.string)
    #expect(told.hasSuffix(whileRunning ? " retagged" : " found elsewhere"), "\(told)")
    try daemon.stop()
  }

  /// Puts things where no rule would put them: albums, songs, and a crate that is renamed.
  private func arrange() throws {
    let titles = try home.albums("Music")
    try #require(Set(titles) == Set(Self.formats.map { "Album \($0)" }))
    try home.crate("move", "Album ogg", "top")
    try home.crate("move", "Album flac", "after", "Album wv")
    try home.crate("move", "Album mp3", "Album wav", "to", "Late")
    try home.crate("move", "Album ogg", "3", "top")
    try home.crate("move", "Album mp3", "1", "down")
    try home.crate("move", "Late", "top")
    try home.crate("rename", "Late", "Evening")

    let crates = try home.json("list").map { $0["name"]?.string }
    try #require(crates == ["Evening", "Music"])
    let songs = try home.json("list", "Album ogg").map { $0["track"]?.integer }
    try #require(songs == [3, 1, 2])
    try #require(try home.json("list", "Album mp3").map { $0["track"]?.integer } == [2, 1, 3])
    let albums = try home.albums("Music")
    try #require(albums.first == "Album ogg")
    let wavPack = try #require(albums.firstIndex(of: "Album wv"))
    try #require(albums.dropFirst(wavPack + 1).first == "Album flac")
    try #require(Set(try home.albums("Evening")) == ["Album mp3", "Album wav"])
  }
}

extension Place {
  /// Positions are counted over what is listed, so they change with what is gone.
  var unnumbered: Place {
    var place = self
    place.position = nil
    return place
  }
}
