import Glibc
import LibraryModel
import Platform

/// Small files in a directory of crated's own, each replaced as a whole.
struct StateFiles: Sendable {
  /// Bytes of a file, or of a list, that is still one of crated's. A song of a list takes 150 or
  /// so, and each list in the records a hundred, with as many again for each of its bases.
  static let mostBytes = 64 << 20

  let path: BytePath

  /// - Returns: nil where there is none. One that is longer is an error (EFBIG).
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

  /// Makes the directory where it is not there. The file outlives a power cut: a list that is
  /// written next may be told from a stranger's by it alone.
  ///
  /// - Throws: as `makeDirectories` and `replaceFile` do.
  func write(_ bytes: [UInt8], to name: String) throws(SystemCallError) {
    try makeDirectories(path.bytes)
    try replaceFile(path.appending(name.utf8).bytes, with: bytes)
  }

  func remove(_ name: String) { unlink(cString(name)) }

  /// In byte order; none where the directory is not there.
  func names() -> [BytePath] {
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return [] }
    let directory = OpenFile(owning: descriptor)
    var names: [BytePath] = []
    // What can't be read can't be tidied, which is all that is done with it.
    try? DirectoryNames().read(directory.descriptor) { name, _ in
      names.append(BytePath(Array(name)))
    }
    return names.sorted()
  }

  private func cString(_ name: String) -> [CChar] { path.appending(name.utf8).cString }
}
