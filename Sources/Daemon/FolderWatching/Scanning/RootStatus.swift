import Glibc
import LibraryModel
import Platform

/// Whether the music folder is present, and its identity.
enum RootStatus {
  case there(FileIdentity)
  case away(reason: String)

  init(_ path: BytePath) {
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC
    let descriptor = path.withCPath { path in retrying { open(path, flags) } }
    guard descriptor >= 0 else {
      self = .away(reason: Self.reason(errno))
      return
    }
    let root = OpenFile(owning: descriptor)
    guard let status = FileStatus(descriptor: root.descriptor),
      let system = FileSystemStatus(descriptor: root.descriptor)
    else {
      self = .away(reason: Self.reason(errno))
      return
    }
    self = .there(
      FileIdentity(fileSystem: system.identifier, inode: status.inode, birth: status.birth))
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "it is not there"
    case ENOTDIR: "it is not a directory"
    case EACCES, EPERM: "it may not be read: check its permissions"
    default: "it can't be opened: \(SystemCallError("open", "", code: code).reason)"
    }
  }
}

/// The decision about a root by its identity. Pure.
enum RootDecision: Equatable {
  case same, adopt, refuse

  /// - Parameter sample: returns how many known paths were tried and how many exist. Called only if
  ///   it decides.
  init(
    found: FileIdentity, known: FileIdentity?, sample: () -> (tried: Int, there: Int)
  ) {
    if found == known {
      self = .same
    } else {
      let sample = sample()
      self = sample.there * 2 >= sample.tried ? .adopt : .refuse
    }
  }
}
