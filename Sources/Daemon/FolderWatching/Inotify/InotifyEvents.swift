import Glibc

/// One piece of news from the kernel. The name is empty where it is about the directory itself.
struct InotifyEvent: Equatable {
  var watch: Int32
  var mask: UInt32
  /// The same in the two halves of a rename; 0 otherwise.
  var cookie: UInt32
  var name: [UInt8]

  func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
  var isFolder: Bool { mask & 0x4000_0000 != 0 }
  var isOverflow: Bool { has(Int32(IN_Q_OVERFLOW)) }
}

/// The events in a buffer that read(2) filled. Whatever the bytes are, it ends; what follows a
/// record that cannot be one is left out.
struct InotifyEvents: Sequence {
  let buffer: UnsafeRawBufferPointer

  func makeIterator() -> Iterator { Iterator(buffer: buffer) }

  struct Iterator: IteratorProtocol {
    let buffer: UnsafeRawBufferPointer
    private var offset = 0

    init(buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

    mutating func next() -> InotifyEvent? {
      guard buffer.count - offset >= headSize else { return nil }
      let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      guard length <= buffer.count - offset - headSize else { return nil }
      let start = offset + headSize
      let name = buffer[start..<(start + length)].prefix { $0 != 0 }
      let event = InotifyEvent(
        watch: buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self),
        mask: buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
        cookie: buffer.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self),
        name: Array(name))
      offset = start + length
      return event
    }
  }
}

/// Bytes of `struct inotify_event` without its name.
private let headSize = 16
