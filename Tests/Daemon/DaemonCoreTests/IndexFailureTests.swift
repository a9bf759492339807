import Databases
import Glibc
import LibraryModel
import LogSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore
@testable import LibraryIndex

@Suite("An index that fails", .limited)
struct IndexFailureTests {
  private static let minute: Int64 = 60_000_000_000

  private let folder: TemporaryFolder
  private let path: String
  private let log = SaidLines()
  private let library: Library
  /// An hour behind, so that no time of it is waited for.
  private let now = Monitor(Clock.system.monotonic() - 60 * minute)

  /// A crate with an album of one song.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("index.sqlite")
    var library = Library()
    try library.addOneSong(at: "/m/heron.flac")
    library.advance(to: 3)
    self.library = library
  }

  private func service(_ clock: Clock) -> IndexService {
    IndexService(
      path: BytePath(path), published: PublishedLibrary(library), clock: clock,
      logger: log.logger)
  }

  private func isWhole() throws -> Bool {
    let index = try LibraryIndex.open(at: path, newest: library.sequence).index
    defer { try? index.close() }
    return index.isCurrent(library)
  }

  @Test("is opened again after a minute, and for nobody before that")
  func retried() throws {
    let service = service(Clock(monotonic: { [now] in now.withLock { $0 } }, wall: { 0 }))
    service.start(nil, library)
    now.withLock { $0 += Self.minute - 1 }
    guard case .unusable = service.written(within: 120 * Self.minute) else {
      Issue.record("there is one")
      return
    }
    #expect(access(path, F_OK) != 0)
    now.withLock { $0 += 1 }
    log.wait(for: "notice: the index is written anew")
    service.stop()
    #expect(try isWhole())
  }

  @Test("is opened anew after a write that failed, which checks it")
  func reopened() throws {
    let service = service(.system)
    service.start(try LibraryIndex.open(at: path, newest: 0).index, Library())
    let other = try IndexConnection(path, busySeconds: 30)
    try other.write { database in
      try database.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON songs BEGIN SELECT RAISE(ABORT, 'refused'); END")
    }
    service.note([.crateAdded("Music", after: nil)], from: Library(), to: library)
    log.wait(for: "warning: the index could not be written: ")
    try other.write { try $0.execute("DROP TRIGGER refuse") }
    try other.close()
    #expect(!log.all.contains("notice: the index is written anew"))
    service.stop()
    #expect(log.all.contains("notice: the index is written anew"))
    #expect(try isWhole())
  }

  @Test("is made anew where it was deleted, though only a file is told of")
  func deleted() throws {
    let service = service(.system)
    service.start(try LibraryIndex.open(at: path, newest: 0).index, library)
    _ = service.written(within: Self.minute)
    for name in try names(in: folder.path) { unlink(folder.path(name)) }
    service.note(
      [], files: [BytePath("/m/gone.flac"): .noSong], from: library, to: library)
    _ = service.written(within: Self.minute)
    #expect(access(path, F_OK) == 0)
    service.stop()
    #expect(try isWhole())
  }

  @Test("is searched in memory where it can't be searched, and tidied another time")
  func unsearchable() throws {
    let service = service(.system)
    service.start(try LibraryIndex.open(at: path, newest: 0).index, library)
    guard case .wholly = service.written(within: Self.minute) else {
      Issue.record("the index was not written")
      return
    }
    let other = try IndexConnection(path, busySeconds: 30)
    try other.write { database in
      for table in ["song_words", "album_words"] {
        try database.execute("DROP TABLE IF EXISTS \(table)")
      }
    }
    let pool = WorkPool("search", threads: 1)
    let searching = Searching(
      on: pool.lane(), index: service, published: PublishedLibrary(library), isScanning: { false },
      logger: log.logger)
    let found = Monitor<[SongID]?>(nil)
    searching.find(SearchQuery("heron"), limit: 10) { result, _ in
      found.withLock { $0 = result?.songs ?? [] }
    }
    #expect(found.wait(until: Patience.end) { $0 } == [SongID(number: 1)])
    #expect(log.all.contains { $0.hasPrefix("debug: the index could not be searched: ") })
    #expect(log.all.contains("notice: searching without the index, which can't be used now"))
    pool.stop()
    service.stop()
  }
}
