import Glibc
import LibraryModel
import Platform

/// Small files in a directory of crated's own, each replaced as a whole.
struct StateFiles: Sendable {
  /// The maximum size of a file in bytes. In the records a list takes a hundred bytes, and as many
  /// for each of its bases.
  static let mostBytes = 64 << 20

  let path: BytePath

  /// Reads a file. Returns nil if it does not exist.
  ///
  /// - Throws: a `SystemCallError` if it can't be read, or is longer than `most` (EFBIG).
  func read(_ name: String, most: Int = StateFiles.mostBytes) throws(SystemCallError) -> [UInt8]? {
    let descriptor = open(cString(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw SystemCallError("open", "") }
    let file = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: file.descriptor) else {
      throw SystemCallError("statx", "")
    }
    guard status.size <= most else { throw SystemCallError("read", "", code: EFBIG) }
    return try PlaylistFile(file, status).bytes(at: 0, most: Int(status.size))
  }

  /// Replaces a file durably, and makes the directory if it is missing. Durably, because this file
  /// alone may identify a list written next as crated's.
  ///
  /// - Throws: as `makeDirectories` and `replaceFile` do; the file is as it was then.
  func write(_ bytes: [UInt8], to name: String) throws(SystemCallError) {
    try makeDirectories(path.bytes)
    try replaceFile(path.appending(name.utf8).bytes, with: bytes)
  }

  /// Removes a file. A failure is ignored: the file does no harm.
  func remove(_ name: String) { unlink(cString(name)) }

  /// The names of all files, in byte order; empty if the directory can't be read.
  func names() -> [BytePath] {
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return [] }
    let directory = OpenFile(owning: descriptor)
    var names: [BytePath] = []
    // Names are only needed to remove old files.
    try? DirectoryNames().read(directory.descriptor) { name, _ in
      names.append(BytePath(Array(name)))
    }
    return names.sorted()
  }

  private func cString(_ name: String) -> [CChar] { path.appending(name.utf8).cString }
}
