/// The tags of a file. An empty text is a missing tag.
package struct SongTags: Hashable, Sendable {
  package var title = ""
  package var artist = ""
  package var album = ""
  package var albumArtist = ""
  package var composer = ""
  package var genre = ""
  package var date = ""
  package var originalDate = ""
  /// The number of the disc, or of the record's side.
  package var disc: Int?
  package var discTotal: Int?
  /// 0 or more.
  package var track: Int?
  package var trackTotal: Int?
  package var isCompilation = false
  package var titleSort = ""
  package var artistSort = ""
  package var albumSort = ""
  package var albumArtistSort = ""
  /// MusicBrainz recording id.
  package var recording = ""
  /// MusicBrainz release id.
  package var release = ""
  /// MusicBrainz album artist id.
  package var releaseArtist = ""

  package init() {}
}

extension FileFacts {
  /// Whether listings show the same tags for both files. Sort names, totals, and all of a date but
  /// its year are not shown.
  func showsSameTags(as other: FileFacts) -> Bool {
    let (tags, others) = (tags, other.tags)
    return tags.title == others.title && tags.artist == others.artist
      && tags.album == others.album && tags.albumArtist == others.albumArtist
      && tags.genre == others.genre && tags.composer == others.composer
      && tags.disc == others.disc && tags.track == others.track && year == other.year
      && tags.recording == others.recording && tags.release == others.release
  }
}

/// The audio properties that a file reports. 0 is unknown.
package struct AudioProperties: Hashable, Sendable {
  package var milliseconds = 0
  /// Kilobits per second.
  package var bitRate = 0
  /// Hertz.
  package var sampleRate = 0
  package var channels = 0
  package var codec = ""

  package init() {}
}

/// A 128-bit hash of the sound without tags, XXH3 over windows of the payload (see
/// crate-tag-reader).
package struct AudioDigest: Hashable, Sendable, Comparable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func < (left: AudioDigest, right: AudioDigest) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// A problem with one file. Other files are not affected.
package struct FileProblem: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case unreadable, crashedReader, timedOutReader, permission, skippedFolder,
      folder, playlist, machines
  }

  package var kind: Kind
  /// One line for the user: what is wrong and what to do about it.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// The result of reading a file's tags.
package enum ReadOutcome: Sendable {
  case facts(FileFacts)
  case problem(FileProblem)
}
