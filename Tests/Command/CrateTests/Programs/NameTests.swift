import CratesInterface
import DemoMusic
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Names are bytes on the way from the folder to the player.
@Suite("Names that are hard to read", .serialized, .limited)
struct NameTests {
  /// Directly in the music folder, so that all are one album, in the order of their tracks.
  static let names: [[UInt8]] = [
    Array("not UTF-8 \u{1}".utf8) + [0xFF, 0xFE, 0xC3] + Array(".flac".utf8),
    Array("two\nlines\r\tand % %41 \"quotes\" \\.flac".utf8),
    Array("Caf\u{E9}.flac".utf8),
    Array("Cafe\u{301}.flac".utf8),
    [UInt8](repeating: UInt8(ascii: "n"), count: 250) + Array(".flac".utf8),
    Array("-0.flac".utf8),
    Array("--json.flac".utf8),
    Array("...dots.flac".utf8),
    Array("  blanks  .flac".utf8),
    Array("\u{202E}\u{1B}[31mred.FLAC".utf8),
  ]

  let home: Home

  init() throws {
    home = try Home()
    for (index, name) in Self.names.enumerated() {
      try writeFile(song(index), to: path(name))
    }
  }

  private func song(_ index: Int) -> [UInt8] {
    DemoSong(
      title: "Song \(index + 1)", artist: "Ada", album: "Odd names", albumArtist: "Ada",
      track: index + 1, seconds: 1, seed: UInt64(index)
    ).encoded()
  }

  private func path(_ name: [UInt8]) -> [UInt8] { Array("\(home.music)/".utf8) + name }

  @Test("Paths come out as they are in the folder, byte for byte")
  func paths() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.problems().isEmpty)
    let found = try home.crate("paths", "-0", "Music").outputBytes
    #expect(found == Self.names.flatMap { path($0) + [0] })
    // One a line, where no name has a line break in it.
    let lines = try home.crate("paths", "Odd names", "3-").outputBytes
    #expect(lines == Self.names.dropFirst(2).flatMap { path($0) + [10] })

    try home.crate("move", "Odd names", "1-2", "bottom")
    let order = try home.listings()
    let moved = try home.crate("paths", "-0", "Music").outputBytes
    #expect(moved == (Self.names[2...] + Self.names[..<2]).flatMap { path($0) + [0] })
    try daemon.kill()
    daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.listings() == order)
    #expect(try home.crate("paths", "-0", "Music").outputBytes == moved)
    try daemon.stop()
  }

  @Test("JSON has them as text and as exact addresses; a table never moves the cursor")
  func shown() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let songs = try home.json("list", "Odd names")
    try #require(songs.count == Self.names.count)
    #expect(
      songs[0]["path"]?.string == "\(home.music)/not UTF-8 \u{1}\u{FFFD}\u{FFFD}\u{FFFD}.flac")
    #expect(songs[0]["uri"]?.string == "file://\(home.music)/not%20UTF-8%20%01%FF%FE%C3.flac")
    let lines = "/two%0Alines%0D%09and%20%25%20%2541%20%22quotes%22%20%5C.flac"
    #expect(songs[1]["uri"]?.string == "file://\(home.music)\(lines)")
    // Swift's String takes the twins for equal; their bytes differ.
    let twins = songs[2...3].map { Array(($0["path"]?.string ?? "").utf8) }
    #expect(twins == Self.names[2...3].map(path))
    let empty = "\(home.music)/\u{1B}[2J\u{202E}\nempty.mp3"
    try writeFile([], to: empty)
    try daemon.sync()
    #expect(try home.problems().map { Array(($0.path ?? "").utf8) } == [Array(empty.utf8)])
    let table = try home.crate("problems").output
    #expect(table.contains("empty.mp3"))
    #expect(!table.unicodeScalars.contains { "\u{1B}\u{202E}".unicodeScalars.contains($0) })
    #expect(table.split(separator: "\n").count == 2)
    try daemon.stop()
  }

  @Test("They are deleted, come back and are renamed like all others")
  func changed() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let places = try home.places()
    for name in Self.names { #expect(unlink(c(path(name))) == 0) }
    try daemon.sync()
    #expect(try home.status().gone == Self.names.count)
    for (index, name) in Self.names.enumerated() { try writeFile(song(index), to: path(name)) }
    try daemon.sync()
    expectSame(try home.places(), places)

    // Each takes a name that is as hard, as its twin's may be.
    for name in Self.names.reversed() {
      let new = path([0xE9, UInt8(ascii: "'")] + name.suffix(200))
      #expect(rename(c(path(name)), c(new)) == 0)
    }
    try daemon.sync()
    expectSame(try home.places(), places)
    let found = try home.crate("paths", "-0", "Music").outputBytes
    #expect(found == Self.names.flatMap { path([0xE9, UInt8(ascii: "'")] + $0.suffix(200)) + [0] })
    try daemon.stop()
  }

  private func c(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}
