import CLinuxShims
import Glibc

/// Reads the names in a directory into one buffer, which is reused, because an allocation for each
/// file would cost more than its scan.
package struct DirectoryNames: ~Copyable {
  package enum Kind: UInt8, Sendable {
    case file, directory, link, other, unknown
  }

  private let room: UnsafeMutableRawBufferPointer

  package init() {
    room = .allocate(byteCount: 64 << 10, alignment: 16)
  }

  deinit { room.deallocate() }

  /// Calls the body with every name but "." and "..", in no order. A NUL, which is not counted,
  /// follows each name. After an error, the names so far may not be all.
  package func read(
    _ directory: Int32, _ body: (UnsafeBufferPointer<UInt8>, Kind) -> Void
  ) throws(SystemCallError) {
    while true {
      let count = retrying { crated_getdents(directory, room.baseAddress, room.count) }
      if count == 0 { return }
      guard count > 0 else { throw SystemCallError("getdents64", "") }
      giveNames(count, body)
    }
  }

  private func giveNames(_ count: Int, _ body: (UnsafeBufferPointer<UInt8>, Kind) -> Void) {
    var offset = 0
    while offset + nameOffset < count {
      let length = Int(room.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
      guard length > nameOffset, offset + length <= count else { return }
      let record = UnsafeRawBufferPointer(rebasing: room[(offset + nameOffset)..<(offset + length)])
      let bytes = record.bindMemory(to: UInt8.self)
      let end = bytes.firstIndex(of: 0) ?? bytes.count
      let name = UnsafeBufferPointer(rebasing: bytes[..<end])
      if !isDots(name) { body(name, Kind(type: room[offset + 18])) }
      offset += length
    }
  }
}

/// The offset of `d_name` in `struct linux_dirent64`.
private let nameOffset = 19

private func isDots(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
  guard name.first == UInt8(ascii: ".") else { return false }
  return name.count == 1 || (name.count == 2 && name[1] == UInt8(ascii: "."))
}

extension DirectoryNames.Kind {
  /// - Parameter type: `d_type` of readdir(3); 0 if the file system doesn't say.
  package init(type: UInt8) {
    switch type {
    case 8: self = .file
    case 4: self = .directory
    case 10: self = .link
    case 0: self = .unknown
    default: self = .other
    }
  }
}
