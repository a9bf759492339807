import GRDB
package import LibraryModel

/// What a search found, the best first.
package struct SearchResult: Equatable, Sendable {
  package var albums: [AlbumID] = []
  package var songs: [SongID] = []

  package init() {}
}

/// One search: the tables name candidates, which are judged by the library.
struct LibrarySearch {
  /// So many candidates are all judged; of more, those that look best.
  static let judgedMost = 500

  let query: SearchQuery
  let library: Library
  let limit: Int
  let database: Database

  func run() throws -> SearchResult {
    var result = SearchResult()
    if query.isEmpty || limit == 0 { return result }
    let albums = try candidates(.album, in: "album_words").compactMap {
      judged(AlbumID(number: $0))
    }
    let songs = try candidates(.title, in: "song_words").compactMap { judged(SongID(number: $0)) }
    let order = Order(of: Set(albums.map(\.id) + songs.map(\.song.album)), in: library)
    result.albums = albums.sorted { left, right in
      (left.merit, order[left.id]) < (right.merit, order[right.id])
    }.prefix(limit).map(\.id)
    let places = places(of: songs.map(\.song))
    result.songs = songs.sorted { left, right in
      let (first, second) = (left.song, right.song)
      return (left.merit, order[first.album], places[first.id] ?? 0)
        < (right.merit, order[second.album], places[second.id] ?? 0)
    }.prefix(limit).map(\.song.id)
    return result
  }

  // MARK: Candidates

  private func candidates(_ name: SearchQuery.Field, in table: String) throws -> [UInt64] {
    guard let all = query.expression(name, .anywhere) else {
      return query.indexed.isEmpty ? everything(name) : []
    }
    // Of what a filter may drop nothing can be left out.
    let most = query.filters.isEmpty ? max(Self.judgedMost, limit) : Int.max - 1
    let found = try matches(all, in: table, most: most + 1)
    if found.count <= most { return found }
    var candidates: Set<UInt64> = []
    for grade in SearchGrade.allCases {
      guard let expression = query.expression(name, grade) else { continue }
      candidates.formUnion(try matches(expression, in: table, most: most))
      if candidates.count >= limit { break }
    }
    return Array(candidates)
  }

  private func matches(_ expression: String, in table: String, most: Int) throws -> [UInt64] {
    let statement = try database.cachedStatement(
      sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ? LIMIT ?")
    return try Int64.fetchAll(statement, arguments: [expression, most]).map(UInt64.init)
  }

  /// Where only years and paths are asked for.
  private func everything(_ name: SearchQuery.Field) -> [UInt64] {
    let albums = library.crates.lazy.flatMap(\.albums)
    if name == .album { return albums.map(\.number) }
    return albums.flatMap { library.albums[$0]?.entries ?? [] }.map(\.number)
  }

  // MARK: Judging

  private func judged(_ id: AlbumID) -> (id: AlbumID, merit: SearchMerit)? {
    guard let album = library.albums[id], library.isListed(album) else { return nil }
    let face = library.face(of: album)
    guard query.passesFilters(album, face, library) else { return nil }
    return (id, query.merit(.album, SearchDocument.tokens(face.title)))
  }

  private func judged(_ id: SongID) -> (song: Song, merit: SearchMerit)? {
    guard let song = library.songs[id], !song.isGone, query.passesFilters(song) else { return nil }
    return (song, query.merit(.title, SearchDocument.tokens(song.title)))
  }

  /// Where songs stand in their albums.
  private func places(of songs: [Song]) -> [SongID: Int] {
    var places: [SongID: Int] = [:]
    for id in Set(songs.map(\.album)) {
      for (place, song) in (library.albums[id]?.entries ?? []).enumerated() { places[song] = place }
    }
    return places
  }

  /// Where albums stand in the person's order.
  private struct Order {
    private var places: [AlbumID: Int] = [:]

    init(of wanted: Set<AlbumID>, in library: Library) {
      var place = 0
      for crate in library.crates {
        for id in crate.albums {
          place += 1
          if wanted.contains(id) { places[id] = place }
        }
        if places.count == wanted.count { break }
      }
    }

    subscript(_ id: AlbumID) -> Int { places[id] ?? .max }
  }
}
