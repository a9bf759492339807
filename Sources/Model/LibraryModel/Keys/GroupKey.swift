/// Which album a song belongs to, as a name that outlives restarts. Two songs with equal keys are
/// in one album. All of it is in NFC and has a bound: see `KeyText`.
package final class GroupKey: Hashable, Sendable, CustomStringConvertible {
  /// The group's name, such as `by\tmiles davis\tkind of blue`, `folder\tUnsorted` or
  /// `in\tMiles Davis/Kind of Blue\tkind of blue`.
  package let family: String
  /// What tells editions of one album apart, and folders of one name in several music folders;
  /// empty for the only or the first one. Of an edition it is a release (see `release`), and if
  /// others have that, too, a blank and a folder.
  package let edition: String

  package init(family: String, edition: String = "") {
    self.family = family
    self.edition = edition
  }

  package var description: String { edition.isEmpty ? family : "\(family)\t\t\(edition)" }

  /// What ids of songs are minted from: not what tells editions apart, since which of them came
  /// first would decide.
  var minted: String { family }

  /// What ids of albums are minted from. Which of several music folders it is in tells albums
  /// without tags apart, but is another one on every machine.
  var mintedAlbum: String { isTagged ? description : family }

  package static func tagged(artist: String, album: String) -> String {
    "by\t\(KeyText.artists(artist))\t\(KeyText.name(album))"
  }

  /// - Parameter isDisc: whether the album is on the discs beside the folder as well.
  package static func inFolder(
    _ folder: AlbumFolder, isDisc: Bool = false, album: String
  ) -> String {
    let place = (isDisc ? folder.disc?.siblings : nil) ?? folder.path
    return "in\t\(folder.key(of: place))\t\(KeyText.name(album))"
  }

  package static func folder(_ folder: AlbumFolder) -> String {
    "folder\t\(folder.key)"
  }

  /// A release id as editions have it: a UUID in small letters, of anything else its hash; empty
  /// for none. It has no blank, and at most 36 bytes.
  package static func release(_ tagged: String) -> String { KeyText.release(tagged) }

  /// Whether the album was told by its tags alone, so that it may lie in several folders.
  var isTagged: Bool { family.hasPrefix("by\t") }

  package static func == (left: GroupKey, right: GroupKey) -> Bool {
    left === right || (left.family == right.family && left.edition == right.edition)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(family)
    hasher.combine(edition)
  }
}

/// A folder as keys have it.
func percentEncoded(_ folder: [UInt8]) -> String { KeyText.folder(folder) }
