extension Interface {
  package enum Presence: String, WireEnumeration {
    case present, offline, gone
    case unknown
  }

  package struct Crate: WireStructure {
    package var name: String
    /// From 1; nil for a crate that is not listed by default.
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
    /// Whether the user touched the album and has not undone that.
    package var moved: Bool
    /// The sequence at which the album was added; 0 if that is not known.
    package var came: Int
    /// The digest of the cover.
    package var cover: String?
    /// Why these songs are one album, in a sentence.
    package var because: String
    /// The name of the other machine on which the user moved the album to its place.
    package var placedBy: String?

    package init(
      id: String, crate: String, position: Int?, title: String, artist: String, year: Int?,
      songs: Int, seconds: Double, added: String, arranged: Bool, presence: Presence,
      moved: Bool = false, came: Int = 0, cover: String? = nil, because: String = "",
      placedBy: String? = nil
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
      self.moved = moved
      self.came = came
      self.cover = cover
      self.because = because
      self.placedBy = placedBy
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
      // An older daemon sends none of these.
      moved = try fields.optional("moved", \.bool) ?? false
      came = try fields.optional("came", \.integer) ?? 0
      cover = try fields.optional("cover", \.string)
      because = try fields.optional("because", \.string) ?? ""
      placedBy = try fields.optional("placedBy", \.string)
    }

    package var json: JSON {
      .object(
        JSON.Object(distinct: [
          ("id", .string(id)), ("crate", .string(crate)), ("position", JSON(position)),
          ("title", .string(title)), ("artist", .string(artist)), ("year", JSON(year)),
          ("songs", JSON(songs)), ("seconds", .number(seconds)), ("added", .string(added)),
          ("arranged", .bool(arranged)), ("presence", .string(presence.rawValue)),
          ("moved", .bool(moved)), ("came", JSON(came)), ("cover", JSON(cover)),
          ("because", .string(because)), ("placedBy", JSON(placedBy)),
        ]))
    }
  }
}
