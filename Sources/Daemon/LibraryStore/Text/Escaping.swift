/// How free text becomes part of a line: bytes below 0x20, 0x7F, `%` and bytes that are not UTF-8
/// are written as %XX, so that any name survives byte for byte and a line is always a line. In a
/// word, blanks are too.
enum Escaping {
  static func append(_ bytes: some Collection<UInt8>, asWord: Bool = false, to line: inout [UInt8])
  {
    if let plain = bytes.withContiguousStorageIfAvailable({ isPlain($0, asWord: asWord) }), plain {
      line.append(contentsOf: bytes)
      return
    }
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      let length = byte < 0x80 ? 1 : sequenceLength(rest)
      if length == 0 || (length == 1 && isEscaped(byte, asWord: asWord)) {
        line += [percent, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        rest = rest.dropFirst()
      } else {
        line += rest.prefix(length)
        rest = rest.dropFirst(length)
      }
    }
  }

  /// Nil where a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.place(of: percent) != nil else { return Array(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = text.startIndex
    while place < text.endIndex {
      if text[place] == percent {
        guard text.endIndex - place >= 3, let high = digit(text[place + 1]),
          let low = digit(text[place + 2])
        else { return nil }
        result.append(high << 4 | low)
        place += 3
      } else {
        result.append(text[place])
        place += 1
      }
    }
    return result
  }

  private static let percent = UInt8(ascii: "%")
  private static let hex = Array("0123456789ABCDEF".utf8)

  private static func isEscaped(_ byte: UInt8, asWord: Bool) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == percent || (asWord && byte == 0x20)
  }

  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>, asWord: Bool) -> Bool {
    for byte in bytes where byte >= 0x80 || isEscaped(byte, asWord: asWord) { return false }
    return true
  }

  /// Bytes of the UTF-8 sequence that begins here; 0 where none does (Unicode 15, table 3-7).
  private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int {
    let start = bytes.startIndex
    func isNext(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      start + offset < bytes.endIndex && range.contains(bytes[start + offset])
    }
    switch bytes[start] {
    case 0xC2...0xDF: return isNext(1) ? 2 : 0
    case 0xE0: return isNext(1, 0xA0...0xBF) && isNext(2) ? 3 : 0
    case 0xE1...0xEC, 0xEE...0xEF: return isNext(1) && isNext(2) ? 3 : 0
    case 0xED: return isNext(1, 0x80...0x9F) && isNext(2) ? 3 : 0
    case 0xF0: return isNext(1, 0x90...0xBF) && isNext(2) && isNext(3) ? 4 : 0
    case 0xF1...0xF3: return isNext(1) && isNext(2) && isNext(3) ? 4 : 0
    case 0xF4: return isNext(1, 0x80...0x8F) && isNext(2) && isNext(3) ? 4 : 0
    default: return 0
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
