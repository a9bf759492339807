import Glibc
import Platform
import TestSupport

@testable import Playlists

/// The programs that write lists, each as it does: what it had read, which bytes it makes of that,
/// and by which steps they come to the disk. Of `Golden/Players`, these are the ones that edit, or
/// save over what they had opened.
enum ListWriter: CaseIterable {
  /// Reads the list for each step.
  case mpd
  /// Have what they read when they were started, or when the list was opened.
  case cmus, strawberry, vlc, mixxx
  /// Has what it read at its last scan.
  case jellyfin
  /// Has what it opened, with the comments.
  case editor

  var ending: PlaylistEnding { self == .mpd ? .m3u : .m3u8 }

  /// One of how many of its steps begin with a look at the list.
  var readsOneOf: Int {
    switch self {
    case .mpd: 1
    case .jellyfin, .editor: 2
    case .cmus, .strawberry, .vlc, .mixxx: 4
    }
  }

  /// The songs of a list, as absolute paths, and what else its lines are.
  ///
  /// - Parameter root: the music folder, with a slash.
  static func read(_ bytes: [UInt8], in root: String) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { line in
        if line.hasPrefix("file://") { return String(line.dropFirst(7)) }
        if line.hasPrefix("/") || line.contains("://") { return String(line) }
        return root + (line.hasPrefix("../") ? line.dropFirst(3) : line)
      }
  }

  /// What it makes of the list.
  ///
  /// - Parameters:
  ///   - found: the list that is there.
  ///   - comments: of songs, as they were read.
  ///   - root: the music folder, with a slash.
  ///   - isQueue: whether it is MPD's queue.
  func text(
    _ songs: [String], over found: [UInt8], comments: [String: String], in root: String,
    isQueue: Bool
  ) -> String {
    var text = ""
    let lines = Set(String(decoding: found, as: UTF8.self).split(separator: "\n"))
    for song in songs {
      let name = song.split(separator: "/").last ?? ""
      switch self {
      case .mpd:
        let path = song.hasPrefix(root) ? song.dropFirst(root.utf8.count) : song[...]
        text += !isQueue && lines.contains("../" + path) ? "../\(path)\n" : "\(path)\n"
      case .cmus: text += "\(song)\n"
      case .strawberry: text += "#EXTINF:60,Artist - Song \(name.prefix(1))\n\(song)\n"
      case .vlc:
        let address = song.hasPrefix("/") ? "file://" + song : song
        text += "#EXTINF:60,Artist - Song \(name.prefix(1))\n\(address)\n"
      case .mixxx: text += "#EXTINF\n\(song)\n"
      case .jellyfin:
        // Jellyfin writes nothing but songs.
        if !song.hasPrefix("/") { continue }
        text += "#EXTART:Artist\n#EXTINF:60,Song \(name.prefix(1))\n\(song)\n"
      case .editor:
        let path = song.hasPrefix(root) ? "../" + song.dropFirst(root.utf8.count) : song
        text += "\(comments[path] ?? "")\(path)\n"
      }
    }
    switch self {
    case .mpd, .cmus: return text
    case .editor: return comments["", default: "#EXTM3U\n"] + text
    case .jellyfin: return String(("#EXTM3U\n" + text).dropLast())
    case .strawberry, .vlc, .mixxx: return "#EXTM3U\n" + text
    }
  }

  /// The comments before each song, and before all of them; the last ones of a song count.
  static func comments(of bytes: [UInt8]) -> [String: String] {
    var comments: [String: String] = [:]
    var before = ""
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("#EXTINF") || !line.hasPrefix("#") {
        if comments[""] == nil { (comments[""], before) = (before, "") }
      }
      if line.hasPrefix("#") {
        before += line + "\n"
      } else {
        (comments[String(line)], before) = (before, "")
      }
    }
    return comments
  }

  /// Writes as it does.
  ///
  /// - Parameter path: of the list.
  func save(_ text: String, to path: String) throws {
    switch self {
    case .mpd:
      unlink(path)
      try writeFile(Array(text.utf8), to: path + ".tmp")
      if rename(path + ".tmp", path) != 0 { throw SystemCallError("rename", path) }
    case .editor:
      try writeFile(Array(text.utf8), to: path + "~")
      if rename(path + "~", path) != 0 { throw SystemCallError("rename", path) }
    case .cmus, .strawberry, .vlc, .mixxx, .jellyfin: try writeFile(Array(text.utf8), to: path)
    }
  }
}
