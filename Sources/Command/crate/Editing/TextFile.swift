import CratesInterface
import Glibc
import Platform

/// A file with an order that is being edited. Files of this program are in a persistent folder, so
/// that no text is lost if the program or the machine stops.
struct TextFile {
  let path: String
  /// Whether this program made the file, and removes it after it has been applied.
  let isOurs: Bool

  /// Uses an existing file.
  ///
  /// - Parameter folder: The folder of this program's files; nil if there is none.
  init(path: String, ofOurs folder: String? = StateFolder.path) {
    self.path = path
    isOurs = folder.map { KeptTexts(folder: $0).hold(path) } ?? false
  }

  /// Creates a file that only the user can read.
  init(holding text: String) throws(Failure) {
    let folder = try StateFolder.make()
    // mkstemps(3) replaces these six letters.
    let (free, ending) = (String(repeating: "X", count: 6), KeptTexts.ending)
    KeptTexts(folder: folder).dropUntouched(now: Clock.system.wall())
    var name = Array("\(folder)/\(KeptTexts.name(of: text))\(free)\(ending)".utf8CString)
    let file = OpenFile(owning: mkstemps(&name, Int32(ending.utf8.count)))
    guard file.descriptor >= 0 else { throw Self.failure("cannot be made", folder) }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    isOurs = true
    do throws(SystemCallError) {
      try writeAll(Array(text.utf8), to: file.descriptor)
    } catch {
      unlink(path)
      throw Self.failure("cannot be written", path, error.code)
    }
  }

  func remove() { if isOurs { unlink(path) } }

  /// How the user can continue the edit.
  var hint: String {
    if access(path, F_OK) != 0 { return "nothing was changed\(others)" }
    return "the text is kept; go on with: crate edit --from \(Shown.word(path))\(others)"
  }

  /// A reminder of other stored texts.
  private var others: String {
    guard let folder = StateFolder.path else { return "" }
    let count = KeptTexts(folder: folder).count(besides: path)
    if count == 0 { return "" }
    let texts = count == 1 ? "another text is" : "\(count) other texts are"
    return " (\(texts) kept in \(folder))"
  }

  /// Reads the whole text. An editor must have left a regular file.
  func read(followingLinks: Bool = false) throws(Failure) -> String {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followingLinks ? 0 : O_NOFOLLOW)
    let file = OpenFile(owning: open(path, flags))
    guard file.descriptor >= 0 else {
      if errno == ELOOP { throw .refused("\(path) is a symbolic link now, which is not read") }
      throw Self.failure("cannot be read", path)
    }
    guard FileStatus(descriptor: file.descriptor)?.isFile == true else {
      throw .refused("\(path) is not a file")
    }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = retrying { Glibc.read(file.descriptor, &room, room.count) }
      if count == 0 { break }
      guard count > 0 else { throw Self.failure("cannot be read", path) }
      bytes += room[..<count]
      guard bytes.count <= Interface.messageBytesMost else {
        throw .refused("\(path) is longer than any order: \(Interface.messageBytesMost >> 20) MiB")
      }
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw .refused("\(path) is not a text in UTF-8")
    }
    return text
  }

  private static func failure(
    _ what: String, _ path: String, _ code: Int32 = errno
  ) -> Failure {
    .refused("\(path) \(what): \(String(cString: strerror(code)))")
  }
}
