import Glibc
import LibraryModel
import Platform

extension OpenFile {
  /// Nil where it can't be opened; `errno` says why.
  ///
  /// - Parameter mode: of a file that is made.
  init?(_ path: BytePath, _ flags: Int32, mode: mode_t = 0) {
    let descriptor = retrying { Glibc.open(path.cString, flags | O_CLOEXEC, mode) }
    if descriptor == -1 { return nil }
    self.init(owning: descriptor)
  }
}
