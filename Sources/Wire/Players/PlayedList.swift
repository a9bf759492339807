import CratesInterface
import Glibc
import Platform

/// Writes songs as an extended M3U for a player program or mpv. Paths are absolute raw bytes.
package enum PlayedList {
  static func text(of songs: [PlayedSong]) -> [UInt8] {
    var text = Array("#EXTM3U\n".utf8)
    for song in songs where song.isLine {
      // A length below 1 second counts as 1. Players write -1 for an unknown length.
      let length = Int(exactly: song.seconds.rounded()).map { max(1, $0) }
      let seconds = song.seconds > 0 ? length ?? -1 : -1
      let title = song.artist.isEmpty ? song.title : "\(song.artist) - \(song.title)"
      text += "#EXTINF:\(seconds),\(title.harmless)\n".utf8
      text += song.path
      text.append(0x0A)
    }
    return text
  }

  private static let file = "crated/play.m3u8"

  /// Writes the playlist into the runtime directory, which is removed when the session ends.
  ///
  /// - Parameter runtime: The value of `XDG_RUNTIME_DIR`.
  /// - Returns: The path of the playlist.
  package static func written(
    _ songs: [PlayedSong], inRuntime runtime: String?
  ) throws(PlayerFault) -> String {
    guard let runtime, runtime.first == "/" else {
      throw PlayerFault("XDG_RUNTIME_DIR is not set; log in with a session of your own")
    }
    if !songs.contains(where: \.isLine) {
      throw PlayerFault("no list can have these songs: their paths have line breaks")
    }
    let path = "\(runtime)/\(file)"
    do {
      // The daemon may use another socket path and not have created this folder.
      mkdir("\(runtime)/crated", 0o700)
      try write(songs, to: path)
      return path
    } catch {
      throw PlayerFault("\(path) can't be written: \(error.reason)")
    }
  }

  /// Replaces the file atomically: a player may still be reading the former one.
  static func write(_ songs: [PlayedSong], to path: String) throws(SystemCallError) {
    try replaceFile(
      Array(path.utf8), with: text(of: songs), draft: ".\(getpid()).tmp", isDurable: false)
  }
}
