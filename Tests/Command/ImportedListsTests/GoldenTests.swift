import TestSupport
import Testing

@testable import ImportedLists

/// Files made by hand after what programs write. Golden/expected.txt says what is in them.
enum Golden {
  static let folder = Repository.folder() + "/Golden"

  static let names = [
    "late.m3u8", "radio.pls", "train.xspf", "weekly.jspf", "playlists.xml", "Library.xml",
    "rekordbox.xml", "order.txt", "crates.txt",
  ]

  static func bytes(_ name: String) throws -> [UInt8] { try readFile("\(folder)/\(name)") }

  /// What lies beside the file.
  static func beside(_ name: String) throws -> [UInt8]? {
    name == "playlists.xml" ? try bytes("rhythmdb.xml") : nil
  }
}

@Suite("Lists of other programs", .limited)
struct GoldenTests {
  @Test("Each format is read as it was written", arguments: Golden.names)
  func golden(name: String) throws {
    let all = String(decoding: try Golden.bytes("expected.txt"), as: UTF8.self)
    let parts = all.split(separator: "== ").map(String.init)
    #expect(parts.count == Golden.names.count)
    let expected = try #require(parts.first { $0.hasPrefix("\(name)\n") })
    let file = try ListFile(
      of: Golden.bytes(name), named: name, beside: Golden.beside(name))
    let text = "\(name)\n" + rendered(file)
    #expect(text == expected)
  }

  @Test("A format shows in what a file begins with, not in its name")
  func formats() throws {
    for name in Golden.names.dropFirst() {
      let other = try ListFile(
        of: Golden.bytes(name), named: "list", beside: Golden.beside(name))
      let own = try ListFile(
        of: Golden.bytes(name), named: name, beside: Golden.beside(name))
      #expect(other.lists.map(\.songs) == own.lists.map(\.songs), "\(name)")
    }
  }

