import Glibc

/// Reports the daemon's state to the service manager by the datagrams of sd_notify(3).
///
/// The daemon also runs without a service manager, so no call here blocks or fails. Each returns
/// whether its message was accepted: a manager that is behind loses what a full socket can't hold.
package struct ServiceNotification: Sendable {
  /// The interval in which the service manager expects `watchdog()`, in nanoseconds; nil if it
  /// doesn't. Call it twice as often.
  package let watchdogInterval: Int64?

  private let address: sockaddr_un?
  private let addressLength: socklen_t
  private let clock: Clock

  package init(
    environment: [String: String], processIdentifier: Int32 = getpid(), clock: Clock = .system
  ) {
    self.clock = clock
    (address, addressLength) = notifyAddress(environment["NOTIFY_SOCKET"] ?? "")
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    let isForUs = environment["WATCHDOG_PID"].map { $0 == String(processIdentifier) } ?? true
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    watchdogInterval = isForUs && nanoseconds > 0 && !overflow ? nanoseconds : nil
  }

  /// Reports that the daemon has recovered and listens. Also ends a reload.
  @discardableResult
  package func ready(status: String? = nil) -> Bool {
    send(["READY=1"] + statusLine(status))
  }

  @discardableResult
  package func reloading() -> Bool {
    send(["RELOADING=1", "MONOTONIC_USEC=\(clock.monotonic() / 1000)"])
  }

  @discardableResult
  package func stopping(status: String? = nil) -> Bool {
    send(["STOPPING=1"] + statusLine(status))
  }

  /// Reports a status line for the user.
  @discardableResult
  package func status(_ text: String) -> Bool {
    send(statusLine(text))
  }

  @discardableResult
  package func watchdog() -> Bool {
    send(["WATCHDOG=1"])
  }

  private func statusLine(_ text: String?) -> [String] {
    guard let text else { return [] }
    // A line break would start another variable of the message.
    let words = text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }
    return ["STATUS=" + words.joined()]
  }

  private func send(_ lines: [String]) -> Bool {
    guard var address else { return false }
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return false }
    let socket = OpenFile(owning: descriptor)
    let message = Array(lines.joined(separator: "\n").utf8)
    let count = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        retrying {
          sendto(
            socket.descriptor, message, message.count, Int32(MSG_NOSIGNAL), name,
            addressLength)
        }
      }
    }
    return count == message.count
  }
}

/// Returns the address in NOTIFY_SOCKET: a path, or `@` and an abstract name. Anything else, such
/// as a vsock of a virtual machine, is not supported.
private func notifyAddress(_ text: String) -> (sockaddr_un?, socklen_t) {
  var bytes = Array(text.utf8)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let room = MemoryLayout.size(ofValue: address.sun_path)
  let isAbstract = bytes.first == UInt8(ascii: "@")
  // An abstract name ends where its length says, a path at its NUL.
  let ending = isAbstract ? 0 : 1
  guard isAbstract || bytes.first == UInt8(ascii: "/"), bytes.count + ending <= room
  else { return (nil, 0) }
  if isAbstract { bytes[0] = 0 }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  return (address, socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count + ending))
}
