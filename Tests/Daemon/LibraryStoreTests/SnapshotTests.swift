import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Snapshot", .limited)
struct SnapshotTests {
  /// A little of everything that a snapshot can say.
  static let edited = """
    crated 1 sequence 7
    # mine
    crate Jazz

    \talbum* baaaaaaaaaaa group=by%09m%09k touched=some Miles - Kind
    \t\talso daaaaaaaaaaa
    \t\talso eaaaaaaaaaaa
    \t\tsong faaaaaaaaaaa added=2026-11-21T05:11:02.123Z touched=1 /m/a b.flac
    \t\tgone gaaaaaaaaaaa added=2026-11-21T05:11:02.123Z group=x disc=1 title=So%20What /m/%FF.flac
    \t\tslot haaaaaaaaaaa group=none of ours
    crate Other
    \talbum caaaaaaaaaaa group=y fresh=1 
    \t\toffline haaaaaaaaaaa added=2026-11-21T05:11:02.123Z group=z seconds=1.500 /n
    end edited

    """

  @Test("A file that a person edited is taken over, with comments, blank lines and any line ends")
  func editedFile() throws {
    for text in [
      Self.edited, Self.edited.replacing("\n", with: "\r\n"), Self.edited + "\n\n",
      "\u{FEFF}" + Self.edited,
    ] {
      let contents = try SnapshotReader.read(Array(text.utf8))
      #expect(contents.isEdited)
      let library = contents.library
      #expect(library.sequence == 7)
      try #require(library.crates.map(\.name) == ["Jazz", "Other"])
      let id = try #require(AlbumID("baaaaaaaaaaa"))
      let album = try #require(library.albums[id])
      #expect(album.isArranged && library.isTouched(id) && !album.isFresh)
      #expect(album.aliases.map(\.description) == ["daaaaaaaaaaa", "eaaaaaaaaaaa"])
      try #require(album.entries.count == 3)
      let gone = try #require(library.songs[album.entries[1]])
      #expect(gone.isGone && gone.lasting.title == "So What" && gone.path.bytes.contains(0xFF))
      let away = try #require(library.songs[album.entries[2]])
      #expect(away.album != album.id && !away.isGone && away.lasting.milliseconds == 1500)
      #expect(brokenInvariant(of: library) == nil)
    }
    let odd = Self.edited.replacing("crate Other", with: "crate #\n\t# a remark")
    #expect(try SnapshotReader.read(Array(odd.utf8)).library.crates.map(\.name) == ["Jazz", "#"])
  }

  @Test(
    "A line that doesn't parse is named by its number, with why",
    arguments: [
      ("crate Jazz", "crate ", 3, nil), ("crate Other", "crate Jazz", 11, nil),
      ("\talbum c", "album c", 12, nil), ("crate Other", "shelf Other", 11, nil),
      ("song f", "song g", 9, nil), ("/m/a b", "m/a b", 8, "a path is missing"),
      ("also daaaaaaaaaaa", "also d", 6, "d is not an album's id"),
      ("also daaaaaaaaaaa", "also daaaaaaaaaaa x", 6, "too many words"),
      ("crated 1 sequence 7", "crated 1 sequence x", 1, nil),
      ("touched=some", "touched=1", 5, "touched is =all or =some"),
      ("fresh=1", "fresh=2", 12, "a mark is =1, or left out"),
      ("fresh=1", "added=1", 12, "added is no word of an album"),
      ("fresh=1", "title=x", 12, "title is no word of an album"),
      ("fresh=1", "group=y", 12, "group is no word of an album"),
      ("fresh=1", "seen=now", 12, "a bad time"), ("fresh=1", "came=-1", 12, "-1 is not a number"),
      ("fresh=1", "came=", 12, " is not a number"), ("group=y", "color=y", 12, nil),
      ("touched=1 /m", "touched=0 /m", 8, "a mark is =1, or left out"),
      ("touched=1 /m", "touched=all /m", 8, "a mark is =1, or left out"),
      ("touched=1 /m", "fresh=1 /m", 8, "fresh is no word of a song"),
      ("touched=1 /m", "came=1 /m", 8, "came is no word of a song"),
      ("touched=1 /m", "seen=now /m", 8, "a bad time"),
      ("touched=1 /m", "disc=x /m", 8, "x is not a number"),
      ("seconds=1.500", "seconds=1.5", 13, "1.5 is not a number of seconds"),
      // More than a number of milliseconds holds.
      ("seconds=1.500", "seconds=9223372036854775807.000", 13, nil),
      ("title=So%20", "title=%", 9, "%What is not text"),
      // What a slot lacks shows only at the end.
      ("offline h", "offline i", 13, nil),
      ("group=none of ours", "group=none\n\t\tslot haaaaaaaaaaa group=none of ours", 11, nil),
    ] as [(String, String, Int, String?)])
  func rejected(old: String, new: String, line: Int, reason: String?) throws {
    let text = Self.edited.replacing(old, with: new)
    try #require(text != Self.edited)
    let fault = #expect(throws: SnapshotReader.Fault.self) {
      try SnapshotReader.read(Array(text.utf8))
    }
    guard case .rejected(line, let found) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    if let reason { #expect(found.hasPrefix(reason)) }
  }

