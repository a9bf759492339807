extension Interface {
  package enum Author: String, WireEnumeration {
    case person, folder
    case unknown
  }

  package struct Change: WireStructure {
    package var changed: Bool
    package var sequence: Int
    package var time: String
    package var author: Author
    package var summary: String
    package var notes: [String]
    package var albums: [String]
    package var songs: [String]
    package var crates: [String]
    package var complete: Bool

    /// The most ids (names of crates) in each of the three lists.
    package static let listedMost = 1_000

    package init(
      changed: Bool, sequence: Int, time: String, author: Author, summary: String,
      notes: [String] = [], albums: [String] = [], songs: [String] = [], crates: [String] = [],
      complete: Bool = true
    ) {
      self.changed = changed
      self.sequence = sequence
      self.time = time
      self.author = author
      self.summary = summary
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
      notes = try fields.strings("notes")
      albums = try fields.strings("albums")
      songs = try fields.strings("songs")
      crates = try fields.strings("crates")
      complete = try fields.bool("complete")
    }

    package var json: JSON {
      [
        "changed": .bool(changed), "sequence": JSON(sequence), "time": .string(time),
        "author": .string(author.rawValue), "summary": .string(summary), "notes": JSON(notes),
        "albums": JSON(albums), "songs": JSON(songs), "crates": JSON(crates),
        "complete": .bool(complete),
      ]
    }
  }
}
