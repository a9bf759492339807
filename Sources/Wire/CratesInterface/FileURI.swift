import Text

/// The file: URIs of the interface (RFC 8089).
package enum FileURI {
  private static let beginning = Array("file://".utf8)

  /// Returns the exact bytes of the path; nil if it is not an absolute local path.
  package static func path(_ uri: String) -> [UInt8]? {
    let bytes = Array(uri.utf8)
    guard bytes.starts(with: beginning) else { return nil }
    guard let path = percentDecoded(bytes[beginning.count...]), path.first == UInt8(ascii: "/"),
      !path.contains(0)
    else { return nil }
    return path
  }
}
