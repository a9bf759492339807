import DemoMusic
import Glibc
import Platform

/// `demo-music DIR` writes a few small albums into a folder, for trying Crated.
@main
struct DemoMusicProgram {
  static func main() {
    guard (try? fillStandardDescriptors()) != nil else { fail("cannot open /dev/null") }
    let arguments = CommandLine.arguments.dropFirst()
    guard let root = arguments.first, arguments.count == 1, !root.hasPrefix("-") else {
      complain("usage: demo-music DIR\nWrites a few small demo albums into DIR.")
      exit(arguments.first == "--help" ? 0 : 64)
    }
    makeFolder(root)
    var bytesWritten = 0
    let songs = DemoLibrary.songs()
    // Each song is a day newer than the one before it, so that the albums arrive in order.
    var modified = time(nil) - (songs.count + 1) * 86_400
    for (place, song) in songs {
      modified += 86_400
      bytesWritten += write(song.encoded(), to: place, in: root, modified)
    }
    for (place, cover) in DemoLibrary.covers() {
      bytesWritten += write(cover.encoded(), to: place, in: root, modified)
    }
    print("\(songs.count) songs, \(bytesWritten / 1024) KiB, in \(root)")
  }

  private static func makeFolder(_ path: String) {
    if mkdir(path, 0o755) != 0 && errno != EEXIST { fail("cannot make the folder \(path)") }
  }

  /// - Parameter modified: The modification time in seconds since 1970.
  /// - Returns: The number of bytes written.
  private static func write(
    _ bytes: [UInt8], to place: DemoLibrary.Place, in root: String, _ modified: Int
  ) -> Int {
    var path = root
    for name in place {
      makeFolder(path)
      path += "/" + name
    }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { fail("cannot write \(path)") }
    let times = [timespec](repeating: timespec(tv_sec: modified, tv_nsec: 0), count: 2)
    guard (try? writeAll(bytes, to: file)) != nil, futimens(file, times) == 0, close(file) == 0
    else { fail("cannot write \(path)") }
    return bytes.count
  }

  private static func fail(_ message: String) -> Never {
    complain("demo-music: \(message): \(String(cString: strerror(errno)))")
    exit(1)
  }

  private static func complain(_ message: String) {
    let line = Array((message + "\n").utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
