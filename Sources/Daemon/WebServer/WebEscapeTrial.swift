import CLinuxShims
import Glibc
import Platform

/// `crated web --try-to-escape`: tries what somebody who broke into the process would, before it
/// confines itself and after, and says what this system keeps it from.
package enum WebEscapeTrial {
  /// Confines this process for good.
  ///
  /// - Parameter directory: the one that is left to it.
  /// - Returns: a line for each attempt, and whether any was possible.
  package static func run(in directory: String) -> (text: String, hasEscaped: Bool) {
    let socket = (try? ListeningSocket.listen(host: "127.0.0.1", port: 0).release()) ?? -1
    let before = attempts.map { $0.isPossible(socket) }
    var text = ""
    do throws(SystemCallError) {
      try ServingConfinement.enter(keeping: directory)
    } catch {
      text += "This system lacks a part of the confinement: \(error)\n"
    }
    var hasEscaped = false
    for (attempt, wasPossible) in zip(attempts, before) {
      errno = 0
      let isPossible = attempt.isPossible(socket)
      let reason = String(cString: strerror(errno))
      hasEscaped = hasEscaped || isPossible
      let found =
        isPossible ? "ESCAPED" : wasPossible ? "refused (\(reason))" : "never possible"
      text += "\(attempt.name): \(found)\n"
    }
    return (text, hasEscaped)
  }

  private struct Attempt: Sendable {
    let name: String
    /// Is given a socket that listens at a port of this machine.
    let isPossible: @Sendable (Int32) -> Bool
  }

  private static let attempts = [
    Attempt(name: "make a socket for IPv4") { _ in makes(AF_INET, SOCK_STREAM) },
    Attempt(name: "make a socket for IPv6") { _ in makes(AF_INET6, SOCK_STREAM) },
    Attempt(name: "make a socket for datagrams") { _ in makes(AF_INET, SOCK_DGRAM) },
    Attempt(name: "make a socket for the kernel's network tables") { _ in
      makes(AF_NETLINK, SOCK_RAW)
    },
    Attempt(name: "make a socket for a virtual machine's host") { _ in
      makes(AF_VSOCK, SOCK_STREAM)
    },
    Attempt(name: "make a ring that makes sockets") { _ in makesRing() },
    Attempt(name: "connect a socket that listened") { connects($0) },
    Attempt(name: "open a file") { _ in opens("/proc/self/status", O_RDONLY) },
    Attempt(name: "list a directory") { _ in opens("/", O_RDONLY | O_DIRECTORY) },
    Attempt(name: "make a directory") { _ in makesDirectory() },
    Attempt(name: "start a program") { _ in startsProgram() },
  ]

  private static func makes(_ family: Int32, _ type: __socket_type) -> Bool {
    closes(socket(family, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
  }

  private static func makesRing() -> Bool {
    // struct io_uring_params.
    var parameters = [UInt8](repeating: 0, count: 120)
    return closes(crated_make_ring(&parameters))
  }

  /// Whether a socket that we have leads to another place: one of this very machine, which nobody
  /// else hears of.
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
        // Refused by the other side: the way there was open.
        return connect(twin, address, length) == 0 || errno == ECONNREFUSED
          || errno == EINPROGRESS
      }
    }
  }

  private static func opens(_ path: String, _ flags: Int32) -> Bool {
    closes(open(path, flags | O_CLOEXEC, 0o600))
  }

  private static func makesDirectory() -> Bool {
    let path = "/tmp/crated-escape-\(getpid())"
    return mkdir(path, 0o700) == 0 && rmdir(path) == 0
  }

  private static func closes(_ descriptor: Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  private static func startsProgram() -> Bool {
    var process: pid_t = 0
    let error = posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
    guard error == 0 else {
      errno = error
      return false
    }
    _ = retrying { waitpid(process, nil, 0) }
    return true
  }
}