  @Test("Texts are read in UTF-16, too", arguments: Golden.names, [true, false])
  func utf16(name: String, isBig: Bool) throws {
    let bytes = try Golden.bytes(name)
    let text = String(decoding: bytes, as: UTF8.self)
    var wide: [UInt8] = isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]
    for unit in text.utf16 {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      wide += isBig ? [high, low] : [low, high]
    }
    let beside = try Golden.beside(name)
    let read = try ListFile(of: wide, named: name, beside: beside)
    #expect(read == (try ListFile(of: bytes, named: name, beside: beside)))
    let marked = try ListFile(
      of: [0xEF, 0xBB, 0xBF] + bytes, named: name, beside: beside)
    #expect(marked == read)
  }

  @Test("What is none of them is refused, with the place and the reason")
  func refusals() throws {
    let cases: [(name: String, bytes: [UInt8], place: ListFault.Place, words: String)] = [
      ("a.m3u", Array("a\nb\u{0}c\n".utf8), .line(2), "this is none"),
      ("a.pls", Array("[playlist]\nFile1=a\nFi\u{0}le2=b\n".utf8), .line(3), "this is none"),
      ("a.txt", Array("crated 2 sequence 1\ncrate A\u{0}\nend 1\n".utf8), .line(2), "this is none"),
      ("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10], .line(1), "this is none"),
      ("a.pls", Array("[playlist]\nFile1=a\nfile1=b\n".utf8), .line(3), "number 1 already"),
      ("a.xml", Array("<svg>\n</svg>".utf8), .line(1), "<svg>"),
      ("a.xspf", Array("<playlist>\n<trackList>\n</playlist>".utf8), .line(3), "mismatched tag"),
      ("a.xspf", Array("<playlist/>\n<x/>".utf8), .line(2), "junk after"),
      ("a.xspf", Array("<playlist>\n<trackList>\n".utf8), .line(3), "too early"),
      ("page.html", Array("<!DOCTYPE html>\n<html><br></html>".utf8), .line(2), "<html>"),
      ("a.jspf", Array("{\"playlist\":\n{\"track\":[}}".utf8), .line(2), "no place"),
      ("a.jspf", Array("{\"list\":1}".utf8), .file, "no playlist"),
      ("a.txt", Array("crate A\nalbun b\n".utf8), .line(2), "can't start a line"),
      ("a.txt", Array("crate A\na\u{1B}[1mb\n".utf8), .line(2), "“a�[1mb”"),
      ("a.txt", Array("crate A\nsong kx2mf7qd4t3a y\n".utf8), .line(2), "above the first album"),
      ("a.txt", Array("crate A\n\talbum bkqv7m2a3x4e B\n".utf8), .file, "no songs"),
      ("a.txt", Array("crated 2 sequence 1\ncrate A\n".utf8), .file, "last line"),
      (
        "L.xml", Array("<plist>\n<dict>\n<key>Tracks</key>\n</dict></plist>".utf8), .line(4),
        "a key without a value"
      ),
      (
        "L.xml", Array("<plist><dict>\n<key>Tracks</key><key>x</key></dict></plist>".utf8),
        .line(2), "a key without a value"
      ),
      ("x", Array("SQLite format 3\u{0}".utf8) + [1, 2, 3], .file, "damaged database"),
    ]
    for (name, bytes, place, words) in cases {
      let fault = try #require(throws: ListFault.self) {
        try ListFile(of: bytes, named: name)
      }
      #expect(fault.place == place, "\(name): \(fault)")
      #expect(fault.reason.contains(words), "\(name): \(fault)")
      #expect(!fault.isUnreadable)
    }
  }

  @Test(
    "An empty file is one only of paths",
    arguments: [
      "a.xml", "a.pls", "a.xspf", "a.jspf", "a.nsp", "a.crate", "a.db", "a.txt", "list",
    ])
  func empty(name: String) throws {
    for bytes in [[], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], Array(" \r\n\t\n".utf8)] as [[UInt8]] {
      let fault = try #require(throws: ListFault.self) {
        try ListFile(of: bytes, named: name)
      }
      #expect(fault.reason.contains("empty"), "\(name): \(fault)")
      #expect(!fault.isUnreadable)
      for list in ["a.m3u", "a.m3u8"] {
        let file = try ListFile(of: bytes, named: list)
        #expect(file.lists.map(\.songs) == [[]])
      }
    }
  }

  @Test("What is packed, or is not what its name says, is told so")
  func duplicateFiles() throws {
    let utf16 = Array("crate A".utf16)
    let cases: [(name: String, bytes: [UInt8], words: String)] = [
      ("a.m3u", [0x1F, 0x8B, 8, 0, 1], "with gzip; unpack"),
      ("a.xspf", [0x50, 0x4B, 3, 4, 20], "with zip; unpack"),
      ("a.m3u", [0x28, 0xB5, 0x2F, 0xFD], "with zstd; unpack"),
      ("a.m3u", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "with xz; unpack"),
      ("a.m3u", Array("BZh91AY&SYabc".utf8), "with bzip2; unpack"),
      ("Library.xml", Array("bplist00abc".utf8), "export the library as XML"),
      ("a.m3u", utf16.flatMap { [UInt8($0), 0] }, "UTF-16 without a mark"),
      ("a.m3u", utf16.flatMap { [0, UInt8($0)] }, "UTF-16 without a mark"),
      ("a.xml", Array("a/b.mp3\n".utf8), "says XML"),
      ("a.xspf", Array("[Playlist\n".utf8), "says XML"),
      ("a.json", Array("[1]".utf8), "says JSON"), ("a.jspf", Array("// a".utf8), "says JSON"),
      ("a.crate", Array("vrs".utf8), "Serato"),
      ("master.db", Array("SQLite".utf8), "Rekordbox"),
      ("a.pls", Array("a/b.mp3\n".utf8), "neither “[playlist]”"),
      ("a.m3u", Array("<!DOCTYPE html>\n<html></html>".utf8), "<html>"),
      ("a.m3u8", Array("<?xml version='1.0'?>\n<asx/>".utf8), "<asx>"),
    ]
    for (name, bytes, words) in cases {
      let fault = try #require(throws: ListFault.self, "\(name)") {
        try ListFile(of: bytes, named: name)
      }
      #expect(fault.reason.contains(words), "\(name): \(fault)")
    }
  }

  @Test("A name that says a list of paths misleads where the file has another format's first line")
  func misnamed() throws {
    for name in ["radio.pls", "train.xspf"] {
      let own = try ListFile(of: Golden.bytes(name), named: name)
      let other = try ListFile(of: Golden.bytes(name), named: "other.m3u")
      #expect(other.lists.map(\.songs) == own.lists.map(\.songs))
    }
    for path in ["<3/a.mp3", "{b}/a.mp3", "crate digging/a.mp3", "[playlists]/a.mp3"] {
      let file = try ListFile(of: Array("\(path)\n".utf8), named: "a.m3u")
      #expect(file.lists.first?.songs.map(\.path) == [path])
    }
    let pls = "; of a radio\n[playlist]\nFile1=a.mp3\n"
    let file = try ListFile(of: Array(pls.utf8), named: "a.pls")
    #expect(file.lists.first?.songs.map(\.path) == ["a.mp3"])
  }

  @Test("The lists that Rhythmbox comes with are named, though otherwise than its own")
  func namedInside() throws {
    let text = """
      <rhythmdb-playlists>
      <playlist type="automatic"><name>My Top Rated</name><conjunction/></playlist>
      <playlist type="queue" name="Queue"><location>file:///a</location></playlist>
      <playlist type="static"><location>file:///a</location><name>Late</name></playlist>
      </rhythmdb-playlists>
      """
    let file = try ListFile(of: Array(text.utf8), named: "a.xml")
    #expect(
      file.leftOut == [
        LeftOutList(name: "My Top Rated", reason: .smart),
        LeftOutList(name: "Queue", reason: .queue),
      ])
    #expect(file.lists.map(\.name) == ["Late"])
    #expect(file.lists.map(\.songs.count) == [1])
  }

  @Test("Navidrome's smart lists are named after their files, and hold no songs")
  func smart() throws {
    let file = try ListFile(of: Array(#"/* mine */ {"all": []}"#.utf8), named: "Loved.nsp")
    #expect(file.lists.isEmpty)
    #expect(file.leftOut == [LeftOutList(name: "Loved", reason: .smart)])
  }

  @Test("A file with too many songs is refused whole")
  func mostSongs() throws {
    let songs = [UInt8](repeating: 0, count: 2 * (ListLimits.songs + 1)).enumerated().map {
      $0.offset.isMultiple(of: 2) ? UInt8(ascii: "a") : 0x0A
    }
    let many = try #require(throws: ListFault.self) {
      try ListFile(of: songs, named: "a.m3u")
    }
    #expect(many.reason.contains("1,000,000 songs"))
    let fits = try ListFile(of: Array(songs.dropLast(2)), named: "a.m3u")
    #expect(fits.lists.first?.songs.count == ListLimits.songs)
  }
}
