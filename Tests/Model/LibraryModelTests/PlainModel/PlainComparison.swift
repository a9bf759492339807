@testable import LibraryModel

extension PlainLibrary {
  /// Takes over what the code under test came to after an action whose result the specification
  /// leaves open: order, marks and presence. What was known of things stays.
  ///
  /// - Parameter former: knows the albums and songs that come back after all.
  mutating func adopt(_ library: Library, _ lookups: Lookups, from former: PlainLibrary) {
    crates = library.crates.map { Crate(name: $0.name, albums: Array($0.albums)) }
    var newAlbums: [AlbumID: Album] = [:]
    library.albums.forEach { id, album in
      guard var known = albums[id] ?? former.albums[id] else { return }
      // One that comes back may have begun before another of its id.
      if albums[id] == nil { known.seen = album.seen }
      (known.entries, known.isArranged) = (album.entries, album.isArranged)
      known.isTouched = library.isTouched(id)
      newAlbums[id] = known
    }
    var newSongs: [SongID: Song] = [:]
    library.songs.forEach { id, song in
      guard var known = songs[id] ?? former.songs[id] else { return }
      (known.album, known.isGone) = (song.album, song.isGone)
      known.isTouched = library.isTouched(song)
      // In what order the others stand means nothing.
      let paths = plainPaths(song, library)
      if paths.first != known.path || Set(paths) != Set(known.paths) { known.paths = paths }
      newSongs[id] = known
    }
    (albums, songs) = (newAlbums, newSongs)
    aliases = aliases.filter { library.album($0.key) != nil }
  }

  /// Takes over where slots stand in albums that are not arranged, which the specification leaves
  /// open.
  mutating func adoptSlots(_ library: Library) {
    library.albums.forEach { id, album in
      if !album.isArranged { albums[id]?.entries = album.entries }
    }
  }

  /// How the code under test differs; nil where it doesn't.
  ///
  /// - Parameter withMarks: what is touched, which nothing takes back, and other ids as well.
  func difference(
    from library: Library, withSlots: Bool, withMarks: Bool = false
  ) -> String? {
    if crates.map(\.name) != library.crates.map(\.name) {
      return "crates are \(library.crates.map(\.name)), not \(crates.map(\.name))"
    }
    for (id, song) in songs {
      guard let other = library.songs[id] else { return "no song \(id) (\(song.path))" }
      if let words = difference(song, other, library, withMarks) {
        return "song \(id) (\(song.path)) \(words)"
      }
    }
    if songs.count != library.songs.count {
      let others = library.songs.values.filter { songs[$0.id] == nil }.map(\.path.display)
      return "songs that there should not be: \(others.sorted())"
    }
    if albums.count != library.albums.count {
      return "\(library.albums.count) albums, not \(albums.count)"
    }
    for (crate, other) in zip(crates, library.crates) where crate.albums != Array(other.albums) {
      return "albums of \(crate.name) are \(Array(other.albums)), not \(crate.albums)"
    }
    for (id, album) in albums {
      guard let other = library.albums[id] else { return "no album \(id)" }
      if let words = difference(album, other, library, withSlots || album.isArranged, withMarks) {
        return "album \(id) \(words)"
      }
    }
    for (alias, id) in aliases where withMarks && library.album(alias)?.id != id {
      return "\(alias) should resolve to \(id)"
    }
    return nil
  }

  private func difference(
    _ album: Album, _ other: LibraryModel.Album, _ library: Library, _ withSlots: Bool,
    _ withMarks: Bool
  ) -> String? {
    if album.isArranged != other.isArranged {
      return "is \(other.isArranged ? "" : "not ")arranged"
    }
    let found =
      withSlots ? other.entries : other.entries.filter { library.songs[$0]?.album == album.id }
    let expected = withSlots ? album.entries : members(album.id)
    if found != expected { return "has the songs \(found), not \(expected)" }
    if Set(other.entries) != Set(album.entries) {
      return "has the slots \(other.entries), not \(album.entries)"
    }
    if withMarks, album.isTouched != library.isTouched(album.id) { return "is touched, or not" }
    if album.seen != other.seen { return "began at \(other.seen), not \(album.seen)" }
    return nil
  }

