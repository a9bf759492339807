import LibraryModel
import TestSupport
import Testing

@testable import Playlists

@Suite("What is remembered of playlists", .limited)
struct RecordsTests {
  private let folder: TemporaryFolder
  private let directory = BytePath("/m/Lists")
  private let jazz = BytePath("100% Jazz\u{E9}.m3u8")

  init() throws { folder = try TemporaryFolder() }

  private func records() throws -> PlaylistRecords {
    try PlaylistRecords(of: directory, in: BytePath(folder.path))
  }

  private func digest(_ text: String) -> TextDigest { TextDigest(of: text.utf8) }
  private func songs(_ numbers: UInt64...) -> [SongID] { numbers.map { SongID(number: $0) } }

  @Test("it is there after a restart, to the byte of each name")
  func restart() throws {
    var records = try records()
    #expect(records.entries.isEmpty && records.damagedLine == nil)
    let bad = BytePath([0x20, 0xFF, 0x0A, 0x25, 0x20])
    try records.willWrite(jazz, digest("1"), songs: songs(1, 2))
    try records.didWrite(jazz)
    try records.willWrite(bad, digest("2"), songs: [])
    try records.willWrite(jazz, digest("3"), songs: songs(2, 1))
    let again = try self.records()
    #expect(again.damagedLine == nil && again.entries == records.entries)
    #expect(again[jazz]?.last == digest("1") && again[jazz]?.next == digest("3"))
    #expect(again[bad]?.last == nil && again[bad]?.next == digest("2"))
    #expect(again.bases(of: jazz) == [songs(1, 2), songs(2, 1)])
    // Another directory has another one.
    #expect(try PlaylistRecords(of: BytePath("/m"), in: BytePath(folder.path)).entries.isEmpty)
    try records.restore(bad, nil)
    #expect(try self.records().entries.keys.sorted() == [jazz])
  }

  @Test("the last eight lists are bases, and an edit that is taken drops those before it")
  func bases() throws {
    var records = try records()
    for number in 1...12 {
      try records.willWrite(jazz, digest("\(number)"), songs: songs(UInt64(number)))
      try records.didWrite(jazz)
    }
    #expect(records.bases(of: jazz) == (5...12).map { songs(UInt64($0)) })
    // What is written again is the newest.
    try records.willWrite(jazz, digest("7"), songs: songs(7))
    #expect(records.bases(of: jazz).last == songs(7) && records.bases(of: jazz).count == 8)
    let files = { try names(in: folder.path + "/" + names(in: folder.path)[0]).count }
    #expect(try files() == 9)
    try records.didAccept(jazz, digest("edit"), songs: songs(3, 2), isPlain: true)
    #expect(records.bases(of: jazz) == [songs(3, 2)] && records[jazz]?.isPlayers == true)
    #expect(try files() == 2)
    #expect(try self.records().entries == records.entries)
    // Files of songs that nobody needs go, and one that is lost costs itself.
    let place = try folder.path(names(in: folder.path)[0])
    try writeFile([], to: "\(place)/songs-\(digest("old"))")
    records.removeUnusedSongs()
    #expect(try files() == 2)
    try writeFile(Array("damaged".utf8), to: "\(place)/songs-\(digest("edit"))")
    #expect(records.bases(of: jazz) == [])
  }

  @Test("a name is known from its first list on, and later ones are confirmed with the next")
  func confirmed() throws {
    var records = try records()
    try records.willWrite(jazz, digest("1"), songs: songs(1))
    #expect(try self.records()[jazz]?.last == nil)
    try records.didWrite(jazz)
    #expect(try self.records()[jazz] == records[jazz] && records[jazz]?.last == digest("1"))
    try records.willWrite(jazz, digest("2"), songs: songs(2))
    try records.didWrite(jazz)
    #expect(records[jazz]?.last == digest("2") && records[jazz]?.next == nil)
    #expect(try self.records()[jazz]?.next == digest("2"))
    // Without anything that was intended it stays as it is.
    try records.didWrite(jazz)
    try records.didWrite(BytePath("Other"))
    #expect(records[jazz]?.last == digest("2") && records[BytePath("Other")] == nil)
  }

  @Test("an edit whose lines are not all songs is a base, and not the list")
  func notPlain() throws {
    var records = try records()
    try records.didAccept(jazz, digest("0"), songs: songs(1), isPlain: true)
    #expect(records[jazz] == nil)
    try records.willWrite(jazz, digest("1"), songs: songs(1))
    try records.didWrite(jazz)
    try records.didAccept(jazz, digest("2"), songs: songs(2), isPlain: false)
    let base = [digest("2")]
    #expect(records[jazz] == .init(last: digest("1"), bases: base))
    try records.didAccept(jazz, digest("3"), songs: songs(3), isPlain: true)
    #expect(records[jazz] == .init(last: digest("3"), isPlayers: true, bases: [digest("3")]))
    try records.willWrite(jazz, digest("4"), songs: songs(4))
    try records.didWrite(jazz)
    #expect(records[jazz]?.isPlayers == false)
    #expect(try self.records()[jazz]?.bases == [digest("3"), digest("4")])
  }

