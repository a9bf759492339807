import CTagShim
import Glibc
import TagReading

/// Reads the tags of files that it is passed over a socket, and can do nothing else. It may be
/// killed at any time: it holds no data that could be lost.
@main
struct CrateTagReader {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case nil: break
    case "--version":
      print("crate-tag-reader with TagLib \(String(cString: crated_taglib_version()))")
      return
    case "--extensions":
      print(String(cString: crated_taglib_extensions()), terminator: "")
      return
    default:
      complain(
        "crated starts this program by itself; it takes --version, and --extensions, which lists "
          + "the names of files that it reads.")
      exit(64)
    }
    do {
      exit(ReaderProcessLoop().run(lacking: try ReaderConfinement.enter()))
    } catch {
      complain("crate-tag-reader: \(error)")
      exit(71)
    }
  }

  static func complain(_ message: String) {
    let line = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
