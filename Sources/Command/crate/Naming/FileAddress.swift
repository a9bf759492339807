import Glibc
import Text

/// Conversion of typed paths to the form of the interface.
enum FileAddress {
  private static let marks = ["/", "./", "../", "~/", "file:"]

  /// Whether a word is a path, and so can't be a name.
  static func isMeant(by word: String) -> Bool { marks.contains(where: word.hasPrefix) }

  /// Returns an absolute path, since the daemon has another working directory.
  static func absolute(_ word: String) -> String {
    if word.hasPrefix("file:") { return word }
    var path = word[...]
    var parts: [Substring] = []
    if path.hasPrefix("~/"), let home = Environment["HOME"] {
      parts = home.split(separator: "/")
      path = path.dropFirst(2)
    } else if !path.hasPrefix("/"), let directory = getcwd(nil, 0) {
      defer { free(directory) }
      parts = String(cString: directory).split(separator: "/").map { Substring(String($0)) }
    }
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Decodes a word of the command line. A path that isn't UTF-8 becomes a `file:` URI, which
  /// preserves its bytes.
  static func word(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard isMeant(by: text), !text.hasPrefix("file:"),
      String(validating: bytes, as: UTF8.self) == nil
    else { return text }
    var parts: [ArraySlice<UInt8>] = []
    if bytes.first != slash {
      let start = absolute(bytes.first == UInt8(ascii: "~") ? "~/" : ".")
      parts = Array(start.utf8).split(separator: slash)
    }
    for part in bytes.split(separator: slash) {
      switch Array(part) {
      case Array(".".utf8), Array("~".utf8): continue
      case Array("..".utf8): _ = parts.popLast()
      default: parts.append(part)
      }
    }
    let path = parts.flatMap { [slash] + $0 }
    return "file://" + percentEscaped(path, leaving: .path)
  }

  private static let slash = UInt8(ascii: "/")
}
