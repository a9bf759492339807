import CLinuxShims
import Glibc
import Platform

/// `crated web --try-to-escape`: makes the attempts of an attacker in the process, before and after
/// it confines itself, and reports which of them this system prevents.
package enum WebEscapeTrial {
  /// Confines this process permanently.
  ///
  /// - Parameter directory: The only directory that stays accessible.
  /// - Returns: A line for each attempt, and whether any of them succeeded.
  package static func run(in directory: String) -> (text: String, hasEscaped: Bool) {
    let socket = (try? ListeningSocket.listen(host: "127.0.0.1", port: 0).release()) ?? -1
    var text = ""
    let hasEscaped = EscapeAttempt.tryAll(attempts(on: socket)) {
      do throws(SystemCallError) {
        try ServingConfinement.enter(keeping: directory)
      } catch {
        text += "This system lacks a part of the confinement: \(error)\n"
      }
    } report: {
      text += $0
    }
    return (text, hasEscaped)
  }

  /// - Parameter socket: A socket that listens at a local port.
  private static func attempts(on socket: Int32) -> [EscapeAttempt] {
    [
      EscapeAttempt("make a socket for IPv4") { makes(AF_INET, SOCK_STREAM) },
      EscapeAttempt("make a socket for IPv6") { makes(AF_INET6, SOCK_STREAM) },
      EscapeAttempt("make a socket for datagrams") { makes(AF_INET, SOCK_DGRAM) },
      EscapeAttempt("make a socket for the kernel's network tables") {
        makes(AF_NETLINK, SOCK_RAW)
      },
      EscapeAttempt("make a socket for a virtual machine's host") { makes(AF_VSOCK, SOCK_STREAM) },
      EscapeAttempt("make a ring that makes sockets") { makesRing() },
      EscapeAttempt("connect a socket that listened") { connects(socket) },
      EscapeAttempt("open a file") { EscapeAttempt.opens("/proc/self/status", O_RDONLY) },
      EscapeAttempt("list a directory") { EscapeAttempt.opens("/", O_RDONLY | O_DIRECTORY) },
      EscapeAttempt("make a directory") { makesDirectory() },
      EscapeAttempt("start a program") { EscapeAttempt.startsProgram() },
    ]
  }

  private static func makes(_ family: Int32, _ type: __socket_type) -> Bool {
    EscapeAttempt.closes(socket(family, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
  }

  private static func makesRing() -> Bool {
    // struct io_uring_params.
    var parameters = [UInt8](repeating: 0, count: 120)
    return EscapeAttempt.closes(crated_make_ring(&parameters))
  }

  /// Whether an existing socket can be connected to another address. Tries a local one only, so
  /// that nothing leaves this machine.
  private static func connects(_ listening: Int32) -> Bool {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(listening, address, &length) == 0 else { return false }
        let twin = dup(listening)
        defer { close(twin) }
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: sockaddr().sa_data)
        guard connect(twin, &nowhere, socklen_t(MemoryLayout<sockaddr>.size)) == 0 else {
          return false
        }
        // A refusal by the other side shows that connecting was allowed.
        return connect(twin, address, length) == 0 || errno == ECONNREFUSED
          || errno == EINPROGRESS
      }
    }
  }

  private static func makesDirectory() -> Bool {
    let path = "/tmp/crated-escape-\(getpid())"
    return mkdir(path, 0o700) == 0 && rmdir(path) == 0
  }
}
