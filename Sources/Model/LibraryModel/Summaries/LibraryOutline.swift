import CXXHash

/// A summary of a library for lists of crates and albums, without the songs. At startup it is
/// loaded at once, while loading the songs takes a while.
package struct LibraryOutline: Equatable, Sendable {
  package struct Album: Equatable, Sendable {
    package var id: AlbumID
    package var isArranged: Bool
    package var isTouched: Bool
    /// The bond of its group, which explains why its songs are one album.
    package var bond: GroupKey.Bond
    package var summary: AlbumSummary
  }

  package struct Crate: Equatable, Sendable {
    package var id: CrateID
    package var name: String
    package var albums: [Album]
  }

  package struct Folder: Equatable, Sendable {
    package var path: BytePath
    /// The number of listed songs.
    package var songs: Int
  }

  package var sequence: Int
  package var crates: [Crate]
  /// The music folders, in the order of the settings.
  package var folders: [Folder]

  /// Creates the summary of a library.
  ///
  /// - Parameter songsOfFolder: the number of listed songs in each of the library's music folders.
  /// - Returns: nil if a listed song is in none of them. The summary can't represent which albums
  ///   are offline.
  package init?(_ library: Library, songsOfFolder: [BytePath: Int]) {
    sequence = library.sequence
    crates = library.crates.map { crate in
      let albums = crate.albums.compactMap { library.albums[$0] }
      return Crate(
        id: crate.id, name: crate.name,
        albums: albums.map {
          Album(
            id: $0.id, isArranged: $0.isArranged, isTouched: library.isTouched($0.id),
            bond: $0.group.bond, summary: library.summary(of: $0))
        })
    }
    folders = library.away.folders.map { Folder(path: $0, songs: songsOfFolder[$0] ?? 0) }
    let listed = crates.reduce(0) { $0 + $1.albums.reduce(0) { $0 + $1.summary.songs } }
    if folders.reduce(0, { $0 + $1.songs }) != listed { return nil }
  }
}

extension Library {
  /// Creates a library that shows the summary, and has no songs.
  package init(_ outline: LibraryOutline) {
    self.init()
    isOutline = true
    sequence = outline.sequence
    away.folders = outline.folders.map(\.path)
    let groups = GroupKey.Bond.allCases.map { GroupKey($0) }
    for crate in outline.crates {
      let list = SharedList(crate.albums.lazy.map(\.id))
      crates.append(LibraryModel.Crate(id: crate.id, name: crate.name, albums: list))
      for shown in crate.albums {
        let album = Album(
          id: shown.id, crate: crate.id, group: groups[shown.bond.rawValue],
          isArranged: shown.isArranged)
        if shown.isTouched { touch(shown.id) }
        _ = album.keep(shown.summary)
        albums[album.id] = album
        setListedCount(Int32(clamping: shown.summary.songs), of: album.id)
      }
    }
  }
}

// MARK: - On disk

extension LibraryOutline {
  /// The version of the layout. It has to change whenever the layout does. Other versions are
  /// rejected.
  private static let version: UInt64 = 5
  private static let hashBytes = 8

  /// The summary as one byte array, with a hash that detects damage.
  package var packed: [UInt8] {
    var writer = PackedWriter(reserving: crates.reduce(256) { $0 + $1.albums.count * 80 })
    writer.put(fixed: 0)
    writer.put(Self.version)
    writer.put(UInt64(sequence))
    writer.put(UInt64(folders.count))
    for folder in folders {
      writer.put(folder.path.bytes)
      writer.put(UInt64(folder.songs))
    }
    writer.put(UInt64(crates.count))
    for crate in crates {
      writer.put(fixed: crate.id.number)
      writer.put(crate.name)
      writer.put(UInt64(crate.albums.count))
      for album in crate.albums { Self.put(album, &writer) }
    }
    var bytes = writer.bytes
    let hash = Self.hash(of: bytes)
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: hash.littleEndian, as: UInt64.self) }
    return bytes
  }

  /// Returns nil for bytes that `packed` did not write.
  package init?(packed: [UInt8]) {
    var reader = PackedReader(packed)
    guard reader.fixed() == Self.hash(of: packed), reader.number() == Self.version else {
      return nil
    }
    sequence = Int(truncatingIfNeeded: reader.number())
    (crates, folders) = ([], [])
    var left = reader.number()
    while left > 0, !reader.hasFailed {
      let path = BytePath(reader.bytes())
      folders.append(Folder(path: path, songs: Int(truncatingIfNeeded: reader.number())))
      left -= 1
    }
    left = reader.number()
    while left > 0, !reader.hasFailed {
      let id = CrateID(number: reader.fixed())
      var crate = Crate(id: id, name: reader.text(), albums: [])
      var albums = reader.number()
      while albums > 0, !reader.hasFailed {
        crate.albums.append(Self.album(&reader))
        albums -= 1
      }
      crates.append(crate)
      left -= 1
    }
    guard reader.isWhole else { return nil }
  }

  private static func hash(of packed: [UInt8]) -> UInt64 {
    packed.dropFirst(hashBytes).withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count).low }
  }

  private static func put(_ album: Album, _ writer: inout PackedWriter) {
    let summary = album.summary
    writer.put(fixed: album.id.number)
    writer.put((album.isArranged ? 1 : 0) | (album.isTouched ? 2 : 0))
    writer.put(UInt64(album.bond.rawValue))
    writer.put(summary.face.title)
    writer.put(summary.face.artist)
    // There is no year 0.
    writer.put(UInt64(summary.face.year ?? 0))
    writer.put(UInt64(summary.songs))
    writer.put(UInt64(summary.members))
    writer.put(signed: Int64(summary.milliseconds))
    writer.put(signed: summary.added)
    writer.put(summary.cover?.number ?? 0)
  }

  private static func album(_ reader: inout PackedReader) -> Album {
    func count() -> Int { Int(truncatingIfNeeded: reader.number()) }
    let id = AlbumID(number: reader.fixed())
    let marks = reader.number()
    let bond = GroupKey.Bond(rawValue: count()) ?? .unknown
    let (title, artist, year) = (reader.text(), reader.text(), count())
    let (songs, members) = (count(), count())
    let milliseconds = Int(truncatingIfNeeded: reader.signed())
    let added = reader.signed()
    let summary = AlbumSummary(
      face: AlbumFace(title: title, artist: artist, year: year == 0 ? nil : year), songs: songs,
      milliseconds: milliseconds, added: added, members: members,
      cover: CoverDigest(number: reader.number()))
    return Album(
      id: id, isArranged: marks & 1 != 0, isTouched: marks & 2 != 0, bond: bond, summary: summary)
  }
}
