import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Which words the format has", .limited)
struct FormatWordsTests {
  private static let time = "2026-11-21T05:11:02.123Z"
  private static let album = AlbumID(number: 5)
  private static let other = AlbumID(number: 6)
  private static let song = SongID(number: 7)

  /// A snapshot with one album and one song in it, the words in their places.
  private func snapshot(
    album: String = "", below: String = "", song: String = "", kind: String = "song"
  ) -> String? {
    let text = """
      crated 1 sequence 7
      crate A
      \talbum \(Self.album) group=x\(album) title
      \(below)\t\t\(kind) \(Self.song) added=\(Self.time)\(song) /m
      end edited

      """
    do throws(SnapshotReader.Fault) {
      _ = try SnapshotReader.read(Array(text.utf8))
      return nil
    } catch {
      guard case .rejected(let line, let reason) = error else { return "\(error)" }
      return "\(line): \(reason)"
    }
  }

  @Test("A word of an album is understood, and any other refused by its name")
  func albums() {
    for (words, reason) in [
      ("", nil), (" fresh=1", nil), (" touched=all", nil), (" touched=some", nil),
      (" seen=\(Self.time)", nil), (" came=0", nil), (" came=7", nil),
      (" added=\(Self.time)", "added is no word of an album"),
      (" title=x", "title is no word of an album"), (" group=y", "group is no word of an album"),
      (" fresh=2", "a mark is =1, or left out"), (" touched=1", "touched is =all or =some"),
      (" seen=now", "a bad time"), (" came=-1", "-1 is not a number"),
      (" came=x", "x is not a number"), (" came=", " is not a number"),
    ] as [(String, String?)] {
      #expect(snapshot(album: words) == reason.map { "3: \($0)" }, "\(words)")
    }
    #expect(snapshot(below: "\t\talso \(Self.other)\n") == nil)
    #expect(snapshot(below: "\t\talso \(Self.other) x\n") == "4: too many words")
  }

  @Test("So is a word of a song, whether its line is a plain one or not")
  func songs() {
    let digest = " digest=00112233445566778899aabbccddeeff"
    for (words, reason) in [
      ("", nil), (digest, nil), (" disc=0 title=x", nil), (" touched=1", nil),
      (" seen=\(Self.time)", nil), (" seen=\(Self.time)\(digest)", nil),
      ("\(digest) touched=1", nil),
      (" fresh=1", "fresh is no word of a song"),
      (" came=1", "came is no word of a song"),
      (" disc=x", "x is not a number"),
      (" touched=all", "a mark is =1, or left out"), (" seen=now", "a bad time"),
      (" title=%", "% is not text"),
    ] as [(String, String?)] {
      for kind in ["song", "gone", "offline"] {
        #expect(
          snapshot(song: words, kind: kind) == reason.map { "4: \($0)" }, "\(kind)\(words)")
      }
    }
  }

  @Test("A word that no change has is refused, with why")
  func changes() {
    let (album, other, song) = (Self.album, Self.other, Self.song)
    for (text, reason) in [
      ("end crate", "end crate is no change"), ("begin scan /m", "begin scan is no change"),
      ("swap crate A", "swap crate is no change"),
      ("swap album \(album)", "swap album is no change"),
      ("swap song \(song)", "swap song is no change"), ("swap id \(other)", "swap id is no change"),
      ("swap slot \(song) in album \(album)", "swap slot is no change"),
      ("undo", "a noun is missing"), ("asked by x", "asked by is no change"),
      ("end scan m", "a path is missing, or is not absolute"),
      ("add thing x", "add thing is no change"),
      ("follow song \(song) by guess digest - path /m", "an unknown evidence"),
      ("lose song \(song) color=x", "an unknown key"), ("lose song \(song) x", "too many words"),
    ] {
      #expect(throws: ParseError(reason), "\(text)") {
        try ChangeText.change(Array(text.utf8)[...])
      }
    }
  }
}
