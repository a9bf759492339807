import CXXHash
import Text

/// What tells covers apart, never 0: a hash of the picture, where it is in a song; of what tells
/// that its file is as it was, where it lies beside them and nobody has read it.
package struct CoverDigest: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  /// Nil for 0.
  package init?(number: UInt64) {
    if number == 0 { return nil }
    self.number = number
  }

  /// The same that readers tell.
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
