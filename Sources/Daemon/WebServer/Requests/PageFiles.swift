/// The files of the page, which are the same for all clients.
struct PageFiles: Sendable {
  private let files: [String: (kind: String, bytes: [UInt8], packed: [UInt8]?)]

  /// - Parameters:
  ///   - files: The files by name; `index.html` is served at `/`.
  ///   - packing: Returns the gzip form of a file, or nil if that is not shorter. Called once per
  ///     file.
  init(_ files: [String: [UInt8]], packing: ([UInt8]) -> [UInt8]?) {
    var all: [String: (kind: String, bytes: [UInt8], packed: [UInt8]?)] = [:]
    for (name, source) in files {
      let bytes = Self.withoutComments(source)
      let file = (Self.kind(of: name), bytes, packing(bytes))
      all[name == "index.html" ? "/" : "/\(name)"] = file
    }
    self.files = all
  }

  /// Returns the response for a path; nil if there is no such file.
  func response(for path: String, accepting encodings: [String]) -> WebResponse? {
    guard let file = files[path] else { return nil }
    var headers = ["Content-Type": file.kind, "Vary": "Accept-Encoding"]
    let takesPacked = encodings.flatMap { $0.split(separator: ",") }.contains { encoding in
      encoding.drop { $0 == " " }.prefix { $0 != ";" && $0 != " " }.lowercased() == "gzip"
        && !encoding.filter { $0 != " " }.hasSuffix(";q=0")
    }
    guard takesPacked, let packed = file.packed else {
      return WebResponse(200, headers: headers, body: file.bytes)
    }
    headers["Content-Encoding"] = "gzip"
    return WebResponse(200, headers: headers, body: packed)
  }

  /// Removes comment lines, which would be a fifteenth of the transferred bytes. Such a line begins
  /// with `//`, or begins with `/*` and ends with `*/`.
  private static func withoutComments(_ source: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let lines = source.split(separator: newline, omittingEmptySubsequences: false)
    let sent = lines.filter { line in
      let words = line.drop { $0 == UInt8(ascii: " ") }
      let isBlock = words.starts(with: "/*".utf8) && words.suffix(2).elementsEqual("*/".utf8)
      return !isBlock && !words.starts(with: "//".utf8)
    }
    return Array(sent.joined(separator: [newline]))
  }

  private static func kind(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}
