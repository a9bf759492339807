/// An order of the past, laid over what there is now.
package enum FormerOrder {
  /// Who asks for it.
  package static func origin(of date: String) -> String { Telling.formerOrder + date }

  /// The order of a library as somebody would write it down in another one of the same music. What
  /// that one doesn't know is left out, and so are songs that are in another album now.
  ///
  /// - Parameters:
  ///   - isKnown: whether there is such an album now.
  ///   - home: the album that a song is in now; nil where there is no such song.
  package static func written(
    _ former: Library, isKnown: (AlbumID) -> Bool, home: (SongID) -> AlbumID?
  ) -> WrittenOrder {
    var order = WrittenOrder()
    for crate in former.crates {
      var written = WrittenOrder.Crate(id: crate.id, name: crate.name, line: 0)
      for album in crate.albums.compactMap({ former.albums[$0] }) where isKnown(album.id) {
        var place = WrittenOrder.Album(id: album.id, line: 0)
        place.songs = former.songs(of: album).filter { home($0.id) == album.id }
          .map { WrittenOrder.Song(id: $0.id, line: 0) }
        written.albums.append(place)
      }
      if !written.albums.isEmpty { order.crates.append(written) }
    }
    return order
  }
}
