import DemoMusic
import Glibc
import Platform

/// `demo-music DIR` writes a few small albums into a folder, to try crated on.
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
    for (place, song) in songs {
      var folder = root
      for name in place.dropLast() {
        folder += "/" + name
        makeFolder(folder)
      }
      let bytes = song.encoded()
      write(bytes, to: root + "/" + place.joined(separator: "/"))
      bytesWritten += bytes.count
    }
    print("\(songs.count) songs, \(bytesWritten / 1024) KiB, in \(root)")
  }

  private static func makeFolder(_ path: String) {
    if mkdir(path, 0o755) != 0 && errno != EEXIST { fail("cannot make the folder \(path)") }
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { fail("cannot write \(path)") }
    guard (try? writeAll(bytes, to: file)) != nil, close(file) == 0 else {
      fail("cannot write \(path)")
    }
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
