package import Platform

/// The reason why the server cannot listen.
package enum ServerError: Error, Sendable, CustomStringConvertible {
  case pathTooLong(path: String, most: Int)
  /// The path exists and is not a socket. It is left unchanged.
  case occupied(path: String)
  /// Another daemon listens at the path.
  case answering(path: String)
  /// The socket's directory or its parent is writable by other users, who could replace the socket.
  case directoryOpenToOthers(path: String)
  /// The socket's directory or its parent belongs to another user, who could replace the socket.
  case directoryOfAnother(path: String, user: UInt32)
  /// The inherited descriptor is not a listening unix socket.
  case notListening(descriptor: Int32)
  case systemCall(SystemCallError)
  case eventLoop(String)

  package var description: String {
    switch self {
    case .pathTooLong(let path, let most):
      "the path of the socket is longer than \(most) bytes: \(path); give a shorter one"
    case .occupied(let path):
      "\(path) is there and is not a socket; move it away, or listen at another path"
    case .answering(let path):
      "another daemon answers at \(path); stop it, or listen at another path"
    case .directoryOpenToOthers(let path):
      "other users may write into \(path), and so put another socket in the place of ours;"
        + " chmod 700 it, or use a directory of your own"
    case .directoryOfAnother(let path, let user):
      "\(path) belongs to another user (uid \(user)), who could put another socket in the place of"
        + " ours; use a directory of your own"
    case .notListening(let descriptor):
      "descriptor \(descriptor) is not a listening unix socket; see systemd.socket(5)"
    case .systemCall(let error): "cannot listen: \(error)"
    case .eventLoop(let reason): "cannot listen: \(reason)"
    }
  }
}
