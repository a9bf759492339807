import Foundation
import GRDB
package import LibraryModel

/// What the index keeps of a file.
package struct IndexedFile: Sendable {
  package var path: BytePath
  package var song: SongID
  package var facts: FileFacts

  package init(path: BytePath, song: SongID, facts: FileFacts) {
    self.path = path
    self.song = song
    self.facts = facts
  }
}

extension IndexedFile {
  /// In the order of `IndexSchema.columns`. Unsigned numbers keep their bits.
  var values: [(any DatabaseValueConvertible)?] {
    let (stamp, tags, audio) = (facts.stamp, facts.tags, facts.audio)
    return [
      Data(path.bytes), Int64(bitPattern: song.number),
      Int64(bitPattern: stamp.identity.fileSystem), Int64(bitPattern: stamp.identity.inode),
      stamp.identity.birth, stamp.size, stamp.modified, stamp.changed,
      facts.digest.map { Int64(bitPattern: $0.high) },
      facts.digest.map { Int64(bitPattern: $0.low) },
      facts.format, audio.milliseconds, audio.bitRate, audio.sampleRate, audio.channels,
      audio.codec, tags.title, tags.artist, tags.album, tags.albumArtist, tags.composer,
      tags.genre, tags.date, tags.originalDate, tags.disc, tags.discTotal, tags.track,
      tags.trackTotal, tags.isCompilation, tags.titleSort, tags.artistSort, tags.albumSort,
      tags.albumArtistSort, tags.recording, tags.release, tags.releaseArtist,
    ]
  }

  init(_ row: Row, _ interned: inout Interned) {
    var reader = ColumnReader(row: row)
    path = BytePath([UInt8](reader.next() as Data))
    song = SongID(number: UInt64(bitPattern: reader.next()))
    let identity = FileIdentity(
      fileSystem: UInt64(bitPattern: reader.next()), inode: UInt64(bitPattern: reader.next()),
      birth: reader.next())
    let stamp = FileStamp(
      identity: identity, size: reader.next(), modified: reader.next(), changed: reader.next())
    let high: Int64? = reader.optional()
    let low: Int64? = reader.optional()
    let format = interned.text(reader.next())
    var audio = AudioProperties()
    audio.milliseconds = reader.next()
    audio.bitRate = reader.next()
    audio.sampleRate = reader.next()
    audio.channels = reader.next()
    audio.codec = interned.text(reader.next())
    var digest: AudioDigest?
    if let high, let low {
      digest = AudioDigest(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }
    facts = FileFacts(
      stamp: stamp, tags: SongTags(&reader, &interned), audio: audio, digest: digest,
      format: format)
  }
}

extension SongTags {
  fileprivate init(_ reader: inout ColumnReader, _ interned: inout Interned) {
    self.init()
    title = reader.next()
    artist = interned.text(reader.next())
    album = interned.text(reader.next())
    albumArtist = interned.text(reader.next())
    composer = interned.text(reader.next())
    genre = interned.text(reader.next())
    date = interned.text(reader.next())
    originalDate = interned.text(reader.next())
    disc = reader.optional()
    discTotal = reader.optional()
    track = reader.optional()
    trackTotal = reader.optional()
    isCompilation = reader.next()
    titleSort = reader.next()
    artistSort = interned.text(reader.next())
    albumSort = interned.text(reader.next())
    albumArtistSort = interned.text(reader.next())
    recording = reader.next()
    release = interned.text(reader.next())
    releaseArtist = interned.text(reader.next())
  }
}

/// Columns by their place: looking them up by name costs more than reading them.
private struct ColumnReader {
  let row: Row
  var place = 0

  mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value {
    defer { place += 1 }
    return row[place]
  }

  mutating func optional<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value? {
    defer { place += 1 }
    return row[place]
  }
}

/// Names that many files share are kept once.
struct Interned {
  private var texts: Set<String> = []

  mutating func text(_ text: String) -> String {
    if text.utf8.count <= 15 { return text }
    return texts.insert(text).memberAfterInsert
  }
}
