import Glibc
import LibraryModel
import Platform

extension OpenFile {
  /// Opens a file. Returns nil on failure, with the reason in `errno`.
  ///
  /// - Parameter mode: The permissions of a new file.
  init?(_ path: BytePath, _ flags: Int32, mode: mode_t = 0) {
    let descriptor = retrying { Glibc.open(path.cString, flags | O_CLOEXEC, mode) }
    if descriptor == -1 { return nil }
    self.init(owning: descriptor)
  }
}
