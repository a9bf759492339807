import Glibc

/// Makes a directory for this user alone (0700), with any missing parents. They survive a power
/// cut.
///
/// - Parameter path: absolute, without a terminating NUL.
/// - Throws: the call that failed, with the path of the directory. Parents that were made stay.
package func makeDirectories(_ path: [UInt8]) throws(SystemCallError) {
  func failure(_ call: String) -> SystemCallError {
    SystemCallError(call, String(decoding: path, as: UTF8.self))
  }
  let parent = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  if mkdir(cString(path), 0o700) != 0 {
    if errno == EEXIST { return }
    guard errno == ENOENT, !parent.isEmpty else { throw failure("mkdir") }
    try makeDirectories(Array(parent))
    // Only once: a parent may be a link that leads nowhere.
    guard mkdir(cString(path), 0o700) == 0 || errno == EEXIST else { throw failure("mkdir") }
  }
  let above = OpenFile(
    owning: open(cString(parent + [UInt8(ascii: "/")]), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  // The parent may be writable and not readable.
  if above.descriptor < 0 { return }
  do {
    try synchronizeDirectory(above.descriptor)
  } catch {
    throw failure(error.call)
  }
}
