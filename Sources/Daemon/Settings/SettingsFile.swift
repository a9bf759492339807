import Glibc
import LibraryModel
import Platform

/// The settings file, validated to be text.
struct SettingsFile {
  /// The maximum size in bytes. A larger file is not a settings file.
  static let mostBytes = 1 << 20

  let file: BytePath

  init(_ file: BytePath) {
    self.file = file
  }

  /// Returns the file's text; nil if there is no file. A file that can't be read is never treated
  /// as missing: the defaults would watch a folder that the user does not want.
  func text() throws(SettingsError) -> String? {
    guard let bytes = try bytes() else { return nil }
    if let index = bytes.firstIndex(of: 0) {
      throw failure(
        line: lineNumber(of: index, in: bytes), "it holds a NUL byte, so it is not a text file")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure(
        line: lineNumber(of: firstInvalidByte(bytes), in: bytes), "it is not UTF-8",
        advice: "save it as UTF-8 (a path that is not UTF-8 can be reached by a symbolic link)")
    }
    return text
  }

  private func bytes() throws(SettingsError) -> [UInt8]? {
    let name = cString(file)
    // A FIFO in its place must not block the start.
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      var status = stat()
      guard code == ENOENT else { throw cannotRead(code) }
      guard lstat(name, &status) == 0 else { return nil }
      throw failure(
        "it is a symbolic link to a file that is not there",
        advice: "mend the link, or remove it to use the defaults")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw cannotRead(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure("it is a directory")
    default: throw failure("it is not a regular file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { room in
        retrying { Glibc.read(descriptor, room.baseAddress, room.count) }
      }
      guard count >= 0 else { throw cannotRead(errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= Self.mostBytes else { throw failure("it is larger than 1 MiB") }
    }
  }

  private func cannotRead(_ code: Int32) -> SettingsError {
    failure(
      "it can't be read: \(String(cString: strerror(code)))",
      advice: "make it readable, or move it away to use the defaults")
  }

  private func failure(
    line: Int? = nil, _ reason: String,
    advice: String = "put a settings file there, or move it away to use the defaults"
  ) -> SettingsError {
    SettingsError(file: file, line: line, reason: reason, advice: advice)
  }
}

/// Returns the path in the form that system calls take.
func cString(_ path: BytePath) -> [CChar] {
  path.bytes.map { CChar(bitPattern: $0) } + [0]
}

private func lineNumber(of index: Int, in bytes: [UInt8]) -> Int {
  bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1
}

/// Returns the length of the longest prefix that is valid UTF-8.
private func firstInvalidByte(_ bytes: [UInt8]) -> Int {
  var decoder = UTF8()
  var input = bytes.makeIterator()
  var index = 0
  while case .scalarValue(let scalar) = decoder.decode(&input) {
    index += UTF8.width(scalar)
  }
  return index
}
