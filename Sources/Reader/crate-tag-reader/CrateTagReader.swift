import CTagShim
import Glibc
import TagReading

/// Reads the tags of files it is handed over a socket, and can do nothing else. It is meant to be
/// ended at any time: it holds nothing that anyone would miss.
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
