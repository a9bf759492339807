import Glibc
import Platform

/// Detects that a file or its directory was removed, by inotify(7).
final class SocketWatch: Sendable {
  private let directory: String
  private let retryMilliseconds: Int32
  private let inotify: Int32
  private let wakeUp: WakeUp
  private let isStopped = Monitor(false)
  private let thread = Monitor<BlockingThread?>(nil)

  private static let events = UInt32(
    IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Calls `restore` on a thread of its own after each such event. While it returns false or the
  /// directory can't be watched, it is called again at this interval.
  init(
    directory: String, retryMilliseconds: Int32, restore: @escaping @Sendable () -> Bool
  ) throws(SystemCallError) {
    self.directory = directory
    self.retryMilliseconds = retryMilliseconds
    wakeUp = try WakeUp()
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw SystemCallError("inotify_init1", "") }
    inotify = descriptor
    // The file may be removed before it is watched, which the first check detects.
    thread.withLock { $0 = BlockingThread("socket watch") { self.run(restore) } }
  }

  deinit { close(inotify) }

  /// Waits for the thread to end. Must not be called on that thread.
  func stop() {
    isStopped.withLock { $0 = true }
    wakeUp.wake()
    thread.withLock { thread in
      defer { thread = nil }
      return thread
    }?.join()
  }

  private func run(_ restore: () -> Bool) {
    while !isStopped.withLock({ $0 }) {
      let isSettled = look(restore)
      // If `restore` has created the directory, the second check watches it.
      sleep(forEvents: isSettled || look(restore))
    }
  }

  /// Watches the directory before checking, so that no event is missed. Returns whether both
  /// succeeded.
  private func look(_ restore: () -> Bool) -> Bool {
    let watched = watch()
    let isThere = restore()
    // The kernel reports the removal of a directory only after all sockets in it are closed.
    return isThere && watched != -1 && watch() == watched
  }

  /// Adding an existing watch changes nothing and returns its number.
  private func watch() -> Int32 { inotify_add_watch(inotify, directory, Self.events) }

  private func sleep(forEvents: Bool) {
    var waits = [
      pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&waits, nfds_t(waits.count), forEvents ? -1 : retryMilliseconds)
    // The events' content is not needed, since everything is checked again.
    var room = [UInt8](repeating: 0, count: 4_096)
    while read(inotify, &room, room.count) > 0 {}
  }
}
