import Glibc
import Platform

/// The calls of inotify(7).
final class Inotify: KernelEvents {
  private let instance: OpenFile
  private let room: UnsafeMutableRawBufferPointer

  /// - Throws: EMFILE if the user has as many instances as allowed.
  init() throws(SystemCallError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemCallError("inotify_init1", "") }
    instance = OpenFile(owning: descriptor)
    room = .allocate(byteCount: 64 << 10, alignment: 16)
  }

  deinit { room.deallocate() }

  var descriptor: Int32 { instance.descriptor }

  func add(openDirectory: Int32) throws(SystemCallError) -> Int32 {
    try add(path: "/proc/self/fd/\(openDirectory)", mask: folderMask)
  }

  func add(cookies path: UnsafePointer<CChar>) -> Int32? {
    let watch = inotify_add_watch(descriptor, path, UInt32(IN_CREATE | IN_ONLYDIR))
    return watch >= 0 ? watch : nil
  }

  private func add(path: String, mask: UInt32) throws(SystemCallError) -> Int32 {
    let watch = inotify_add_watch(descriptor, path, mask)
    guard watch >= 0 else { throw SystemCallError("inotify_add_watch", path) }
    return watch
  }

  func remove(_ watch: Int32) {
    // Fails if the kernel removed it before.
    _ = inotify_rm_watch(descriptor, watch)
  }

  func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let count = retrying { Glibc.read(descriptor, room.baseAddress, room.count) }
    guard count > 0 else { return false }
    body(UnsafeRawBufferPointer(rebasing: room[..<count]))
    return true
  }
}

private let folderMask = UInt32(
  IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO
    | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
