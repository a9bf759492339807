import Text

extension BytePath {
  /// The exact path as a file: URI (RFC 8089), with every byte that needs it percent-encoded.
  package var fileURI: String {
    "file://" + percentEscaped(bytes, leaving: .path)
  }

  /// Creates a path from a file: URI or an absolute path. Returns nil for anything else.
  package init?(uriOrPath text: String) {
    if text.hasPrefix("/") {
      self.init(text)
      return
    }
    guard text.hasPrefix("file:///") else { return nil }
    guard let bytes = percentDecoded(Array(text.utf8.dropFirst("file://".utf8.count))) else {
      return nil
    }
    self.init(bytes)
  }
}
