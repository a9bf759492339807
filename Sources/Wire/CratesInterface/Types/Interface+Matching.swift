extension Interface {
  /// What another program stores about a song. Unknown fields are absent.
  package struct Wanted: WireStructure {
    /// The song's id, if the list is from another Crated.
    package var song: String?
    /// A path or a `file:` URI, as the other program wrote it.
    package var path: String?
    package var title: String?
    package var artist: String?
    package var album: String?
    package var albumArtist: String?
    package var disc: Int?
    package var track: Int?
    package var seconds: Double?
    /// The MusicBrainz recording id.
    package var recording: String?
    /// The MusicBrainz release id.
    package var release: String?

    package init(path: String? = nil, title: String? = nil) {
      self.path = path
      self.title = title
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      song = try fields.optional("song", \.string)
      path = try fields.optional("path", \.string)
      title = try fields.optional("title", \.string)
      artist = try fields.optional("artist", \.string)
      album = try fields.optional("album", \.string)
      albumArtist = try fields.optional("albumArtist", \.string)
      disc = try fields.optional("disc", \.integer)
      track = try fields.optional("track", \.integer)
      seconds = try fields.optional("seconds", \.number)
      recording = try fields.optional("recording", \.string)
      release = try fields.optional("release", \.string)
    }

    package static let fields: Set<String> = [
      "song", "path", "title", "artist", "album", "albumArtist", "disc", "track", "seconds",
      "recording", "release",
    ]

    package var json: JSON {
      [
        "song": JSON(song), "path": JSON(path), "title": JSON(title), "artist": JSON(artist),
        "album": JSON(album), "albumArtist": JSON(albumArtist), "disc": JSON(disc),
        "track": JSON(track),
        "seconds": seconds.map { .number($0) } ?? .null, "recording": JSON(recording),
        "release": JSON(release),
      ]
    }
  }

  /// The song that matches a wanted one, with its album, or a description of what was tried.
  package struct Matched: WireStructure {
    package var song: String?
    package var album: String?
    /// How the song was found, in words for the user.
    package var by: String?
    package var tried: String?

    package init(
      song: String? = nil, album: String? = nil, by: String? = nil, tried: String? = nil
    ) {
      self.song = song
      self.album = album
      self.by = by
      self.tried = tried
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      song = try fields.optional("song", \.string)
      album = try fields.optional("album", \.string)
      by = try fields.optional("by", \.string)
      tried = try fields.optional("tried", \.string)
    }

    package var json: JSON {
      ["song": JSON(song), "album": JSON(album), "by": JSON(by), "tried": JSON(tried)]
    }
  }

  /// The local place of a folder of another machine.
  package struct Root: Sendable, Hashable {
    package var theirs: String
    /// An absolute path, or a `file:` URI.
    package var ours: String

    package init(theirs: String, ours: String) {
      self.theirs = theirs
      self.ours = ours
    }
  }

  /// The most songs in one call of `Match`. More would keep other clients waiting.
  package static let wantedMost = 1_000
}
