/// The directory of a file without trailing disc directories, never above its music folder. Two
/// folders whose names differ only in Unicode normalization are the same.
package struct AlbumFolder: Hashable, Sendable, Comparable {
  package let root: BytePath
  /// The path, in NFC below the root. It identifies the folder, but opening it may fail.
  let path: BytePath

  package init(of file: BytePath, root: BytePath) {
    self.root = root
    let folder = Self.directory(of: file, root: root)
    let below = file.hasASCIIFolder ? nil : folder.relative(to: root)
    path = below.map { root.appending(BytePath(KeyText.normalisedPath($0.bytes))) } ?? folder
  }

  /// Returns the directory of a file without trailing disc directories.
  package static func directory(of file: BytePath, root: BytePath) -> BytePath {
    var folder = file.parent
    while folder != root, folder.isInside(root), discNumber(ofFolder: folder.name) != nil {
      folder = folder.parent
    }
    return folder
  }

  /// The path relative to the music folder, so that two machines with the same files mint the same
  /// ids.
  var key: String { key(of: path) }

  func key(of path: BytePath) -> String {
    KeyText.folder((path.relative(to: root) ?? path).bytes)
  }

  /// The folder's number among its siblings. Nil for the music folder itself.
  var disc: FolderDisc? { path == root ? nil : path.disc }

  package static func < (left: AlbumFolder, right: AlbumFolder) -> Bool {
    (left.root, left.path) < (right.root, right.path)
  }
}

/// A folder among siblings whose names differ only in a number, such as `The Wall (Disc 1)`.
struct FolderDisc: Hashable, Sendable {
  let number: Int
  /// The path with `#` in place of the number, the same for all siblings.
  let siblings: BytePath
}

extension BytePath {
  /// The number at the end of the folder's name, and what it has in common with its siblings. Nil
  /// if the name ends in no number.
  var disc: FolderDisc? {
    let name = Array(name)
    guard let (number, place) = numberAtEnd(of: name) else { return nil }
    let common = name[..<place.lowerBound] + [UInt8(ascii: "#")] + name[place.upperBound...]
    return FolderDisc(number: number, siblings: parent.appending(common))
  }
}

/// Returns the number of a disc directory ("CD 2", "disc1", "Vinyl-03 live"), or nil for any other
/// name.
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

/// Returns the number that a folder's name ends in, from 1 to 99, as digits, a word or a letter,
/// and its place in the name: "Disc 02", "Hits [Two]", "Box B". Nil if there is none, or no name
/// before it.
func numberAtEnd(of name: [UInt8]) -> (number: Int, place: Range<Int>)? {
  let end = 1 + (name.lastIndex { !")]} ".utf8.contains($0) } ?? -1)
  let isInDigits = end > 0 && isDigit(name[end - 1])
  let length = name[..<end].reversed().prefix(while: isInDigits ? isDigit : isLetter).count
  let (rest, word) = (name[..<(end - length)], name[(end - length)..<end])
  guard rest.contains(where: { isLetter($0) || isDigit($0) || $0 >= 0x80 }) else { return nil }
  var number: Int?
  if isInDigits {
    number = word.count < 3 ? word.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
  } else if let before = rest.last, before < 0x80, !isDigit(before) {
    // Skips the end of a longer word.
    let small = word.map { $0 | 0x20 }
    number =
      small.count == 1
      ? Int(small[0] - 0x60)
      : numberWords.firstIndex { small.elementsEqual($0.utf8) }.map { $0 + 1 }
  }
  return number.flatMap { $0 > 0 ? ($0, word.indices) : nil }
}

private let numberWords = [
  "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
]

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
