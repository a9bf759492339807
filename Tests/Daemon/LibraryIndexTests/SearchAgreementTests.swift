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
    "path:blue", "path:\"a b\"", "\"", "artist:", "zzz", "composer:b", "genre:blue", "-artist:b",
    "-genre:blue", "-year:1950-1970", "-blue", "-\"a b\"", "year:1960-", "year:-1959",
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
        let ids = try library.add(
          name(), by: name(), year: [nil, 1959, 1999].randomElement(using: &generator) ?? nil,
          songs: songs)
        for id in ids where Bool.random(using: &generator) {
          let (composer, genre) = (name(), name())
          library.tag(id) { ($0.composer, $0.genre) = (composer, genre) }
        }
        try library.index.rebuild(from: library.library)
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
      let document = SearchDocument(face, songs: [])
      var documents: [SearchDocument] = []
      for song in library.listedSongs(of: album) {
        documents.append(SearchDocument(song, in: face))
      }
      func isFound(_ term: SearchQuery.Term) -> Bool {
        // Each path by itself, and each composer and genre.
        term.field?.isRare == true
          ? documents.contains { Self.matches(term, $0, isAlbum: false) }
          : Self.matches(term, document, isAlbum: true)
      }
      let isListed =
        query.terms.allSatisfy(isFound)
        && !query.excluded.contains { $0.field != .title && isFound($0) }
        && query.years.allSatisfy { Self.isIn($0, document) }
        && !query.excludedYears.contains { Self.isIn($0, document) }
      if isListed { albums.insert(id) }
      for (song, document) in zip(library.listedSongs(of: album), documents) {
        guard query.terms.allSatisfy({ Self.matches($0, document, isAlbum: false) }),
          !query.excluded.contains(where: { Self.matches($0, document, isAlbum: false) }),
          query.years.allSatisfy({ Self.isIn($0, document) }),
          !query.excludedYears.contains(where: { Self.isIn($0, document) })
        else { continue }
        // By its album's names alone a song is found only where its album isn't.
        let isByName = query.terms.contains { term in
          term.field.map { $0 != .artist && $0 != .album } ?? term.matches(document.title)
        }
        let isQualified =
          query.excluded.contains {
            $0.field == .year || $0.field == .title || $0.field?.isRare == true
          }
          || !query.excludedYears.isEmpty || !query.years.isEmpty
        let isOfListed = query.terms.allSatisfy { term in
          term.field != .album && term.matches(document.albumArtist)
            || term.field != .artist && term.matches(document.album)
        }
        if isByName || isQualified || !isOfListed { songs.insert(song.id) }
      }
    }
    return (albums, songs)
  }

  private static func isIn(_ years: ClosedRange<Int>, _ document: SearchDocument) -> Bool {
    document.year.contains { Int($0).map(years.contains) ?? false }
  }

  private static func matches(
    _ term: SearchQuery.Term, _ document: SearchDocument, isAlbum: Bool
  ) -> Bool {
    let columns: [SearchQuery.Field: [[String]]] = [
      .artist: [document.artist, document.albumArtist], .album: [document.album],
      .title: [document.title], .year: [document.year], .path: [document.path],
      .composer: [document.composer], .genre: [document.genre],
    ]
    let usual: [SearchQuery.Field] = isAlbum ? [.artist, .album] : [.artist, .album, .title]
    if isAlbum, term.field == .title { return false }
    return (term.field.map { [$0] } ?? usual).contains { field in
      (columns[field] ?? []).contains { term.matches($0) }
    }
  }
}
