import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Tidying what is searched", .limited) struct SearchTidyingTests {
  @Test("is wanted after many rows, comes to an end, and changes nothing that is found")
  func tidying() throws {
    var library = try SearchedLibrary()
    let perAlbum = 50
    #expect(!library.index.isUntidy)
    for number in 0..<SearchTidying.worthRows / perAlbum {
      let songs = (0..<perAlbum).map { ("Song \(number) \($0)", "Artist \(number % 7)") }
      try library.add("Album \(number)", by: "Artist \(number % 7)", year: 1990, songs: songs)
    }
    #expect(library.index.isUntidy)
    let queries = ["song 3", "\"artist 4\" song", "path:album", "title:\"song 39 4\"", "year:1990"]
    let before = try queries.map { try library.search(SearchQuery($0), limit: 5000) }
    #expect(before.allSatisfy { !$0.songs.isEmpty })
    var steps = 0
    while library.index.isUntidy, steps < 100 {
      try library.index.tidy()
      steps += 1
    }
    #expect(!library.index.isUntidy && steps > 4)
    #expect(try queries.map { try library.search(SearchQuery($0), limit: 5000) } == before)
    // Nothing is left to do, and a few rows more are not worth it.
    try library.index.tidy()
    try library.add("One more", by: "Artist 1", year: 1991, songs: [("Song", "Artist 1")])
    #expect(!library.index.isUntidy)
    #expect(try library.find("one more").albums == ["One more"])
  }
}
