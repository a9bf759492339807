import Glibc
import Platform

/// Detects the start of a player by its socket, which appears in a directory (inotify(7)), without
/// polling. Not thread-safe.
final class PlayerStarts {
  /// Negative if no inotify instance is left; then only players that are started here are noticed.
  private let descriptor: Int32
  private var names: Set<String> = []
  /// The time between the creation of a socket and listen(2), in milliseconds.
  private static let pause: Int32 = 50

  init() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Parameter sockets: Absolute paths; missing directories are ignored.
  func watch(_ sockets: [String]) {
    if descriptor < 0 { return }
    for socket in sockets {
      guard let slash = socket.lastIndex(of: "/"), socket.first == "/" else { continue }
      names.insert(String(socket[socket.index(after: slash)...]))
      let folder = String(socket[..<slash])
      let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
      // An existing watch is not changed.
      _ = inotify_add_watch(descriptor, folder, mask)
    }
  }

  /// Waits until one of the sockets appears, or `other` reports that a player may have started.
  func wait(or other: WakeUp) {
    while true {
      // poll(2) ignores a negative descriptor.
      var polled = [
        pollfd(fd: other.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polled, nfds_t(polled.count), -1)
      var hasCome = polled[0].revents != 0
      if hasCome { other.clear() }
      if polled[1].revents != 0, hasAppeared() {
        _ = poll(nil, 0, Self.pause)
        hasCome = true
      }
      if hasCome { return }
    }
  }

  /// Reads all events. Returns whether one of the sockets is among them.
  private func hasAppeared() -> Bool {
    var isOne = false
    var room = [UInt8](repeating: 0, count: 4096)
    while case let count = retrying({ Glibc.read(descriptor, &room, room.count) }), count > 0 {
      // Only the names in the events are compared.
      let text = String(decoding: room[..<count].map { $0 == 0 ? 0x0A : $0 }, as: UTF8.self)
      if names.contains(where: { text.contains($0) }) { isOne = true }
    }
    return isOne
  }
}
