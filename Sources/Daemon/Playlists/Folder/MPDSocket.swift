import Glibc
package import LibraryModel
import Platform

/// MPD's local socket, for one thing: to have it tell its clients that a playlist changed. It tells
/// of what it does itself only, so it is asked to remove a hidden playlist that was made for that.
/// Clients that are not told go on moving songs by the positions of the old list.
package struct MPDSocket: Hashable, Sendable {
  /// For connecting and two lines; MPD takes milliseconds.
  static let patience: Int64 = 1_000_000_000
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
      guard var mpd = LineConnection(local: path.bytes) else { continue }
      guard mpd.line(until: until)?.starts(with: "OK MPD".utf8) == true else { return false }
      let file = directory.appending("\(Self.hidden).m3u".utf8)
      let descriptor = open(file.cString, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return false }
      close(descriptor)
      // The file is left to us where MPD's playlists are elsewhere, or are not MPD's to remove.
      defer { unlink(file.cString) }
      guard mpd.send(Array("rm \"\(Self.hidden)\"\n".utf8), until: until) else { return false }
      return mpd.line(until: until) == Array("OK".utf8)
    }
    return false
  }
}