  @Test("what can't be saved was not done")
  func fault() throws {
    var records = try records()
    try records.willWrite(jazz, digest("1"), songs: [])
    let before = records.entries
    let place = try names(in: folder.path)[0]
    removeTree(folder.path(place))
    try folder.write("a file in its place", to: place)
    #expect(throws: (any Error).self) { try records.willWrite(jazz, digest("2"), songs: []) }
    #expect(throws: (any Error).self) { try records.restore(jazz, nil) }
    #expect(records.entries == before)
  }

  @Test("what was damaged is told with its line, at every byte")
  func damage() throws {
    var records = try records()
    try records.willWrite(jazz, digest("1"), songs: songs(1))
    try records.didWrite(jazz)
    let path = try folder.path(names(in: folder.path)[0]) + "/lists"
    let text = try readFile(path)
    var (told, same) = (0, 0)
    for place in text.indices {
      try writeFile(text[..<place] + [], to: path)
      // All before the end of a line is whole.
      let short = try self.records()
      if short.damagedLine == nil {
        #expect(text[..<place].last == 0x0A && short.entries != records.entries, "\(place)")
        same += 1
      } else {
        told += 1
      }
    }
    #expect(told > 100 && same < 4, "\(told) \(same)")
  }

  @Test("it is a text of a line for each digest, in the order of names")
  func text() throws {
    var records = try records()
    let odd = BytePath([0x1F, 0x20, 0x7E, 0x7F, 0x25, 0xE9])
    try records.willWrite(odd, digest("1"), songs: songs(1))
    try records.didWrite(odd)
    try records.willWrite(odd, digest("2"), songs: songs(2))
    try records.willWrite(BytePath("B.m3u8"), digest("3"), songs: [])
    try records.didWrite(BytePath("B.m3u8"))
    try records.didAccept(BytePath("B.m3u8"), digest("4"), songs: songs(4), isPlain: true)
    let path = try folder.path(names(in: folder.path)[0]) + "/lists"
    let text = String(decoding: try readFile(path), as: UTF8.self)
    let name = "%1F ~%7F%25%E9"
    #expect(
      text == """
        crated lists 1
        folder /m/Lists
        list \(digest("1")) \(name)
        next \(digest("2")) \(name)
        base \(digest("1")) \(name)
        base \(digest("2")) \(name)
        taken \(digest("4")) B.m3u8
        base \(digest("4")) B.m3u8

        """)
    #expect(try self.records().entries == records.entries)
  }

  @Test("each line is one that it writes, or damage that is told with its number")
  func lines() throws {
    var records = try records()
    try records.willWrite(jazz, digest("1"), songs: [])
    let path = try folder.path(names(in: folder.path)[0]) + "/lists"
    let (head, place) = ("crated lists 1\n", "folder /m/Lists\n")
    let (list, base) = ("list \(digest("1")) a\n", "base \(digest("1")) a\n")
    func damage(_ text: String) throws -> Int? {
      try writeFile(Array(text.utf8), to: path)
      let records = try self.records()
      #expect(records.damagedLine == nil || records.entries.isEmpty)
      return records.damagedLine
    }
    func line(_ words: String) -> String { head + place + words + "\n" }
    #expect(try damage(head + place) == nil && damage(head + place + list) == nil)
    let bases = String(repeating: base, count: EditedList.mostBases)
    #expect(try damage(head + place + bases) == nil)
    for (text, number) in [
      ("", 1), ("crated lists 2\n" + place, 1), (place + head, 1), (head, 2), (head + "\n", 2),
      (head + "folder /m/Other\n", 2), (head + String(place.dropLast()), 2),
      (line("x"), 3), (line(list), 4), (line(list + "old \(digest("1")) a"), 4),
      (line("list 1 a"), 3), (line("list \(digest("1"))"), 3), (line("list \(digest("1")) "), 3),
      (line("list \(digest("1")) a%2Fb"), 3), (line("list \(digest("1")) a/b"), 3),
      (line("list \(digest("1")) a%00"), 3), (line("list \(digest("1")) a%4"), 3),
      (head + place + bases + base, 3 + EditedList.mostBases),
      (head + place + String(list.dropLast()), 2),
    ] { #expect(try damage(text) == number, "\(text)") }
  }

  @Test("the digest is of the bytes, however they come")
  func digests() {
    var random = SeededGenerator(usually: 45)
    let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = TextDigest(of: bytes)
    var hasher = TextHasher()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...100_000, using: &random)
      hasher.add(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(hasher.digest == whole, "\(random)")
    #expect(TextDigest(of: bytes.dropLast()) != whole)
    #expect(TextDigest("\(whole)") == whole && TextDigest("\(whole)0") == nil)
    for bad in ["", "\(whole)".uppercased(), "g" + "\(whole)".dropFirst(), "+1234567890abcde0"] {
      #expect(TextDigest(bad) == nil)
    }
    // As they are remembered on disks: those of long texts are of pieces of 65,536 bytes.
    for (count, expected) in [
      (0, "99aa06d3014798d86001c324468d497f"), (1, "a6cd5e9392000f6ac44bdff4074eecdb"),
      (65_535, "b1e4788c8e7fd1724f8d0f320ad98ed8"), (65_536, "f244d180d17aa52504e2816672175f2e"),
      (65_537, "d618fb729aa7b52a7d1cfae0903c11d3"), (200_000, "e0d0dd279ef289b9268c96412ea1e5ab"),
    ] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }
      #expect(TextDigest(of: bytes).description == expected, "\(count)")
    }
  }
}
