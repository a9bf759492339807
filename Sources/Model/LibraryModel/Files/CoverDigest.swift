import CXXHash
import Text

/// A number that tells covers apart, never 0: a hash of the picture if it is embedded in a song, or
/// of the stamp of an image file beside the songs, which has not been read.
package struct CoverDigest: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  /// Returns nil for 0, which stands for no cover.
  package init?(number: UInt64) {
    if number == 0 { return nil }
    self.number = number
  }

  /// The digest of an embedded picture, as tag readers compute it.
  package init(of bytes: [UInt8]) {
    number = max(1, bytes.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count).low })
  }

  /// The digest of an image file, by its stamp.
  package init(of stamp: FileStamp) {
    let numbers = [
      stamp.identity.fileSystem, stamp.identity.inode, UInt64(bitPattern: stamp.identity.birth),
      UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified),
      UInt64(bitPattern: stamp.changed),
    ]
    self.init(
      of: numbers.flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
      })
  }

  /// 16 hexadecimal digits.
  package var description: String { Hexadecimal.text(number) }
}
