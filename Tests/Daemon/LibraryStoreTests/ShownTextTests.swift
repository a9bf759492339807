import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// What stands behind the ids, for people.
@Suite("The order as a person reads it", .limited)
struct ShownTextTests {
  private typealias Row = (title: String, artist: String, disc: Int?, track: Int?)

  /// An album by Ada, from 1959, with songs of the numbers 1 and up.
  private func library(_ title: String, _ rows: [Row]) throws -> Library {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    let album = AlbumID(number: 1 << 50)
    try library.apply(.crateAdded("Jazz", after: nil), by: .folder)
    try library.apply(
      .albumAdded(
        album, crate: "Jazz", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      by: .folder)
    var last: SongID?
    for (place, row) in rows.enumerated() {
      let song = SongID(number: UInt64(place + 1) << 50)
      try library.apply(
        .songAdded(
          song, album: album, after: last, path: BytePath("/m/\(place).flac"), digest: nil,
          added: 0, seen: 0), by: .folder)
      last = song
      var tags = SongTags()
      (tags.title, tags.artist, tags.albumArtist, tags.album) = (
        row.title, row.artist, "Ada", title
      )
      (tags.disc, tags.track, tags.date) = (row.disc, row.track, "1959")
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
      library.attach(
        FileFacts(
          stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac"),
        to: song)
    }
    return library
  }

  /// The lines without their ids.
  private func lines(_ library: Library, hasSongs: Bool = true) -> [String] {
    OrderText.text(library, of: library.crates, hasSongs: hasSongs).split(separator: "\n").map {
      let words = $0.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      return words.count < 3 || !$0.hasPrefix("\t") ? String($0) : "\(words[0]) \(words[2])"
    }
  }

  @Test("numbers have two digits, and discs stand before them where there are several")
  func numbers() throws {
    var library = try library(
      "Blue", [("A", "Ada", 1, 1), ("B", "", 1, 12), ("C", "Bob", nil, 3), ("D", "ada", 1, nil)])
    #expect(
      lines(library) == [
        "crate Jazz", "\talbum Ada - Blue (1959)", "\t\tsong 01 A", "\t\tsong 12 B",
        "\t\tsong 03 Bob - C", "\t\tsong D",
      ])
    #expect(lines(library, hasSongs: false) == ["crate Jazz", "\talbum Ada - Blue (1959)"])
    let song = SongID(number: 2 << 50)
    try library.apply(.songGone(song, try #require(library.songs[song]).lasting), by: .folder)
    library.away.places = [BytePath("/m/2.flac")]
    let words = lines(library).dropFirst(2).map { $0.split(separator: " ")[0] }
    #expect(words == ["\t\tsong", "\t\tgone", "\t\toffline", "\t\tsong"])
    library = try self.library("Blue (1959)", [("A", "Ada", 1, 9), ("B", "Ada", 2, 10)])
    #expect(
      lines(library) == [
        "crate Jazz", "\talbum Ada - Blue (1959)", "\t\tsong 1-09 A", "\t\tsong 2-10 B",
      ])
  }

  @Test("what is long is cut between characters, and nothing makes a line of its own")
  func long() throws {
    let library = try library(
      "x", [(String(repeating: "é", count: 200), "Ada", nil, 1), ("a\nb\u{1B}", "Ada", nil, 2)])
    let shown = lines(library)
    #expect(shown[2].hasSuffix("é…"))
    // Three letters are the number's.
    #expect(shown[2].count { $0 == "é" } == 98)
    // Two hundred bytes have room.
    let whole = String(repeating: "x", count: 197)
    let cut = String(repeating: "y", count: 198)
    let others = lines(try self.library("x", [(whole, "", nil, 1), (cut, "", nil, 2)]))
    #expect(others[2].hasSuffix(whole) && others[3].hasSuffix("y…"))
    #expect(shown.count == 4 && !shown[3].unicodeScalars.contains("\u{1B}"))
  }

  @Test("a file of another name is none of the store's")
  func names() {
    #expect(StoreName("journal.12.txt").generation("journal") == 12)
    for name in [
      "journal..12.txt", ".journal.12.txt", "journal.12.txt.", "journal.012.txt", "journal.0.txt",
      "journal.-1.txt", "journal.12.text", "journal.12", "crates.12.txt",
    ] {
      #expect(StoreName(name).generation("journal") == nil, "\(name)")
    }
    #expect(StoreName("crates.12.txt.new").unfinishedGeneration == 12)
    for name in ["crates..12.txt.new", "crates.12.txt", "crates.12.txt.old", "journal.1.txt.new"] {
      #expect(StoreName(name).unfinishedGeneration == nil, "\(name)")
    }
  }
}
