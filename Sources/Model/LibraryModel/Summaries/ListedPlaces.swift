/// Positions over what listings show, without a walk through the list where little of it is hidden.
extension Library {
  /// Hidden albums that are few: with more, walking through the crate is cheaper than asking where
  /// each stands.
  private static let fewHidden = 64

  /// What the first crate of all is called.
  package static let firstCrate = "Music"

  /// The crate in which new albums arrive where the person has named none.
  package var newAlbums: String {
    (crates.first { listedCount(in: $0) > 0 } ?? crates.first)?.name ?? Self.firstCrate
  }

  /// How many albums of the crate are listed.
  package func listedCount(in crate: Crate) -> Int {
    crate.albums.count - hiddenRanks(in: crate).count
  }

  /// The position of an album among the listed ones of its crate, from 1; nil where it is not
  /// listed.
  package func position(of id: AlbumID) -> Int? {
    guard let album = albums[id], unlisted[id] == nil, let crate = crate(album.crate),
      let place = crate.albums.firstIndex(of: id)
    else { return nil }
    let rank = crate.albums.rank(of: place)
    return rank + 1 - hiddenRanks(in: crate).count { $0 < rank }
  }

  /// The position of a song among the listed ones of its album, from 1; nil where it is not listed.
  package func position(of song: Song) -> Int? {
    guard !song.isGone, let album = albums[song.album] else { return nil }
    if listedCount(of: album.id) == album.entries.count {
      return album.entries.firstIndex(of: song.id).map { $0 + 1 }
    }
    return listedSongs(of: album).firstIndex { $0.id == song.id }.map { $0 + 1 }
  }

  /// The position of a crate among the listed ones, from 1; nil where it is not listed.
  package func position(of crate: Crate) -> Int? {
    let listed = crates.filter { listedCount(in: $0) > 0 }
    return listed.firstIndex { $0.id == crate.id }.map { $0 + 1 }
  }

  /// The albums at positions of the crate, in the order of the positions.
  ///
  /// - Parameter positions: from 1; each is one that there is.
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

  /// The albums as they stand in the library, each once. What is not there is left out.
  package func inOrder(_ ids: [AlbumID]) -> [AlbumID] {
    places(of: ids).ascending(by: \.value).map(\.key)
  }

  /// The songs as they stand in the library, each once. What is not there is left out.
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

  /// The listed album directly above; nil for the first one.
  func listedPredecessor(of id: AlbumID, in crate: Crate) -> AlbumID? {
    guard var place = crate.albums.firstIndex(of: id) else { return nil }
    while place > crate.albums.startIndex {
      place = crate.albums.index(before: place)
      if unlisted[crate.albums[place]] == nil { return crate.albums[place] }
    }
    return nil
  }

  /// How many albums stand above each one of the crate that is not listed; ascending.
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

/// Where an album stands among all.
struct StandingPlace: Comparable {
  /// Among the crates.
  private let crate: Int
  private let index: SharedList<AlbumID>.Index

  /// Returns nil for an album that is not in the library.
  ///
  /// - Parameter rank: of a crate; nil: it is looked for among the crates.
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
