import Glibc
import Platform

/// A file of state that may be deleted at any time. Errors of reading and writing are ignored, as
/// if the file didn't exist.
struct StateFile {
  private let folder: String?
  private let name: String

  /// - Parameter folder: The folder, which need not exist; nil for none.
  init(_ name: String, in folder: String? = StateFolder.path) {
    self.folder = folder
    self.name = name
  }

  /// - Parameter most: The most bytes to read from the beginning.
  func read(most: Int) -> String {
    guard let folder else { return "" }
    let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    let file = OpenFile(owning: descriptor)
    var room = [UInt8](repeating: 0, count: most)
    var count = 0
    while count < room.count {
      let more = room[count...].withUnsafeMutableBytes { rest in
        retrying { Glibc.read(file.descriptor, rest.baseAddress, rest.count) }
      }
      if more <= 0 { break }
      count += more
    }
    return String(decoding: room[..<count], as: UTF8.self)
  }

  /// Replaces the file atomically.
  func write(_ text: String) {
    guard let folder, (try? StateFolder.make(folder)) != nil else { return }
    // Other instances may be writing it at the same time.
    try? replaceFile(
      Array("\(folder)/\(name)".utf8), with: Array(text.utf8), draft: ".\(getpid())",
      isDurable: false)
  }
}

/// The user's directory for state of this program.
enum StateFolder {
  /// Nil if neither variable is set.
  static var path: String? {
    if let state = Environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/crated" }
    guard let home = Environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/crated"
  }

  @discardableResult
  static func make(_ path: String? = StateFolder.path) throws(Failure) -> String {
    guard let path else {
      throw .refused("HOME is not set, so there is no place for the text; set it")
    }
    do {
      try makeDirectories(Array(path.utf8))
    } catch {
      throw .refused("\(error.subject) cannot be made: \(error.reason)")
    }
    return path
  }
}
