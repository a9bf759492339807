/// The properties of an album that listings show and that are computed from all its songs.
package final class AlbumSummary: Equatable, Sendable {
  /// The title, followed by the artist. One string, since there is a summary for each album and two
  /// short strings take half as much memory again.
  private let words: String
  private let titleBytes: Int32
  /// The year, or 0 if there is none.
  private let year: Int32
  private let songCount: Int32
  private let memberCount: Int32
  /// The length of all listed songs, in milliseconds.
  package let milliseconds: Int
  /// The earliest `added` time of its songs, including gone ones, in milliseconds since 1970.
  package let added: Int64
  /// The digest of the picture in its first listed song that has one. Nil if there is none.
  package let cover: CoverDigest?

  init(
    face: AlbumFace, songs: Int, milliseconds: Int, added: Int64, members: Int,
    cover: CoverDigest? = nil
  ) {
    words = face.title + face.artist
    titleBytes = Int32(clamping: face.title.utf8.count)
    year = Int32(clamping: face.year ?? 0)
    songCount = Int32(clamping: songs)
    memberCount = Int32(clamping: members)
    self.milliseconds = milliseconds
    self.added = added
    self.cover = cover
  }

  /// The title, artist and year. Computed on each call.
  package var face: AlbumFace {
    let bytes = words.utf8
    let end = bytes.index(bytes.startIndex, offsetBy: Int(titleBytes))
    return AlbumFace(
      title: String(words[..<end]), artist: String(words[end...]),
      year: year == 0 ? nil : Int(year))
  }

  /// The number of listed songs.
  package var songs: Int { Int(songCount) }
  /// The number of songs in the album, including gone ones.
  package var members: Int { Int(memberCount) }

  convenience init(of album: Album, in library: Library) {
    let members = library.songs(of: album)
    var (songs, milliseconds) = (0, 0)
    var cover: CoverDigest?
    for song in members where !song.isGone {
      songs += 1
      milliseconds += song.milliseconds
      if cover == nil { cover = song.facts?.cover }
    }
    let face =
      AlbumFace(common: members, group: album.group)
      ?? AlbumFace(of: library.songsOfFace(album), group: album.group)
    self.init(
      face: face, songs: songs, milliseconds: milliseconds,
      added: members.lazy.map(\.added).min() ?? 0, members: members.count, cover: cover)
  }

  package static func == (left: AlbumSummary, right: AlbumSummary) -> Bool {
    left.face == right.face && left.songs == right.songs && left.added == right.added
      && left.milliseconds == right.milliseconds && left.members == right.members
      && left.cover == right.cover
  }
}

extension AlbumFace {
  /// Creates the face if all songs have the same tags, as in most albums. Nothing has to be counted
  /// then, and the order of the songs does not matter.
  fileprivate init?(common songs: [Song], group: GroupKey) {
    guard let first = songs.first else { return nil }
    let isCommon = songs.allSatisfy { song in
      !song.isGone && song.albumTitle.isSame(as: first.albumTitle)
        && song.albumArtist.isSame(as: first.albumArtist)
        && (!first.albumArtist.isEmpty || song.artist.isSame(as: first.artist))
    }
    guard isCommon else { return nil }
    self.init(of: [first], group: group)
    year = songs.lazy.compactMap(\.year).min()
  }
}

extension Library {
  /// Returns the album's summary, which is computed once for each value of an album.
  package func summary(of album: Album) -> AlbumSummary {
    // The cache of another library's album value is valid only for that library.
    let summary = passingSummary(of: album)
    return albums[album.id] === album ? album.keep(summary) : summary
  }

  /// Returns the album's summary without caching it.
  func passingSummary(of album: Album) -> AlbumSummary {
    if let known = album.knownSummary, albums[album.id] === album { return known }
    return AlbumSummary(of: album, in: self)
  }
}
