/// Packs numbers and texts into bytes. Small numbers take few bytes.
struct PackedWriter {
  private(set) var bytes: [UInt8] = []

  init(reserving capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes seven bits per byte, the lowest first.
  mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a signed number. Numbers near 0 take few bytes.
  mutating func put(signed number: Int64) {
    put(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  /// Writes eight bytes.
  mutating func put(fixed number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Writes a text. A UUID, such as a MusicBrainz id, takes half the bytes.
  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      if let id = PackedUUID(utf8) {
        put(UInt64(PackedUUID.length))
        bytes.append(PackedUUID.mark)
        put(fixed: id.high.byteSwapped)
        put(fixed: id.low.byteSwapped)
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

/// Reads what `PackedWriter` wrote. For other bytes the results are undefined, but it never reads
/// beyond the end: it sets `hasFailed` instead.
struct PackedReader {
  private let packed: [UInt8]
  private(set) var place = 0
  private(set) var hasFailed = false

  init(_ packed: [UInt8]) {
    self.packed = packed
  }

  /// Whether everything was read, and nothing beyond the end.
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
    let range = range()
    if range.count == PackedUUID.length, packed[range.lowerBound] == PackedUUID.mark {
      return PackedUUID.text(packed[range].dropFirst())
    }
    return String(decoding: packed[range], as: UTF8.self)
  }

  mutating func bytes() -> [UInt8] {
    Array(packed[range()])
  }

  mutating func skip(numbers: Int = 0, texts: Int = 0) {
    for _ in 0..<numbers { _ = number() }
    for _ in 0..<texts { _ = range() }
  }

  /// Reads the length of a text and returns its range.
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

/// A UUID in place of a text: a marker byte and its 16 bytes.
private struct PackedUUID {
  /// The marker, which is not valid in UTF-8, so no text begins with it.
  static let mark: UInt8 = 0xFF
  static let length = 17

  private(set) var high: UInt64 = 0
  private(set) var low: UInt64 = 0

  private static func hasDash(at place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }

  /// Returns nil for any other text, including a UUID that would not round-trip, such as one in
  /// capitals.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count != 36 { return nil }
    for (place, letter) in text.enumerated() {
      let digit: UInt8
      switch letter {
      case UInt8(ascii: "-") where Self.hasDash(at: place): continue
      case _ where Self.hasDash(at: place): return nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = letter - UInt8(ascii: "a") + 10
      default: return nil
      }
      if place <= 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
    }
  }

  static func text(_ digits: ArraySlice<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for byte in digits {
        if hasDash(at: place) {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        for digit in [byte >> 4, byte & 0xF] {
          text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
          place += 1
        }
      }
      return place
    }
  }
}
