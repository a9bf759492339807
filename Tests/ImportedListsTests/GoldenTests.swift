import TestSupport
import Testing

@testable import ImportedLists

/// Files made by hand after what programs write. Golden/expected.txt says what is in them.
enum Golden {
  static let folder: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast().joined(separator: "/") + "/Golden"
  }()

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
    let readings = try ListFile.readings(
      of: Golden.bytes(name), named: name, beside: Golden.beside(name))
    #expect(readings.count == 1)
    let text = "\(name)\n" + rendered(try #require(readings.first))
    #expect(text == expected)
  }

  @Test("A format shows in what a file begins with, not in its name")
  func formats() throws {
    for name in Golden.names.dropFirst() {
      let other = try ListFile.readings(
        of: Golden.bytes(name), named: "list", beside: Golden.beside(name))
      let own = try ListFile.readings(
        of: Golden.bytes(name), named: name, beside: Golden.beside(name))
      #expect(other.map { $0.lists.map(\.songs) } == own.map { $0.lists.map(\.songs) }, "\(name)")
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
    let read = try ListFile.readings(of: wide, named: name, beside: beside)
    #expect(read == (try ListFile.readings(of: bytes, named: name, beside: beside)))
    let marked = try ListFile.readings(
      of: [0xEF, 0xBB, 0xBF] + bytes, named: name, beside: beside)
    #expect(marked == read)
  }

  @Test("What is none of them is refused, with the place and the reason")
  func refusals() throws {
    let cases: [(name: String, bytes: [UInt8], place: ListFault.Place, words: String)] = [
      ("a.m3u", Array("a\nb\u{0}c\n".utf8), .line(2), "this is none"),
      ("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10], .line(1), "this is none"),
      ("a.pls", Array("[playlist]\nFile1=a\nfile1=b\n".utf8), .line(3), "number 1 already"),
      ("a.xml", Array("<svg>\n</svg>".utf8), .line(1), "<svg>"),
      ("a.xspf", Array("<playlist>\n<trackList>\n</playlist>".utf8), .line(3), "<trackList>"),
      ("a.jspf", Array("{\"playlist\":\n{\"track\":[}}".utf8), .line(2), "no place"),
      ("a.jspf", Array("{\"list\":1}".utf8), .file, "no playlist"),
      ("a.txt", Array("crate A\nalbun b\n".utf8), .line(2), "begins no line"),
      ("a.txt", Array("crate A\na\u{1B}[1mb\n".utf8), .line(2), "“a�[1mb”"),
      ("a.txt", Array("crate A\nsong x y\n".utf8), .line(2), "above the first album"),
      ("a.txt", Array("crate A\n\talbum bkqv7m2a3x4e B\n".utf8), .file, "no songs"),
      ("a.txt", Array("crated 2 sequence 1\ncrate A\n".utf8), .file, "last line"),
      (
        "L.xml", Array("<plist>\n<dict>\n<key>Tracks</key>\n</dict></plist>".utf8), .line(4),
        "a key without a value"
      ),
      ("x", Array("SQLite format 3\u{0}".utf8) + [1, 2, 3], .file, "damaged database"),
    ]
    for (name, bytes, place, words) in cases {
      let fault = try #require(throws: ListFault.self) {
        try ListFile.readings(of: bytes, named: name)
      }
      #expect(fault.place == place, "\(name): \(fault)")
      #expect(fault.reason.contains(words), "\(name): \(fault)")
      #expect(!fault.isUnreadable)
    }
  }

  @Test("A file that is too large, or has too much in it, is refused whole")
  func bounds() throws {
    let blanks = [UInt8](repeating: 0x20, count: ListLimits.bytes + 1)
    let fault = try #require(throws: ListFault.self) {
      try ListFile.readings(of: blanks, named: "a.m3u")
    }
    #expect(fault.reason.contains("64 MiB"))
    let songs = [UInt8](repeating: 0, count: 2 * (ListLimits.songs + 1)).enumerated().map {
      $0.offset.isMultiple(of: 2) ? UInt8(ascii: "a") : 0x0A
    }
    let many = try #require(throws: ListFault.self) {
      try ListFile.readings(of: songs, named: "a.m3u")
    }
    #expect(many.reason.contains("1,000,000 songs"))
    let fits = try ListFile.readings(of: Array(songs.dropLast(2)), named: "a.m3u")
    #expect(fits.first?.lists.first?.songs.count == ListLimits.songs)
  }
}
