import Databases
package import LibraryModel

/// A file of the library as the index stores it.
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
  /// The values of the row, in the order of the table's columns. Unsigned numbers keep their bits.
  /// crated itself reads only the first three; the others are for other programs.
  var values: [DatabaseValue] {
    let (stamp, tags, audio) = (facts.stamp, facts.tags, facts.audio)
    return [
      .bytes(path.bytes), .integer(Int64(bitPattern: song.number)), .bytes(facts.packed),
      .integer(stamp.size), .integer(stamp.modified), .text(facts.format),
      .integer(audio.milliseconds), .text(tags.title), .text(tags.artist), .text(tags.album),
      .text(tags.albumArtist), .text(tags.composer), .text(tags.genre), .text(tags.date),
      .integer(tags.disc), .integer(tags.track),
    ]
  }

  /// Reads the first three columns.
  ///
  /// - Throws: a `DatabaseError` if the row is damaged.
  init(_ row: borrowing Row) throws(DatabaseError) {
    path = BytePath(row.bytes(0))
    song = SongID(number: UInt64(bitPattern: row.integer(1)))
    guard let facts = row.withBytes(2, FileFacts.init(packed:)) else {
      throw DatabaseError("a row of files is damaged")
    }
    self.facts = facts
  }
}
