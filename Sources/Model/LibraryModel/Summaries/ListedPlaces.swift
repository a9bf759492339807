/// Positions in listings. If few albums are hidden, they are computed without iterating over the
/// list.
extension Library {
  /// The most hidden albums for which the place of each is looked up. With more, iterating over the
  /// crate is cheaper.
  private static let fewHidden = 64

  /// The default name of the first crate.
  package static let firstCrate = "Music"

  /// The crate for new albums, unless the user has named one.
  package var newAlbums: String {
    (crates.first { listedCount(in: $0) > 0 } ?? crates.first)?.name ?? Self.firstCrate
  }

  package func listedCount(in crate: Crate) -> Int {
    crate.albums.count - hiddenRanks(in: crate).count
  }

  /// Returns the position of an album among the listed ones of its crate, from 1, or nil if it is
  /// not listed.
  package func position(of id: AlbumID) -> Int? {
    guard let album = albums[id], unlisted[id] == nil, let crate = crate(album.crate),
      let place = crate.albums.firstIndex(of: id)
    else { return nil }
    let rank = crate.albums.rank(of: place)
    return rank + 1 - hiddenRanks(in: crate).count { $0 < rank }
  }

  /// Returns the position of a song among the listed ones of its album, from 1, or nil if it is not
  /// listed.
  package func position(of song: Song) -> Int? {
    guard !song.isGone, let album = albums[song.album] else { return nil }
    if listedCount(of: album.id) == album.entries.count {
      return album.entries.firstIndex(of: song.id).map { $0 + 1 }
    }
    return listedSongs(of: album).firstIndex { $0.id == song.id }.map { $0 + 1 }
  }

  /// Returns the position of a crate among the listed ones, from 1, or nil if it is not listed.
  package func position(of crate: Crate) -> Int? {
    let listed = crates.filter { listedCount(in: $0) > 0 }
    return listed.firstIndex { $0.id == crate.id }.map { $0 + 1 }
  }

  /// Returns the albums at positions of the crate, in the order of the positions.
  ///
  /// - Parameter positions: existing positions, from 1.
  package func albums(at positions: [Int], of crate: Crate) -> [AlbumID] {
    let hidden = hiddenRanks(in: crate)
    return positions.compactMap { position in
      var rank = position - 1
      for above in hidden {
        if above > rank { break }
        rank += 1
      }
      return crate.albums.item(at: rank)
    }
  }

  /// Returns the albums in the order of the library, without repetitions and missing ones.
  package func inOrder(_ ids: [AlbumID]) -> [AlbumID] {
    places(of: ids).ascending(by: \.value).map(\.key)
  }

  /// Returns the songs in the order of the library, without repetitions and missing ones.
  package func inOrder(_ ids: [SongID]) -> [SongID] {
    let chosen = Set(ids)
    let homes = inOrder(chosen.compactMap { songs[$0]?.album })
    return homes.flatMap { home in
      albums[home]?.entries.filter { chosen.contains($0) && songs[$0]?.album == home } ?? []
    }
  }

  private func places(of ids: [AlbumID]) -> [AlbumID: StandingPlace] {
    var places: [AlbumID: StandingPlace] = [:]
    if ids.count < crates.count {
      for id in ids { places[id] = StandingPlace(of: id, in: self) }
      return places
    }
    let ranks = Dictionary(uniqueKeysWithValues: crates.enumerated().map { ($1.id, $0) })
    for id in ids { places[id] = StandingPlace(of: id, in: self) { ranks[$0] } }
    return places
  }

  /// Returns the listed album directly above, or nil for the first one.
  func listedPredecessor(of id: AlbumID, in crate: Crate) -> AlbumID? {
    guard var place = crate.albums.firstIndex(of: id) else { return nil }
    while place > crate.albums.startIndex {
      place = crate.albums.index(before: place)
      if unlisted[crate.albums[place]] == nil { return crate.albums[place] }
    }
    return nil
  }

  /// Returns the number of albums above each unlisted album of the crate, ascending.
  private func hiddenRanks(in crate: Crate) -> [Int] {
    if unlisted.isEmpty { return [] }
    var ranks: [Int] = []
    if unlisted.count <= Self.fewHidden {
      unlisted.forEach { id, _ in
        guard albums[id]?.crate == crate.id, let place = crate.albums.firstIndex(of: id) else {
          return
        }
        ranks.append(crate.albums.rank(of: place))
      }
      return ranks.sorted()
    }
    for (rank, id) in crate.albums.enumerated() where unlisted[id] != nil { ranks.append(rank) }
    return ranks
  }
}

/// The place of an album among all albums.
struct StandingPlace: Comparable {
  /// The index of its crate.
  private let crate: Int
  private let index: SharedList<AlbumID>.Index

  /// Returns nil for an album that is not in the library.
  ///
  /// - Parameter rank: returns the index of a crate. Nil: the crates are searched.
  init?(of id: AlbumID, in library: Library, rank: ((CrateID) -> Int?)? = nil) {
    guard let home = library.albums[id]?.crate,
      let crate = rank.map({ $0(home) }) ?? library.crates.firstIndex(where: { $0.id == home }),
      let index = library.crates[crate].albums.firstIndex(of: id)
    else { return nil }
    (self.crate, self.index) = (crate, index)
  }

  static func < (left: StandingPlace, right: StandingPlace) -> Bool {
    precedence(left.crate, right.crate) ?? (left.index < right.index)
  }
}
