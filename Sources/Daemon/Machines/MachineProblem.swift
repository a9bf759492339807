import Glibc
package import LibraryModel
import LibraryStore
import Platform

/// A reason why this machine shares no order, or a fault of another machine's file.
package struct MachineProblem: Error, Hashable, Sendable {
  package var path: BytePath
  /// One line for users: what is wrong and what to do about it.
  package var message: String

  package init(_ path: BytePath, _ message: String) {
    (self.path, self.message) = (path, message)
  }

  /// - Parameter folder: the folder that could not be read or written.
  init(_ folder: BytePath, _ error: SystemCallError) {
    let advice =
      switch error.code {
      case ENOENT: "make it, or see that its drive or the program that carries it is there"
      case ENOTDIR: "set machines to a folder"
      case EACCES, EPERM:
        "crated may not use it; if the folder, its drive or the setting came after crated was"
          + " started, restart crated"
      case EROFS: "make the file system writable"
      case ENOSPC, EDQUOT: "make room on its disk"
      default: "check its disk"
      }
    self.init(folder, "the order is shared with no other machine: \(error.reason); \(advice)")
  }

  static func reason(_ error: SystemCallError) -> String {
    switch error.code {
    case ELOOP, ENXIO, EISDIR: "it is no file; remove it"
    case EFBIG: "it is larger than a machine's file may be (64 MiB); remove it"
    default: "it can't be read: \(error.reason)"
    }
  }

  static func reason(_ fault: MachineReader.Fault) -> String {
    switch fault {
    case .newerVersion(let version):
      "a newer crated wrote it (version \(version)); update crated here"
    case .damaged(let line, let reason):
      "line \(line): \(reason); what it said before stays, until it is whole again"
    }
  }
}
