import LibraryIndex
import LibraryModel
import LogSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Searches without an index", .limited)
struct SearchingTests {
  private let log = SaidLines()
  private let published = PublishedLibrary(Library())
  private let fixture = LibrarianFixture()

  private struct Found: Equatable {
    var albums: Int
    var sequence: Int
  }

  private func find(
    _ words: String, in crate: String? = nil, _ searching: Searching
  ) -> Found? {
    let found = Monitor<Found??>(nil)
    searching.find(SearchQuery(words), in: crate, limit: 10) { result, placed in
      found.withLock { found in
        found = .some(
          result.map { Found(albums: $0.albums.count, sequence: placed.library.sequence) })
      }
    }
    return found.wait { $0 }
  }

  @Test("are made in memory, which follows the library, and what is said of it is said once")
  func substitute() {
    let index = IndexService(
      path: BytePath("/nowhere/index.sqlite"), published: fixture.published, clock: .system,
      logger: log.logger)
    index.start(nil, Library())
    let pool = WorkPool("search", threads: 1)
    let searching = Searching(
      on: pool.lane(), index: index, published: fixture.published, isScanning: { false },
      logger: log.logger)
    for count in 1...3 {
      fixture.fill(albums: count)
      let sequence = fixture.published.library.sequence
      #expect(find("X", searching) == Found(albums: count, sequence: sequence))
      #expect(find("A0", searching) == Found(albums: 1, sequence: sequence))
      #expect(find("", searching) == Found(albums: 0, sequence: sequence))
      #expect(find("X", in: "Rock", searching) == nil)
      #expect(
        find("X", in: "Music", searching) == Found(albums: count, sequence: sequence))
    }
    #expect(
      log.all.filter { $0.hasPrefix("notice") } == [
        "notice: searching without the index, which can't be used now"
      ])
    pool.stop()
    index.stop()
    fixture.librarian.stop()
  }
}
