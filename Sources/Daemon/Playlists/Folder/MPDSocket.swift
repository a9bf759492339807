import Glibc
package import LibraryModel
import Platform

/// MPD's local socket, used to have MPD notify its clients that a playlist changed. MPD notifies
/// them only of what it does itself, so it is asked to remove a hidden playlist that was made for
/// that. Clients without the notification would go on moving songs by their positions in the old
/// list.
package struct MPDSocket: Hashable, Sendable {
  /// The time for connecting and two lines, in nanoseconds; MPD takes milliseconds.
  static let timeout: Int64 = 1_000_000_000
  static let hidden = ".crated-news"

  /// The sockets to try; the first one that accepts a connection counts.
  private let paths: [BytePath]

  package init(_ paths: [BytePath]) { self.paths = paths }

  /// The sockets where MPD listens by default, the user's own first.
  package static func usual(runtime: String?) -> MPDSocket {
    let ours = runtime.map { BytePath($0).appending("mpd/socket".utf8) }
    return MPDSocket([ours, BytePath("/run/mpd/socket")].compactMap(\.self))
  }

  /// Has MPD notify its clients. Blocks for a second at most.
  ///
  /// - Parameter directory: the directory of playlists, which may be MPD's own.
  /// - Returns: whether MPD did.
  package func announceChange(in directory: BytePath) -> Bool {
    let until = Clock.system.monotonic() + Self.timeout
    for path in paths {
      guard var mpd = LineConnection(local: path.bytes) else { continue }
      guard mpd.line(until: until)?.starts(with: "OK MPD".utf8) == true else { return false }
      let file = directory.appending("\(Self.hidden).m3u".utf8)
      let descriptor = open(file.cString, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return false }
      close(descriptor)
      // MPD doesn't remove it if its playlists are elsewhere, or if it may not.
      defer { unlink(file.cString) }
      guard mpd.send(Array("rm \"\(Self.hidden)\"\n".utf8), until: until) else { return false }
      return mpd.line(until: until) == Array("OK".utf8)
    }
    return false
  }
}
