import Glibc

@testable import FolderWatching

/// Another queue of the same news, which shows that they were more than the kernel keeps.
final class KernelQueue {
  private let queue = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))

  init(watching path: String) {
    inotify_add_watch(queue, path, UInt32(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE))
  }

  deinit { close(queue) }

  /// Takes all that there is.
  var hasOverflowed: Bool {
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(queue, &room, room.count)
      if count <= 0 { return false }
      let hasIt = room[..<count].withUnsafeBytes { bytes in
        InotifyEvents(buffer: UnsafeRawBufferPointer(rebasing: bytes[...])).contains(
          where: \.isOverflow)
      }
      if hasIt { return true }
    }
  }
}
