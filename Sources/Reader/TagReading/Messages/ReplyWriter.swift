/// Writes replies one after the other, to be sent with a single call.
package struct ReplyWriter: ~Copyable {
  package private(set) var bytes: [UInt8] = []
  private var start = 0

  package init() {
    bytes.reserveCapacity(64 << 10)
  }

  /// Begins the reply on one file.
  package mutating func begin(_ status: ReaderStatus, errorNumber: Int32 = 0) {
    start = bytes.count
    append(UInt32(0))
    bytes.append(status.rawValue)
    append(UInt32(bitPattern: errorNumber))
  }

  /// Appends a text. An empty one needs no field.
  package mutating func append(_ field: ReaderField, text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return }
    bytes.append(field.rawValue)
    append(UInt32(text.count))
    bytes.append(contentsOf: text)
  }

  /// Appends a number. A 0 needs no field.
  package mutating func append(_ field: ReaderField, number: Int64) {
    guard number != 0 else { return }
    bytes.append(field.rawValue)
    append(UInt32(8))
    append(UInt64(bitPattern: number))
  }

  package mutating func append(digestHigh high: UInt64, low: UInt64) {
    bytes.append(ReaderField.digest.rawValue)
    append(UInt32(16))
    append(high)
    append(low)
  }

  package mutating func append(cover digest: UInt64) {
    bytes.append(ReaderField.cover.rawValue)
    append(UInt32(8))
    append(digest)
  }

  /// Appends a thumbnail, with sides of at most 512 pixels.
  package mutating func append(
    thumbnail: UnsafeRawBufferPointer, _ form: Thumbnail.Form = .pixels, width: UInt32,
    height: UInt32
  ) {
    bytes.append(ReaderField(form).rawValue)
    append(UInt32(thumbnail.count + 4))
    append(UInt16(truncatingIfNeeded: width))
    append(UInt16(truncatingIfNeeded: height))
    bytes.append(contentsOf: thumbnail)
  }

  package mutating func end() {
    let length = UInt32(bytes.count - start - ReaderReply.lengthBytes)
    withUnsafeBytes(of: length.littleEndian) { length in
      for index in 0..<length.count { bytes[start + index] = length[index] }
    }
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
