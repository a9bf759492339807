/// A request as a value.
struct WebRequest: Sendable {
  var method: String
  /// As it came, with what follows a question mark.
  var target: String
  /// In their order; names may have any case.
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// The IP address from which it comes.
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

  /// The target without what follows a question mark.
  var path: String { String(target.prefix { $0 != "?" }) }

  /// All values of a header.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The value of a header that comes once; nil where it comes never or several times.
  func value(of name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  var changesNothing: Bool { method == "GET" || method == "HEAD" }
  /// Whether it comes from this machine, or through a proxy on it.
  var isLocal: Bool { address.hasPrefix("127.") || address == "::1" }
}
