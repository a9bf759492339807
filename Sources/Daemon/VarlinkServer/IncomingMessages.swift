import Glibc
import NIOCore

/// The received bytes of a client, split into messages at each NUL.
struct IncomingMessages {
  enum Next {
    case message([UInt8])
    case incomplete
    case tooLong
  }

  private var bytes = ByteBuffer()
  /// The number of bytes without a NUL.
  private var scanned = 0

  /// The number of bytes that were not read as messages.
  var count: Int { bytes.readableBytes }

  mutating func append(_ part: ByteBuffer) {
    var part = part
    if bytes.readableBytes == 0 {
      bytes = part
    } else {
      bytes.writeBuffer(&part)
    }
  }

  /// Returns the next message.
  ///
  /// - Parameter most: The most bytes of a message, without its NUL.
  mutating func next(most: Int) -> Next {
    let length = bytes.withUnsafeReadableBytes { [scanned] bytes -> Int? in
      guard let start = bytes.baseAddress,
        let end = memchr(start + scanned, 0, bytes.count - scanned)
      else { return nil }
      return UnsafeRawPointer(end) - start
    }
    guard let length else {
      scanned = bytes.readableBytes
      return scanned > most ? .tooLong : .incomplete
    }
    guard length <= most, let message = bytes.readBytes(length: length) else { return .tooLong }
    bytes.moveReaderIndex(forwardBy: 1)
    scanned = 0
    // Frees the buffer of a long message.
    if bytes.readableBytes == 0 { bytes = ByteBuffer() }
    return .message(message)
  }
}
