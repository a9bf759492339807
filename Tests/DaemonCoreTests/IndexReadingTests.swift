import LibraryIndex
import LibraryModel
import Logging
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The reading of the index at a start", .limited)
struct IndexReadingTests {
  private let folder: TemporaryFolder
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private let one = SongID(number: 1)
  private let two = SongID(number: 2)

  init() throws { folder = try TemporaryFolder() }

  private func facts(_ number: UInt64) -> FileFacts {
    FileFacts(
      stamp: FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: number, birth: 1), size: 1, modified: 1,
        changed: 1),
      tags: SongTags(), audio: AudioProperties(), digest: AudioDigest(high: number, low: 1),
      format: "flac")
  }

  /// One album of two songs, each with a sound of its own.
  private func library(_ first: String, _ second: String) throws -> Library {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    let album = AlbumID(number: 1)
    for change in [
      Change.crateAdded("Music", after: nil),
      .albumAdded(
        album, crate: "Music", after: nil, group: GroupKey(family: "x", edition: ""),
        isFresh: false, seen: 0),
      .songAdded(
        one, album: album, after: nil, path: BytePath(first), digest: facts(1).digest, added: 0,
        seen: 0),
      .songAdded(
        two, album: album, after: one, path: BytePath(second), digest: facts(2).digest, added: 0,
        seen: 0),
    ] { try library.apply(change, by: .folder) }
    library.advance(to: 4)
    return library
  }

  private func write(_ files: [IndexedFile]) throws -> BytePath {
    let path = folder.path("index.sqlite")
    let index = try LibraryIndex.open(at: path, newest: 0).index
    var batch = LibraryIndex.Batch()
    batch.files = files
    try index.write(batch)
    try index.close()
    return BytePath(path)
  }

  @Test("files that exchanged their names before a kill are nobody's second ones")
  func exchanged() throws {
    let path = try write([
      IndexedFile(path: BytePath("/m/1.flac"), song: one, facts: facts(1)),
      IndexedFile(path: BytePath("/m/2.flac"), song: two, facts: facts(2)),
    ])
    var library = try library("/m/2.flac", "/m/1.flac")
    let result = IndexReading(path).finish(&library, hasFacts: false, logger)
    #expect(library.otherFileCount == 0)
    #expect(Set(result.strangers) == [BytePath("/m/1.flac"), BytePath("/m/2.flac")])
    #expect(library.songs[one]?.facts == nil && library.songs[two]?.facts == nil)
    try result.index?.close()
  }

  @Test("a song keeps its second file, and what is no song's is read again")
  func others() throws {
    let path = try write([
      IndexedFile(path: BytePath("/m/1.flac"), song: one, facts: facts(1)),
      IndexedFile(path: BytePath("/m/copy.flac"), song: one, facts: facts(1)),
      IndexedFile(path: BytePath("/m/2.flac"), song: two, facts: facts(2)),
      IndexedFile(path: BytePath("/m/other.flac"), song: two, facts: facts(3)),
    ])
    var library = try library("/m/1.flac", "/m/2.flac")
    let result = IndexReading(path).finish(&library, hasFacts: false, logger)
    let song = try #require(library.songs[one])
    #expect(library.files(of: song) == [BytePath("/m/1.flac"), BytePath("/m/copy.flac")])
    #expect(song.facts == facts(1))
    #expect(result.strangers == [BytePath("/m/other.flac")])
    try result.index?.close()
  }
}
