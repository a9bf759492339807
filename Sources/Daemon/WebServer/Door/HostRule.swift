import Glibc

/// The host names under which the page may be requested. Prevents DNS rebinding, in which a foreign
/// page reaches this server under a name of its own.
package struct HostRule: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - machine: The name of this machine. Only the part before the first dot counts.
  ///   - others: The setting `web_names`.
  package init(machine: String, others: [String]) {
    let own = machine.split(separator: ".").first.map { $0.lowercased() }
    names = Set(
      ["localhost"] + (own.map { [$0, "\($0).local"] } ?? []) + others.map { $0.lowercased() })
  }

  /// Whether the `Host` header is an IP address or one of the names, with any port.
  func allows(_ host: String) -> Bool {
    guard let name = Self.name(in: host) else { return false }
    return Self.isAddress(name) || names.contains(name)
  }

  /// Whether the origin is the page itself, so that its requests may change something.
  static func isSame(origin: String, host: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
      return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
    }
    return false
  }

  /// Returns the name in lower case, without port and final dot, or an IPv6 address without
  /// brackets. Nil if the header is malformed.
  private static func name(in host: String) -> String? {
    var rest = Substring(host.lowercased())
    var name: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      name = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
      guard name.contains(":") else { return nil }
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      name = rest[..<end]
      rest = rest[end...]
      if name.last == "." { name.removeLast() }
    }
    if !rest.isEmpty {
      let port = rest.dropFirst()
      guard rest.first == ":", !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) })
      else { return nil }
    }
    return name.isEmpty ? nil : String(name)
  }

  private static func isAddress(_ name: String) -> Bool {
    var address = in6_addr()
    return inet_pton(name.contains(":") ? AF_INET6 : AF_INET, name, &address) == 1
  }
}
