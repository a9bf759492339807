/// An order that the user wrote: crates, the albums below them, and the songs below those. Lines
/// count from 1.
package struct WrittenOrder: Hashable, Sendable {
  package struct Crate: Hashable, Sendable {
    /// The crate's id. Nil if the user wrote the crate by hand.
    package var id: CrateID?
    package var name: String
    package var line: Int
    package var albums: [Album] = []

    package init(id: CrateID? = nil, name: String, line: Int) {
      self.id = id
      self.name = name
      self.line = line
    }
  }

  package struct Album: Hashable, Sendable {
    package var id: AlbumID
    package var line: Int
    package var songs: [Song] = []

    package init(id: AlbumID, line: Int) {
      self.id = id
      self.line = line
    }
  }

  package struct Song: Hashable, Sendable {
    package var id: SongID
    package var line: Int

    package init(id: SongID, line: Int) {
      self.id = id
      self.line = line
    }
  }

  package var crates: [Crate] = []

  package init() {}
}
