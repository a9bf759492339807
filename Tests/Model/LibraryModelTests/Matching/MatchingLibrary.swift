import ModelSupport

@testable import LibraryModel

/// A library of songs with paths and tags, as a table of them.
struct MatchingLibrary {
  struct Row {
    var path: BytePath
    var tags = SongTags()
    var milliseconds = 0
    var isGone = false
  }

  private(set) var library = Library()
  private var number: UInt64 = 0

  init(folders: [String] = ["/home/ada/Music"]) throws {
    library.away.folders = folders.map { BytePath($0) }
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
  }

  /// An album with these songs.
  @discardableResult
  mutating func add(_ rows: [Row]) throws -> [SongID] {
    number += 1
    let album = AlbumID(number: number)
    try library.apply(
      .albumAdded(
        album, crate: "Music", after: nil, group: GroupKey(family: "by\tx\t\(number)"),
        isFresh: false, seen: 0), by: .folder)
    var ids: [SongID] = []
    for row in rows {
      number += 1
      let id = SongID(number: number)
      try library.apply(
        .songAdded(
          id, album: album, after: ids.last, path: row.path, digest: nil, added: 0, seen: 0),
        by: .folder)
      var audio = AudioProperties()
      audio.milliseconds = row.milliseconds
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: number, birth: 0), size: 1, modified: 0,
        changed: 0)
      library.attach(
        FileFacts(stamp: stamp, tags: row.tags, audio: audio, digest: nil, format: "flac"), to: id)
      if row.isGone, let song = library.songs[id] {
        try library.apply(.songGone(id, song.lasting), by: .folder)
      }
      ids.append(id)
    }
    return ids
  }

  mutating func addOther(_ path: String, of song: SongID) {
    _ = library.attach([(song: song, file: DuplicateFile(path: BytePath(path), facts: nil))])
  }
}

extension MatchingLibrary.Row {
  init(
    _ path: String, _ title: String = "", by artist: String = "", on album: String = "",
    albumArtist: String = "", track: Int? = nil, seconds: Int = 0, recording: String = "",
    release: String = "", isGone: Bool = false
  ) {
    self.init(path: BytePath(path))
    (tags.title, tags.artist, tags.album) = (title, artist, album)
    (tags.albumArtist, tags.track) = (albumArtist, track)
    (tags.recording, tags.release) = (recording, release)
    milliseconds = seconds * 1_000
    self.isGone = isGone
  }
}

extension Wanted {
  init(
    _ path: String = "", _ title: String = "", by artist: String = "", on album: String = "",
    albumArtist: String = "", track: Int? = nil, seconds: Int = 0, recording: String = "",
    release: String = ""
  ) {
    self.init()
    self.path = Array(path.utf8)
    (self.title, self.artist, self.album) = (title, artist, album)
    (self.albumArtist, self.track) = (albumArtist, track)
    (self.recording, self.release) = (recording, release)
    milliseconds = seconds * 1_000
  }
}
