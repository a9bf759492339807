extension Interface {
  package enum Author: String, WireEnumeration {
    case person, folder, machine
    case unknown
  }

  /// One step of a change, as listings show it. It moves the song if there is one, else the album,
  /// else the crate.
  package struct Move: WireStructure {
    /// The crate in which the thing is now; absent if it is no longer listed.
    package var crate: String?
    package var album: String?
    package var song: String?
    /// The thing directly before it; absent if it is the first of its list.
    package var after: String?
    /// The former name of a crate that was renamed.
    package var was: String?

    package init(
      crate: String?, album: String? = nil, song: String? = nil, after: String? = nil,
      was: String? = nil
    ) {
      self.crate = crate
      self.album = album
      self.song = song
      self.after = after
      self.was = was
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      crate = try fields.optional("crate", \.string)
      album = try fields.optional("album", \.string)
      song = try fields.optional("song", \.string)
      after = try fields.optional("after", \.string)
      was = try fields.optional("was", \.string)
    }

    package var json: JSON {
      [
        "crate": JSON(crate), "album": JSON(album), "song": JSON(song), "after": JSON(after),
        "was": JSON(was),
      ]
    }
  }

  package struct Change: WireStructure {
    package var changed: Bool
    package var sequence: Int
    package var time: String
    package var author: Author
    package var summary: String
    /// The source of the change, if it wasn't a plain call.
    package var origin: String?
    package var moves: [Move]
    package var notes: [String]
    package var albums: [String]
    package var songs: [String]
    package var crates: [String]
    package var complete: Bool

    /// The most ids (names of crates) in each of the three lists, and the most moves and notes.
    package static let listedMost = 1_000

    package init(
      changed: Bool, sequence: Int, time: String, author: Author, summary: String,
      origin: String? = nil, moves: [Move] = [], notes: [String] = [], albums: [String] = [],
      songs: [String] = [], crates: [String] = [], complete: Bool = true
    ) {
      self.changed = changed
      self.sequence = sequence
      self.time = time
      self.author = author
      self.summary = summary
      self.origin = origin
      self.moves = moves
      self.notes = notes
      self.albums = albums
      self.songs = songs
      self.crates = crates
      self.complete = complete
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      changed = try fields.bool("changed")
      sequence = try fields.int("sequence")
      time = try fields.string("time")
      author = try fields.enumeration("author", otherwise: .unknown)
      summary = try fields.string("summary")
      origin = try fields.optional("origin", \.string)
      // An older daemon sends no moves.
      moves = try fields.optionalStructures("moves") ?? []
      notes = try fields.strings("notes")
      albums = try fields.strings("albums")
      songs = try fields.strings("songs")
      crates = try fields.strings("crates")
      complete = try fields.bool("complete")
    }

    package var json: JSON {
      [
        "changed": .bool(changed), "sequence": JSON(sequence), "time": .string(time),
        "author": .string(author.rawValue), "summary": .string(summary), "origin": JSON(origin),
        "moves": .array(moves.map(\.json)), "notes": JSON(notes), "albums": JSON(albums),
        "songs": JSON(songs), "crates": JSON(crates), "complete": .bool(complete),
      ]
    }
  }
}
