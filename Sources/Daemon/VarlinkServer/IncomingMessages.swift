import Glibc
import NIOCore

/// The bytes that a client has sent, cut into messages at each NUL.
struct IncomingMessages {
  enum Next {
    case message([UInt8])
    case incomplete
    case tooLong
  }

  private var bytes = ByteBuffer()
  /// Bytes that are known to hold no NUL.
  private var scanned = 0

  /// Bytes of messages that were not taken.
  var count: Int { bytes.readableBytes }

  mutating func append(_ part: ByteBuffer) {
    var part = part
    if bytes.readableBytes == 0 {
      bytes = part
    } else {
      bytes.writeBuffer(&part)
    }
  }

  /// Takes the next message.
  ///
  /// - Parameter most: bytes that it may have, without its NUL.
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
    // Lets go of the room that a long message took.
    if bytes.readableBytes == 0 { bytes = ByteBuffer() }
    return .message(message)
  }
}
