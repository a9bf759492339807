/// The known files of one album folder, grouped by the facts that determine their album. A folder
/// of 40,000 files then costs one decision per kind.
struct FolderFiles: Sendable {
  /// The facts that determine which album a song belongs to, and the album that it belonged to.
  struct Kind: Hashable, Sendable {
    /// The song's tags. Nil after the index was lost, until the song's file has been read again.
    let tags: Grouping.Tags?
    let family: String
    let album: AlbumID

    /// Returns nil for a song that is gone, or that has several files.
    init?(of song: Song, _ library: Library) {
      if song.isGone || library.duplicateFiles[song.id] != nil { return nil }
      tags = song.facts.map(Grouping.Tags.init)
      family = song.group.family
      album = song.album
    }

    func hash(into hasher: inout Hasher) {
      // The other properties nearly always follow from the album.
      hasher.combine(tags?.album)
      hasher.combine(album)
    }
  }

  /// The songs that have one file.
  private(set) var alike: [Kind: [SongID]] = [:]
  /// The songs with several files. Each is repeated for each of its files in this folder.
  private(set) var several: [SongID] = []

  init() {}

  /// - Parameter songs: each repeated for each of its files in the folder.
  init(_ songs: [SongID], _ library: Library) {
    for id in songs { if let song = library.songs[id] { add(song, of: library) } }
  }

  mutating func add(_ song: Song, of library: Library) {
    guard let kind = Kind(of: song, library) else { return several.append(song.id) }
    alike[kind, default: []].append(song.id)
  }

  /// - Parameter song: unchanged since it was added.
  mutating func remove(_ song: Song, of library: Library) {
    guard let kind = Kind(of: song, library) else {
      if let place = several.firstIndex(of: song.id) { several.remove(at: place) }
      return
    }
    if let place = alike[kind]?.firstIndex(of: song.id) { alike[kind]?.remove(at: place) }
    if alike[kind]?.isEmpty == true { alike[kind] = nil }
  }
}
