import CXXHash

/// The permanent id of an album: 12 characters, the first one a letter. Stored as 60 bits.
package struct AlbumID: Hashable, Sendable, BitwiseCopyable, Comparable, CustomStringConvertible {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }

  /// Returns nil unless the text is a complete id.
  package init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let number = text.withUTF8(IdentifierText.number) else { return nil }
    self.number = number
  }

  /// Returns nil unless the bytes are the text of a complete id.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let number = IdentifierText.number(text) else { return nil }
    self.number = number
  }

  package var description: String { IdentifierText.text(number) }

  package static func < (left: AlbumID, right: AlbumID) -> Bool { left.number < right.number }
}

/// The permanent id of a song: 12 characters, the first one a letter. Stored as 60 bits.
package struct SongID: Hashable, Sendable, BitwiseCopyable, Comparable, CustomStringConvertible {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }

  /// Returns nil unless the text is a complete id.
  package init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let number = text.withUTF8(IdentifierText.number) else { return nil }
    self.number = number
  }

  /// Returns nil unless the bytes are the text of a complete id.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let number = IdentifierText.number(text) else { return nil }
    self.number = number
  }

  package var description: String { IdentifierText.text(number) }

  package static func < (left: SongID, right: SongID) -> Bool { left.number < right.number }
}

/// The permanent id of a crate, independent of its name: 12 characters, the first one a letter.
package struct CrateID: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }

  /// Returns nil unless the text is a complete id.
  package init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let number = text.withUTF8(IdentifierText.number) else { return nil }
    self.number = number
  }

  /// Returns nil unless the bytes are the text of a complete id.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let number = IdentifierText.number(text) else { return nil }
    self.number = number
  }

  package var description: String { IdentifierText.text(number) }
}

/// The text form and the minting of ids. The alphabet omits l, o, 0 and 1, which are easily
/// misread. Letters come before digits, so ids sort differently as numbers in memory than as text.
package enum IdentifierText {
  package static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
  package static let length = 12
  /// The length of the shortest prefix that may stand for an id.
  package static let shortestPrefix = 4
  private static let letters: UInt64 = 24

  package static func text(_ number: UInt64) -> String {
    var bytes: [UInt8] = []
    append(number, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func append(_ number: UInt64, to text: inout [UInt8]) {
    for place in 0..<length {
      text.append(alphabet[Int((number >> UInt64(5 * (length - 1 - place))) & 31)])
    }
  }

  package static func number(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard text.count == length else { return nil }
    var number: UInt64 = 0
    for byte in text {
      guard let digit = digits[Int(byte)] else { return nil }
      number = number << 5 | digit
    }
    return number >> 55 < letters ? number : nil
  }

  /// Returns the numbers of the ids that begin with the prefix, or nil if no id can.
  package static func range(ofPrefix prefix: some StringProtocol) -> ClosedRange<UInt64>? {
    let count = prefix.utf8.count
    guard count >= 1, count <= length else { return nil }
    var number: UInt64 = 0
    for byte in prefix.utf8 {
      guard let digit = digits[Int(byte)] else { return nil }
      number = number << 5 | digit
    }
    let rest = UInt64(5 * (length - count))
    return (number << rest)...(number << rest | ((1 << rest) - 1))
  }

  /// Returns the id that is derived from these words. While it is taken, it is hashed again with a
  /// counter.
  package static func mint(_ words: [UInt8], isTaken: (UInt64) -> Bool) -> UInt64 {
    var counter: UInt32 = 0
    while true {
      let input = counter == 0 ? words : words + Array("#\(counter)".utf8)
      let hash = input.withUnsafeBytes { crated_xxh3_128($0.baseAddress, $0.count) }
      let first = hash.high % letters
      let number = first << 55 | hash.low & ((1 << 55) - 1)
      if !isTaken(number) { return number }
      counter += 1
    }
  }

  private static let digits: [UInt64?] = {
    var digits = [UInt64?](repeating: nil, count: 256)
    for (digit, byte) in alphabet.enumerated() { digits[Int(byte)] = UInt64(digit) }
    return digits
  }()
}
