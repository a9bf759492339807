/// The file: URIs of the interface (RFC 8089).
package enum FileURI {
  private static let beginning = Array("file://".utf8)

  /// The exact bytes of the path; nil where it is no absolute path on this machine.
  package static func path(_ uri: String) -> [UInt8]? {
    let bytes = Array(uri.utf8)
    guard bytes.starts(with: beginning) else { return nil }
    var path: [UInt8] = []
    var rest = bytes[beginning.count...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      path.append(high << 4 | low)
    }
    return path.first == UInt8(ascii: "/") && !path.contains(0) ? path : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
