extension Interface {
  package struct Song: WireStructure {
    package var id: String
    package var album: String
    package var albumTitle: String
    package var albumArtist: String
    package var crate: String
    package var position: Int?
    package var title: String
    package var artist: String
    package var disc: Int?
    package var track: Int?
    package var seconds: Double
    package var format: String
    package var added: String
    package var presence: Presence
    package var path: String
    package var uri: String
    package var details: SongDetails

    package init(
      id: String, album: String, albumTitle: String, albumArtist: String, crate: String,
      position: Int?, title: String, artist: String, disc: Int?, track: Int?, seconds: Double,
      format: String, added: String, presence: Presence, path: String, uri: String,
      details: SongDetails = SongDetails()
    ) {
      self.id = id
      self.album = album
      self.albumTitle = albumTitle
      self.albumArtist = albumArtist
      self.crate = crate
      self.position = position
      self.title = title
      self.artist = artist
      self.disc = disc
      self.track = track
      self.seconds = seconds
      self.format = format
      self.added = added
      self.presence = presence
      self.path = path
      self.uri = uri
      self.details = details
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      id = try fields.string("id")
      album = try fields.string("album")
      albumTitle = try fields.string("albumTitle")
      albumArtist = try fields.string("albumArtist")
      crate = try fields.string("crate")
      position = try fields.optional("position", \.integer)
      title = try fields.string("title")
      artist = try fields.string("artist")
      disc = try fields.optional("disc", \.integer)
      track = try fields.optional("track", \.integer)
      seconds = try fields.float("seconds")
      format = try fields.string("format")
      added = try fields.string("added")
      presence = try fields.enumeration("presence", otherwise: .unknown)
      path = try fields.string("path")
      uri = try fields.string("uri")
      details = try SongDetails(fields)
    }

    package var json: JSON {
      .object(
        JSON.Object(distinct: [
          ("id", .string(id)), ("album", .string(album)), ("albumTitle", .string(albumTitle)),
          ("albumArtist", .string(albumArtist)), ("crate", .string(crate)),
          ("position", JSON(position)), ("title", .string(title)), ("artist", .string(artist)),
          ("disc", JSON(disc)), ("track", JSON(track)), ("seconds", .number(seconds)),
          ("format", .string(format)), ("added", .string(added)),
          ("presence", .string(presence.rawValue)), ("path", .string(path)),
          ("uri", .string(uri)), ("year", JSON(details.year)), ("genre", JSON(details.genre)),
          ("composer", JSON(details.composer)), ("bitRate", JSON(details.bitRate)),
          ("sampleRate", JSON(details.sampleRate)), ("recording", JSON(details.recording)),
          ("release", JSON(details.release)), ("evidence", JSON(details.evidence)),
        ]))
    }
  }

  /// More tags of a song's file. On the wire they are fields of the song.
  package struct SongDetails: Sendable, Hashable {
    package var year: Int?
    package var genre: String?
    package var composer: String?
    /// In kilobits per second.
    package var bitRate: Int?
    /// In hertz.
    package var sampleRate: Int?
    /// The MusicBrainz recording id.
    package var recording: String?
    /// The MusicBrainz release id.
    package var release: String?
    /// How the song was last recognised, as a sentence.
    package var evidence: String?

    package init() {}

    /// Reads the details, each of which may be absent.
    init(_ fields: Fields) throws(FieldError) {
      year = try fields.optional("year", \.integer)
      genre = try fields.optional("genre", \.string)
      composer = try fields.optional("composer", \.string)
      bitRate = try fields.optional("bitRate", \.integer)
      sampleRate = try fields.optional("sampleRate", \.integer)
      recording = try fields.optional("recording", \.string)
      release = try fields.optional("release", \.string)
      evidence = try fields.optional("evidence", \.string)
    }
  }
}
