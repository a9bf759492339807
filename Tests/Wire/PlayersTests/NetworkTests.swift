import Glibc
import Platform
import TestSupport
import Testing

@testable import Players

/// Reaching an MPD by TCP.
@Suite("An MPD of the network", .limited)
struct NetworkTests {
  /// Something that listens on a port of this machine, and takes nobody until it is told to.
  private final class Listener {
    let port: String
    private var descriptors: [Int32]

    init() throws {
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      descriptors = [descriptor]
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0 && listen(descriptor, 0) == 0
            && getsockname(descriptor, $0, &size) == 0
        }
      }
      try #require(isBound)
      port = "\(UInt16(bigEndian: address.sin_port))"
    }

    /// Has one connection wait: the kernel lets no more wait, and others try again.
    func fill() throws {
      let address = MPDAddress(place: .network(host: "127.0.0.1", port: port))
      try #require(isThere(address, until: Patience.end))
    }

    /// Returns when somebody tries to connect, and the kernel has not let them.
    func waitUntilTried() throws {
      let hex = String(UInt16(port) ?? 0, radix: 16, uppercase: true)
      let wanted = ":" + String(repeating: "0", count: 4 - hex.count) + hex + " 02 "
      let isTried = try happensInTime {
        String(decoding: try readFile("/proc/net/tcp"), as: UTF8.self).contains(wanted)
      }
      #expect(isTried)
    }

    func take() { descriptors.append(accept(descriptors[0], nil, nil)) }

    func close() {
      for descriptor in descriptors where descriptor >= 0 {
        // Also for a process that another test starts just then.
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
      }
      descriptors = []
    }

    deinit { close() }
  }

  private func address(_ listener: Listener) -> MPDAddress {
    MPDAddress(place: .network(host: "127.0.0.1", port: listener.port))
  }

  /// Whether a connection came about that began while the listener was full.
  private func connects(
    to listener: Listener, until: Int64, _ meanwhile: () throws -> Void
  ) throws -> Bool {
    try listener.fill()
    let address = address(listener)
    let found = Monitor<Bool?>(nil)
    let thread = BlockingThread("connecting") {
      let isThere = isThere(address, until: until)
      found.withLock { $0 = isThere }
    }
    defer { thread.join() }
    try listener.waitUntilTried()
    try meanwhile()
    return found.wait { $0 }
  }

  @Test("one that takes its time is waited for")
  func late() throws {
    let listener = try Listener()
    #expect(try connects(to: listener, until: Patience.end) { listener.take() })
  }

  @Test("one that goes away meanwhile is nobody")
  func gone() throws {
    let listener = try Listener()
    #expect(try !connects(to: listener, until: Patience.end) { listener.close() })
  }

  @Test("one that takes nobody is waited for until the time is over")
  func never() throws {
    let listener = try Listener()
    let until = Clock.system.monotonic() + 3_000_000_000
    #expect(try !connects(to: listener, until: until) {})
    #expect(Clock.system.monotonic() >= until)
  }

  @Test("one that would answer at once is nobody when the time is over")
  func over() throws {
    let listener = try Listener()
    #expect(!isThere(address(listener), until: Clock.system.monotonic()))
  }

  @Test("of the addresses of a host, one is enough that answers")
  func several() throws {
    let listener = try Listener()
    let local = MPDAddress(place: .network(host: "localhost", port: listener.port))
    #expect(isThere(local, until: Patience.end))
  }

  @Test("where nobody listens, and where no such port is, is nobody")
  func nobody() throws {
    let listener = try Listener()
    let address = address(listener)
    listener.close()
    #expect(!isThere(address, until: Patience.end))
    let nowhere = MPDAddress(place: .network(host: "127.0.0.1", port: "no port"))
    #expect(!isThere(nowhere, until: Patience.end))
  }
}

private func isThere(_ address: MPDAddress, until: Int64) -> Bool {
  switch address.connected(until: until) {
  case .some: true
  case nil: false
  }
}
