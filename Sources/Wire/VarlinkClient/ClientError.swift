package import CratesInterface
package import Platform

/// The reason why a call got no reply.
package enum ClientError: Error, Sendable, CustomStringConvertible {
  /// Nothing listens at the socket: it doesn't exist or is stale.
  case notRunning(path: String)
  /// A process of another user listens at the socket.
  case notOurs(path: String, user: UInt32)
  /// The backlog of the daemon's socket is full.
  case crowded(path: String)
  /// The daemon refused the call.
  case refused(InterfaceError)
  /// The daemon closed the connection before the reply was complete.
  case closed
  /// The data is not a Varlink reply, or not one that this version can read.
  case unreadable(String)
  case pathTooLong(path: String)
  /// The call is longer than the server accepts.
  case messageTooLong
  case systemCall(SystemCallError)

  package var description: String {
    switch self {
    case .notRunning(let path): "nobody listens at \(path)"
    case .notOurs(let path, let user):
      "whoever listens at \(path) is another user (uid \(user)), and no crated of yours"
    case .crowded: "too many connections wait for crated"
    case .refused(let error): error.message
    case .closed: "crated closed the connection before its answer was complete"
    case .unreadable(let reason): "the daemon's answer cannot be read: \(reason)"
    case .pathTooLong(let path): "the path of the socket is too long: \(path)"
    case .messageTooLong: "the call would be longer than \(Interface.messageBytesMost >> 20) MiB"
    case .systemCall(let error): "\(error)"
    }
  }
}
