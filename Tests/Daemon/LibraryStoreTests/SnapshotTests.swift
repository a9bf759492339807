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
  }

  @Test(
    "A line that doesn't parse is named by its number",
    arguments: [
      ("crate Jazz", "crate ", 3), ("crate Other", "crate Jazz", 11),
      ("\talbum c", "album c", 12), ("crate Other", "shelf Other", 11), ("song f", "song g", 9),
      ("/m/a b", "m/a b", 8), ("touched=some", "touched=1", 5),
      ("touched=1 /m", "touched=0 /m", 8), ("also daaaaaaaaaaa", "also d", 6),
      ("fresh=1", "added=1", 12), ("seconds=1.500", "seconds=1.5", 13),
      // More than a number of milliseconds holds.
      ("seconds=1.500", "seconds=9223372036854775807.000", 13),
      ("title=So%20", "title=%", 9),
      ("group=y", "color=y", 12), ("crated 1 sequence 7", "crated 1 sequence x", 1),
      // What a slot lacks shows only at the end.
      ("offline h", "offline i", 13),
      ("group=none of ours", "group=none\n\t\tslot haaaaaaaaaaa group=none of ours", 11),
    ])
  func rejected(old: String, new: String, line: Int) throws {
    let text = Self.edited.replacing(old, with: new)
    try #require(text != Self.edited)
    do {
      _ = try SnapshotReader.read(Array(text.utf8))
      Issue.record("it was taken over")
    } catch .rejected(let found, let reason) {
      #expect(found == line, "\(reason)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("A later version is named, not judged")
  func laterVersion() {
    for text in ["crated 2 sequence 1\nend edited\n", "crated 4\n", "crated 12 of another kind"] {
      let bytes = Array(text.utf8)
      let error = #expect(throws: SnapshotReader.Fault.self) { try SnapshotReader.read(bytes) }
      guard case .newerVersion = error else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test("A sealed file is whole with other line ends, and damaged with anything else")
  func seal() throws {
    let sample = try SampleJournal(batches: [30], seed: 3)
    let library = try #require(sample.libraries.last)
    let text = Snapshot.text(library)
    let carriage = text.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    expectSame(try SnapshotReader.read(carriage).library, library)
    let comment = Array("# a comment\n".utf8)
    let firstLine = try #require(text.firstIndex(of: 0x0A)) + 1
    let cases: [[UInt8]] = [
      Array(text.prefix(firstLine)) + comment + text.dropFirst(firstLine), text + comment,
      text + [0x0A], Array(text.dropLast()), [], [0x0A],
    ]
    for changed in cases {
      let error = #expect(throws: SnapshotReader.Fault.self) { try SnapshotReader.read(changed) }
      guard case .damaged = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("What is wrong with the end of a sealed file is told with its line")
  func sealLines() throws {
    let sample = try SampleJournal(batches: [30], seed: 3)
    let text = Snapshot.text(try #require(sample.libraries.last))
    let ends = text.indices.filter { text[$0] == 0x0A }
    let last = ends.count
    var flipped = text
    flipped[ends[2] - 1] ^= 1
    for (bytes, line, reason) in [
      (flipped, last, "the seal does not fit the lines"),
      (text + [0x0A], last, "the end line is not whole"),
      (text + [0x20], last, "the end line is not whole"),
      (text.dropLast(), last, "the end line is not whole"),
      (Array(text[...ends[last - 2]]), last - 1, "the end line is missing"),
      (Array(text[..<ends[0]]), 1, "the end line is missing"),
      (Array("crated 1 sequence 0\n\t \n".utf8), 1, "the end line is missing"),
      (Array("end edited\n".utf8), 1, "\"crated\" is missing"),
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

  @Test("A name is a name whatever it begins or ends with, and a version is above nothing")
  func oddLines() throws {
    let text = "crated 1 sequence 0\ncrate C#\ncrate #\n\t# a remark\nend edited\n"
    let contents = try SnapshotReader.read(Array(text.utf8))
    #expect(contents.library.crates.map(\.name) == ["C#", "#"])
    for header in ["crated 0 sequence 0", "crated 1 sequence 0 x", "crated 1 sequence", "Crated 1"]
    {
      #expect(throws: SnapshotReader.Fault.self, "\(header)") {
        try SnapshotReader.read(Array("\(header)\nend edited\n".utf8))
      }
    }
    for header in [
      "crated-journal 0 generation 1 base 0", "crated-journal 1 generation 1",
      "crated-journal 1 generation 1 base 0 edited x", "crated-journal 1 base 0 generation 1",
      "crated-journal 1 generation 1 base 0 x",
    ] {
      #expect(throws: JournalReader.Fault.self) {
        try JournalReader.read(Array("\(header)\n".utf8))
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
