extension BytePath {
  /// The exact path as a file: URI (RFC 8089), every byte that needs it percent-encoded.
  package var fileURI: String {
    let hex = Array("0123456789ABCDEF".utf8)
    var uri = Array("file://".utf8)
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: uri.append(byte)
      default: uri += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: uri, as: UTF8.self)
  }

  /// The path in a file: URI or an absolute path; nil for anything else.
  package init?(uriOrPath text: String) {
    if text.hasPrefix("/") {
      self.init(text)
      return
    }
    guard text.hasPrefix("file:///") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8.dropFirst("file://".utf8.count))[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        // A sign is no digit.
        guard digits.count == 2, digits.allSatisfy(\.isHexDigit),
          let value = UInt8(digits, radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    self.init(bytes)
  }
}
