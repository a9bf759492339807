import Glibc
import LibraryModel
import Platform

extension ArraySlice<UInt8> {
  /// Returns the index of the first such byte: `firstIndex(of:)`, many bytes at a time.
  func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return startIndex + start.distance(to: UnsafeRawPointer(found))
    }
  }

  /// The number of line feeds.
  var lineCount: Int {
    withUnsafeBytes { bytes in
      var count = 0
      for byte in bytes where byte == 0x0A { count &+= 1 }
      return count
    }
  }
}

// MARK: A word, or the rest of a line, as the value that it stands for

extension ArraySlice<UInt8> {
  /// Parses a time into milliseconds since 1970.
  func time() throws(ParseError) -> Int64 {
    guard let time = Timestamp.milliseconds(self) else { throw ParseError("a bad time") }
    return time
  }

  func count() throws(ParseError) -> Int {
    guard let number = Int(display), number >= 0 else {
      throw ParseError("\(display) is not a number")
    }
    return number
  }

  func text() throws(ParseError) -> String {
    guard let bytes = Escaping.decoded(self), let text = String(validating: bytes, as: UTF8.self)
    else { throw ParseError("\(display) is not text") }
    return text
  }

  func path() throws(ParseError) -> BytePath {
    guard let bytes = Escaping.decoded(self), bytes.first == UInt8(ascii: "/") else {
      throw ParseError("a path is missing, or is not absolute")
    }
    return BytePath(bytes)
  }

  /// The text for messages.
  var display: String { String(decoding: self, as: UTF8.self) }
}
