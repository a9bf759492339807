extension Decision {
  /// Sorts the selected albums of each crate separately, within the positions that they occupy.
  mutating func sortAlbums(
    _ ids: [AlbumID], _ sorting: AlbumSorting, _ ascending: Bool?
  ) throws(Refusal) {
    let albums = try resolved(ids)
    let chosen = Set(albums.map(\.id))
    let homes = Set(albums.map(\.crate))
    let now = library
    let crates = now.crates.filter { homes.contains($0.id) }
    var chance = Shuffling(seed: sorting.seed)
    let isTurned = ascending.map { $0 != sorting.isAscending } ?? false
    for crate in crates {
      let order = Array(crate.albums)
      let sorted = now.sorted(order.filter(chosen.contains), by: sorting, isTurned, &chance)
      arrange(permuting(sorted, in: order), in: crate, chosen: chosen)
    }
  }

  /// Sorts the selected songs of each album separately, within the positions that they occupy.
  mutating func sortSongs(
    _ ids: [SongID], _ sorting: SongSorting, _ ascending: Bool?
  ) throws(Refusal) {
    if ids.isEmpty { throw .nothingChosen("songs") }
    var homes: Set<AlbumID> = []
    for id in ids {
      guard let song = library.songs[id] else { throw .noSuchSong(id) }
      homes.insert(song.album)
    }
    let chosen = Set(ids)
    let now = library
    let albums = now.crates.flatMap(\.albums).filter(homes.contains)
    let isTurned = ascending.map { $0 != sorting.isAscending } ?? false
    var chance = Shuffling(seed: sorting.seed)
    for album in albums.compactMap({ now.albums[$0] }) {
      let own = now.members(of: album).filter(chosen.contains)
      let sorted = now.sorted(own, by: sorting, isTurned, &chance)
      arrange(permuting(sorted, in: album.entries), in: album, chosen: Set(own))
      // Sorting by track may move nothing if the tags have been changed to the user's order.
      if library.albums[album.id]?.isArranged == true { noteArranged(album.id) }
    }
  }
}

extension Library {
  fileprivate func sorted(
    _ ids: [AlbumID], by sorting: AlbumSorting, _ isTurned: Bool, _ chance: inout Shuffling
  ) -> [AlbumID] {
    switch sorting {
    case .reversed: return ids.reversed()
    case .shuffled: return chance.shuffle(ids, isListed: isListed)
    case .added, .released, .artist, .title:
      return LibraryModel.sorted(ids, turned: isTurned) { id in
        albums[id].map { key(of: $0, sorting) } ?? .unknown
      }
    }
  }

  private func key(of album: Album, _ sorting: AlbumSorting) -> SortingKey {
    switch sorting {
    case .added: SortingKey(latest: songs(of: album).lazy.map(\.added).min())
    case .released: SortingKey(latest: face(of: album).year.map(Int64.init))
    case .artist: SortingKey(name: sortName(of: album))
    case .title: SortingKey(name: face(of: album).title)
    case .reversed, .shuffled: .unknown
    }
  }

  /// Returns the sort name of the album's artist: the one that most of its songs have, else the
  /// displayed name.
  private func sortName(of album: Album) -> String {
    let songs = songsOfFace(album)
    if let name = mostFrequent(songs.lazy.compactMap { $0.facts?.albumArtistSort }) {
      return name
    }
    let artist = AlbumFace(of: songs, group: album.group).artist
    // The sort name of a guest, or of one of various artists, is not the album's.
    let own = songs.lazy.filter { folded($0.artist) == folded(artist) }
    return mostFrequent(own.compactMap { $0.facts?.artistSort }) ?? artist
  }

  fileprivate func sorted(
    _ ids: [SongID], by sorting: SongSorting, _ isTurned: Bool, _ chance: inout Shuffling
  ) -> [SongID] {
    switch sorting {
    case .reversed: ids.reversed()
    case .shuffled: chance.shuffle(ids) { songs[$0]?.isGone == false }
    case .track: byTrack(ids.compactMap { songs[$0] }, isTurned).map(\.id)
    case .added:
      LibraryModel.sorted(ids, turned: isTurned) { SortingKey(latest: songs[$0]?.added) }
    case .title:
      LibraryModel.sorted(ids, turned: isTurned) { SortingKey(name: songs[$0]?.title ?? "") }
    }
  }

  /// Returns the songs in default order. In reverse, songs without a track number are last, too.
  private func byTrack(_ songs: [Song], _ isTurned: Bool) -> [Song] {
    let inOrder = songs.inDefaultOrder()
    if !isTurned { return inOrder }
    return inOrder.reversed().filter { $0.track != nil } + inOrder.filter { $0.track == nil }
  }
}
