import CratesInterface
import Glibc
import LibraryModel
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The directory of playlists of a home, read without any code of crated's.
struct PlaylistFiles {
  let directory: String
  /// What the programs call it, which paths are relative to.
  private let known: String

  /// Sets it in the settings. It lies in the music folder.
  init(_ home: Home, _ name: String = "Playlists") throws {
    directory = "\(home.music)/\(name)"
    known = directory
    try home.configure("music_folders = [\"\(home.music)\"]\nplaylists = \"\(directory)\"\n")
  }

  /// The same directory, as it is seen from outside a mount namespace.
  init(in directory: String, of inside: PlaylistFiles) {
    self.directory = directory
    known = inside.directory
  }

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  func text(_ name: String) throws -> String {
    String(decoding: try readFile(path(name)), as: UTF8.self)
  }

  /// The names of all that is there, hidden things too.
  func names() throws -> [String] {
    let found = try run("find", [directory, "-mindepth", "1", "-printf", "%f\\0"])
    return found.output.split(separator: "\0").map(String.init).sorted()
  }

  /// Names, inodes and times of all that is there.
  func statuses() throws -> [Substring] {
    let found = try run("find", [directory, "-mindepth", "1", "-printf", "%f %i %T@ %C@ %s\\0"])
    return found.output.split(separator: "\0").sorted()
  }

  /// Where the songs of a playlist are, as absolute paths.
  func songs(_ name: String) throws -> [[UInt8]] {
    let lines = try readFile(path(name)).split(separator: 0x0A)
    return lines.filter { $0.first != UInt8(ascii: "#") }.map { line in
      var folder = Array(known.utf8)
      var rest = line
      while rest.starts(with: "../".utf8) {
        rest = rest.dropFirst(3)
        folder.removeLast(folder.count - (folder.lastIndex(of: 0x2F) ?? 0))
      }
      return folder + [0x2F] + rest
    }
  }

  /// Waits for what the daemon does there.
  func wait(_ location: SourceLocation = #_sourceLocation, until isDone: () throws -> Bool) throws {
    try waitForChange(of: directory, location, until: isDone)
  }
}

/// Asks anew after each change of a directory, or of a file.
func waitForChange(
  of path: String, _ location: SourceLocation = #_sourceLocation, until isDone: () throws -> Bool
) throws {
  let news = OpenFile(owning: inotify_init1(Int32(IN_CLOEXEC)))
  let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE | IN_MODIFY)
  guard inotify_add_watch(news.descriptor, path, events) >= 0 else {
    throw SystemCallError("inotify_add_watch", path)
  }
  var room = [UInt8](repeating: 0, count: 4096)
  while try !isDone() {
    var polled = pollfd(fd: news.descriptor, events: Int16(POLLIN), revents: 0)
    guard retrying({ poll(&polled, 1, Int32(Patience.seconds * 1_000)) }) > 0 else {
      Issue.record("\(path) is as it was", sourceLocation: location)
      return
    }
    _ = read(news.descriptor, &room, room.count)
  }
}

extension Interface.Song {
  /// The bytes of its path, which `path` shows as text.
  var pathBytes: [UInt8] {
    var bytes: [UInt8] = []
    var rest = uri.utf8.dropFirst("file://".utf8.count)
    while let byte = rest.popFirst() {
      let code = byte == UInt8(ascii: "%") ? UInt8(Substring(rest.prefix(2)), radix: 16) : nil
      bytes.append(code ?? byte)
      if code != nil { rest = rest.dropFirst(2) }
    }
    return bytes
  }
}
