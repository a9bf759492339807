import Browsing
import Glibc
import Platform

/// Where the person was, in a file that may be deleted at any time. What can't be read or written
/// is as if it had never been.
struct BrowserMemory {
  private let path: String?

  /// The memory at the path that the XDG Base Directory Specification gives.
  init() {
    if let state = Environment["XDG_STATE_HOME"], state.first == "/" {
      path = "\(state)/crated/browse"
    } else if let home = Environment["HOME"], home.first == "/" {
      path = "\(home)/.local/state/crated/browse"
    } else {
      path = nil
    }
  }

  /// One in any file, whose folder need not be there; nil for none.
  init(path: String?) { self.path = path }

  func read() -> String {
    guard let path else { return "" }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    let file = OpenFile(owning: descriptor)
    var room = [UInt8](repeating: 0, count: Browser.memoryMost)
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

  /// The file is the former one or the new one, whatever happens.
  func write(_ text: String) {
    guard let path, let slash = path.lastIndex(of: "/") else { return }
    makeFolders(String(path[..<slash]))
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let file = OpenFile(owning: descriptor)
    let bytes = Array(text.utf8)
    let count = retrying { Glibc.write(file.descriptor, bytes, bytes.count) }
    if count != bytes.count || rename(draft, path) != 0 { unlink(draft) }
  }

  private func makeFolders(_ path: String) {
    var made = ""
    for name in path.split(separator: "/") {
      made += "/\(name)"
      mkdir(made, 0o700)
    }
  }
}
