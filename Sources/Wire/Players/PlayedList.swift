import CratesInterface
import Glibc
import Platform

/// Songs as an extended M3U for a program that is started with it, or an mpv that is told of it.
/// Paths are absolute, and the bytes that they are.
package enum PlayedList {
  static func text(of songs: [PlayedSong]) -> [UInt8] {
    var text = Array("#EXTM3U\n".utf8)
    for song in songs where song.isLine {
      // Nothing that sounds lasts 0 seconds; -1 is unknown, as players write it.
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

  /// Writes it where what ends with the session is.
  ///
  /// - Parameter runtime: `XDG_RUNTIME_DIR`.
  /// - Returns: its path.
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
      // crated may listen elsewhere, and have made nothing here.
      mkdir("\(runtime)/crated", 0o700)
      try write(songs, to: path)
      return path
    } catch {
      throw PlayerFault("\(path) can't be written: \(error.reason)")
    }
  }

  /// Replaces the file as a whole: a player may still read the former one.
  static func write(_ songs: [PlayedSong], to path: String) throws(SystemCallError) {
    try replaceFile(
      Array(path.utf8), with: text(of: songs), draft: ".\(getpid()).tmp", isDurable: false)
  }
}
