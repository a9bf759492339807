import Glibc

/// Watches a directory to which other programs write, on its own thread. An event is only a hint to
/// scan the directory.
package final class DirectoryWatch: Sendable {
  private let wakeUp: WakeUp
  private let thread: BlockingThread

  /// Some programs unlink a file and link the next one, some write in place, and some rename.
  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// - Parameters:
  ///   - path: the path of the directory.
  ///   - name: the name of the thread.
  ///   - onEvent: called on that thread, once for all pending events.
  /// - Throws: the call that failed if the directory can't be watched.
  package init(
    _ path: [UInt8], thread name: String, onEvent: @escaping @Sendable () -> Void
  ) throws(SystemCallError) {
    let shown = String(decoding: path, as: UTF8.self)
    let wakeUp = try WakeUp()
    let opened = OpenFile(owning: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
    guard opened.descriptor >= 0 else { throw SystemCallError("inotify_init1", shown) }
    let added = inotify_add_watch(
      opened.descriptor, path.map(CChar.init(bitPattern:)) + [0], Self.events)
    guard added >= 0 else { throw SystemCallError("inotify_add_watch", shown) }
    let descriptor = opened.release()
    self.wakeUp = wakeUp
    thread = BlockingThread(name) {
      let events = OpenFile(owning: descriptor)
      var room = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        var polled = [
          pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard retrying({ poll(&polled, 2, -1) }) > 0, polled[1].revents == 0 else { return }
        while retrying({ read(events.descriptor, &room, room.count) }) > 0 {}
        onEvent()
      }
    }
  }

  /// Stops watching. Returns when the last call of `onEvent` has returned.
  package func stop() {
    wakeUp.wake()
    thread.join()
  }
}
