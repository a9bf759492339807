/// The known files of one album folder, with those together whose albums are judged alike: where
/// thousands lie in one folder, a merge asks for each kind of them once.
struct FolderFiles: Sendable {
  /// What decides which album a song is of, and of which it was.
  struct Kind: Hashable, Sendable {
    /// Nil: they are lost until its file has been read.
    let tags: Grouping.Tags?
    let family: String
    let album: AlbumID

    /// Nil for a song with several files.
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

  /// Songs of one file.
  private(set) var alike: [Kind: [SongID]] = [:]
  /// The others, each as often as it has files here.
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
