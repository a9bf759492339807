import Glibc
package import Platform

/// A listening TCP socket.
package enum ListeningSocket {
  /// Listens at an address of this machine.
  ///
  /// - Parameters:
  ///   - host: An IPv4 or IPv6 address, without brackets.
  ///   - port: 1 to 65,535, or 0 for any free port.
  /// - Throws: EADDRINUSE if another program listens there, EADDRNOTAVAIL if the machine doesn't
  ///   have the address (yet), EINVAL for an invalid address, and the errors of socket(7).
  package static func listen(
    host: String, port: Int, backlog: Int32 = WebLimits().backlog
  ) throws(SystemCallError) -> OpenFile {
    let place = "\(host):\(port)"
    var address = sockaddr_storage()
    guard let (family, length) = fill(&address, host, port) else {
      throw SystemCallError("bind", place, code: EINVAL)
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw SystemCallError("socket", place) }
    let opened = OpenFile(owning: descriptor)
    // Allows a restart while connections of the former process are in TIME_WAIT.
    var yes: Int32 = 1
    setsockopt(
      opened.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(opened.descriptor, $0, length)
      }
    }
    guard result == 0 else { throw SystemCallError("bind", place) }
    guard Glibc.listen(opened.descriptor, backlog) == 0 else {
      throw SystemCallError("listen", place)
    }
    return opened
  }

  private static func fill(
    _ storage: inout sockaddr_storage, _ host: String, _ port: Int
  ) -> (family: Int32, length: socklen_t)? {
    let port = in_port_t(port).bigEndian
    return withUnsafeMutableBytes(of: &storage) { room -> (Int32, socklen_t)? in
      var four = sockaddr_in()
      if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port
        room.storeBytes(of: four, as: sockaddr_in.self)
        return (AF_INET, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
      var six = sockaddr_in6()
      guard inet_pton(AF_INET6, host, &six.sin6_addr) == 1 else { return nil }
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port
      room.storeBytes(of: six, as: sockaddr_in6.self)
      return (AF_INET6, socklen_t(MemoryLayout<sockaddr_in6>.size))
    }
  }
}
