import Glibc
import LibraryModel
import TestSupport

/// A directory that goes with the test.
final class TemporaryFolder: Sendable {
  let path: BytePath

  init(under parent: String = "/tmp") {
    var template = Array("\(parent)/crated-watch-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    precondition(made != nil, "a temporary directory can be made")
    path = BytePath(template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit { Self.removeAll(path.display) }

  func callAsFunction(_ name: String) -> String { path.display + "/" + name }

  func at(_ name: String) -> BytePath { path.appending(Array(name.utf8)) }

  func makeFolder(_ name: String) {
    var made = path.display
    for part in name.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o755)
    }
  }

  /// Makes directories in each other, with names of these lengths, however long the path gets.
  ///
  /// - Returns: the last one, to be closed.
  func openDeep(_ lengths: [Int]) -> Int32 {
    var at = open(path.display, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for length in lengths {
      let name = String(repeating: "d", count: length)
      mkdirat(at, name, 0o755)
      let next = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(at)
      at = next
    }
    return at
  }

  /// Made the way a copy is made: created, written, closed.
  func write(_ name: String, _ text: String) {
    let descriptor = open(self(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    precondition(descriptor >= 0, "\(name) can be written")
    append(descriptor, text)
    endWriting(descriptor)
  }

  func append(_ descriptor: Int32, _ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  func move(_ from: String, _ to: String) {
    let result = rename(self(from), self(to))
    precondition(result == 0, "\(from) can be renamed")
  }

  func delete(_ name: String) { Self.removeAll(self(name)) }

  static func removeAll(_ path: String) {
    if let entries = opendir(path) {
      var isLink = stat()
      lstat(path, &isLink)
      if isLink.st_mode & S_IFMT == S_IFDIR {
        while let entry = readdir(entries) {
          let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          }
          if name != "." && name != ".." { removeAll(path + "/" + name) }
        }
      }
      closedir(entries)
    }
    remove(path)
  }

  /// Every audio file below, by absolute path, with what is in it. Another walk than the watcher's.
  func walk() -> [String: String] {
    var result: [String: String] = [:]
    var folders = [path.display]
    while let folder = folders.popLast() {
      guard let entries = opendir(folder) else { continue }
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasPrefix(".") { continue }
        var status = stat()
        lstat(folder + "/" + name, &status)
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append(folder + "/" + name)
        } else if name.hasSuffix(".mp3") {
          result[folder + "/" + name] = Self.text(folder + "/" + name)
        }
      }
      closedir(entries)
    }
    return result
  }

  static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return text(descriptor)
  }

  static func text(_ descriptor: Int32) -> String {
    var room = [UInt8](repeating: 0, count: 4_096)
    let count = pread(descriptor, &room, room.count, 0)
    return String(decoding: room.prefix(max(0, count)), as: UTF8.self)
  }
}
