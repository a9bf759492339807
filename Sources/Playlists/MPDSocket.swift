import Glibc
package import LibraryModel
import Platform

/// MPD's local socket, for one thing: to have it tell its clients that a playlist changed. It tells
/// of what it does itself only, so it is asked to remove a hidden playlist that was made for that.
/// Clients that are not told go on moving songs by the positions of the old list.
package struct MPDSocket: Hashable, Sendable {
  /// For connecting and two lines; MPD takes milliseconds.
  static let patience: Int64 = 1_000_000_000
  /// Bytes of an answer that are read.
  private static let longestAnswer = 4096
  static let hidden = ".crated-news"

  /// The sockets that are tried, the first one that answers counts.
  private let paths: [BytePath]

  package init(_ paths: [BytePath]) { self.paths = paths }

  /// Where MPD listens if nobody says otherwise.
  package static func usual(runtime: String?) -> MPDSocket {
    let ours = runtime.map { BytePath($0).appending("mpd/socket".utf8) }
    return MPDSocket([ours, BytePath("/run/mpd/socket")].compactMap(\.self))
  }

  /// - Parameter directory: of playlists, which may be MPD's own.
  /// - Returns: whether MPD has told its clients.
  package func tell(of directory: BytePath) -> Bool {
    let until = Clock.system.monotonic() + Self.patience
    for path in paths {
      guard let socket = Self.connected(to: path) else { continue }
      guard Self.line(from: socket.descriptor, until)?.starts(with: "OK MPD".utf8) == true else {
        return false
      }
      let file = directory.appending("\(Self.hidden).m3u".utf8)
      let made = open(file.cString, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard made >= 0 else { return false }
      close(made)
      // Where MPD's playlists are elsewhere, or are not its to remove.
      defer { unlink(file.cString) }
      let command = Array("rm \"\(Self.hidden)\"\n".utf8)
      let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT)
      guard send(socket.descriptor, command, command.count, flags) == command.count else {
        return false
      }
      return Self.line(from: socket.descriptor, until) == Array("OK".utf8)
    }
    return false
  }

  /// Nil where nobody listens, or too many wait.
  private static func connected(to path: BytePath) -> OpenFile? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.bytes
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let connection = OpenFile(owning: descriptor)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if !isConnected { return nil }
    return connection
  }

  /// The next line; nil where it does not come in time, or is none of MPD's.
  private static func line(from socket: Int32, _ until: Int64) -> [UInt8]? {
    var line: [UInt8] = []
    while line.count < longestAnswer {
      let left = (until - Clock.system.monotonic() + 999_999) / 1_000_000
      var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard left > 0, retrying({ poll(&polled, 1, Int32(left)) }) > 0 else { return nil }
      // Byte by byte: an answer is a few of them, and nothing follows that would be missed.
      var byte: UInt8 = 0
      guard recv(socket, &byte, 1, Int32(truncatingIfNeeded: MSG_DONTWAIT)) == 1 else { return nil }
      if byte == 0x0A { return line }
      line.append(byte)
    }
    return nil
  }
}
