import Glibc
package import LibraryModel
import Platform

/// A problem of a playlist, of all of them, or of a song in one.
package struct PlaylistProblem: Error, Hashable, Sendable {
  package var path: BytePath
  /// One line for users: what is wrong and what to do about it.
  package var message: String
  /// Whether it may pass without a change in the library.
  package var mayPass: Bool

  init(_ path: BytePath, _ message: String, mayPass: Bool = true) {
    self.path = path
    self.message = message
    self.mayPass = mayPass
  }

  /// - Parameter song: a song whose path contains the end of a line.
  init(leftOut song: BytePath) {
    self.init(
      song, "its path has a line break, which playlists can't express: rename the file",
      mayPass: false)
  }

  /// - Parameter path: the path of a crate's playlist, with a file that crated didn't write, or
  ///   whose record is lost.
  init(foreign path: BytePath) {
    self.init(
      path,
      "crated did not write this file and leaves it alone: remove or rename it, or rename the crate"
        + " whose playlist it would become; `crate import` takes over its order first")
  }

  /// - Parameter reason: the part of a player's edit that could not be done.
  init(edited path: BytePath, _ reason: String) {
    self.init(path, reason, mayPass: false)
  }

  /// - Parameter path: a list that a program writes again and again with the same contents.
  init(tolerated path: BytePath) {
    self.init(
      path,
      "it was written again and is as before: it stays so until the crate changes; see which"
        + " program writes it",
      mayPass: false)
  }

  init(_ path: BytePath, _ error: SystemCallError) {
    self.init(path, "\(error.reason): \(advice(for: error.code)); it is tried again every minute")
  }
}

private func advice(for code: Int32) -> String {
  switch code {
  case EACCES, EPERM:
    "crated can write only to folders that were set and there when it started; restart it"
      + " (systemctl --user restart crated), or see the folder's permissions"
  case EROFS: "make the file system writable, or set playlists to another folder"
  case ENOSPC, EDQUOT: "make room on its disk"
  case EFBIG:
    "that is more than crated reads (16 MiB of a list): see what it is, and remove or rename it"
  case ENAMETOOLONG: "give the crate a shorter name"
  case ENOENT: "see that its folder and drive are there"
  default: "check its disk"
  }
}
