package import CratesInterface
package import Platform

/// Why a call got no reply.
package enum ClientError: Error, Sendable, CustomStringConvertible {
  /// Nobody listens at the socket: it is not there, or left over.
  case notRunning(path: String)
  /// Another user's program listens there.
  case notOurs(path: String, user: UInt32)
  /// The daemon has so many connections to accept that there is no room for one more.
  case crowded(path: String)
  /// The daemon refused the call.
  case refused(InterfaceError)
  /// The daemon closed the connection before the answer was complete.
  case closed
  /// What came is not a Varlink reply, or one this program cannot read.
  case unreadable(String)
  case pathTooLong(path: String)
  /// The server would not take so long a message.
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
