import LibraryModel
import TestSupport
import Testing

@testable import Playlists

@Suite("The lines of lists that players wrote", .limited)
struct LineTests {
  private let place = PlaylistPlace(
    directory: BytePath("/disk/music/Lists"),
    roots: [
      .init(named: BytePath("/home/ada/Music"), real: BytePath("/disk/music")),
      .init(named: BytePath("/usb"), real: BytePath("/usb")),
    ])

  private func paths(_ line: String) -> [String] {
    place.paths(of: Array(line.utf8)[...], named: BytePath("/home/ada/Music/Lists")).map(\.display)
  }

  @Test(
    "Each program's way to write a path leads to the song",
    arguments: [
      // Ours, and MPD's of it.
      "../A/1 b.flac", "A/1 b.flac", "/home/ada/Music/A/1 b.flac", "/disk/music/A/1 b.flac",
      // Where MPD's own folder of playlists is elsewhere: it drops what leads out.
      "../../A/1 b.flac", "./../A//./1 b.flac",
      // VLC: an address, or percent-encoded in its folder. Elisa: an address with blanks.
      "file:///home/ada/Music/A/1%20b.flac", "../A/1%20b.flac", "file:///home/ada/Music/A/1 b.flac",
      "FILE://localhost/disk/music/A/1%20b.flac",
      // Windows and what came from there.
      "..\\A\\1 b.flac", "A\\1 b.flac",
    ])
  func found(line: String) {
    #expect(paths(line).contains("/home/ada/Music/A/1 b.flac"), "\(paths(line))")
  }

  @Test("A path is taken as it is first, and a percent sign may be one")
  func order() {
    #expect(paths("/usb/100%25.flac") == ["/usb/100%25.flac", "/usb/100%.flac"])
    #expect(paths("/usb/100%.flac") == ["/usb/100%.flac"])
    #expect(paths("../A/1.flac").first == "/disk/music/A/1.flac")
    #expect(paths("file:///usb/100%25.flac") == ["/usb/100%.flac", "/usb/100%25.flac"])
    #expect(paths("/../../x").isEmpty)
    #expect(paths("http://radio/stream").allSatisfy { !$0.hasPrefix("/stream") })
  }

  @Test(
    "Comments, blank lines, a byte order mark and other ends of line are no part of a name",
    arguments: [
      ("#EXTM3U\na\nb\n", ["a", "b"]), ("\u{FEFF}#EXTM3U\r\na\r\n\r\nb", ["a", "b"]),
      ("\u{FEFF}a\n#EXTINF:1,x\n b \n\t\n", ["a", " b "]), ("", []), ("\n\n#\n", []),
      ("[playlist]\nFile1=a\n", nil), ("<?xml version=\"1.0\"?>\n", nil), ("\n [playlist]\n", nil),
    ] as [(String, [String]?)])
  func lines(text: String, expected: [String]?) {
    let found = PlaylistLines.names(in: Array(text.utf8))
    #expect(found?.map { String(decoding: $0, as: UTF8.self) } == expected)
  }
}

@Suite("Lists as players write them", .limited)
struct PlayerListTests {
  private static let folder = TextTests.folder + "/Players"
  private static let files: [String] =
    ((try? names(in: folder)) ?? []).filter { $0 != "README.md" }

  @Test("Each is of the same songs, in the same order", arguments: files)
  func golden(file: String) throws {
    let root = BytePath("/home/ada/Music")
    let place = PlaylistPlace(
      directory: root.appending("Playlists".utf8), roots: [.init(named: root, real: root)])
    let songs = [
      "Björk/Vespertine/01 Hidden Place.flac", "Björk/Vespertine/02 100% #1.flac",
      "AC;DC/Back in Black/06 Back in Black.flac",
    ].map { root.appending($0.utf8) }
    let lines = try #require(PlaylistLines.names(in: try readFile("\(Self.folder)/\(file)")))
    let found = lines.map { line in
      place.paths(of: line, named: root.appending("Playlists".utf8)).first(where: songs.contains)
    }
    #expect(found == songs, "\(file)")
  }

  @Test("They are there")
  func count() { #expect(Self.files.count == 13) }
}
