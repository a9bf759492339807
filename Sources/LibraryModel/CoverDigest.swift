import CXXHash

/// What tells covers apart: a 64-bit hash of the picture as it is stored, never 0.
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

  /// 16 hexadecimal digits.
  package var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
