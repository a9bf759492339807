import Glibc

/// Replaces a file as a whole, or makes it, for this user alone (0600). Whoever opens it finds all
/// of the former file or all of the new one, also after a kill at any moment.
///
/// A draft beside it gets the bytes and is synchronized; it is renamed to the file's name; the
/// directory is synchronized. A link of that name is replaced, not followed.
///
/// - Parameters:
///   - path: of a file in a directory that exists; without a closing NUL.
///   - draft: what the draft's name ends in after the file's name. It has the number of the process
///     in it where several processes may replace the file at once; threads of one take turns.
///   - isDurable: whether the new file outlives a power cut as soon as this returns. A cache needs
///     no wait for the disk if it checks what it reads: after a power cut, the file may also be cut
///     off, empty, or full of zeros.
/// - Throws: the call that failed, with the path. The former file is there, and no draft. Only
///   where the directory can't be synchronized, the last step, the new file is there, and a power
///   cut may bring the former one back. A kill leaves at most a draft behind, which nobody reads.
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

/// The same in an open directory. Errors name nothing.
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

/// A file that is written under a name of its own, and gets its real name when it is whole. Where
/// it does not get that, it is removed.
package struct FileDraft: ~Copyable {
  private let directory: Int32
  private let draft: [CChar]
  private let file: OpenFile
  private var isNamed = false

  /// Makes the file, for this user alone (0600). What a killed process left under the draft's name
  /// is removed.
  ///
  /// - Parameters:
  ///   - draft: with a closing NUL. No other thread or process may use it meanwhile.
  ///   - directory: an open directory, which the caller closes when the draft is gone.
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

  /// Open for writing, for as long as the draft is there.
  package var descriptor: Int32 { file.descriptor }

  /// Waits until the bytes are on the disk: a power cut could leave an empty file of the name
  /// otherwise.
  package borrowing func synchronize() throws(SystemCallError) {
    // EINVAL: a file system that knows no such thing.
    if fsync(file.descriptor) != 0, errno != EINVAL { throw SystemCallError("fsync", "") }
  }

  /// Gives the file its name, which outlives a power cut once the directory is synchronized.
  ///
  /// - Parameter replacing: whether a file of that name is replaced; otherwise it is an error
  ///   (EEXIST).
  /// - Throws: where the file has not got its name.
  package mutating func take(_ name: [CChar], replacing: Bool) throws(SystemCallError) {
    if !replacing {
      try renameToFreeName(draft, in: directory, to: name, in: directory)
    } else if renameat(directory, draft, directory, name) != 0 {
      throw SystemCallError("rename", "")
    }
    isNamed = true
  }
}

/// Waits until the names in an open directory are on the disk: what was made, renamed and removed.
package func synchronizeDirectory(_ directory: Int32) throws(SystemCallError) {
  // EINVAL: a file system that knows no such thing of directories.
  if fsync(directory) != 0, errno != EINVAL { throw SystemCallError("fsync", "") }
}

/// The path as system calls take it.
func cString(_ bytes: some Sequence<UInt8>) -> [CChar] {
  bytes.map { CChar(bitPattern: $0) } + [0]
}
