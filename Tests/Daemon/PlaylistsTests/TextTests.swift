import Glibc
import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("The text of a playlist", .limited)
struct TextTests {
  static let folder = Repository.folder() + "/Golden"

  private func text(
    _ library: Library, _ crate: String, in directory: String = "/m/Lists",
    _ ending: PlaylistEnding = .m3u8
  ) throws -> (text: [UInt8], leftOut: [BytePath]) {
    let crate = try #require(library.crate(named: crate))
    let file = try #require(PlaylistName.names(of: [crate.name], .m3u8).first)
    var bytes: [UInt8] = []
    let roots = library.away.folders.map { PlaylistPlace.Root(named: $0, real: $0) }
    let place = PlaylistPlace(directory: BytePath(directory), roots: roots)
    let text = PlaylistText(library, at: place, ending)
    let leftOut = try text.write(crate, named: file) { (piece) throws(SystemCallError) in
      bytes += piece
      return true
    }
    return (bytes, leftOut)
  }

  @Test("It is what it was: a crate with everything that can be odd about one")
  func golden() throws {
    var music = Music()
    try music.add("Jazz")
    let kind = try music.add(album: "Kind of Blue", by: "Miles Davis", to: "Jazz")
    func kindOfBlue(_ name: String, _ title: String, _ milliseconds: Int) throws {
      try music.add(
        song: BytePath("/m/Miles Davis/Kind of Blue/\(name)"), title, by: "Miles Davis",
        milliseconds: milliseconds, album: "Kind of Blue", albumArtist: "Miles Davis", to: kind)
    }
    try kindOfBlue("01 So What.flac", "So What", 561_499)
    try kindOfBlue("02 Freddie.flac", " Freddie\r\nFreeloader\u{2028}(take 2)\t", 586_500)
    try kindOfBlue("#3 100%.flac", "Blue in \"Green\"", 0)
    try kindOfBlue("04 All\\Blues.flac", "", 400)
    let odd = try music.add(album: "", by: "", to: "Jazz")
    var path = Array("/m/http:/ ".utf8)
    path += [0xFF, 0xC3] + Array(".mp3".utf8)
    try music.add(
      song: BytePath(path), "後で - 聴く 🎷", by: "", album: "", albumArtist: "", to: odd)
    try music.add(
      song: BytePath("/m/two\nlines.mp3"), "Two lines", by: "", album: "", albumArtist: "", to: odd)
    let gone = try music.add(album: "Gone", by: "Nobody", to: "Jazz")
    let song = try music.add(
      song: BytePath("/m/gone.mp3"), "Gone", by: "Nobody", album: "Gone", albumArtist: "Nobody",
      to: gone)
    try music.apply(.songGone(song, Traits()))
    let away = try music.add(album: "Away", by: "", to: "Jazz")
    try music.add(
      song: BytePath("/mnt/usb/a.mp3"), "Offline", by: "Somebody", album: "Away", albumArtist: "",
      to: away)

    let (text, leftOut) = try text(music.library, "Jazz")
    let expected = try readFile(Self.folder + "/Jazz.m3u8")
    #expect(String(decoding: text, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    let isSame = text == expected
    #expect(isSame)
    #expect(leftOut == [BytePath("/m/two\nlines.mp3")])
  }

