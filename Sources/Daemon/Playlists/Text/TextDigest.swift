import CXXHash
import Text

/// A hash of a file's bytes (XXH3-128), to detect changes. Not cryptographic.
package struct TextDigest: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  fileprivate init(_ hash: crated_hash128) {
    high = hash.high
    low = hash.low
  }

  package init(of bytes: some Sequence<UInt8>) {
    var hasher = TextHasher()
    hasher.add(bytes)
    self = hasher.digest
  }

  /// Parses what `description` returns; nil for anything else.
  init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 32, let high = Hexadecimal.number(digits[..<16]),
      let low = Hexadecimal.number(digits[16...])
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  package var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }

  fileprivate var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }
}

/// Hashes bytes piece by piece; the sizes of the pieces don't matter.
struct TextHasher {
  /// The size of a block in bytes. It is hashed together with the digest of the bytes before it.
  private static let block = 64 << 10

  private var before: TextDigest?
  private var pending: [UInt8] = []

  mutating func add(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while pending.count >= Self.block {
      before = Self.hash(pending[..<Self.block], after: before)
      pending.removeFirst(Self.block)
    }
  }

  var digest: TextDigest { Self.hash(pending[...], after: before) }

  private static func hash(_ bytes: ArraySlice<UInt8>, after before: TextDigest?) -> TextDigest {
    let input = (before?.bytes ?? []) + bytes
    return input.withUnsafeBytes { TextDigest(crated_xxh3_128($0.baseAddress, $0.count)) }
  }
}
