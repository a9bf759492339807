import LibraryModel
import ModelSupport

/// A library that is put together by hand, with songs that were read.
struct Music {
  var library = Library()
  private var number: UInt64 = 1
  /// Since they were last asked for.
  private(set) var touched: Set<AlbumID> = []

  init(folders: [String] = ["/m"]) {
    library.away.folders = folders.map { BytePath($0) }
  }

  mutating func apply(_ changes: Change...) throws { try apply(changes) }

  mutating func apply(_ changes: [Change]) throws {
    let before = library
    for change in changes { try library.apply(change, by: .person) }
    library.advance(to: library.sequence + changes.count)
    touched.formUnion(Library.albumsTouched(by: changes, from: before, to: library))
  }

  mutating func takeTouched() -> Set<AlbumID> {
    defer { touched = [] }
    return touched
  }

  mutating func add(_ crate: String) throws {
    try apply(.crateAdded(crate, after: library.crates.last?.name))
  }

  /// An album at the end of the crate.
  mutating func add(
    album title: String, by artist: String, to crate: String
  ) throws -> AlbumID {
    number += 1
    let id = AlbumID(number: number)
    try apply(
      .albumAdded(
        id, crate: crate, after: library.crate(named: crate)?.albums.last,
        group: GroupKey(family: "by\t\(artist)\t\(title)"), isFresh: false, seen: 0))
    return id
  }

  /// A song at the end of the album, with tags like those of the others of this crate.
  @discardableResult
  mutating func add(
    song path: BytePath, _ title: String, by artist: String, milliseconds: Int = 60_000,
    album: String, albumArtist: String, to id: AlbumID
  ) throws -> SongID {
    number += 1
    let song = SongID(number: number)
    try apply(
      .songAdded(
        song, album: id, after: library.albums[id]?.entries.last, path: path, digest: nil, added: 0,
        seen: 0)
    )
    var tags = SongTags()
    (tags.title, tags.artist, tags.album, tags.albumArtist) = (title, artist, album, albumArtist)
    attach(tags, milliseconds, to: song)
    return song
  }

  /// Moves the crate's last album to its top.
  mutating func raise(_ crate: String) throws {
    guard let albums = library.crate(named: crate)?.albums, let last = albums.last else { return }
    try apply(
      .albumMoved(
        last, crate: crate, after: nil, wasCrate: crate, wasAfter: albums.dropLast().last))
  }

  mutating func attach(_ tags: SongTags, _ milliseconds: Int = 60_000, to song: SongID) {
    var audio = AudioProperties()
    audio.milliseconds = milliseconds
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: song.number, birth: 0), size: 1, modified: 0,
      changed: 0)
    library.attach(
      FileFacts(stamp: stamp, tags: tags, audio: audio, digest: nil, format: "flac"), to: song)
    if let album = library.songs[song]?.album { touched.insert(album) }
  }

  /// Music of so many crates, "Crate 1" and so on, of two albums of two songs each.
  static func crates(_ count: Int, in folder: String = "/m") throws -> Music {
    var music = Music(folders: [folder])
    for crate in 1...count {
      try music.add("Crate \(crate)")
      for album in 1...2 {
        let title = "Album \(crate)-\(album)"
        let id = try music.add(album: title, by: "Artist", to: "Crate \(crate)")
        for song in 1...2 {
          try music.add(
            song: BytePath("\(folder)/\(title)/\(song).flac"), "Song \(song)", by: "Artist",
            album: title, albumArtist: "Artist", to: id)
        }
      }
    }
    return music
  }
}

extension Library {
  /// The paths of a crate's songs, as its listings have them.
  func listedPaths(of crate: Crate) -> [BytePath] {
    crate.albums.compactMap { albums[$0] }.flatMap { listedSongs(of: $0) }.map(\.path)
  }
}
