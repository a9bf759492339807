extension Decision {
  /// Only the selected albums change places among themselves, in each crate by itself.
  mutating func sortAlbums(_ ids: [AlbumID], _ sorting: AlbumSorting) throws(Refusal) {
    let albums = try resolved(ids)
    let chosen = Set(albums.map(\.id))
    let homes = Set(albums.map(\.crate))
    let now = library
    let crates = now.crates.filter { homes.contains($0.id) }
    var chance = Shuffling(seed: sorting.seed)
    for crate in crates {
      let goal = permuting(chosen, in: Array(crate.albums)) { now.sorted($0, by: sorting, &chance) }
      arrange(goal, in: crate, chosen: chosen)
    }
    var what = counted(chosen.count, "album")
    // A crate stands for its albums.
    if crates.count == 1, crates[0].albums.filter(now.isListed).allSatisfy(chosen.contains) {
      what = crates[0].name
    }
    transaction.sentence = "sort \(what) by \(sorting.word)"
  }

  /// Only the selected songs change places among themselves, in each album by itself.
  mutating func sortSongs(_ ids: [SongID], _ sorting: SongSorting) throws(Refusal) {
    if ids.isEmpty { throw .nothingChosen("songs") }
    var homes: Set<AlbumID> = []
    for id in ids {
      guard let song = library.songs[id] else { throw .noSuchSong(id) }
      homes.insert(song.album)
    }
    let chosen = Set(ids)
    let now = library
    let albums = now.crates.flatMap(\.albums).filter(homes.contains)
    var chance = Shuffling(seed: sorting.seed)
    for album in albums.compactMap({ now.albums[$0] }) {
      let own = chosen.filter { now.songs[$0]?.album == album.id }
      let goal = permuting(own, in: album.entries) { now.sorted($0, by: sorting, &chance) }
      arrange(goal, in: album, chosen: own)
      // Sorted by track and nothing moved: its tags had come to say what the person had said.
      if library.albums[album.id]?.isArranged == true { noteArranged(album.id) }
    }
    var what = counted(chosen.count, "song")
    if albums.count == 1, let album = now.albums[albums[0]],
      now.listedSongs(of: album).allSatisfy({ chosen.contains($0.id) })
    {
      what = "album \(album.id)"
    }
    transaction.sentence = "sort \(what) by \(sorting.word)"
  }
}

extension Library {
  fileprivate func sorted(
    _ ids: [AlbumID], by sorting: AlbumSorting, _ chance: inout Shuffling
  ) -> [AlbumID] {
    switch sorting {
    case .reversed: return ids.reversed()
    case .shuffled: return chance.shuffle(ids, isListed: isListed)
    case .added, .released, .artist, .title:
      return LibraryModel.sorted(ids) { id in
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

  /// What the album's artist is sorted by: the sort name that most of its songs give, else the
  /// name that is shown.
  private func sortName(of album: Album) -> String {
    let songs = songsOfFace(album)
    if let name = mostFrequent(songs.lazy.compactMap { $0.facts?.albumArtistSort }) {
      return name
    }
    let artist = AlbumFace(of: songs, group: album.group).artist
    // The sort name of a guest, or of one among various artists, is not the album's.
    let own = songs.lazy.filter { folded($0.artist) == folded(artist) }
    return mostFrequent(own.compactMap { $0.facts?.artistSort }) ?? artist
  }

  fileprivate func sorted(
    _ ids: [SongID], by sorting: SongSorting, _ chance: inout Shuffling
  ) -> [SongID] {
    switch sorting {
    case .reversed: ids.reversed()
    case .shuffled: chance.shuffle(ids) { songs[$0]?.isGone == false }
    case .track: ids.compactMap { songs[$0] }.sorted(by: defaultOrder).map(\.id)
    case .added: LibraryModel.sorted(ids) { SortingKey(latest: songs[$0]?.added) }
    case .title: LibraryModel.sorted(ids) { SortingKey(name: songs[$0]?.title ?? "") }
    }
  }
}

/// `1 song`, `2 songs`
func counted(_ count: Int, _ one: String) -> String {
  "\(count) \(one)\(count == 1 ? "" : "s")"
}
