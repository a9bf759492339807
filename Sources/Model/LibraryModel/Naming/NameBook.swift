import CXXHash
import Text

/// Where the things of a library are found by their names and ids, without a walk through it.
///
/// It holds hints: what was true of an album or a song when it was last looked at. What has changed
/// since is written behind, and whoever asks looks at the library whether a hint still holds. So a
/// change costs as much as what it names, and nothing has to be taken out.
package struct NameBook: Sendable {
  struct AlbumHint {
    /// The album as it was then. Where the library has this very value still, the name is true of
    /// it.
    var album: Album
    /// The album's title, folded.
    var name: String
    var marks: NameMarks

    /// The album of now; nil where it is not there, or called otherwise.
    func current(in library: Library) -> Album? {
      guard let now = library.albums[album.id] else { return nil }
      return now === album || folded(library.face(of: now).title) == name ? now : nil
    }
  }

  private var albumHashes: [UInt64] = []
  private(set) var albumHints: [AlbumHint] = []
  private var albumNumbers = NumberList([])
  /// Nil until a client asks for a song by its name: most never do, and songs are many.
  private(set) var songs: SongHints?
  /// Nil until a client asks for a song by the beginning of its id.
  private var songNumbers: NumberList?
  /// Hints up to which there is no need to begin anew.
  private var albumsMost = Self.spare

  struct SongHints {
    var ids: [SongID] = []
    var names: [UInt64] = []
    var paths: [UInt64] = []
    var most = NameBook.spare
  }

  /// Out of date hints that are kept beside as many good ones.
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

  /// Whether the names of songs are known.
  package var hasSongs: Bool { songs != nil }

  /// Reads the ids of all songs, once.
  package mutating func readSongNumbers(_ library: Library) {
    if songNumbers != nil { return }
    var numbers: [UInt64] = []
    numbers.reserveCapacity(library.songs.count)
    library.songs.forEach { id, _ in numbers.append(id.number) }
    songNumbers = NumberList(numbers)
  }

  /// Reads the names of all songs, once.
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

  /// Follows what has changed, or may have; the library is that of now.
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

extension NameBook {
  /// The albums of that title, folded; in no order.
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

  /// The albums whose folded titles begin so; in no order.
  func albums(beginning start: String, in library: Library) -> [Album] {
    var found: [AlbumID: Album] = [:]
    for hint in albumHints where hint.name.utf8.starts(with: start.utf8) {
      if let album = hint.current(in: library) { found[album.id] = album }
    }
    return Array(found.values)
  }

  /// The albums whose titles are spelt alike, with how many letters are wrong; in no order.
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

  /// The albums whose ids are in the range, and those that took over one that is.
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

  /// The songs of that title, folded; in no order. They have to be read.
  func songs(called name: String, in library: Library) -> [Song] {
    guard let songs else { return [] }
    let places = Self.places(of: Self.hash(name), in: songs.names)
    return unique(places, library) { folded($0.title) == name }
  }

  /// The songs whose file is at the path. They have to be read.
  func songs(at path: BytePath, in library: Library) -> [Song] {
    guard let songs else { return [] }
    return unique(Self.places(of: path.hash, in: songs.paths), library) { $0.path == path }
  }

  /// The songs whose ids are in the range. Their numbers have to be read.
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

  /// A look at each number, one after the other in memory: quicker than a table that would have to
  /// be kept in order.
  private static func places(of hash: UInt64, in hashes: [UInt64]) -> [Int] {
    hashes.withUnsafeBufferPointer { hashes in
      hashes.indices.filter { hashes[$0] == hash }
    }
  }
}
