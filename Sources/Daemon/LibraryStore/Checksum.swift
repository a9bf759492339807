import CXXHash
import LibraryModel

/// XXH3-128 (https://xxhash.com) as 32 hexadecimal digits. It detects accidental changes, not
/// forged lines.
enum Checksum {
  static let length = DigestText.length

  static func text(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    let hash = bytes.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
    var text: [UInt8] = []
    DigestText.append(AudioDigest(high: hash.high, low: hash.low), to: &text)
    return text
  }
}
