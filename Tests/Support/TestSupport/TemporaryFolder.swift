import Glibc
import Platform

/// A new, empty folder that is removed, with all it holds, when nobody uses it any more.
package final class TemporaryFolder: Sendable {
  /// Without a slash at its end.
  package let path: String

  /// Made below `parent`, or below what TMPDIR says.
  package init(in parent: String? = nil) throws {
    let parent = parent ?? Self.systemFolder
    var template = Array("\(parent)/crated-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { removeTree(path) }

  package static var systemFolder: String {
    guard let set = getenv("TMPDIR") else { return "/tmp" }
    return String(cString: set)
  }

  /// The path of something in the folder.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder in the folder, and those above it.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    var made = path
    for part in name.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw SystemCallError("mkdir", made) }
    }
    return made
  }

  /// Writes a whole file, in folders that are made for it.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    if let slash = name.lastIndex(of: "/") { try makeFolder(String(name[..<slash])) }
    try writeFile(bytes, to: path(name))
    return path(name)
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }
}

/// What a directory holds, sorted.
package func names(in path: String) throws -> [String] {
  guard let folder = opendir(path) else { throw SystemCallError("opendir", path) }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    names.append(
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names.filter { $0 != "." && $0 != ".." }.sorted()
}

/// The bytes of a file.
package func readFile(_ path: String) throws -> [UInt8] {
  let file = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
  guard file.descriptor >= 0 else { throw SystemCallError("open", path) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(file.descriptor, &buffer, buffer.count)
    guard count >= 0 else { throw SystemCallError("read", path) }
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// Writes a whole file in the place of any other.
package func writeFile(_ bytes: [UInt8], to path: String) throws {
  try writeFile(bytes, to: Array(path.utf8))
}

/// The same, with a path that need not be text.
package func writeFile(_ bytes: [UInt8], to path: [UInt8]) throws {
  let name = path.map { CChar(bitPattern: $0) } + [0]
  let file = OpenFile(owning: open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
  guard file.descriptor >= 0 else {
    throw SystemCallError("open", String(decoding: path, as: UTF8.self))
  }
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes { bytes in
      Glibc.write(file.descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
    }
    guard count > 0 else {
      throw SystemCallError("write", String(decoding: path, as: UTF8.self))
    }
    written += count
  }
  endWriting(file.release())
}

/// Removes a folder with all it holds, or a file. Links are removed, not followed.
package func removeTree(_ path: String) {
  removeTree(path.utf8.map { CChar(bitPattern: $0) })
}

// Bytes: the name of a file need not be text.
private func removeTree(_ path: [CChar]) {
  if unlink(path + [0]) == 0 { return }
  guard let folder = opendir(path + [0]) else { return }
  var names: [[CChar]] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
    }
    if name != [46] && name != [46, 46] { names.append(name) }
  }
  closedir(folder)
  for name in names { removeTree(path + [47] + name) }
  rmdir(path + [0])
}
