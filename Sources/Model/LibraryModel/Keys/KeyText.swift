import CXXHash
import Text

/// The parts of keys. Each has a bounded length, so that a change with two keys fits a line of the
/// journal whatever the tags and folders are. Text that is cut off is replaced by its hash.
enum KeyText {
  /// The most bytes of an artist or an album.
  static let longestName = 1024
  /// The most bytes of a folder's path, before encoding.
  static let longestFolder = 1024

  /// Returns a name as keys contain it.
  static func name(_ name: String) -> String {
    let name = folded(name)
    if name.utf8.count <= longestName { return name }
    let hash = hash(Array(name.utf8))
    return "\(name.cut(toBytes: longestName - 17))#\(String(hash.high, radix: 16))"
  }

  /// Returns the artists that a text names, as keys contain them. They are compared as a set, since
  /// one file says "Ann & Bob" and the next one "Bob, Ann".
  static func artists(_ text: String) -> String {
    let text = folded(text)
    if !text.utf8.contains(where: { ",;&".utf8.contains($0) }) { return name(text) }
    var names: Set<String> = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let gap = firstGap(in: rest) ?? rest.endIndex..<rest.endIndex
      names.insert(String(decoding: rest[..<gap.lowerBound], as: UTF8.self))
      rest = rest[gap.upperBound...]
    }
    // Sorted by bytes, since that order does not depend on the version of Unicode.
    let sorted = names.subtracting([""]).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    return name(sorted.joined(separator: ", "))
  }

  private static let gaps = [", ", " & ", "; "].map { Array($0.utf8) }

  /// Returns the first separator between two names.
  private static func firstGap(in text: ArraySlice<UInt8>) -> Range<Int>? {
    for place in text.indices {
      if let gap = gaps.first(where: text[place...].starts) { return place..<(place + gap.count) }
    }
    return nil
  }

  // MARK: Releases

  /// Returns a MusicBrainz release id as keys contain it, or an empty string for none. It never
  /// contains a blank, which would end it there.
  static func release(_ tagged: String) -> String {
    let release = folded(tagged)
    return release.isEmpty || isUUID(release) ? release : hashed(Array(release.utf8))
  }

  private static func isUUID(_ text: String) -> Bool {
    let text = text.utf8
    guard text.count == 36 else { return false }
    return zip(text, 0...).allSatisfy { byte, place in
      [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  // MARK: Folders

  /// Returns a folder's path as keys contain it: in ASCII, with each name in NFC unless it is not
  /// UTF-8. A long path keeps its beginning and the folder's own name, which may be a title.
  static func folder(_ path: [UInt8]) -> String {
    if path.count <= longestFolder, path.allSatisfy({ $0 < 0x80 }) { return percentEncoded(path) }
    let slash = UInt8(ascii: "/")
    let path = normalisedPath(path)
    if path.count <= longestFolder { return percentEncoded(path) }
    let name = path[path.index(after: path.lastIndex(of: slash) ?? -1)...].prefix(longestFolder / 2)
    let hash = Array(hashed(path).utf8)
    let above = path.prefix(longestFolder - hash.count - 1 - name.count)
    return percentEncoded(above + hash + [slash] + name)
  }

  /// Returns a path with each name in NFC, except those that are not UTF-8.
  static func normalisedPath(_ path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let names = path.split(separator: slash, omittingEmptySubsequences: false)
    return Array(names.map { normalised(Array($0)) }.joined(separator: [slash]))
  }

  /// Encodes bytes in ASCII.
  private static func percentEncoded(_ bytes: [UInt8]) -> String {
    percentEscaped(bytes, leaving: .printable)
  }

  // MARK: Hashes

  private static func hashed(_ text: [UInt8]) -> String {
    let hash = hash(text)
    return "#\(Hexadecimal.text(hash.high))\(Hexadecimal.text(hash.low))"
  }

  private static func hash(_ text: [UInt8]) -> crated_hash128 {
    text.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
  }
}
