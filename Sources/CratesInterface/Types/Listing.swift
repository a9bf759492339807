extension Interface {
  package enum Presence: String, WireEnumeration {
    case present, offline, gone
    case unknown
  }

  package struct Crate: WireStructure {
    package var name: String
    /// From 1; `nil` for what is not listed by default.
    package var position: Int?
    package var albums: Int
    package var songs: Int
    package var seconds: Double

    package init(name: String, position: Int?, albums: Int, songs: Int, seconds: Double) {
      self.name = name
      self.position = position
      self.albums = albums
      self.songs = songs
      self.seconds = seconds
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      name = try fields.string("name")
      position = try fields.optional("position", \.integer)
      albums = try fields.int("albums")
      songs = try fields.int("songs")
      seconds = try fields.float("seconds")
    }

    package var json: JSON {
      [
        "name": .string(name), "position": JSON(position), "albums": JSON(albums),
        "songs": JSON(songs), "seconds": .number(seconds),
      ]
    }
  }

  package struct Album: WireStructure {
    package var id: String
    package var crate: String
    package var position: Int?
    package var title: String
    package var artist: String
    package var year: Int?
    package var songs: Int
    package var seconds: Double
    package var added: String
    package var arranged: Bool
    package var presence: Presence

    package init(
      id: String, crate: String, position: Int?, title: String, artist: String, year: Int?,
      songs: Int, seconds: Double, added: String, arranged: Bool, presence: Presence
    ) {
      self.id = id
      self.crate = crate
      self.position = position
      self.title = title
      self.artist = artist
      self.year = year
      self.songs = songs
      self.seconds = seconds
      self.added = added
      self.arranged = arranged
      self.presence = presence
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      id = try fields.string("id")
      crate = try fields.string("crate")
      position = try fields.optional("position", \.integer)
      title = try fields.string("title")
      artist = try fields.string("artist")
      year = try fields.optional("year", \.integer)
      songs = try fields.int("songs")
      seconds = try fields.float("seconds")
      added = try fields.string("added")
      arranged = try fields.bool("arranged")
      presence = try fields.enumeration("presence", otherwise: .unknown)
    }

    package var json: JSON {
      .object(
        JSON.Object(distinct: [
          ("id", .string(id)), ("crate", .string(crate)), ("position", JSON(position)),
          ("title", .string(title)), ("artist", .string(artist)), ("year", JSON(year)),
          ("songs", JSON(songs)), ("seconds", .number(seconds)), ("added", .string(added)),
          ("arranged", .bool(arranged)), ("presence", .string(presence.rawValue)),
        ]))
    }
  }

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

    package init(
      id: String, album: String, albumTitle: String, albumArtist: String, crate: String,
      position: Int?, title: String, artist: String, disc: Int?, track: Int?, seconds: Double,
      format: String, added: String, presence: Presence, path: String, uri: String
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
          ("uri", .string(uri)),
        ]))
    }
  }
}
