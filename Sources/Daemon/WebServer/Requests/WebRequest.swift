/// An HTTP request.
struct WebRequest: Sendable {
  var method: String
  /// The request target with its query.
  var target: String
  /// The headers in order; names may have any case.
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// The client's IP address.
  var address: String

  init(
    _ method: String, _ target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], address: String = "127.0.0.1"
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.address = address
  }

  /// The target without its query.
  var path: String { String(target.prefix { $0 != "?" }) }

  /// Returns all values of a header.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Returns the value of a header; nil if it is missing or occurs several times.
  func value(of name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  var changesNothing: Bool { method == "GET" || method == "HEAD" }
  /// Whether the request comes from this machine, or through a proxy on it.
  var isLocal: Bool { address.hasPrefix("127.") || address == "::1" }
}
