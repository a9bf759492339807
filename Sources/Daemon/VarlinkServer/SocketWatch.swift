import Glibc
import Platform

/// Notices when a file is taken out of its directory, or the directory itself goes. Sleeps
/// otherwise.
final class SocketWatch: Sendable {
  private let directory: String
  private let retryMilliseconds: Int32
  private let inotify: Int32
  private let wakeUp: WakeUp
  private let isStopped = Monitor(false)
  private let thread = Monitor<BlockingThread?>(nil)

  private static let events = UInt32(
    IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Calls `restore` on its own thread after each such event, and again after so many milliseconds
  /// while it gives false or the directory cannot be watched.
  init(
    directory: String, retryMilliseconds: Int32, restore: @escaping @Sendable () -> Bool
  ) throws(SystemCallError) {
    self.directory = directory
    self.retryMilliseconds = retryMilliseconds
    wakeUp = try WakeUp()
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw SystemCallError("inotify_init1", "") }
    inotify = descriptor
    // The file may have gone before it was watched: the first look finds out.
    thread.withLock { $0 = BlockingThread("socket watch") { self.run(restore) } }
  }

  deinit { close(inotify) }

  /// Waits for the thread to end; never on that thread.
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
      // A directory that was made meanwhile is watched from the second look on.
      sleep(forEvents: isSettled || look(restore))
    }
  }

  /// Watches, then looks, so that nothing falls between the two. Whether both can be relied on.
  private func look(_ restore: () -> Bool) -> Bool {
    let watched = watch()
    let isThere = restore()
    // The kernel doesn't tell that a directory went as long as connections have a socket in it.
    return isThere && watched != -1 && watch() == watched
  }

  /// Adding a watch that is there already changes nothing, and gives its number.
  private func watch() -> Int32 { inotify_add_watch(inotify, directory, Self.events) }

  private func sleep(forEvents: Bool) {
    var waits = [
      pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&waits, nfds_t(waits.count), forEvents ? -1 : retryMilliseconds)
    // What the events say does not matter: everything is looked at again.
    var room = [UInt8](repeating: 0, count: 4_096)
    while read(inotify, &room, room.count) > 0 {}
  }
}
