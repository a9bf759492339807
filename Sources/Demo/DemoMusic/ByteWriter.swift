/// Bytes in the making.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  mutating func appendBig<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func appendLittle<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A number in so many bytes, the most significant first.
  mutating func appendBig(_ number: Int, bytes count: Int) {
    for shift in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
    }
  }
}
