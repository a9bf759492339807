@testable import LibraryModel

extension PlainLibrary {
  /// Takes over what the code under test came to: ids, what the specification leaves open, and
  /// places of slots.
  ///
  /// - Parameter former: knows what the files of places were that come back after all.
  mutating func adopt(
    _ library: Library, _ lookups: Lookups, _ files: [String: PlainFile],
    from former: PlainLibrary? = nil
  ) {
    let old = self
    crates = library.crates.map { Crate(name: $0.name, albums: Array($0.albums)) }
    albums = [:]
    songs = [:]
    library.albums.forEach { id, album in
      albums[id] = Album(
        id: id, group: plainGroup(album.group), entries: album.entries,
        isArranged: album.isArranged, isPlaced: library.isPlaced(id),
        origin: old.albums[id]?.origin)
    }
    library.songs.forEach { id, song in
      let path = plainPath(song.path)
      let others = (lookups.duplicates[id] ?? []).map { plainPath($0.path) }.filter { $0 != path }
      let known = (song.isGone ? nil : files[path]) ?? old.songs[id]?.file
      guard let file = known ?? former?.songs[id]?.file else { return }
      songs[id] = Song(
        id: id, album: song.album, group: plainGroup(song.group), paths: [path] + others,
        file: file, added: song.added, isGone: song.isGone, isPlaced: song.isPlaced)
    }
  }

  /// How the code under test differs; nil where it doesn't.
  func difference(from library: Library, withSlots: Bool) -> String? {
    if crates.map(\.name) != library.crates.map(\.name) {
      return "crates are \(library.crates.map(\.name)), not \(crates.map(\.name))"
    }
    if albums.count != library.albums.count {
      return "\(library.albums.count) albums, not \(albums.count)"
    }
    if songs.count != library.songs.count {
      return "\(library.songs.count) songs, not \(songs.count)"
    }
    for (crate, other) in zip(crates, library.crates) where crate.albums != Array(other.albums) {
      return "albums of \(crate.name) are \(Array(other.albums)), not \(crate.albums)"
    }
    for (id, album) in albums {
      guard let other = library.albums[id] else { return "no album \(id)" }
      if album.isArranged != other.isArranged {
        return "album \(id) is \(other.isArranged ? "" : "not ")arranged"
      }
      let found =
        withSlots ? other.entries : other.entries.filter { library.songs[$0]?.album == id }
      let expected = withSlots ? album.entries : members(id)
      if found != expected { return "songs of \(id) are \(found), not \(expected)" }
      if !withSlots, Set(other.entries) != Set(album.entries) {
        return "slots of \(id) are \(other.entries), not \(album.entries)"
      }
    }
    for (id, song) in songs {
      guard let other = library.songs[id] else { return "no song \(id)" }
      if let words = difference(song, other) { return "song \(id) \(words)" }
    }
    return nil
  }

  private func difference(_ song: Song, _ other: LibraryModel.Song) -> String? {
    if song.album != other.album { return "is in \(other.album), not \(song.album)" }
    if song.isGone != other.isGone { return "is \(other.isGone ? "gone" : "there")" }
    if bytePath(song.path) != other.path { return "is at \(other.path), not \(song.path)" }
    if plainDigest(song.file.sound) != other.digest { return "has another sound" }
    if song.added != other.added { return "was added at \(other.added), not \(song.added)" }
    if song.group != plainGroup(other.group) { return "has group \(other.group)" }
    return nil
  }
}

/// A group as the plain model writes it, without its edition.
func plainGroup(_ group: GroupKey) -> String {
  let parts = group.family.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  func folder(_ key: String) -> String {
    key.isEmpty ? PlainFolder.root : "\(PlainFolder.root)/\(key)"
  }
  switch parts[0] {
  case "in": return "in\t\(folder(parts[1]))\t\(parts[2])"
  case "folder": return "folder\t\(folder(parts[1]))"
  default: return "by\t\(parts[1])\t\(parts[2])"
  }
}

/// What must hold after each merge, whatever the specification leaves open.
struct PlainInvariants {
  var before: Library
  var after: Library
  /// The files that are there, as far as they are known.
  var files: [String: PlainFile]
  /// Files that a look did not find, and that may yet come.
  var absent: Set<String> = []
  var away: Set<String>
  var lookups: Lookups
  var judged: PlainGroups
  /// The crate that stays while it is empty.
  var kept: String?

