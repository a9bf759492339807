import Glibc

/// By which names the window may be asked for, so that no page of a stranger reaches it by a name
/// of its own that leads to this machine (DNS rebinding).
package struct HostRule: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - machine: the name of this machine; of one with dots, what is before the first counts.
  ///   - others: the setting `web_names`.
  package init(machine: String, others: [String]) {
    let own = machine.split(separator: ".").first.map { $0.lowercased() }
    names = Set(
      ["localhost"] + (own.map { [$0, "\($0).local"] } ?? []) + others.map { $0.lowercased() })
  }

  /// Whether the `Host` header has an IP address or one of the names, with any port.
  func allows(_ host: String) -> Bool {
    guard let name = Self.name(in: host) else { return false }
    return Self.isAddress(name) || names.contains(name)
  }

  /// Whether a page of this origin may send requests that change something: it is the window's own.
  static func isSame(origin: String, host: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
      return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
    }
    return false
  }

  /// The name without port and final dot, in lower case; an IPv6 address without its brackets. Nil
  /// where it is none.
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
