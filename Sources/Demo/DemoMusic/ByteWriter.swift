/// A growing array of bytes.
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

  /// Appends a number as big-endian bytes.
  mutating func appendBig(_ number: Int, bytes count: Int) {
    for shift in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
    }
  }
}
