import CXXHash
import Text

/// A digest that identifies a cover, never 0. It is a hash of the picture if that is embedded in a
/// song. For an image file beside the songs it is a hash of the file's stamp, since the file has
/// not been read.
package struct CoverDigest: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  /// Returns nil for 0, which stands for no cover.
  package init?(number: UInt64) {
    if number == 0 { return nil }
    self.number = number
  }

  /// Creates the digest of an embedded picture, as tag readers compute it.
  package init(of bytes: [UInt8]) {
    number = max(1, bytes.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count).low })
  }

  /// Creates the digest of an image file from its stamp.
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
