import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore
@testable import LibraryModel

@Suite("Summaries of albums, ahead of who lists them", .limited)
struct SummariesAheadTests {
  @Test("each is worked out once, and is what a list shows")
  func all() throws {
    var maker = LibraryMaker(seed: 3)
    for _ in 0..<400 { _ = try maker.changes() }
    let library = maker.library
    let albums = library.crates.flatMap(\.albums).compactMap { library.albums[$0] }
    try #require(albums.count > 5 && albums.allSatisfy { $0.knownSummary == nil })
    SummariesAhead.workOut(of: library).join()
    for album in albums {
      let known = try #require(album.knownSummary)
      #expect(library.summary(of: album) === known)
      #expect(known.songs == library.songs(of: album).count { !$0.isGone })
    }
  }
}
