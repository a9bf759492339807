/// The positions of the listed albums of a library. Computing them iterates over all albums, so it
/// is done once per library value, for all responses.
package struct AlbumPlaces: Sendable {
  package struct Place: Comparable, Sendable {
    /// The index of its crate among all crates, listed or not, from 0.
    var crateRank: Int32
    /// Its position among the listed albums of its crate, from 1.
    package var position: Int32

    package static func < (left: Place, right: Place) -> Bool {
      (left.crateRank, left.position) < (right.crateRank, right.position)
    }
  }

  private var places: [AlbumID: Place] = [:]

  package init(in library: Library) {
    places.reserveCapacity(library.crates.reduce(0) { $0 + $1.albums.count })
    for (rank, crate) in library.crates.enumerated() {
      var position: Int32 = 0
      for id in crate.albums where library.isListed(id) {
        position += 1
        places[id] = Place(crateRank: Int32(rank), position: position)
      }
    }
  }

  /// Returns nil for an album that is not listed.
  package subscript(_ id: AlbumID) -> Place? { places[id] }
}
