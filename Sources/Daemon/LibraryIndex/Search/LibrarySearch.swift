import Databases
package import LibraryModel

/// The result of a search, the best matches first.
package struct SearchResult: Equatable, Sendable {
  package var albums: [AlbumID] = []
  package var songs: [SongID] = []
  /// The numbers of albums and songs that match, regardless of the limit.
  package var albumCount = 0
  package var songCount = 0

  package init() {}
}

/// One search: the tables supply candidates, and the library orders those of one grade.
struct LibrarySearch {
  /// The maximum number of candidates that are graded one by one. Beyond it, whole grades are
  /// queried.
  static let mostGraded = 100

  let query: SearchQuery
  let library: Library
  let places: AlbumPlaces
  /// The crate to search; nil for all.
  let crate: CrateID?
  let limit: Int
  let database: Database

  func run() throws -> SearchResult {
    var result = SearchResult()
    if query.isEmpty { return result }
    if !query.isForSongsOnly {
      result.albumCount = try count(.album, in: SearchTables.ofAlbums) { isInScope(album: $0) }
    }
    result.songCount = try count(.title, in: SearchTables.ofSongs) { isInScope(song: $0) }
    if limit == 0 { return result }
    let albums =
      query.isForSongsOnly
      ? []
      : try candidates(.album, in: SearchTables.ofAlbums) { isInScope(album: $0) }
        .compactMap(rankedAlbum)
    let songs = try candidates(.title, in: SearchTables.ofSongs) { isInScope(song: $0) }
      .compactMap(rankedSong)
    result.albums = albums.sorted { $0.rank < $1.rank }.prefix(limit).map(\.id)
    result.songs = songs.sorted { $0.rank < $1.rank }.prefix(limit).map(\.id)
    return result
  }

  // MARK: Scope

  /// Counts the rows that match and are in scope. The tables may still have songs that are not
  /// listed any more.
  private func count(
    _ name: SearchQuery.Field, in tables: SearchTables.Pair, where isInScope: (Int64) -> Bool
  ) throws -> Int {
    try matches(query.expression(name, .anywhere), name, in: tables, most: .max, where: isInScope)
      .count
  }

  private func isInScope(album row: Int64) -> Bool {
    let id = AlbumID(number: UInt64(row))
    return places[id] != nil && isInCrate(id)
  }

  private func isInScope(song row: Int64) -> Bool {
    guard let song = library.songs[SongID(number: UInt64(row))], !song.isGone else { return false }
    return isInCrate(song.album)
  }

  private func isInCrate(_ id: AlbumID) -> Bool {
    crate == nil || library.albums[id]?.crate == crate
  }

  // MARK: Candidates

  private struct Candidate {
    var row: Int64
    var merit: SearchMerit
  }

  /// Returns candidates. SQLite returns rows in no useful order, so if too many names match, the
  /// grades are queried one by one, the best first.
  private func candidates(
    _ name: SearchQuery.Field, in tables: SearchTables.Pair, where isInScope: (Int64) -> Bool
  ) throws -> [Candidate] {
    let most = max(Self.mostGraded, limit)
    // One more than needed shows that there are too many.
    let enough = most + 1
    func matching(_ expression: String?) throws -> [Int64] {
      // With one crate, the first rows could all be in other crates.
      if crate == nil {
        return try matches(expression, name, in: tables, most: enough) { _ in true }
      }
      let found = try matches(expression, name, in: tables, most: .max, where: isInScope)
      return Array(found.prefix(enough))
    }
    let inName = query.expression(name, .beginnings)
    let named = try inName.map(matching) ?? []
    if named.count == enough {
      var seen: Set<Int64> = []
      var candidates: [Candidate] = []
      func add(_ rows: [Int64], _ grade: SearchGrade) {
        let merit = query.wholeMerit(name, grade)
        // A grade's expression also finds the better ones.
        for row in rows where seen.insert(row).inserted {
          candidates.append(Candidate(row: row, merit: merit))
        }
      }
      for grade in SearchGrade.allCases where grade < .beginnings && candidates.count < limit {
        add(try matching(query.expression(name, grade)), grade)
      }
      if candidates.count < limit { add(named, .beginnings) }
      return candidates
    }
    let whole = try matching(query.expression(name, .wordsAnywhere))
    let isWhole = Set(whole)
    func graded(_ rows: some Sequence<Int64>) throws -> [Candidate] {
      try rows.map { row in
        let tokens = try tokens(ofName: name, in: tables.words, row)
        var merit = query.merit(name, tokens)
        if isWhole.contains(row) { merit.grade = min(merit.grade, .wordsAnywhere) }
        return Candidate(row: row, merit: merit)
      }
    }
    let found = try matching(query.expression(name, .anywhere))
    if found.count < enough { return try graded(found) }
    var seen = Set(named)
    return try graded(named + (whole + found).filter { seen.insert($0).inserted }.prefix(most))
  }

