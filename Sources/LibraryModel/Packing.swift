/// Puts numbers and texts one behind the other, small numbers in few bytes.
struct PackedWriter {
  private(set) var bytes: [UInt8] = []

  init(reserving capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Seven bits a byte, the lowest first.
  mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Near to 0, in few bytes on both sides of it.
  mutating func put(signed number: Int64) {
    put(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  /// Always eight bytes.
  mutating func put(fixed number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// The text of a UUID, as MusicBrainz gives recordings and releases, takes half the bytes.
  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      if let digits = PackedUUID.digits(utf8) {
        put(UInt64(1 + digits.count))
        bytes.append(PackedUUID.mark)
        bytes += digits
      } else {
        put(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
      }
    }
  }

  mutating func put(_ name: [UInt8]) {
    put(UInt64(name.count))
    bytes += name
  }
}

/// Reads what `PackedWriter` wrote. Of bytes that it did not write it makes nonsense, but never
/// goes beyond them: then it has failed.
struct PackedReader {
  private let packed: [UInt8]
  private(set) var place = 0
  private(set) var hasFailed = false

  init(_ packed: [UInt8]) {
    self.packed = packed
  }

  /// Whether all was read, and nothing beyond.
  var isWhole: Bool { place == packed.count && !hasFailed }

  mutating func number() -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while place < packed.count, shift < 64 {
      let byte = packed[place]
      place += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    hasFailed = true
    return 0
  }

  mutating func signed() -> Int64 {
    let number = number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func fixed() -> UInt64 {
    guard packed.count - place >= 8 else {
      hasFailed = true
      return 0
    }
    var result: UInt64 = 0
    for index in 0..<8 { result |= UInt64(packed[place + index]) << UInt64(8 * index) }
    place += 8
    return result
  }

  mutating func text() -> String {
    let text = packed[range()]
    return PackedUUID.text(text) ?? String(decoding: text, as: UTF8.self)
  }

  mutating func bytes() -> [UInt8] {
    Array(packed[range()])
  }

  mutating func skip(numbers: Int = 0, texts: Int = 0) {
    for _ in 0..<numbers { _ = number() }
    for _ in 0..<texts { _ = range() }
  }

  /// Of a text.
  private mutating func range() -> Range<Int> {
    let length = number()
    guard length <= UInt64(packed.count - place) else {
      hasFailed = true
      return place..<place
    }
    defer { place += Int(length) }
    return place..<(place + Int(length))
  }
}

/// A UUID among texts: a mark and its 16 bytes.
private enum PackedUUID {
  /// No text begins with it: it is in no UTF-8.
  static let mark: UInt8 = 0xFF
  private static let dashes = [8, 13, 18, 23]

  /// Nil for another text, or one that would not come back as it was, such as one in capitals.
  static func digits(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count == 36, dashes.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var place = 0
    while place < text.count {
      if dashes.contains(place) { place += 1 }
      guard let high = value(text[place]), let low = value(text[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
      place += 2
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  static func text(_ packed: ArraySlice<UInt8>) -> String? {
    guard packed.count == 17, packed.first == mark else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for byte in packed.dropFirst() {
      if dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
      for digit in [byte >> 4, byte & 0xF] {
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
