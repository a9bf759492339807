/// A persistent key of the album that a song belongs to. Two songs with equal keys are in one
/// album. All of it is in NFC and has a bounded length: see `KeyText`.
package final class GroupKey: Hashable, Sendable, CustomStringConvertible {
  /// The group's name, such as `by\tmiles davis\tkind of blue`, `folder\tUnsorted` or
  /// `in\tMiles Davis/Kind of Blue\tkind of blue`.
  package let family: String
  /// Distinguishes editions of one album, and folders of one name in several music folders. Empty
  /// for the only or the first one. For an edition it is a release (see `release`), followed by a
  /// blank and a folder if other editions have the same release.
  package let edition: String

  package init(family: String, edition: String = "") {
    self.family = family
    self.edition = edition
  }

  package var description: String { edition.isEmpty ? family : "\(family)\t\t\(edition)" }

  /// The text that song ids are minted from. It omits the edition, since that depends on which
  /// edition came first.
  var minted: String { family }

  /// The text that album ids are minted from. The music folder distinguishes albums without tags,
  /// but differs on every machine, so it is omitted.
  var mintedAlbum: String { isTagged ? description : family }

  package static func tagged(artist: String, album: String) -> String {
    "by\t\(KeyText.artists(artist))\t\(KeyText.name(album))"
  }

  /// - Parameter isDisc: whether the album also comprises the sibling discs of the folder.
  package static func inFolder(
    _ folder: AlbumFolder, isDisc: Bool = false, album: String
  ) -> String {
    let place = (isDisc ? folder.disc?.siblings : nil) ?? folder.path
    return "in\t\(folder.key(of: place))\t\(KeyText.name(album))"
  }

  package static func folder(_ folder: AlbumFolder) -> String {
    "folder\t\(folder.key)"
  }

  /// Returns a release id as editions contain it: a UUID in lowercase, or the hash of any other
  /// text, or an empty string for none. It has no blank, and at most 36 bytes.
  package static func release(_ tagged: String) -> String { KeyText.release(tagged) }

  /// Whether the album is identified by its tags alone, so that it may span several folders.
  var isTagged: Bool { family.hasPrefix("by\t") }

  package static func == (left: GroupKey, right: GroupKey) -> Bool {
    left === right || (left.family == right.family && left.edition == right.edition)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(family)
    hasher.combine(edition)
  }
}

/// Returns a folder as keys contain it.
func percentEncoded(_ folder: [UInt8]) -> String { KeyText.folder(folder) }