  private func difference(
    _ song: Song, _ other: LibraryModel.Song, _ library: Library, _ withMarks: Bool
  ) -> String? {
    if song.album != other.album { return "is in \(other.album), not \(song.album)" }
    if song.isGone != other.isGone { return "is \(other.isGone ? "gone" : "there")" }
    if bytePath(song.path) != other.path { return "is at \(other.path.display)" }
    let paths = plainPaths(other, library)
    if !song.isGone, Set(song.paths) != Set(paths) { return "has \(paths), not \(song.paths)" }
    if plainDigest(song.file.sound) != other.digest { return "has another sound" }
    if song.added != other.added { return "was added at \(other.added), not \(song.added)" }
    if song.seen != other.seen { return "was seen at \(other.seen), not \(song.seen)" }
    if withMarks, song.isTouched != library.isTouched(other) {
      return "is \(song.isTouched ? "not " : "")touched"
    }
    return nil
  }
}

func plainDigest(_ sound: Int) -> AudioDigest? {
  sound == 0 ? nil : AudioDigest(high: UInt64(sound), low: UInt64(sound))
}

func bytePath(_ path: String) -> BytePath { BytePath([UInt8(ascii: "/")] + plainBytes(path)) }

func plainPath(_ path: BytePath) -> String { plainPath(bytes: Array(path.bytes.dropFirst())) }

extension PlainFile {
  func facts(at path: String) -> FileFacts {
    var audio = AudioProperties()
    audio.milliseconds = milliseconds
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: inode, birth: birth), size: 1000,
      modified: modified * 1_000_000, changed: 0)
    let format = String(path.dropFirst(stem(path).count).dropFirst())
    return FileFacts(
      stamp: stamp, tags: tags, audio: audio, digest: plainDigest(sound), format: format)
  }
}

/// The files of a song, its own first.
func plainPaths(_ song: Song, _ library: Library) -> [String] {
  let own = plainPath(song.path)
  return [own]
    + (library.duplicateFiles[song.id] ?? []).map { plainPath($0.path) }.filter { $0 != own }
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
  /// The crate that stays while it is empty.
  var kept: String?

  func check() throws {
    try checkPlaces()
    try checkFiles()
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
    for song in after.songs.values where !song.isGone {
      let path = plainPath(song.path)
      guard let file = files[path] else {
        throw Disagreement("song \(song.id) has no file \(path)")
      }
      if plainDigest(file.sound) != song.digest {
        throw Disagreement("song \(song.id) has another sound than \(path)")
      }
    }
    for (path, file) in files where !absent.contains(path) {
      if away.contains(where: { isInside(path, $0) }) { continue }
      guard let song = lookups.song(at: bytePath(path), in: after), !song.isGone
      else { throw Disagreement("the file \(path) belongs to no song") }
      if plainDigest(file.sound) != song.digest {
        throw Disagreement("the file \(path) is no duplicate of \(song.id)")
      }
    }
  }

  /// 1.3.4 and 1.3.7, and that nothing the person touched is forgotten.
  private func checkOrder() throws {
    for crate in before.crates {
      guard let now = after.crate(crate.id) else { continue }
      if crate.albums.filter(now.albums.contains) != now.albums.filter(crate.albums.contains) {
        throw Disagreement("albums of \(crate.name) changed places")
      }
    }
    for album in before.albums.values {
      guard let now = after.albums[album.id] else {
        // One that holds not even a slot any more could never be seen, nor forgotten.
        let isKept = album.entries.contains { after.songs[$0] != nil }
        if before.isTouched(album.id), isKept, after.album(album.id) == nil {
          throw Disagreement("album \(album.id) is touched, and was dropped")
        }
        continue
      }
      if now.isArranged != album.isArranged {
        throw Disagreement("a merge made \(album.id) arranged, or not")
      }
      if !album.isArranged { continue }
      if album.entries.filter(now.entries.contains) != now.entries.filter(album.entries.contains) {
        throw Disagreement("songs of \(album.id), which is arranged, changed places")
      }
    }
    for song in before.songs.values {
      guard let now = after.songs[song.id] else {
        if before.isTouched(song) {
          throw Disagreement("song \(song.id) is touched, and was dropped")
        }
        continue
      }
      if now.added != song.added || now.seen != song.seen {
        throw Disagreement("song \(song.id) was added or seen at another time")
      }
    }
  }
}

/// The code under test did what the specification does not allow.
struct Disagreement: Error {
  var words: String

  init(_ words: String) { self.words = words }
}

/// The specification leaves more than one result possible; why.
struct Several: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
