import ProgramSupport
import TestSupport

/// What is done to the files and changes the order. Each answers false where there is nothing to do
/// it to.
extension Torture {
  func newAlbum() throws -> Bool {
    guard let root = pick(onlineRoots), let format = aFormat(), files.has(format, 4) else {
      return false
    }
    try settle()
    let (album, folder) = (nextNumber(), "\(root)/\(files.name())")
    let title = "Album \(album)"
    var songs: [Int: OrderModel.Song] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &chance) {
      let song = nextNumber()
      songs[song] = OrderModel.Song(
        album: album, track: song, title: "Song \(song)", albumTitle: title)
    }
    note("new album \(album) of \(songs.keys.sorted()), \(format) in \(folder)")
    model.add(album: album, title, of: songs)
    for song in songs.keys.sorted(by: >) { try files.make(song, format, tags(song), in: folder) }
    touched.formUnion(songs.keys)
    orderChangedByFolder()
    try settle()
    return true
  }

  func newSong() throws -> Bool {
    guard let album = pick(model.listedAlbums), let format = aFormat(), let folder = aFolder()
    else { return false }
    try settle()
    let song = nextNumber()
    note("new song \(song) of album \(album), \(format) in \(folder)")
    model.add(
      song: song,
      OrderModel.Song(
        album: album, track: song, title: "Song \(song)",
        albumTitle: model.albums[album]?.title ?? ""))
    try files.make(song, format, tags(song), in: folder)
    touched.insert(song)
    orderChangedByFolder()
    try settle()
    return true
  }

  /// A song of an album of which another one is there and stays.
  private func aSongThatMayLeave() -> Int? {
    pick(
      single.filter { song in
        let album = model.songs[song]?.album ?? 0
        return model.members(album).contains { $0 != song && single.contains($0) }
      })
  }

  func otherAlbum() throws -> Bool {
    try settle()
    guard let song = aSongThatMayLeave(), let old = model.songs[song]?.album,
      let album = pick(
        model.albums.keys.sorted().filter { album in
          album != old && model.canMove(song: song, to: album)
            && model.members(album).contains { model.albums[old]?.wanderers.contains($0) == false }
        })
    else { return false }
    note("retag \(song) of album \(old) to be of album \(album)")
    model.move(song: song, to: album)
    try retag(song)
    orderChangedByFolder()
    try settle()
    return true
  }

  func splitAlbum() throws -> Bool {
    try settle()
    guard let song = aSongThatMayLeave() else { return false }
    let album = nextNumber()
    note("retag \(song) to be of a new album \(album)")
    model.split(song: song, to: album, "Album \(album)")
    try retag(song)
    orderChangedByFolder()
    try settle()
    return true
  }

  /// The whole album is retitled, as far as it is there, now and then with a look between two
  /// songs.
  func retitleAlbum() throws -> Bool {
    try settle()
    guard
      let album = pick(
        model.listedAlbums.filter {
          model.albums[$0]?.wanderers.isEmpty == true
            && model.listed($0).allSatisfy(single.contains)
        })
    else { return false }
    let title = "Album \(nextNumber())"
    let isSlow = !isDown && oneIn(2)
    note("retitle album \(album) \(title)\(isSlow ? " one by one" : "")")
    model.retitle(album, title)
    for song in model.listed(album).shuffled(using: &chance) {
      try retag(song)
      if isSlow { try client.sync() }
    }
    orderChangedByFolder()
    try settle()
    return true
  }

  /// A song comes back with the tags it had when its album was called otherwise: it is of another
  /// album than the rest.
  func restoreOld() throws -> Bool {
    try settle()
    let old = files.trash.keys.filter { song in
      guard !touched.contains(song), let known = model.songs[song] else { return false }
      return known.albumTitle != model.albums[known.album]?.title
        && !model.listed(known.album).isEmpty
    }
    guard let song = pick(old.sorted()), let title = model.songs[song]?.albumTitle,
      let folder = aFolder()
    else { return false }
    let namesake = model.albums.keys.first { model.albums[$0]?.title == title }
    if let namesake, !model.canMove(song: song, to: namesake) { return false }
    note("restore \(song) of what was \(title) to \(folder)")
    model.songs[song]?.isGone = false
    if let namesake {
      model.move(song: song, to: namesake)
    } else {
      model.split(song: song, to: nextNumber(), title)
    }
    touched.insert(song)
    try files.restore(song, tags(song), to: folder)
    orderChangedByFolder()
    try settle()
    return true
  }

  func renumber() throws -> Bool {
    guard let song = pick(single), let album = model.songs[song]?.album else { return false }
    try settle()
    let track = nextNumber()
    note("renumber \(song) as \(track)")
    model.songs[song]?.track = track
    model.follow(album)
    if model.albums[album]?.isArranged == false { orderChangedByFolder() }
    try retag(song)
    try settle()
    return true
  }
}