  @Test("A crate with nothing to list has a playlist without songs")
  func empty() throws {
    var music = Music()
    try music.add("New / later")
    #expect(
      try text(music.library, "New / later").text
        == Array("#EXTM3U\n#CRATED:New _ later.m3u8\n#PLAYLIST:New / later\n".utf8))
  }

  @Test("Read again, it has the paths of the crate's songs in their order")
  func readAgain() throws {
    var generator = SeededGenerator(usually: 43)
    var songs = 0
    var odd = 0
    for _ in 0..<20 {
      var maker = LibraryMaker(seed: generator.next())
      for _ in 0..<150 { _ = try maker.changes() }
      for crate in maker.library.crates {
        let comment: Comment = "\(generator), \(crate.name)"
        let listed = maker.library.listedPaths(of: crate)
        for directory in ["/home/ada/Music/Lists", "/", "/home", "/srv/a/b"] {
          let (text, leftOut) = try text(maker.library, crate.name, in: directory)
          let breaks = listed.filter { $0.bytes.contains { $0 == 0x0A || $0 == 0x0D } }
          #expect(leftOut == Array(breaks.prefix(100)), comment)
          let expected = listed.filter { !breaks.contains($0) }.map { plain($0.bytes) }
          #expect(paths(in: text, from: directory) == expected, comment)
          songs += expected.count
          odd += breaks.count
        }
      }
    }
    #expect(songs > 1000 && odd > 100, "\(generator)")
  }

  @Test("With the other ending, nothing follows the length, which MPD would show beside the title")
  func plainLengths() throws {
    let music = try Music.crates(1)
    let (text, _) = try text(music.library, "Crate 1", .m3u)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.prefix(3) == ["#EXTM3U", "#CRATED:Crate 1.m3u8", "#PLAYLIST:Crate 1"])
    #expect(lines.filter { $0.hasPrefix("#EXTINF") } == Array(repeating: "#EXTINF:60,", count: 4))
    #expect(lines.contains("../Album 1-1/1.flac"))
  }

  @Test(
    "What would end a line, or is seen by nobody at its ends, is left out of a title",
    arguments: [
      ("So What", "So What"), ("a\u{7F}b", "a b"), ("a\u{1F}\u{1F}b", "a b"), ("~", "~"),
      (" a", "a"), ("a ", "a"), (" é ", "é"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
      ("\n", ""), ("\n a", "a"), ("a  b", "a  b"), (String(repeating: "x", count: 1025), nil),
    ] as [(String, String?)])
  func titles(title: String, expected: String?) throws {
    var music = Music()
    try music.add("Jazz")
    let album = try music.add(album: "A", by: "B", to: "Jazz")
    try music.add(
      song: BytePath("/m/1.mp3"), title, by: "", album: "A", albumArtist: "B", to: album)
    let lines = String(decoding: try text(music.library, "Jazz").text, as: UTF8.self)
      .split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("#EXTINF:60,") })
    #expect(line.dropFirst(11) == expected ?? String(title.dropLast()))
  }

  /// The paths that a player finds: comments skipped, the rest relative to the playlist.
  private func paths(in text: [UInt8], from directory: String) -> [BytePath] {
    #expect(text.starts(with: "#EXTM3U\n".utf8) && text.last == 0x0A && !text.contains(0x0D))
    let lines = text.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.compactMap { line in
      if line.first == UInt8(ascii: "#") { return nil }
      return plain(line.first == 0x2F ? Array(line) : directory.utf8 + [0x2F] + line)
    }
  }

  /// Without dots, and without the double slashes that made-up paths have.
  private func plain(_ path: [UInt8]) -> BytePath {
    var parts: [[UInt8]] = []
    for part in path.split(separator: 0x2F).map({ Array($0) }) {
      if part == [0x2E, 0x2E] { parts.removeLast() } else if part != [0x2E] { parts.append(part) }
    }
    return BytePath(parts.flatMap { [0x2F] + $0 })
  }

  @Test(
    "Paths go up only as far as they must, and none is taken for something else",
    arguments: [
      ("/m/Lists", "/m/A/1.mp3", "../A/1.mp3"),
      ("/m/Lists", "/m/Lists 2/1.mp3", "../Lists 2/1.mp3"),
      ("/m", "/m/A/1.mp3", "A/1.mp3"), ("/m", "/m/#A/1.mp3", "./#A/1.mp3"),
      ("/m", "/m/http:/1.mp3", "./http:/1.mp3"), ("/m", "/m/ A.mp3", "./ A.mp3"),
      ("/m", "/m/A/b:c.mp3", "A/b:c.mp3"), ("/m", "/m/A#/1.mp3", "A#/1.mp3"),
      ("/m", "/m/A /1.mp3", "A /1.mp3"), ("/m", "/m/A/#1.mp3", "A/#1.mp3"),
      ("/", "/m/1.mp3", "/m/1.mp3"),
      // Not in one folder with the list, nor in any.
      ("/m/Lists", "/usb/1.mp3", "/usb/1.mp3"), ("/m/Lists", "/n/1.mp3", "/n/1.mp3"),
      ("/media/lists", "/m/1.mp3", "/m/1.mp3"), ("/", "/n/1.mp3", "/n/1.mp3"),
    ])
  func relative(directory: String, song: String, expected: String) {
    let roots = ["/m", "/usb"].map { PlaylistPlace.Root(named: BytePath($0), real: BytePath($0)) }
    let path = PlaylistPlace(directory: BytePath(directory), roots: roots).path(to: BytePath(song))
    #expect(path.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test("Texts are cut, pieces are of 64 KiB and a song, and a hundred that are left out are named")
  func bounds() throws {
    var music = Music()
    try music.add("Jazz")
    let long = String(repeating: "x", count: 5_000)
    let album = try music.add(album: "A", by: "B", to: "Jazz")
    for number in 0..<101 {
      try music.add(
        song: BytePath("/m/\(number)\n.mp3"), "T", by: "B", album: "A", albumArtist: "B", to: album)
    }
    for number in 0..<200 {
      try music.add(
        song: BytePath("/m/\(number).mp3"), long, by: long, album: long, albumArtist: long,
        to: album)
    }
    var pieces: [Int] = []
    let text = PlaylistText(music.library, at: PlaylistPlace(directory: BytePath("/m/Lists")))
    let crate = try #require(music.library.crate(named: "Jazz"))
    let leftOut = try text.write(crate, named: BytePath("J")) { (piece) throws(SystemCallError) in
      pieces.append(piece.count)
      return true
    }
    #expect(leftOut == (0..<100).map { BytePath("/m/\($0)\n.mp3") })
    #expect(pieces.count > 3 && pieces.reduce(0, +) < 200 * 2_200)
    #expect(pieces.dropLast().allSatisfy { (65_536..<68_000).contains($0) })
    // Nobody wants more after the first.
    var taken = 0
    _ = try text.write(crate, named: BytePath("J")) { (_) throws(SystemCallError) in
      taken += 1
      return false
    }
    #expect(taken == 1)
  }

  @Test(
    "Lengths are rounded to seconds, and what sounds lasts one at least",
    arguments: [
      (-5, -1), (0, -1), (1, 1), (499, 1), (1_000, 1), (1_499, 1), (1_500, 2), (1_999, 2),
      (2_002, 2), (60_000, 60),
    ])
  func lengths(milliseconds: Int, seconds: Int) throws {
    var music = Music()
    try music.add("Jazz")
    let album = try music.add(album: "A", by: "B", to: "Jazz")
    try music.add(
      song: BytePath("/m/1.mp3"), "T", by: "", milliseconds: milliseconds, album: "A",
      albumArtist: "B", to: album)
    let lines = String(decoding: try text(music.library, "Jazz").text, as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.contains("#EXTINF:\(seconds),T"))
  }
}
