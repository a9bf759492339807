import Glibc

/// Makes a directory for this user alone (0700), and those above it that are missing. They outlive
/// a power cut.
///
/// - Parameter path: absolute, without a closing NUL.
/// - Throws: the call that failed, with the path of the directory. Those above it that were made
///   stay.
package func makeDirectories(_ path: [UInt8]) throws(SystemCallError) {
  func failure(_ call: String) -> SystemCallError {
    SystemCallError(call, String(decoding: path, as: UTF8.self))
  }
  let parent = path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  if mkdir(cString(path), 0o700) != 0 {
    if errno == EEXIST { return }
    guard errno == ENOENT, !parent.isEmpty else { throw failure("mkdir") }
    try makeDirectories(Array(parent))
    // Once: what is above may be a link that leads nowhere.
    guard mkdir(cString(path), 0o700) == 0 || errno == EEXIST else { throw failure("mkdir") }
  }
  let above = OpenFile(
    owning: open(cString(parent + [UInt8(ascii: "/")]), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  // One that may be written to and not read.
  if above.descriptor < 0 { return }
  do {
    try synchronizeDirectory(above.descriptor)
  } catch {
    throw failure(error.call)
  }
}
