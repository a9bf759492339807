import Glibc

/// Replaces a file as a whole, or makes it, for this user alone (0600). A program that opens it
/// finds all of the former file or all of the new one, even after a kill at any moment.
///
/// The bytes are written to a draft beside the file, which is synchronized and then renamed to the
/// file's name. Finally the directory is synchronized. A link of that name is replaced, not
/// followed.
///
/// - Parameters:
///   - path: the path of a file in an existing directory, without a terminating NUL.
///   - draft: the suffix that makes the draft's name from the file's name. It includes the process
///     id if several processes may replace the file at once. Threads of one process must take
///     turns.
///   - isDurable: whether the new file survives a power cut once this returns. A cache doesn't need
///     to wait for the disk if it checks what it reads: after a power cut, the file may also be cut
///     off, empty, or full of zeros.
/// - Throws: the call that failed, with the path. The former file is unchanged, and there is no
///   draft. The exception is the last step, the synchronization of the directory: then the new file
///   is in place, and a power cut may bring the former one back. A kill leaves at most a draft
///   behind, which is never read.
package func replaceFile(
  _ path: [UInt8], with bytes: [UInt8], draft: String = ".new", isDurable: Bool = true
) throws(SystemCallError) {
  let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  let above = start == 0 ? Array(".".utf8) : Array(path[..<start])
  do throws(SystemCallError) {
    let directory = OpenFile(owning: open(cString(above), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard directory.descriptor >= 0 else { throw SystemCallError("open", "") }
    try replaceFile(
      Array(path[start...]), in: directory.descriptor, with: bytes, draft: draft,
      isDurable: isDurable)
  } catch {
    throw SystemCallError(error.call, String(decoding: path, as: UTF8.self), code: error.code)
  }
}

/// Replaces a file in an open directory. Errors have no path.
package func replaceFile(
  _ name: [UInt8], in directory: Int32, with bytes: [UInt8], draft: String = ".new",
  isDurable: Bool = true
) throws(SystemCallError) {
  var file = try FileDraft(cString(name + Array(draft.utf8)), in: directory)
  try writeAll(bytes, to: file.descriptor)
  if isDurable { try file.synchronize() }
  try file.take(cString(name), replacing: true)
  if isDurable { try synchronizeDirectory(directory) }
}

/// A file that is written under a temporary name and gets its real name when it is complete. If it
/// doesn't get that, it is removed.
package struct FileDraft: ~Copyable {
  private let directory: Int32
  private let draft: [CChar]
  private let file: OpenFile
  private var isNamed = false

  /// Makes the file, for this user alone (0600). A draft that a killed process left is removed.
  ///
  /// - Parameters:
  ///   - draft: the draft's name, with a terminating NUL. No other thread or process may use it
  ///     meanwhile.
  ///   - directory: an open directory, which must not be closed before the draft is gone.
  package init(_ draft: [CChar], in directory: Int32) throws(SystemCallError) {
    unlinkat(directory, draft, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openat(directory, draft, flags, 0o600)
    guard descriptor >= 0 else { throw SystemCallError("open", "") }
    self.directory = directory
    self.draft = draft
    file = OpenFile(owning: descriptor)
  }

  deinit {
    if !isNamed { unlinkat(directory, draft, 0) }
  }

  /// Open for writing, as long as the draft exists.
  package var descriptor: Int32 { file.descriptor }

  /// Waits until the bytes are on the disk. Otherwise a power cut could leave an empty file with
  /// the name.
  package borrowing func synchronize() throws(SystemCallError) {
    // EINVAL: the file system does not support it.
    if fsync(file.descriptor) != 0, errno != EINVAL { throw SystemCallError("fsync", "") }
  }

  /// Gives the file its name, which survives a power cut once the directory is synchronized.
  ///
  /// - Parameter replacing: whether to replace a file of that name; otherwise it is an error
  ///   (EEXIST).
  /// - Throws: if the file has not got its name.
  package mutating func take(_ name: [CChar], replacing: Bool) throws(SystemCallError) {
    if !replacing {
      try renameToFreeName(draft, in: directory, to: name, in: directory)
    } else if renameat(directory, draft, directory, name) != 0 {
      throw SystemCallError("rename", "")
    }
    isNamed = true
  }
}

/// Waits until the names in an open directory are on the disk: of files made, renamed and removed.
package func synchronizeDirectory(_ directory: Int32) throws(SystemCallError) {
  // EINVAL: the file system does not support it for directories.
  if fsync(directory) != 0, errno != EINVAL { throw SystemCallError("fsync", "") }
}

/// Returns the path as a C string.
func cString(_ bytes: some Sequence<UInt8>) -> [CChar] {
  bytes.map { CChar(bitPattern: $0) } + [0]
}
