import Glibc

/// An event of the kernel. The name is empty if the event is about the directory itself.
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

/// The events in a buffer that read(2) filled. The sequence ends for any bytes; what follows an
/// invalid record is left out.
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

/// The size of `struct inotify_event` without its name, in bytes.
private let headSize = 16
