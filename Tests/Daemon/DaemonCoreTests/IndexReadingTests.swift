import LibraryIndex
import LibraryModel
import LogSupport
import Logging
import ModelSupport
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

  @Test("where its directory is missing it is made, and the index in it")
  func directory() throws {
    var library = Library()
    let path = BytePath(folder.path("a/b/index.sqlite"))
    let log = SaidLines()
    let result = IndexReading(path).finish(&library, hasFacts: false, log.logger)
    #expect(result.index != nil && log.all == [])
    try result.index?.close()
    // There can be none in a file.
    try folder.write("", to: "file")
    let nowhere = BytePath(folder.path("file/index.sqlite"))
    #expect(IndexReading(nowhere).finish(&library, hasFacts: false, log.logger).index == nil)
    #expect(log.all.count == 1 && log.all[0].hasPrefix("warning: there is no index ("))
    #expect(log.all[0].hasSuffix("every file is read at each start; check \(nowhere.display)"))
  }

  @Test("files that exchanged their names before a kill are nobody's second ones")
  func exchanged() throws {
    let path = try write([
      IndexedFile(path: BytePath("/m/1.flac"), song: one, facts: facts(1)),
      IndexedFile(path: BytePath("/m/2.flac"), song: two, facts: facts(2)),
    ])
    var library = try library("/m/2.flac", "/m/1.flac")
    let result = IndexReading(path).finish(&library, hasFacts: false, logger)
    #expect(library.duplicateFileCount == 0)
    #expect(Set(result.strangers) == [BytePath("/m/1.flac"), BytePath("/m/2.flac")])
    #expect(library.songs[one]?.facts == nil && library.songs[two]?.facts == nil)
    try result.index?.close()
  }

  @Test("where there can't be an index there is none, and that is said")
  func none() throws {
    let file = try folder.write("no directory", to: "file")
    let log = SaidLines()
    var library = try library("/m/1.flac", "/m/2.flac")
    let reading = IndexReading(BytePath(file + "/index.sqlite"))
    #expect(reading.facts(newest: 4) == nil)
    let result = reading.finish(&library, hasFacts: false, log.logger)
    #expect(result.index == nil && result.unwritten.isEmpty && result.strangers == [])
    #expect(log.all.count == 1 && log.all[0].hasPrefix("warning: there is no index ("))
    #expect(log.all[0].hasSuffix("every file is read at each start; check \(file)/index.sqlite"))
  }

  @Test("one that knows a later change than the store says so, and what it said means nothing")
  func later() throws {
    let path = try write([
      IndexedFile(path: BytePath("/m/1.flac"), song: one, facts: facts(1))
    ])
    var later = try library("/m/1.flac", "/m/2.flac")
    later.advance(to: 9)
    let index = try LibraryIndex.open(at: path.display, newest: 4).index
    var batch = LibraryIndex.Batch()
    batch.library = later
    try index.write(batch)
    try index.close()
    var library = try library("/m/1.flac", "/m/2.flac")
    let log = SaidLines()
    let result = IndexReading(path).finish(&library, hasFacts: false, log.logger)
    #expect(log.all.count == 1 && log.all[0].contains("it knows change 9, the store 4"))
    #expect(library.songs[one]?.facts == nil && result.strangers == [])
    try result.index?.close()
  }

  @Test("what was given at the store's reading is not given again, and what is gone has no file")
  func given() throws {
    let path = try write([
      IndexedFile(path: BytePath("/m/1.flac"), song: one, facts: facts(1)),
      IndexedFile(path: BytePath("/m/2.flac"), song: two, facts: facts(2)),
      IndexedFile(path: BytePath("/else/copy.flac"), song: one, facts: facts(1)),
      IndexedFile(path: BytePath("/m/9.flac"), song: SongID(number: 9), facts: facts(9)),
    ])
    var library = try library("/m/1.flac", "/m/2.flac")
    let gone = try #require(library.songs[two])
    try library.apply(.songGone(two, gone.lasting), by: .folder)
    let reading = IndexReading(path)
    let known = try #require(reading.facts(newest: 5))
    library.attach(known)
    #expect(library.songs[one]?.facts == facts(1))
    let result = reading.finish(&library, hasFacts: true, logger)
    #expect(
      Set(result.strangers)
        == Set(["/m/2.flac", "/else/copy.flac", "/m/9.flac"].map { BytePath($0) }))
    #expect(library.songs[one]?.facts == facts(1) && library.duplicateFileCount == 0)
    try result.index?.close()
  }

  @Test("of many songs, which two threads share, each gets its own")
  func many() throws {
    var library = try library("/m/1.flac", "/m/2.flac")
    var files: [IndexedFile] = []
    for number in 3...400 as ClosedRange<UInt64> {
      let path = BytePath("/m/\(number).flac")
      try library.apply(
        .songAdded(
          SongID(number: number), album: AlbumID(number: 1), after: nil, path: path,
          digest: facts(number).digest, added: 0, seen: 0), by: .folder)
      if number % 7 == 0 { continue }
      // Of some, what the index knows is of an earlier sound.
      files.append(
        IndexedFile(
          path: path, song: SongID(number: number), facts: facts(number % 5 == 0 ? 1 : number)))
    }
    let before = library
    let result = IndexReading(try write(files)).finish(&library, hasFacts: false, logger)
    var strangers: Set<BytePath> = []
    for number in 3...400 as ClosedRange<UInt64> {
      let isKnown = number % 7 != 0 && number % 5 != 0
      let song = try #require(library.songs[SongID(number: number)])
      #expect(song.facts == (isKnown ? facts(number) : nil), "\(number)")
      if number % 7 != 0, !isKnown { strangers.insert(song.path) }
    }
    #expect(Set(result.strangers) == strangers && result.strangers.count == strangers.count)
    #expect(library.songs.count == 400 && before.songs[SongID(number: 3)]?.facts == nil)
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
