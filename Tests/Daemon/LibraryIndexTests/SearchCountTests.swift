import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("How much a search finds", .limited)
struct SearchCountTests {
  private func jazz() throws -> SearchedLibrary {
    var library = try SearchedLibrary()
    try library.add(
      "Blue Train", by: "John Coltrane", year: 1958, in: "Jazz",
      songs: [("Blue Train", "John Coltrane"), ("Lazy Bird", "John Coltrane")])
    try library.add(
      "Kind of Blue", by: "Miles Davis", year: 1959, in: "Modal",
      songs: [("So What", "Miles Davis"), ("Blue in Green", "Miles Davis")])
    try library.add(
      "Blue", by: "Joni Mitchell", year: 1971, in: "Folk", songs: [("Carey", "Joni Mitchell")])
    return library
  }

  @Test("all that there is is counted, whatever the limit")
  func counts() throws {
    let library = try jazz()
    for limit in [0, 1, 2, 100] {
      let found = try library.search(SearchQuery("blue"), limit: limit)
      #expect(found.albumCount == 3 && found.songCount == 2)
      #expect(found.albums.count == min(limit, 3) && found.songs.count == min(limit, 2))
      let titled = try library.search(SearchQuery("title:blue"), limit: limit)
      #expect(titled.albumCount == 0 && titled.albums.isEmpty && titled.songCount == 2)
    }
    let none = try library.search(SearchQuery("-artist:x"), limit: 9)
    #expect(none.albumCount == 0 && none.songCount == 0)
    #expect(none.albums.isEmpty && none.songs.isEmpty)
  }

  @Test("what is not to be found is left out, in any field")
  func exclusions() throws {
    let library = try jazz()
    for (query, albums, songs) in [
      ("blue -artist:miles", ["Blue", "Blue Train"], 1),
      ("blue -album:blue", [], 0), ("blue -album:kind", ["Blue", "Blue Train"], 1),
      ("blue -album:\"blue train\"", ["Blue", "Kind of Blue"], 1),
      // Albums have no titles.
      ("blue -title:what", ["Blue", "Blue Train", "Kind of Blue"], 4),
      ("blue -path:modal", ["Blue", "Blue Train"], 3),
      ("blue -path:modal -path:folk", ["Blue Train"], 2),
      ("blue path:jazz -path:modal", ["Blue Train"], 2), ("path:jazz -path:jazz", [], 0),
      ("blue -year:1959 -year:1971", ["Blue Train"], 2),
      ("year:1958-1960 -artist:john", ["Kind of Blue"], 2),
    ] as [(String, [String], Int)] {
      let found = try library.find(query)
      #expect(found.albums.sorted() == albums && found.songs.count == songs, "\(query)")
      let counts = try library.search(SearchQuery(query), limit: 0)
      #expect(counts.albumCount == albums.count && counts.songCount == songs, "\(query)")
    }
  }

  @Test("in one crate only what stands there is found and counted")
  func oneCrate() throws {
    var library = try jazz()
    try library.apply(.crateAdded("Other", after: "Music"))
    let album = try #require(library.library.crates[0].albums.first)
    try library.apply(
      .albumMoved(album, crate: "Other", after: nil, wasCrate: "Music", wasAfter: nil))
    try library.index.rebuild(from: library.library)
    let places = AlbumPlaces(in: library.library)
    for (crate, albums, songs) in [(0, 2, 1), (1, 1, 1)] {
      let found = try library.index.search(
        SearchQuery("blue"), in: library.library, places, crate: library.library.crates[crate].id,
        limit: 9)
      #expect(found.albumCount == albums && found.albums.count == albums)
      #expect(found.songCount == songs && found.songs.count == songs)
    }
  }

  @Test("songs that match as well come in the order of their album, and albums in that of crates")
  func order() throws {
    let library = try jazz()
    #expect(try library.find("path:modal").songs == ["So What", "Blue in Green"])
    #expect(try library.find("artist:jo").albums == ["Blue Train", "Blue"])
    #expect(
      try library.find("year:1958-1971 artist:jo").songs == ["Blue Train", "Lazy Bird", "Carey"])
  }

  @Test(
    "what matches better comes first, however many match", arguments: [9, 96, 97, 98, 99, 100, 200])
  func manyMatches(others: Int) throws {
    var library = try SearchedLibrary()
    // The best ones come last, after one that matches by its artist alone.
    let lovely = (0..<others).map { "A Lovely \($0)" }
    try library.add(
      "y", by: "z",
      songs: [("Else", "Love")] + lovely.map { ($0, "x") }
        + [("A Love", "x"), ("Love You", "x"), ("Love", "x")])
    let ranked = ["Love", "Love You", "A Love", "Else"] + lovely
    for limit in [1, 3, 4, others + 4] {
      #expect(try library.find("love", limit: limit).songs == Array(ranked.prefix(limit)))
    }
    // Of too many that are as good, any will do.
    let found = try library.find("love", limit: 6).songs
    #expect(found.prefix(4) == ranked.prefix(4) && Set(found).count == 6)
    #expect(try library.search(SearchQuery("love"), limit: 0).songCount == others + 4)
  }

  @Test("of the many that match elsewhere, each is there once behind those that do by their names")
  func elsewhere() throws {
    let most = LibrarySearch.mostGraded
    for others in [most - 20, most - 19, most + 50] {
      var library = try SearchedLibrary()
      let named = (0..<20).map { "Love \($0)" }
      let songs = (0..<others).map { ("A \($0)", "Love") } + named.map { ($0, "x") }
      try library.add("y", by: "z", songs: songs)
      let found = try library.find("love", limit: most + 1).songs
      #expect(found.prefix(20) == named[...] && Set(found).count == found.count, "\(others)")
      #expect(found.count == min(most + 1, others + 20), "\(others)")
    }
  }

  @Test("in one crate, matches in others leave no match out")
  func manyInOthers() throws {
    var library = try SearchedLibrary()
    let most = LibrarySearch.mostGraded
    try library.add("a", by: "x", songs: (0..<most).map { ("Love \($0)", "x") })
    try library.apply(.crateAdded("Other", after: "Music"))
    try library.add("b", by: "x", songs: (0..<3 * most).map { ("Love \($0)", "x") })
    let albums = Array(library.library.crates[0].albums)
    try library.apply(
      .albumMoved(albums[1], crate: "Other", after: nil, wasCrate: "Music", wasAfter: albums[0]))
    try library.index.rebuild(from: library.library)
    let places = AlbumPlaces(in: library.library)
    for (crate, count) in [(0, most), (1, 3 * most)] {
      for limit in [1, most - 1, most, most + 1] {
        let found = try library.index.search(
          SearchQuery("love"), in: library.library, places,
          crate: library.library.crates[crate].id, limit: limit)
        #expect(found.songs.count == min(limit, count) && found.songCount == count)
      }
    }
  }
}
