import CratesInterface

/// An HTTP response.
struct WebResponse: Sendable, Hashable {
  var status: Int
  /// The headers besides `always`.
  var headers: [String: String]
  var body: [UInt8]

  init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns a response with one sentence of plain text.
  static func text(
    _ status: Int, _ sentence: String, headers: [String: String] = [:]
  ) -> Self {
    var headers = headers
    headers["Content-Type"] = "text/plain; charset=utf-8"
    return Self(status, headers: headers, body: Array(sentence.utf8) + [UInt8(ascii: "\n")])
  }

  static func json(_ json: JSON) -> Self { .json(200, json.bytes) }

  static func json(_ status: Int, _ bytes: [UInt8]) -> Self {
    Self(status, headers: ["Content-Type": "application/json"], body: bytes)
  }

  /// The response to a client without a valid key.
  static let notLetIn = text(401, "Not let in.", headers: ["WWW-Authenticate": "Bearer"])
  static let tooManyTries = text(429, "Too many tries.", headers: ["Retry-After": "1"])
  static let daemonIsAway = text(503, "Crated is away.", headers: ["Retry-After": "1"])
  static let isBusy = text(503, "Too many requests at once.", headers: ["Retry-After": "1"])
  static let tooManyStreams = text(429, "Too many streams.", headers: ["Retry-After": "5"])

  /// The headers of every response, including errors and pictures. Foreign content can't be run,
  /// framed, embedded or cached, and no header names a program, user or machine.
  static let always: [String: String] = [
    "Content-Security-Policy": [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
      "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; "),
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  ]

  /// The headers together with `always`.
  var allHeaders: [String: String] { Self.always.merging(headers) { $1 } }
}
