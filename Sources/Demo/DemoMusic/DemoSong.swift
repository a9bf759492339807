/// A small song: a synthesized melody with tags, encoded as a playable file. Equal values give
/// equal bytes.
package struct DemoSong: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case flac, wav, aiff
  }

  package var title: String
  package var artist: String
  package var album: String
  /// Empty for no such tag.
  package var albumArtist: String
  package var track: Int
  /// Nil for no such tag.
  package var disc: Int?
  package var date: String
  package var format: Format
  package var seconds: Double
  /// Songs with different seeds sound different.
  package var seed: UInt64
  /// In hertz.
  package var sampleRate: Int

  package init(
    title: String, artist: String, album: String, albumArtist: String = "", track: Int,
    disc: Int? = nil, date: String = "", format: Format = .flac, seconds: Double = 2,
    seed: UInt64 = 0, sampleRate: Int = 8_000
  ) {
    precondition(seconds > 0 && seconds < 3600, "a demo song lasts up to an hour")
    precondition((1...65_535).contains(sampleRate), "a rate that a FLAC frame can say in Hz")
    self.title = title
    self.artist = artist
    self.album = album
    self.albumArtist = albumArtist
    self.track = track
    self.disc = disc
    self.date = date
    self.format = format
    self.seconds = seconds
    self.seed = seed
    self.sampleRate = sampleRate
  }

  /// Returns the content of the file.
  package func encoded() -> [UInt8] {
    let samples = Melody(seed: seed, sampleRate: sampleRate).samples(
      count: max(1, Int(seconds * Double(sampleRate))))
    switch format {
    case .flac: return FLACFile(samples: samples, sampleRate: sampleRate, tags: tags).encoded()
    case .wav: return WAVFile(samples: samples, sampleRate: sampleRate, tags: tags).encoded()
    case .aiff: return AIFFFile(samples: samples, sampleRate: sampleRate, tags: tags).encoded()
    }
  }

  private var tags: [DemoTag] {
    var tags: [DemoTag] = []
    func add(_ comment: String, _ frame: String, _ value: String) {
      if !value.isEmpty { tags.append(DemoTag(comment: comment, frame: frame, value: value)) }
    }
    add("TITLE", "TIT2", title)
    add("ARTIST", "TPE1", artist)
    add("ALBUM", "TALB", album)
    add("ALBUMARTIST", "TPE2", albumArtist)
    add("TRACKNUMBER", "TRCK", String(track))
    add("DISCNUMBER", "TPOS", disc.map { String($0) } ?? "")
    add("DATE", "TDRC", date)
    return tags
  }
}

/// A tag with its names in Vorbis comments and in ID3.
struct DemoTag {
  var comment: String
  var frame: String
  var value: String
}
