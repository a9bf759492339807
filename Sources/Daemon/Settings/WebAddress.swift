import Glibc

/// The address and the port at which `crated web` listens on this machine.
package struct WebAddress: Hashable, Sendable {
  /// The address in its shortest form, without brackets: `127.0.0.1`, `::1`.
  package let host: String
  /// The port, from 1 to 65,535.
  package let port: Int
  /// Four bytes for IPv4, 16 for IPv6, in network byte order.
  private let bytes: [UInt8]

  /// Reachable from this machine only.
  package static let usual = WebAddress(host: "127.0.0.1", port: 8337, bytes: [127, 0, 0, 1])

  private init(host: String, port: Int, bytes: [UInt8]) {
    self.host = host
    self.port = port
    self.bytes = bytes
  }

  /// Parses `127.0.0.1:8337` or `[::1]:8337`. Returns nil for anything else, such as a host name, a
  /// port of 0 or a zone (`%eth0`).
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = Self.port(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    let isIPv6 = host.first == "[" && host.last == "]"
    if isIPv6 { host = host.dropFirst().dropLast() }
    let family = isIPv6 ? AF_INET6 : AF_INET
    var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    guard !host.utf8.contains(0), inet_pton(family, String(host), &bytes) == 1 else { return nil }
    var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &shortest, socklen_t(shortest.count)) != nil else { return nil }
    let length = shortest.firstIndex(of: 0) ?? shortest.count
    self.init(
      host: String(decoding: shortest[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self),
      port: port, bytes: bytes)
  }

  private static func port(_ digits: Substring) -> Int? {
    let isPlain = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain, digits.first != "0", let port = Int(digits), port <= 65_535 else { return nil }
    return port
  }

  /// The address as it is written in the settings.
  package var text: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  package var isIPv6: Bool { bytes.count == 16 }

  /// Whether it can be reached from this machine only.
  package var isLoopback: Bool {
    isIPv6 ? bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 } : bytes.first == 127
  }

  /// Whether it means all addresses of this machine: `0.0.0.0`, `[::]`.
  package var isEverywhere: Bool { bytes.allSatisfy { $0 == 0 } }

  /// A warning for the user, as a sentence without its full stop; nil for a loopback address.
  package var warning: String? {
    isLoopback
      ? nil
      : "crated web serves the page at \(text) without encryption: others on that network can read"
        + " along (see web in crated.toml(5))"
  }
}
