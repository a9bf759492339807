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
    case "--try-to-escape":
      let (shown, status) = EscapeTrial.run()
      print(shown, terminator: "")
      exit(status)
    case EscapeTrial.argument:
      exit(EscapeTrial.tryEverything())
    default:
      complain(
        "crated starts this program by itself; it takes --version, --extensions, which lists the "
          + "names of files that it reads, and --try-to-escape, which shows what it can't do.")
      exit(64)
    }
    do {
      exit(ReaderProcessLoop().run(lacking: try confine()))
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
