/// A recording and its place. Immutable: a change creates a new value.
package final class Song: Sendable {
  package let id: SongID
  /// The album that it is in. Another album that lists its id keeps a slot for it.
  package let album: AlbumID
  package let group: GroupKey
  /// The path of its file, or its last known path.
  package let path: BytePath
  /// The time at which it was added, and two flags. Packed to save a word per song.
  private let addedAndMarks: Int64
  /// The number of the scan that first saw it (milliseconds since 1970), which all files of that
  /// scan share. A song of a first scan may have an earlier `added` time.
  package let seen: Int64
  /// The facts of its file. Nil until the file has been read since the index was lost.
  package let facts: FileFacts?
  /// The properties that differ from the facts. Nil if there are none.
  private let rest: Rest?

  /// Milliseconds since 1970, in 62 bits. Set once and never recomputed.
  package var added: Int64 { addedAndMarks >> 2 }

  package var isGone: Bool { addedAndMarks & 1 != 0 }

  /// Whether the song itself is marked as touched, in whatever album it is. `Library.isTouched`
  /// includes the mark of its album.
  package var isTouched: Bool { addedAndMarks & 2 != 0 }

  package var digest: AudioDigest? {
    if let rest { rest.digest } else { facts?.digest }
  }

  /// The stored traits, for a song without facts.
  package var traits: Traits? { rest?.traits?.value }

  package init(
    id: SongID, album: AlbumID, group: GroupKey, path: BytePath, digest: AudioDigest?,
    added: Int64, seen: Int64? = nil, isGone: Bool = false, isTouched: Bool = false,
    facts: FileFacts? = nil, traits: Traits? = nil
  ) {
    self.id = id
    self.album = album
    self.group = group
    self.path = path
    addedAndMarks = added << 2 | (isTouched ? 2 : 0) | (isGone ? 1 : 0)
    self.seen = seen ?? added
    self.facts = facts
    let isSaid = traits == nil && digest == facts?.digest
    rest = isSaid ? nil : Rest(digest: digest, traits: traits.map(Boxed.init))
  }

  /// Returns a copy with these properties changed.
  func with(
    album: AlbumID? = nil, group: GroupKey? = nil, path: BytePath? = nil,
    digest: AudioDigest?? = nil, isGone: Bool? = nil, isTouched: Bool? = nil,
    facts: FileFacts?? = nil, traits: Traits?? = nil
  ) -> Song {
    Song(
      id: id, album: album ?? self.album, group: group ?? self.group, path: path ?? self.path,
      digest: digest ?? self.digest, added: added, seen: seen, isGone: isGone ?? self.isGone,
      isTouched: isTouched ?? self.isTouched, facts: facts ?? self.facts,
      traits: traits ?? self.traits)
  }
}

extension Song {
  /// Returns a copy with the facts of its file, or without them.
  func with(_ facts: FileFacts?) -> Song {
    with(facts: .some(facts), traits: .some(facts == nil ? traits : nil))
  }
}

/// The properties that most songs need not store.
private final class Rest: Sendable {
  let digest: AudioDigest?
  let traits: Boxed<Traits>?

  init(digest: AudioDigest?, traits: Boxed<Traits>?) {
    self.digest = digest
    self.traits = traits
  }
}

/// A boxed value, for properties that few songs have.
private final class Boxed<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The properties by which a song without its file is recognised and shown.
package struct Traits: Hashable, Sendable {
  /// The most bytes of a text. Longer texts would not fit together in a line of the journal.
  static let longestText = 1024

  package var disc: Int?
  package var track: Int?
  package var title = ""
  package var milliseconds = 0
  package var recording = ""
  package var release = ""
  package var artist = ""
  package var album = ""
  package var albumArtist = ""
  package var year: Int?

  package init() {}

  package init(_ facts: FileFacts, path: BytePath) {
    func bounded(_ text: String) -> String { text.cut(toBytes: Traits.longestText) }
    let tags = facts.tags
    disc = tags.disc
    track = tags.track
    title = bounded(tags.title)
    milliseconds = facts.audio.milliseconds
    recording = bounded(tags.recording)
    release = bounded(tags.release)
    artist = bounded(tags.artist)
    album = bounded(tags.album)
    albumArtist = bounded(tags.albumArtist)
    year = facts.year
  }
}

extension Song {
  package var title: String {
    shownTitle(facts?.title ?? traits?.title ?? "", path: path)
  }

  package var artist: String { facts?.artist ?? traits?.artist ?? "" }
  /// The album tag of the file, or its last known one. Empty if there is none.
  package var albumTitle: String { facts?.album ?? traits?.album ?? "" }
  package var albumArtist: String { facts?.albumArtist ?? traits?.albumArtist ?? "" }
  package var disc: Int? { facts == nil ? traits?.disc : facts?.disc }
  package var track: Int? { facts == nil ? traits?.track : facts?.track }
  package var milliseconds: Int { facts?.milliseconds ?? traits?.milliseconds ?? 0 }
  package var recording: String { facts?.recording ?? traits?.recording ?? "" }
  package var release: String { facts?.release ?? traits?.release ?? "" }
  package var format: String { facts?.format ?? path.pathExtension }

  package var year: Int? { facts == nil ? traits?.year : facts?.year }

  /// Whether the tags of its file are known. They are not for a file that has not been read since
  /// the index was lost.
  var isKnown: Bool { facts != nil || rest?.traits != nil }

  /// The traits that are stored for a song whose file or index is lost.
  package var lasting: Traits {
    if let facts { return Traits(facts, path: path) }
    return traits ?? Traits()
  }
}

/// Returns the tagged title, else the file name without its extension and a leading track number.
func shownTitle(_ tagged: String, path: BytePath) -> String {
  if !tagged.isEmpty { return tagged }
  var name = path.name[...]
  if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex { name = name[..<dot] }
  let digits = name.prefix { (0x30...0x39).contains($0) }
  if (1...3).contains(digits.count) {
    let rest = name.dropFirst(digits.count)
    let text = rest.drop { [0x20, 0x2E, 0x5F, 0x2D].contains($0) }
    if text.count < rest.count, !text.isEmpty { name = text }
  }
  return shownName(name)
}
