import Glibc

/// The listening socket that the service manager opened for the daemon, by the protocol of
/// sd_listen_fds(3). It keeps clients in its queue while the daemon restarts.
package enum ListenDescriptors {
  /// The first descriptor, as the protocol defines it.
  package static let first: Int32 = 3

  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(String)
    case several(Int)
    case notOpen
    case notListening
    case elsewhere(found: String, wanted: String)

    package var description: String {
      let reason =
        switch self {
        case .malformed(let text): "LISTEN_FDS is “\(text)”, which is not a number"
        case .several(let count): "\(count) sockets were passed, and one is wanted"
        case .notOpen: "LISTEN_FDS promises a socket, and none is open"
        case .notListening: "what was passed is not a listening Unix stream socket"
        case .elsewhere(let found, let wanted):
          "the socket that was passed is bound to \(found) and not to \(wanted)"
        }
      return "\(reason); correct the socket unit, or start the daemon without it"
    }
  }

  /// Returns the socket, if one was passed to this very process and not to a parent. The caller
  /// must close it, and child processes don't inherit it.
  package static func socket(
    boundTo path: [UInt8], environment: [String: String], processIdentifier: Int32 = getpid(),
    first: Int32 = first
  ) throws(Refusal) -> OpenFile? {
    guard environment["LISTEN_PID"] == String(processIdentifier),
      let text = environment["LISTEN_FDS"]
    else { return nil }
    guard let count = Int(text), count >= 0 else { throw .malformed(text) }
    if count == 0 { return nil }
    guard count == 1 else { throw .several(count) }
    let flags = fcntl(first, F_GETFD)
    guard flags >= 0, fcntl(first, F_SETFD, flags | FD_CLOEXEC) == 0 else { throw .notOpen }
    guard option(SO_ACCEPTCONN, of: first) == 1,
      option(SO_TYPE, of: first) == Int32(SOCK_STREAM.rawValue),
      let bound = boundPath(of: first)
    else { throw .notListening }
    guard bound == path else {
      throw .elsewhere(
        found: String(decoding: bound, as: UTF8.self), wanted: String(decoding: path, as: UTF8.self)
      )
    }
    return OpenFile(owning: first)
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }

  /// Returns the path of a Unix socket, empty if it has none; nil for another address family.
  private static func boundPath(of descriptor: Int32) -> [UInt8]? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    return withUnsafeBytes(of: &address.sun_path) { Array($0.prefix { $0 != 0 }) }
  }
}
