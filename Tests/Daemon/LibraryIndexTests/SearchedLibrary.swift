import LibraryIndex
import LibraryModel
import ModelSupport

/// A library that is made to be searched, and its index in memory.
struct SearchedLibrary {
  private(set) var library = Library()
  let index: LibraryIndex
  private var nextID: UInt64 = 1

  init() throws {
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    index = try LibraryIndex.inMemory(library)
  }

  /// An album below the others, with these songs, whose ids are returned.
  @discardableResult
  mutating func add(
    _ title: String, by artist: String, year: Int? = nil, in folder: String? = nil,
    songs: [(title: String, artist: String)]
  ) throws -> [SongID] {
    let album = AlbumID(number: id())
    try library.apply(
      .albumAdded(
        album, crate: "Music", after: library.crates[0].albums.last,
        group: GroupKey(family: "by\t\(artist)\t\(title)", edition: ""), isFresh: false, seen: 0),
      by: .folder)
    var ids: [SongID] = []
    for (track, song) in songs.enumerated() {
      let id = SongID(number: id())
      try library.apply(
        .songAdded(
          id, album: album, after: ids.last,
          path: BytePath("/music/\(folder ?? title)/\(track + 1).flac"), digest: nil, added: 0,
          seen: 0),
        by: .folder)
      tag(id) { tags in
        tags.title = song.title
        tags.artist = song.artist
        tags.album = title
        tags.albumArtist = artist
        tags.date = year.map(String.init) ?? ""
      }
      ids.append(id)
    }
    try index.rebuild(from: library)
    return ids
  }

  mutating func tag(_ id: SongID, _ change: (inout SongTags) -> Void) {
    var tags = library.songs[id]?.facts?.tags ?? SongTags()
    change(&tags)
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: id.number, birth: 1), size: 1, modified: 1,
      changed: 1)
    library.attach(
      FileFacts(stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac"),
      to: id)
  }

  mutating func apply(_ change: Change) throws {
    try library.apply(change, by: .folder)
  }

  private mutating func id() -> UInt64 {
    // Spread, as ids are, and not in the order in which they are given out.
    defer { nextID += 1 }
    return (nextID &* 0x9E37_79B9_7F4A_7C15) >> 5
  }

  func search(_ query: SearchQuery, limit: Int) throws -> SearchResult {
    try index.search(query, in: library, AlbumPlaces(in: library), limit: limit)
  }

  /// The titles that are found, the best first.
  func find(
    _ query: String, limit: Int = 100
  ) throws -> (albums: [String], songs: [String]) {
    let found = try search(SearchQuery(query), limit: limit)
    return (
      found.albums.compactMap { library.albums[$0].map { library.face(of: $0).title } },
      found.songs.compactMap { library.songs[$0]?.title }
    )
  }
}
