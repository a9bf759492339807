import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

/// What SQLite finds against a look at everything.
@Suite("What a search finds", .limited)
struct SearchAgreementTests {
  private static let names = [
    "Blue", "blüe", "Bluebird", "AC/DC", "Ac Dc", "acdc", "Don't", "dont", "!!!", "★ tune", "真夜中",
    "夜中", "a b a b", "b a", "R.E.M.", "rem", "Émile", "emil", "100%", "100", "", "y y y", "ｙ",
  ]

  private static let pieces = [
    "blue", "blu", "b", "a", "a b", "\"a b\"", "\"b a\"", "ac/dc", "acdc", "dc", "don't", "dont",
    "t", "!!!", "★", "夜", "夜中", "r.e.m", "rem", "emile", "10", "100%", "y", "\"y y\"", "-", "&",
    "title:b", "artist:a", "album:blue", "album:\"a b\"", "title:don't", "year:19", "year:1999",
    "path:blue", "path:\"a b\"", "\"", "artist:", "zzz",
  ]

  @Test("is what a look at every album and song finds")
  func agreement() throws {
    var generator = SeededGenerator(usually: 20_710)
    var hits = 0
    for _ in 0..<15 {
      let start = "\(generator)"
      var library = try SearchedLibrary()
      func name() -> String {
        (0..<Int.random(in: 1...3, using: &generator))
          .map { _ in Self.names.randomElement(using: &generator) ?? "" }.joined(separator: " ")
      }
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let songs = (0..<Int.random(in: 1...5, using: &generator)).map { _ in (name(), name()) }
        try library.add(
          name(), by: name(), year: [nil, 1959, 1999].randomElement(using: &generator) ?? nil,
          songs: songs)
      }
      for _ in 0..<60 {
        let text = (0..<Int.random(in: 1...3, using: &generator))
          .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined(separator: " ")
        let query = SearchQuery(text)
        let found = try library.search(query, limit: 1000)
        let expected = expected(query, library.library)
        try #require(Set(found.albums) == expected.albums, "\(start): albums by \(text)")
        try #require(Set(found.songs) == expected.songs, "\(start): songs by \(text)")
        #expect(
          found.albums.count == expected.albums.count && found.songs.count == expected.songs.count)
        hits += found.albums.count + found.songs.count
      }
    }
    #expect(hits > 500)
  }

  private func expected(
    _ query: SearchQuery, _ library: Library
  ) -> (albums: Set<AlbumID>, songs: Set<SongID>) {
    var albums: Set<AlbumID> = []
    var songs: Set<SongID> = []
    if query.isEmpty { return ([], []) }
    for id in library.crates.flatMap(\.albums) {
      guard let album = library.albums[id] else { continue }
      let face = library.face(of: album)
      var documents: [SearchDocument] = []
      for song in library.listedSongs(of: album) {
        let document = SearchDocument(song, in: face)
        documents.append(document)
        if query.terms.allSatisfy({ Self.matches($0, document, isAlbum: false) }) {
          songs.insert(song.id)
        }
      }
      let document = SearchDocument(face, songs: [])
      let isFound = query.terms.allSatisfy { term in
        // Each path by itself.
        term.field == .path
          ? documents.contains { term.matches($0.path) }
          : Self.matches(term, document, isAlbum: true)
      }
      if isFound { albums.insert(id) }
    }
    return (albums, songs)
  }

  private static func matches(
    _ term: SearchQuery.Term, _ document: SearchDocument, isAlbum: Bool
  ) -> Bool {
    let columns: [SearchQuery.Field: [String]] = [
      .artist: document.artist, .album: document.album, .title: document.title,
      .year: document.year, .path: document.path,
    ]
    let usual: [SearchQuery.Field] = isAlbum ? [.artist, .album] : [.artist, .album, .title]
    if isAlbum, term.field == .title { return false }
    return (term.field.map { [$0] } ?? usual).contains { term.matches(columns[$0] ?? []) }
  }
}
