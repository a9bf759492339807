import Text

/// What an album shows of itself, worked out from its songs.
package struct AlbumFace: Hashable, Sendable {
  package var title: String
  package var artist: String
  /// The earliest year its songs' tags give.
  package var year: Int?
}

extension Library {
  package func face(of album: Album) -> AlbumFace { summary(of: album).face }

  /// The same, not kept with the album where nobody has asked for it yet: for those who go through
  /// many albums once.
  package func passingFace(of album: Album) -> AlbumFace { passingSummary(of: album).face }

  /// The songs by which an album is shown, in default order.
  func songsOfFace(_ album: Album) -> [Song] {
    let members = songs(of: album)
    let listed = members.filter { !$0.isGone }
    let songs = listed.isEmpty ? members : listed
    // An album that is not arranged stands in default order already.
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

  /// The artist of an album whose songs name no album artist (merge-rules.md, 2).
  private static func commonArtist(_ songs: [Song]) -> String {
    let artists = ArtistCounts(songs.lazy.map(\.artist).filter { !$0.isEmpty })
    if artists.isEmpty { return "" }
    let most = songs.count / 2 + 1
    return artists.named(by: most) ?? artists.joined(by: most)
      ?? artists.withoutGuests.named(by: most) ?? "Various Artists"
  }
}

extension GroupKey {
  /// The title where no song of the album has one: the folder's name, or what the key kept of it.
  var fallbackTitle: String {
    let parts = family.split(separator: "\t", omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty else { return "Unknown" }
    if parts.first != "folder" { return String(last) }
    return shownName(percentDecodedIfEscaped(Array((last.split(separator: "/").last ?? last).utf8)))
  }
}
