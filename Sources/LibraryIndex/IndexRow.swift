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
  /// In the order of `IndexSchema.columns`. Unsigned numbers keep their bits. All but the first
  /// three are for other programs: crated itself reads only those.
  var values: [(any DatabaseValueConvertible)?] {
    let (stamp, tags, audio) = (facts.stamp, facts.tags, facts.audio)
    return [
      Data(path.bytes), Int64(bitPattern: song.number), Data(facts.packed),
      stamp.size, stamp.modified, facts.format, audio.milliseconds, tags.title, tags.artist,
      tags.album, tags.albumArtist, tags.composer, tags.genre, tags.date, tags.disc, tags.track,
    ]
  }

  /// - Throws: where the row is damaged.
  init(_ row: Row) throws {
    path = try row.withUnsafeData(atIndex: 0) { BytePath($0.map { [UInt8]($0) } ?? []) }
    song = SongID(number: UInt64(bitPattern: row[1]))
    let facts = try row.withUnsafeData(atIndex: 2) { data in
      data?.withUnsafeBytes(FileFacts.init(packed:))
    }
    guard let facts else { throw DatabaseError(message: "a row of files is damaged") }
    self.facts = facts
  }
}
