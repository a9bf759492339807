import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Longest keys", .limited) struct LongestKeyTests {
  /// Each byte is escaped where text of the store is, and three times as long.
  private static let bad = String(repeating: "%", count: 65_536)

  private static func keys() -> [GroupKey] {
    // The most that is encoded once in the key, and then again in the line.
    let path = BytePath(Array("/m/".utf8) + [UInt8](repeating: 0xFF, count: 4090) + [0x2F, 0x78])
    let folder = AlbumFolder(of: path, root: BytePath("/m"))
    let other = String(GroupKey.folder(folder).dropFirst("folder\t".count))
    return [
      GroupKey(
        family: GroupKey.tagged(artist: bad, album: bad),
        edition: "\(GroupKey.release(bad)) \(other)"),
      GroupKey(family: GroupKey.inFolder(folder, album: bad), edition: other),
      GroupKey(family: GroupKey.folder(folder), edition: other),
    ]
  }

  @Test("A line with two keys as long as they get fits the journal, and is read again")
  func lines() throws {
    for key in Self.keys() {
      let (album, song) = (AlbumID(number: 1), SongID(number: 2))
      let name = String(repeating: "%", count: 255)
      let changes: [Change] = [
        .albumAdded(album, crate: name, after: album, group: key, isFresh: true, seen: 0),
        .albumRegrouped(album, group: key, was: key, alias: AlbumID(number: 3)),
        .albumRemoved(album, was: AlbumRecord(crate: name, after: album, group: key)),
        .songForgotten(
          song,
          was: SongRecord(
            album: album, after: song, group: key,
            path: BytePath([0x2F] + [UInt8](repeating: 0xFF, count: 4094)), digest: nil, added: 0,
            isGone: true, isTouched: true, traits: Traits())),
      ]
      for change in changes {
        var text = JournalText(header: JournalText.header(generation: 1, base: 0), base: 0)
        var batch = [
          Transaction(by: .folder, sentence: "", changes: [change])
        ]
        let lines = text.records(of: &batch)
        // Half of it is left for what else may stand there.
        #expect(text.longest <= JournalText.longestLine / 2)
        let journal = JournalText.header(generation: 1, base: 0) + [0x0A] + lines
        #expect(try JournalReader.read(journal).transactions.map(\.changes) == [[change]])
      }
    }
  }
}
