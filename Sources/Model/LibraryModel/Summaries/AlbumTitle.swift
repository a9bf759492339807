import Text

/// The title, artist and year of an album, computed from its songs.
package struct AlbumFace: Hashable, Sendable {
  package var title: String
  package var artist: String
  /// The earliest year in its songs' tags.
  package var year: Int?
}

extension Library {
  package func face(of album: Album) -> AlbumFace { summary(of: album).face }

  /// Returns the face without caching it. For iterating over many albums once.
  package func passingFace(of album: Album) -> AlbumFace { passingSummary(of: album).face }

  /// Returns the songs that determine the face, in default order.
  func songsOfFace(_ album: Album) -> [Song] {
    let members = songs(of: album)
    let listed = members.filter { !$0.isGone }
    let songs = listed.isEmpty ? members : listed
    // The songs of an album that is not arranged are in default order already.
    return album.isArranged ? songs.inDefaultOrder() : songs
  }
}

extension AlbumFace {
  /// - Parameter songs: in default order, which decides between equally frequent spellings.
  init(of songs: [Song], group: GroupKey) {
    title = mostFrequent(songs.lazy.map(\.albumTitle)) ?? group.fallbackTitle
    artist =
      mostFrequent(songs.lazy.map(\.albumArtist))
      ?? AlbumFace.commonArtist(songs)
    year = songs.lazy.compactMap(\.year).min()
  }

  /// Returns the artist of an album without an album artist in its tags (merge-rules.md, 2).
  private static func commonArtist(_ songs: [Song]) -> String {
    let artists = ArtistCounts(songs.lazy.map(\.artist).filter { !$0.isEmpty })
    if artists.isEmpty { return "" }
    let most = songs.count / 2 + 1
    return artists.named(by: most) ?? artists.joined(by: most)
      ?? artists.withoutGuests.named(by: most) ?? "Various Artists"
  }
}

extension GroupKey {
  /// The title of an album without an album tag: the folder's name, or the album's name in the key.
  var fallbackTitle: String {
    let parts = family.split(separator: "\t", omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty else { return "Unknown" }
    if parts.first != "folder" { return String(last) }
    return shownName(percentDecodedIfEscaped(Array((last.split(separator: "/").last ?? last).utf8)))
  }
}
