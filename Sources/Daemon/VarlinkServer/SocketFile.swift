import Glibc
import Platform

/// A socket in the file system, for other processes of this user.
package struct SocketFile: Sendable {
  let path: String
  private let device: UInt
  private let inode: UInt

  /// sun_path holds 107 bytes and a NUL; the temporary name is four bytes longer.
  static let pathBytesMost = 103
  private static let temporarySuffix = ".new"

  static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Whether a user can trust a directory of this owner with a socket.
  static func isTrusted(owner: UInt32, by user: UInt32) -> Bool { owner == user || owner == 0 }

  /// Whether the path still leads to this socket.
  var isThere: Bool {
    var found = stat()
    return lstat(path, &found) == 0 && UInt(found.st_dev) == device && UInt(found.st_ino) == inode
  }

  /// Removes the file unless another daemon has replaced it.
  func remove() {
    if isThere { unlink(path) }
  }

  /// Makes a listening socket with mode 0600, and its directory with mode 0700 if it doesn't exist.
  /// Replaces a stale socket; the caller must hold the lock of the store.
  package static func listen(
    at path: String, backlog: Int32
  ) throws(ServerError) -> (file: SocketFile, socket: Int32) {
    guard path.utf8.count <= pathBytesMost else {
      throw .pathTooLong(path: path, most: pathBytesMost)
    }
    try prepareDirectory(of: path)
    try refuseOccupied(path)
    let temporary = path + temporarySuffix
    try refuseOccupied(temporary)
    unlink(temporary)

    let descriptor = socket(AF_UNIX, unixStream | closeOnExec | nonBlocking, 0)
    guard descriptor >= 0 else { throw .systemCall(SystemCallError("socket", "")) }
    let opened = OpenFile(owning: descriptor)
    // bind(2) creates the file with this mode. So it is never open to others, and umask(2), which
    // is shared by all threads, is not changed.
    guard fchmod(opened.descriptor, 0o600) == 0 else {
      throw .systemCall(SystemCallError("fchmod", temporary))
    }
    guard withAddress(temporary, { bind(opened.descriptor, $0, $1) }) == 0 else {
      throw .systemCall(SystemCallError("bind", temporary))
    }
    guard Glibc.listen(opened.descriptor, backlog) == 0 else {
      throw .systemCall(SystemCallError("listen", temporary))
    }
    var made = stat()
    guard lstat(temporary, &made) == 0 else {
      throw .systemCall(SystemCallError("lstat", temporary))
    }
    guard rename(temporary, path) == 0 else {
      let error = SystemCallError("rename", path)
      unlink(temporary)
      throw .systemCall(error)
    }
    let file = SocketFile(path: path, device: UInt(made.st_dev), inode: UInt(made.st_ino))
    return (file, opened.release())
  }

  /// Checks a socket that systemd made and listens at, and sets its backlog.
  static func adopt(_ descriptor: Int32, backlog: Int32) throws(ServerError) {
    var listens = Int32()
    var length = socklen_t(MemoryLayout<Int32>.size)
    var address = sockaddr_un()
    var addressLength = socklen_t(MemoryLayout<sockaddr_un>.size)
    let named = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &addressLength)
      }
    }
    guard named == 0, address.sun_family == sa_family_t(AF_UNIX),
      getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0
    else { throw .notListening(descriptor: descriptor) }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
      Glibc.listen(descriptor, backlog) == 0
    else { throw .systemCall(SystemCallError("fcntl", "descriptor \(descriptor)")) }
  }
}

private let unixStream = Int32(SOCK_STREAM.rawValue)
private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
private let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)

private func prepareDirectory(of path: String) throws(ServerError) {
  let directory = SocketFile.directory(of: path)
  try refuseOthers(in: SocketFile.directory(of: directory))
  if mkdir(directory, 0o700) == 0 { return }
  guard errno == EEXIST else { throw .systemCall(SystemCallError("mkdir", directory)) }
  try refuseOthers(in: directory)
}

/// Refuses a directory in which another user could replace files.
private func refuseOthers(in directory: String) throws(ServerError) {
  var found = stat()
  guard stat(directory, &found) == 0 else {
    throw .systemCall(SystemCallError("stat", directory))
  }
  guard found.st_mode & S_IFMT == S_IFDIR else {
    throw .systemCall(SystemCallError("open", directory, code: ENOTDIR))
  }
  guard SocketFile.isTrusted(owner: found.st_uid, by: geteuid()) else {
    throw .directoryOfAnother(path: directory, user: found.st_uid)
  }
  // In a sticky directory such as /tmp, other users can't replace our files.
  let isOpen = found.st_mode & 0o022 != 0 && found.st_mode & S_ISVTX == 0
  if isOpen { throw .directoryOpenToOthers(path: directory) }
}

private func refuseOccupied(_ path: String) throws(ServerError) {
  var found = stat()
  if lstat(path, &found) != 0 {
    if errno == ENOENT { return }
    throw .systemCall(SystemCallError("lstat", path))
  }
  guard found.st_mode & S_IFMT == S_IFSOCK else { throw .occupied(path: path) }
  let descriptor = socket(AF_UNIX, unixStream | closeOnExec | nonBlocking, 0)
  guard descriptor >= 0 else { throw .systemCall(SystemCallError("socket", "")) }
  let probe = OpenFile(owning: descriptor)
  let connected = withAddress(path) { connect(probe.descriptor, $0, $1) }
  // EAGAIN means that the backlog of a listener is full.
  if connected == 0 || errno == EAGAIN { throw .answering(path: path) }
}

/// Calls `body` with the address of a path, which must not be too long.
private func withAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { room in
    room.copyBytes(from: path.utf8)
  }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
