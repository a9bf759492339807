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

  package static func inFolder(_ folder: AlbumFolder, album: String) -> String {
    "in\t\(folder.key)\t\(KeyText.name(album))"
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

/// The directory of a file without trailing disc directories, never above its music folder. Two
/// whose names differ by their normal form alone are one.
package struct AlbumFolder: Hashable, Sendable, Comparable {
  package let root: BytePath
  /// In NFC below the root: not where to look for it.
  let path: BytePath

  package init(of file: BytePath, root: BytePath) {
    self.root = root
    let folder = Self.directory(of: file, root: root)
    let below = file.hasASCIIFolder ? nil : folder.relative(to: root)
    path = below.map { root.appending(BytePath(KeyText.normalisedPath($0.bytes))) } ?? folder
  }

  /// The directory that a file is in.
  package static func directory(of file: BytePath, root: BytePath) -> BytePath {
    var folder = file.parent
    while folder != root, folder.isInside(root), discNumber(ofFolder: folder.name) != nil {
      folder = folder.parent
    }
    return folder
  }

  /// Relative to the music folder, so that two machines with the same files mint the same ids.
  var key: String {
    KeyText.folder((path.relative(to: root) ?? path).bytes)
  }

  package static func < (left: AlbumFolder, right: AlbumFolder) -> Bool {
    (left.root, left.path) < (right.root, right.path)
  }
}

/// The number of a disc directory ("CD 2", "disc1", "Vinyl-03 live"); nil for any other name.
package func discNumber(ofFolder name: some Collection<UInt8>) -> Int? {
  let lower = name.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
  let kinds = ["disc", "disk", "vinyl", "dvd", "cd", "lp"]
  guard let kind = kinds.first(where: { lower.starts(with: $0.utf8) }) else { return nil }
  var rest = lower.dropFirst(kind.utf8.count)
  rest = rest.drop { isDiscSeparator($0) }
  let digits = rest.prefix { (0x30...0x39).contains($0) }
  guard (1...3).contains(digits.count) else { return nil }
  if let next = rest.dropFirst(digits.count).first, !isDiscSeparator(next) { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

private func isDiscSeparator(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    || byte == UInt8(ascii: "-")
}

/// A folder as keys have it.
func percentEncoded(_ folder: [UInt8]) -> String { KeyText.folder(folder) }
