import CXXHash

/// A table of rows that are found by a hash. A sorted array, since it has hundreds of thousands of
/// rows, is built at once, and is queried only a few times.
final class SongTable: Sendable {
  typealias Row = (key: UInt64, number: UInt32)

  private let rows: [Row]

  init(_ rows: [Row]) {
    // Sorted by number, too, so that no hash order affects a result.
    self.rows = rows.sorted { ($0.key, $0.number) < ($1.key, $1.number) }
  }

  /// The most rows of a key that are returned. With more, the key is not conclusive.
  static let most = ListMatching.mostLookedAt + 1

  /// Returns the numbers of a key, ascending.
  subscript(key: UInt64) -> [Int] {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    var numbers: [Int] = []
    while low < rows.count, rows[low].key == key, numbers.count < Self.most {
      numbers.append(Int(rows[low].number))
      low += 1
    }
    return numbers
  }

  /// Returns the hash of several texts that form one key.
  static func key(_ texts: String...) -> UInt64 {
    texts.reduce(0) { key, text in
      var text = text
      return joined(key, text.withUTF8 { hash(UnsafeRawBufferPointer($0)) })
    }
  }

  static func key(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { hash($0) } }

  /// Returns the combined hash of a whole and one more part.
  static func joined(_ key: UInt64, _ part: UInt64) -> UInt64 {
    var mixed = key ^ (part &+ 0x9E37_79B9_7F4A_7C15 &+ key << 6 &+ key >> 2)
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed >> 27
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    crated_xxh3_128(bytes.baseAddress, bytes.count).low
  }
}
