import Glibc
import Platform

/// The address of an MPD.
package struct MPDAddress: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// A path, or an abstract socket name with a leading NUL.
    case local([UInt8])
    case network(host: String, port: String)
  }

  var place: Place
  var password: String?

  /// The address shown to the user.
  var text: String {
    switch place {
    case .local(let path): String(decoding: path, as: UTF8.self)
    case .network(let host, let port): "\(host):\(port)"
    }
  }

  /// Whether this MPD accepts paths of this machine: it does over a local socket only.
  var isLocal: Bool { if case .local = place { true } else { false } }

  /// The path of the socket; nil for an abstract socket or a network address.
  var path: String? {
    guard case .local(let path) = place, path.first != 0 else { return nil }
    return String(decoding: path, as: UTF8.self)
  }

  private static let usualPort = "6600"

  /// Returns the addresses to try. The first of these that applies:
  /// 1. The setting.
  /// 2. `MPD_HOST` and `MPD_PORT`, read as libmpdclient reads them.
  /// 3. MPD's default addresses.
  package static func all(
    set path: String?, _ environment: (String) -> String?
  ) -> [MPDAddress] {
    if let path { return [MPDAddress(place: .local(Array(path.utf8)))] }
    let port = environment("MPD_PORT") ?? usualPort
    if var host = environment("MPD_HOST") {
      var password: String?
      if let at = host.dropFirst().firstIndex(of: "@") {
        password = String(host[..<at])
        host = String(host[host.index(after: at)...])
      }
      let place: Place =
        switch host.first {
        case "/": .local(Array(host.utf8))
        case "@": .local([0] + Array(host.utf8.dropFirst()))
        default: .network(host: host, port: port)
        }
      return [MPDAddress(place: place, password: password)]
    }
    if environment("MPD_PORT") != nil {
      return [MPDAddress(place: .network(host: "localhost", port: port))]
    }
    let runtime = environment("XDG_RUNTIME_DIR").map { "\($0)/mpd/socket" }
    return [runtime, "/run/mpd/socket"].compactMap(\.self).map {
      MPDAddress(place: .local(Array($0.utf8)))
    } + [MPDAddress(place: .network(host: "localhost", port: usualPort))]
  }

  /// Returns nil if nothing answers in time.
  func connected(until: Int64) -> LineConnection? {
    switch place {
    case .local(let path): LineConnection(local: path)
    case .network(let host, let port): Self.connected(host, port, until)
    }
  }

  /// Connects to the first of the host's addresses that accepts.
  private static func connected(_ host: String, _ port: String, _ until: Int64) -> LineConnection? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var next = list
    while let info = next?.pointee {
      next = info.ai_next
      let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(info.ai_family, info.ai_socktype | flags, info.ai_protocol)
      if descriptor < 0 { continue }
      let connection = OpenFile(owning: descriptor)
      if connect(descriptor, info.ai_addr, info.ai_addrlen) != 0 {
        guard errno == EINPROGRESS, isReady(descriptor, for: POLLOUT, until: until)
        else { continue }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if code != 0 { continue }
      }
      return LineConnection(connection)
    }
    return nil
  }
}
