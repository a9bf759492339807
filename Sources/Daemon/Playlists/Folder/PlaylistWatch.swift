import Glibc
package import LibraryModel
package import Platform

/// Watches a directory of playlists on a thread of its own. An event is a hint to scan the
/// directory, and no more.
package final class PlaylistWatch: Sendable {
  private let wakeUp: WakeUp
  private let thread: BlockingThread

  /// MPD unlinks a list and links the next one; other players write in place, or rename.
  private static let events = UInt32(
    IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// - Parameter onEvent: called on that thread, once for all events that wait.
  /// - Throws: a `SystemCallError` with the directory's path if it can't be watched.
  package init(
    _ directory: BytePath, onEvent: @escaping @Sendable () -> Void
  ) throws(SystemCallError) {
    let wakeUp = try WakeUp()
    let opened = OpenFile(owning: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
    guard opened.descriptor >= 0 else { throw SystemCallError("inotify_init1", directory.display) }
    let added = inotify_add_watch(opened.descriptor, directory.cString, Self.events)
    guard added >= 0 else { throw SystemCallError("inotify_add_watch", directory.display) }
    let descriptor = opened.release()
    self.wakeUp = wakeUp
    thread = BlockingThread("playlist watch") {
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
