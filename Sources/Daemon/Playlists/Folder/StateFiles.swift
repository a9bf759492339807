import Glibc
import LibraryModel
import Platform

/// Small files in a directory of crated's own, each replaced as a whole.
struct StateFiles: Sendable {
  private static let draft = "draft.tmp"
  /// Bytes of a file, or of a list, that is still one of crated's. A song of a list takes 150 or
  /// so, and each list in the book a hundred, with as many again for each of its bases.
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

  /// Makes the directory where it is not there. What was written is there after a power cut, too: a
  /// list that is written next may be told from a stranger's by it alone.
  func write(_ bytes: [UInt8], to name: String) throws(SystemCallError) {
    try Self.make(path)
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(cString(Self.draft), flags, 0o600)
    guard descriptor >= 0 else { throw SystemCallError("open", "") }
    let file = OpenFile(owning: descriptor)
    try writeAll(bytes, to: file.descriptor)
    if fdatasync(file.descriptor) != 0, errno != EINVAL { throw SystemCallError("fdatasync", "") }
    guard Glibc.rename(cString(Self.draft), cString(name)) == 0 else {
      throw SystemCallError("rename", "")
    }
    try Self.synchronize(path)
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

  private static func make(_ path: BytePath) throws(SystemCallError) {
    if mkdir(path.cString, 0o700) != 0 {
      if errno == EEXIST { return }
      guard errno == ENOENT, !path.parent.isEmpty else { throw SystemCallError("mkdir", "") }
      try make(path.parent)
      // Once: what is above may be there and lead nowhere.
      guard mkdir(path.cString, 0o700) == 0 || errno == EEXIST else {
        throw SystemCallError("mkdir", "")
      }
    }
    try synchronize(path.parent)
  }

  /// Makes the names in a directory safe.
  private static func synchronize(_ path: BytePath) throws(SystemCallError) {
    let path = path.isEmpty ? BytePath("/") : path
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open", "") }
    let directory = OpenFile(owning: descriptor)
    // Some file systems don't know that of directories.
    if fsync(directory.descriptor) != 0, errno != EINVAL { throw SystemCallError("fsync", "") }
  }
}
