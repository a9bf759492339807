import ModelSupport

@testable import LibraryModel

/// A library of few albums, made change by change: albums 1 and 2 in Music, 3 in Jazz, each with
/// songs of ten times its number and more.
struct SmallLibrary {
  static let albums = (1...3).map { AlbumID(number: $0) }

  var library = Library()

  init() throws {
    try apply(.crateAdded("Music", after: nil), .crateAdded("Jazz", after: "Music"))
    for (number, crate, count) in [(2, "Music", 2), (1, "Music", 3), (3, "Jazz", 1)] {
      try add(UInt64(number), to: crate, songs: UInt64(count))
    }
  }

  mutating func apply(_ changes: Change...) throws {
    for change in changes { try library.apply(change, by: .folder) }
  }

  /// An album on top of a crate.
  mutating func add(_ number: UInt64, to crate: String, songs count: UInt64) throws {
    let album = AlbumID(number: number)
    try apply(
      .albumAdded(
        album, crate: crate, after: nil, group: GroupKey(family: "by\tx\t\(number)"),
        isFresh: false, seen: Int64(number)))
    var previous: SongID?
    for track in 0..<count {
      let id = SongID(number: 10 * number + track)
      try apply(Self.added(id, to: album, after: previous))
      previous = id
    }
  }

  static func added(_ id: SongID, to album: AlbumID, after: SongID? = nil) -> Change {
    .songAdded(
      id, album: album, after: after, path: BytePath("/m/\(album.number)/\(id.number).flac"),
      digest: nil, added: Int64(id.number), seen: 1)
  }

  /// What the file of a song says.
  mutating func attach(
    _ number: UInt64, milliseconds: Int = 0, cover: UInt64 = 0, _ change: (inout SongTags) -> Void
  ) {
    var tags = SongTags()
    change(&tags)
    var audio = AudioProperties()
    audio.milliseconds = milliseconds
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: number, birth: 0), size: 1, modified: 0,
      changed: 0)
    library.attach(
      FileFacts(
        stamp: stamp, tags: tags, audio: audio, digest: nil, format: "flac",
        cover: CoverDigest(number: cover)), to: SongID(number: number))
  }

  func kept(_ album: UInt64, after: UInt64? = nil) -> SongRecord {
    SongRecord(
      album: AlbumID(number: album), after: after.map { SongID(number: $0) },
      group: GroupKey(family: "by\tx\t\(album)"), path: BytePath("/m/kept.flac"), digest: nil,
      added: 0, isGone: true, traits: Traits())
  }

  func kept(in crate: String, after: UInt64? = nil) -> AlbumRecord {
    AlbumRecord(
      crate: crate, after: after.map { AlbumID(number: $0) }, group: GroupKey(family: "by\tx\tz"))
  }
}