  func check() throws {
    try checkPlaces()
    try checkFiles()
    try checkGroups()
    try checkOrder()
  }

  /// Each thing is in exactly one place.
  private func checkPlaces() throws {
    var albums: Set<AlbumID> = []
    var songs: Set<SongID> = []
    for crate in after.crates {
      if crate.albums.isEmpty, crate.name != kept {
        throw Disagreement("crate \(crate.name) is empty")
      }
      for id in crate.albums {
        guard let album = after.albums[id], album.crate == crate.id else {
          throw Disagreement("album \(id) of \(crate.name) is not there")
        }
        if !albums.insert(id).inserted { throw Disagreement("album \(id) is in two places") }
        if Set(album.entries).count != album.entries.count {
          throw Disagreement("album \(id) lists a song twice")
        }
        for entry in album.entries {
          guard let song = after.songs[entry] else {
            throw Disagreement("album \(id) lists no song \(entry)")
          }
          if song.album == id { songs.insert(entry) }
        }
      }
    }
    if albums.count != after.albums.count { throw Disagreement("an album is in no crate") }
    if songs.count != after.songs.count { throw Disagreement("a song is in no album") }
  }

  /// Every file belongs to one song that is there, and such a song has its file.
  private func checkFiles() throws {
    var missing: String?
    after.songs.forEach { id, song in
      if song.isGone { return }
      guard let file = files[plainPath(song.path)] else {
        missing = "song \(id) has no file \(song.path.display)"
        return
      }
      if plainDigest(file.sound) != song.digest { missing = "song \(id) has another sound" }
    }
    if let missing { throw Disagreement(missing) }
    for (path, file) in files where !absent.contains(path) {
      if away.contains(where: { isInside(path, $0) }) { continue }
      guard let song = lookups.song(at: bytePath(path), in: after), !song.isGone
      else { throw Disagreement("the file \(path) belongs to no song") }
      if plainDigest(file.sound) != song.digest {
        throw Disagreement("the file \(path) is no duplicate of \(song.id)")
      }
    }
  }

  /// Songs are in one album exactly if they are in one group, editions apart.
  private func checkGroups() throws {
    var albums: [String: Set<AlbumID>] = [:]
    var groups: [AlbumID: Set<String>] = [:]
    for (path, group) in judged.groups {
      if judged.open.contains(plainAlbumFolder(path)) { return }
      if away.contains(where: { isInside(path, $0) }) { continue }
      if absent.contains(path) { continue }
      guard let song = lookups.song(at: bytePath(path), in: after) else { continue }
      albums[group, default: []].insert(song.album)
      groups[song.album, default: []].insert(group)
    }
    for (group, homes) in albums where homes.count > 1 && !judged.editions.contains(group) {
      throw Disagreement("\(group) is in several albums: \(homes.sorted())")
    }
    for (album, names) in groups where names.count > 1 {
      throw Disagreement("album \(album) holds several groups: \(names.sorted())")
    }
  }

  /// 1.3.2, 1.3.3, 1.3.4 and 1.3.7.
  private func checkOrder() throws {
    for crate in before.crates {
      guard let now = after.crate(crate.id) else { continue }
      if crate.albums.filter(now.albums.contains) != now.albums.filter(crate.albums.contains) {
        throw Disagreement("albums of \(crate.name) changed places")
      }
    }
    var words: String?
    before.albums.forEach { id, album in
      guard let now = after.albums[id] else { return }
      if now.isArranged != album.isArranged { words = "a merge made \(id) arranged, or not" }
      if !album.isArranged { return }
      if album.entries.filter(now.entries.contains) != now.entries.filter(album.entries.contains) {
        words = "songs of \(id), which is arranged, changed places"
      }
    }
    before.songs.forEach { id, song in
      guard let now = after.songs[id] else {
        if !hasGivenWay(song) { words = "song \(id) lost its place" }
        return
      }
      if now.added != song.added { words = "song \(id) was added at another time" }
    }
    if let words { throw Disagreement(words) }
  }

  /// Whether an older song has another file, which may have been this one's.
  private func hasGivenWay(_ song: Song) -> Bool {
    !song.isPlaced
      && before.songs.values.contains { older in
        guard older.added < song.added, let now = after.songs[older.id] else { return false }
        return now.path != older.path || now.digest != older.digest
      }
  }
}
