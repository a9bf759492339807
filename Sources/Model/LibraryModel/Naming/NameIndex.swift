import CXXHash
import Text

/// An index of a library's albums and songs by their names and ids.
///
/// It contains hints: the name of an album or a song when it was last read. Changes append new
/// hints, and lookups check against the library whether a hint is still valid. The cost of a change
/// is therefore proportional to what it names, and nothing has to be removed.
package struct NameIndex: Sendable {
  struct AlbumHint {
    /// The album as it was read. If the library still has this very value, the name is valid.
    var album: Album
    /// The album's folded title.
    var name: String
    var marks: NameMarks

    /// Returns the present album, or nil if it no longer exists or has another title.
    func current(in library: Library) -> Album? {
      guard let now = library.albums[album.id] else { return nil }
      return now === album || folded(library.face(of: now).title) == name ? now : nil
    }
  }

  private var albumHashes: [UInt64] = []
  private(set) var albumHints: [AlbumHint] = []
  private var albumNumbers = NumberList([])
  /// The hints of songs. Nil until a client looks up a song by its name: most never do, and songs
  /// are many.
  private(set) var songs: SongHints?
  /// The numbers of all songs. Nil until a client looks up a song by a prefix of its id.
  private var songNumbers: NumberList?
  /// The number of hints above which the index is rebuilt.
  private var albumsMost = Self.spare

  struct SongHints {
    var ids: [SongID] = []
    var names: [UInt64] = []
    var paths: [UInt64] = []
    var most = NameIndex.spare
  }

  /// The number of outdated hints that are allowed in addition to one per valid hint.
  private static let spare = 4096

  package init(_ library: Library) {
    readAlbums(library)
  }

  private mutating func readAlbums(_ library: Library) {
    (albumHashes, albumHints) = ([], [])
    albumHashes.reserveCapacity(library.albums.count)
    albumHints.reserveCapacity(library.albums.count)
    library.albums.forEach { _, album in note(album, library) }
    albumNumbers = NumberList(albumHints.map(\.album.id.number))
    albumsMost = 2 * albumHints.count + Self.spare
  }

  private mutating func note(_ album: Album, _ library: Library) {
    let name = folded(library.passingFace(of: album).title)
    albumHashes.append(Self.hash(name))
    albumHints.append(AlbumHint(album: album, name: name, marks: NameMarks(name)))
  }

  /// Whether the names of songs have been read.
  package var hasSongs: Bool { songs != nil }

  /// Reads the ids of all songs, unless that has been done.
  package mutating func readSongNumbers(_ library: Library) {
    if songNumbers != nil { return }
    var numbers: [UInt64] = []
    numbers.reserveCapacity(library.songs.count)
    library.songs.forEach { id, _ in numbers.append(id.number) }
    songNumbers = NumberList(numbers)
  }

  /// Reads the names of all songs, unless that has been done.
  package mutating func readSongs(_ library: Library) {
    if songs != nil { return }
    var hints = SongHints()
    hints.ids.reserveCapacity(library.songs.count)
    hints.names.reserveCapacity(library.songs.count)
    hints.paths.reserveCapacity(library.songs.count)
    library.songs.forEach { _, song in Self.note(song, in: &hints) }
    hints.most = 2 * hints.ids.count + Self.spare
    songs = hints
  }

  private static func note(_ song: Song, in hints: inout SongHints) {
    hints.ids.append(song.id)
    hints.names.append(hash(folded(song.title)))
    hints.paths.append(song.path.hash)
  }

  /// Updates the index with albums and songs that may have changed. The library is the present one.
  package mutating func follow(
    albums: Set<AlbumID>, songs touched: Set<SongID>, in library: Library
  ) {
    for id in albums {
      guard let album = library.albums[id] else { continue }
      note(album, library)
      albumNumbers.add(id.number)
    }
    for id in touched where library.songs[id] != nil { songNumbers?.add(id.number) }
    if albumHints.count > albumsMost { readAlbums(library) }
    guard var hints = songs else { return }
    songs = nil
    for id in touched { if let song = library.songs[id] { Self.note(song, in: &hints) } }
    if hints.ids.count > hints.most {
      readSongs(library)
    } else {
      songs = hints
    }
  }

  private static func hash(_ name: String) -> UInt64 {
    var name = name
    return name.withUTF8 { crated_xxh3_128($0.baseAddress, $0.count).low }
  }
}

