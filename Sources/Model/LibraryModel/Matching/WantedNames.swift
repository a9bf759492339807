/// The metadata of an entry, folded once, for comparison with songs.
struct WantedNames {
  /// The most milliseconds by which lengths of one song may differ. Programs round, and some count
  /// silence.
  static let lengthSlack = 3_000

  private let title: String
  private let artist: String
  private let album: String
  private let albumArtist: String
  private let milliseconds: Int
  /// Artist and title as players show them together, in both orders. A player's split of the text
  /// is less reliable than the whole, and iTunes writes the title first.
  private let shown: [String]

  init(_ wanted: Wanted) {
    title = folded(wanted.title)
    artist = folded(wanted.artist)
    album = folded(wanted.album)
    albumArtist = folded(wanted.albumArtist)
    milliseconds = wanted.milliseconds
    shown =
      artist.isEmpty ? [title] : ["\(artist) - \(title)", "\(title) - \(artist)"]
  }

  /// Returns the first field in which the entry contradicts the song, or nil if there is none. A
  /// field that either side lacks is ignored.
  func contradiction(_ song: Song) -> String? {
    if !lengthFits(song, within: Self.lengthSlack) { return "length" }
    let songAlbum = folded(song.albumTitle)
    if !album.isEmpty, !songAlbum.isEmpty, album != songAlbum { return "album" }
    if isShown(song) { return nil }
    if !titleFits(song) { return "title" }
    return artistFits(song) ? nil : "artist"
  }

  /// Whether any field is known on both sides, so that it could have contradicted the song.
  func speak(of song: Song) -> Bool {
    milliseconds > 0 && song.milliseconds > 0
      || !title.isEmpty && !song.taggedTitle.isEmpty
      || !album.isEmpty && !song.albumTitle.isEmpty
      || !artist.isEmpty && !(song.artist.isEmpty && song.albumArtist.isEmpty)
      || !albumArtist.isEmpty && !song.albumArtist.isEmpty
  }

  func lengthFits(_ song: Song, within slack: Int) -> Bool {
    if milliseconds <= 0 || song.milliseconds <= 0 { return true }
    return abs(milliseconds - song.milliseconds) <= slack
  }

  /// Whether both lengths are known and match.
  func hasLength(of song: Song, within slack: Int) -> Bool {
    milliseconds > 0 && song.milliseconds > 0 && lengthFits(song, within: slack)
  }

  /// Whether artist and title match the song's when they are joined.
  private func isShown(_ song: Song) -> Bool {
    let songTitle = folded(song.taggedTitle)
    if title.isEmpty || songTitle.isEmpty { return false }
    return [song.artist, song.albumArtist].contains { artist in
      !artist.isEmpty && shown.contains("\(folded(artist)) - \(songTitle)")
    }
  }

  private func titleFits(_ song: Song) -> Bool {
    let songTitle = folded(song.taggedTitle)
    if title.isEmpty || songTitle.isEmpty || title == songTitle { return true }
    return WantedNames.withoutNumber(title) == songTitle
  }

  /// Whether the entry's artists match the song's, ignoring guests.
  private func artistFits(_ song: Song) -> Bool {
    let ours = [song.artist, song.albumArtist].filter { !$0.isEmpty }
    if !artist.isEmpty, !ours.isEmpty,
      !ours.contains(where: { WantedNames.isSame(artist, $0) })
    {
      return false
    }
    if albumArtist.isEmpty || song.albumArtist.isEmpty { return true }
    return ours.contains { WantedNames.isSame(albumArtist, $0) }
  }

  private static func isSame(_ theirs: String, _ ours: String) -> Bool {
    let ours = folded(ours)
    return theirs == ours || mainArtist(theirs) == mainArtist(ours)
  }

  /// Returns `so what` for `01 so what` and `01. so what`, as players show files without tags.
  private static func withoutNumber(_ title: String) -> String {
    let digits = title.utf8.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return title }
    let rest = title.utf8.dropFirst(digits.count)
    let bare = rest.drop { [0x20, 0x2E, 0x5F, 0x2D].contains($0) }
    return bare.count < rest.count ? String(decoding: bare, as: UTF8.self) : title
  }
}
