import Glibc
import Platform

/// Where it is kept up to which change the person has looked: a number in a line.
struct LookedFile {
  private let folder: String
  private var path: String { "\(folder)/looked" }

  /// Nil where there is no place for it.
  init?(in folder: String? = StateFolder.path) {
    guard let folder else { return nil }
    self.folder = folder
  }

  /// Nil where nobody looked yet.
  var sequence: Int? {
    guard let text = try? TextFile(path: path).read() else { return nil }
    return Int(text.prefix { $0.isNumber })
  }

  /// What can't be kept is asked for again the next time.
  func write(_ sequence: Int) {
    guard (try? StateFolder.make(folder)) != nil else { return }
    let new = "\(path).new"
    unlink(new)
    let file = OpenFile(owning: open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    let bytes = Array("\(sequence)\n".utf8)
    guard file.descriptor >= 0, Glibc.write(file.descriptor, bytes, bytes.count) == bytes.count
    else { return }
    rename(new, path)
  }
}

/// The person's directory of what this program keeps for them.
enum StateFolder {
  /// Nil where neither variable says which.
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
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, F_OK) == 0 else {
        throw .refused("\(made) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
    return path
  }
}