// MARK: - Finding

extension NameIndex {
  /// Returns the albums with that folded title, unordered.
  func albums(called name: String, in library: Library) -> [Album] {
    let hash = Self.hash(name)
    var found: [AlbumID: Album] = [:]
    for place in Self.places(of: hash, in: albumHashes) {
      let hint = albumHints[place]
      guard hint.name == name, let album = hint.current(in: library) else { continue }
      found[album.id] = album
    }
    return Array(found.values)
  }

  /// Returns the albums whose folded titles begin with a text, unordered.
  func albums(beginning start: String, in library: Library) -> [Album] {
    var found: [AlbumID: Album] = [:]
    for hint in albumHints where hint.name.utf8.starts(with: start.utf8) {
      if let album = hint.current(in: library) { found[album.id] = album }
    }
    return Array(found.values)
  }

  /// Returns the albums with similarly spelled titles, and the number of wrong letters, unordered.
  func albums(near typed: TypedName, in library: Library) -> [(album: Album, faults: Int)] {
    var found: [AlbumID: (album: Album, faults: Int)] = [:]
    for hint in albumHints where typed.mayBe(hint.marks) {
      guard let faults = typed.faults(in: hint.name), let album = hint.current(in: library) else {
        continue
      }
      found[album.id] = (album, faults)
    }
    return Array(found.values)
  }

  /// Returns the albums whose ids are in the range, and those that took over one that is.
  func albums(of range: ClosedRange<UInt64>, in library: Library) -> [Album] {
    var found: [AlbumID: Album] = [:]
    for number in albumNumbers.numbers(in: range) {
      if let album = library.album(AlbumID(number: number)) { found[album.id] = album }
    }
    library.aliases.forEach { alias, id in
      if range.contains(alias.number), let album = library.albums[id] { found[id] = album }
    }
    return Array(found.values)
  }

  /// Returns the songs with that folded title, unordered. Requires `readSongs`.
  func songs(called name: String, in library: Library) -> [Song] {
    guard let songs else { return [] }
    let places = Self.places(of: Self.hash(name), in: songs.names)
    return unique(places, library) { folded($0.title) == name }
  }

  /// Returns the songs whose file is at the path. Requires `readSongs`.
  func songs(at path: BytePath, in library: Library) -> [Song] {
    guard let songs else { return [] }
    return unique(Self.places(of: path.hash, in: songs.paths), library) { $0.path == path }
  }

  /// Returns the songs whose ids are in the range. Requires `readSongNumbers`.
  func songs(of range: ClosedRange<UInt64>, in library: Library) -> [Song] {
    let numbers = Set(songNumbers?.numbers(in: range) ?? [])
    return numbers.sorted().compactMap { library.songs[SongID(number: $0)] }
  }

  private func unique(
    _ places: [Int], _ library: Library, where isMeant: (Song) -> Bool
  ) -> [Song] {
    guard let songs else { return [] }
    var found: [SongID: Song] = [:]
    for place in places {
      guard let song = library.songs[songs.ids[place]], found[song.id] == nil, isMeant(song) else {
        continue
      }
      found[song.id] = song
    }
    return Array(found.values)
  }

  /// Scans all hashes sequentially, which is faster than a table that would have to be kept sorted.
  private static func places(of hash: UInt64, in hashes: [UInt64]) -> [Int] {
    hashes.withUnsafeBufferPointer { hashes in
      hashes.indices.filter { hashes[$0] == hash }
    }
  }
}