  @Test("A later version is named, not judged, and a version is above nothing")
  func versions() {
    for (header, version) in [
      ("crated 2 sequence 1\nend edited", 2), ("crated 4", 4), ("crated 12 of another kind", 12),
    ] {
      #expect(throws: SnapshotReader.Fault.newerVersion(version)) {
        try SnapshotReader.read(Array("\(header)\n".utf8))
      }
    }
    for header in ["crated 0 sequence 0", "crated 1 sequence 0 x", "crated 1 sequence", "Crated 1"]
    {
      let fault = #expect(throws: SnapshotReader.Fault.self) {
        try SnapshotReader.read(Array("\(header)\nend edited\n".utf8))
      }
      guard case .rejected(line: 1, _) = fault else {
        Issue.record("\(header): \(String(describing: fault))")
        continue
      }
    }
  }

  @Test("A sealed file is whole with other line ends, and damaged with anything else, at a line")
  func seal() throws {
    let sample = try SampleJournal(batches: [30], seed: 3)
    let library = try #require(sample.libraries.last)
    let text = Snapshot.text(library)
    let carriage = text.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    expectSame(try SnapshotReader.read(carriage).library, library)
    let ends = text.indices.filter { text[$0] == 0x0A }
    let last = ends.count
    var flipped = text
    flipped[ends[2] - 1] ^= 1
    let comment = Array("# a comment\n".utf8)
    let commented = text[...ends[0]] + comment + text[(ends[0] + 1)...]
    for (bytes, line, reason) in [
      (flipped, last, "the seal does not fit the lines"),
      (Array(commented), last + 1, "the seal does not fit the lines"),
      (text + comment, last + 1, "the end line is missing"),
      (text + [0x0A], last, "the end line is not whole"),
      (text + [0x20], last, "the end line is not whole"),
      (text.dropLast(), last, "the end line is not whole"),
      (Array(text[...ends[last - 2]]), last - 1, "the end line is missing"),
      (Array(text[..<ends[0]]), 1, "the end line is missing"),
      (Array("crated 1 sequence 0\n\t \n".utf8), 1, "the end line is missing"),
      (Array("end edited\n".utf8), 1, "\"crated\" is missing"),
      ([], 1, "\"crated\" is missing"), ([0x0A], 1, "\"crated\" is missing"),
    ] {
      #expect(throws: SnapshotReader.Fault.damaged(line: line, reason)) {
        try SnapshotReader.read(Array(bytes))
      }
    }
  }

  @Test("A carriage return is part of a line's end, at the end of the file too, or of its text")
  func carriageReturns() throws {
    let text = Self.edited.replacing("/m/a b", with: "/m/a\r\rb").dropLast()
    for end in ["", "\r", "\r\n", "\n\r"] {
      let library = try SnapshotReader.read(Array((text + end).utf8)).library
      #expect(library.songs.values.contains { $0.path == BytePath("/m/a\r\rb.flac") })
    }
  }

  @Test("Blanks behind an edited file's last line are nothing, and other words are no such line")
  func lastLine() throws {
    let text = Self.edited.dropLast()
    for end in ["", " ", "\t", "\n \t\n\n\t ", " \r\n"] {
      #expect(try SnapshotReader.read(Array((text + end).utf8)).isEdited)
    }
    for end in [" x", " by me", "ed"] {
      let error = #expect(throws: SnapshotReader.Fault.self) {
        try SnapshotReader.read(Array((text + end + "\n").utf8))
      }
      guard case .damaged = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("A title like one of our words is only a title")
  func titles() throws {
    var maker = LibraryMaker(seed: 1)
    // The sign alone is written otherwise.
    let shown = [
      "fresh=1 also": "fresh%3D1 also", "also=nobody": "also%3Dnobody", "a=b=c": "a%3Db=c",
      "=": "%3D", "x y=z": "x y=z", "%3D": "%253D",
    ]
    for title in ["x y=z", "fresh=1 also", "also=nobody", "group=x", "=", "a=b=c", "", " ", "%3D"] {
      var library = Library()
      try library.apply(.crateAdded("Jazz", after: nil), by: .person)
      let album = AlbumID(number: 1)
      try library.apply(
        .albumAdded(
          album, crate: "Jazz", after: nil,
          group: GroupKey(family: "folder\t\(title.replacing("%", with: "%25"))"),
          isFresh: false, seen: 0), by: .folder)
      try library.apply(
        .songAdded(
          SongID(number: 1), album: album, after: nil, path: maker.path(), digest: nil, added: 0,
          seen: 0),
        by: .folder)
      let text = Snapshot.text(library)
      expectSame(try SnapshotReader.read(text).library, library, "\(title)")
      guard let written = shown[title] else { continue }
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      #expect(lines[2].hasSuffix(" \(written)"), "\(lines[2])")
    }
  }
}
