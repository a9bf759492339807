/// The known files of one album folder, grouped by what decides their album, so that a folder of
/// 40,000 files costs one decision for each kind.
struct FolderFiles: Sendable {
  /// What decides to which album a song belongs, and to which it belonged.
  struct Kind: Hashable, Sendable {
    /// Nil after the index was lost, until the song's file has been read again.
    let tags: Grouping.Tags?
    let family: String
    let album: AlbumID

    /// Returns nil for a song that is gone, or that has several files.
    init?(of song: Song, _ library: Library) {
      if song.isGone || library.otherFiles[song.id] != nil { return nil }
      tags = song.facts.map(Grouping.Tags.init)
      family = song.group.family
      album = song.album
    }

    func hash(into hasher: inout Hasher) {
      // What is left out follows from the album nearly always.
      hasher.combine(tags?.album)
      hasher.combine(album)
    }
  }

  /// The songs that have one file.
  private(set) var alike: [Kind: [SongID]] = [:]
  /// The songs with several files, each once for each of its files in this folder.
  private(set) var several: [SongID] = []

  init() {}

  /// - Parameter songs: each as often as it has files in the folder.
  init(_ songs: [SongID], _ library: Library) {
    for id in songs { if let song = library.songs[id] { add(song, of: library) } }
  }

  mutating func add(_ song: Song, of library: Library) {
    guard let kind = Kind(of: song, library) else { return several.append(song.id) }
    alike[kind, default: []].append(song.id)
  }

  /// - Parameter song: as it was when it was added.
  mutating func remove(_ song: Song, of library: Library) {
    guard let kind = Kind(of: song, library) else {
      if let place = several.firstIndex(of: song.id) { several.remove(at: place) }
      return
    }
    if let place = alike[kind]?.firstIndex(of: song.id) { alike[kind]?.remove(at: place) }
    if alike[kind]?.isEmpty == true { alike[kind] = nil }
  }
}