  /// - Parameters:
  ///   - words: the expression for the table of words; nil: any row. The table of rare columns has
  ///     to match in any case.
  ///   - most: the most rows to read.
  private func matches(
    _ words: String?, _ name: SearchQuery.Field, in tables: SearchTables.Pair, most: Int,
    where isInScope: (Int64) -> Bool
  ) throws -> [Int64] {
    let (wordTable, rareTable) = (tables.words.name, tables.rare.name)
    let rare = query.rareExpression
    var excluded = query.excludedRareExpressions.map { (table: rareTable, expression: $0) }
    if words == nil {
      excluded += query.exclusions(name).map { (table: wordTable, expression: $0) }
    }
    let without = excluded.map {
      " AND rowid NOT IN (SELECT rowid FROM \($0.table) WHERE \($0.table) MATCH ?)"
    }.joined()
    let sql =
      switch (words, rare) {
      case (_, nil): "SELECT rowid FROM \(wordTable) WHERE \(wordTable) MATCH ?"
      case (nil, _): "SELECT rowid FROM \(rareTable) WHERE \(rareTable) MATCH ?"
      default:
        "SELECT rowid FROM \(wordTable) WHERE \(wordTable) MATCH ? AND rowid IN"
          + " (SELECT rowid FROM \(rareTable) WHERE \(rareTable) MATCH ?)"
      }
    let expressions = ([words, rare].compactMap { $0 } + excluded.map(\.expression)).map(
      DatabaseValue.text)
    return try database.statement(sql + without + " LIMIT ?").rows(
      expressions + [.integer(most)]
    ) {
      $0.integer(0)
    }.filter(isInScope)
  }

  /// Reads the tokens of a name from the table, which is faster than to compute them again.
  private func tokens(
    ofName name: SearchQuery.Field, in table: SearchTables.Table, _ row: Int64
  ) throws -> [String] {
    let statement = try database.statement("SELECT \(name) FROM \(table.name) WHERE rowid = ?")
    let text = try statement.firstRow(.integer(row)) { $0.text(0) } ?? ""
    return SearchDocument.tokens(ofColumn: text)
  }

  // MARK: Ranking

  /// Returns nil for an album that is no longer listed.
  private func rankedAlbum(
    _ candidate: Candidate
  ) -> (id: AlbumID, rank: (SearchMerit, AlbumPlaces.Place))? {
    let id = AlbumID(number: UInt64(candidate.row))
    return places[id].map { (id, (candidate.merit, $0)) }
  }

  private func rankedSong(
    _ candidate: Candidate
  ) -> (id: SongID, rank: (SearchMerit, AlbumPlaces.Place, entry: Int))? {
    let id = SongID(number: UInt64(candidate.row))
    guard let song = library.songs[id], !song.isGone, let place = places[song.album],
      let entry = library.albums[song.album]?.entries.firstIndex(of: id)
    else { return nil }
    return (id, (candidate.merit, place, entry))
  }
}
