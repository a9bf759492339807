import Text

/// Whether the left name comes first in natural order, or nil if the names are equal.
///
/// Characters before the first letter or digit are ignored, letters are compared as in searches (É
/// is E), and numbers by value: 2 comes before 10. Names that are equal in all that are ordered by
/// their NFC bytes.
package func naturalPrecedence(_ left: String, _ right: String) -> Bool? {
  var (left, right) = (left, right)
  return left.withUTF8 { left in right.withUTF8 { right in naturalPrecedence(left, right) } }
}

/// Whether the left file name comes first in natural order, or nil if the names are equal.
func naturalPrecedence(_ left: [UInt8], _ right: [UInt8]) -> Bool? {
  left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in naturalPrecedence(left, right) }
  }
}

package func comesNaturallyBefore(_ left: String, _ right: String) -> Bool {
  naturalPrecedence(left, right) == true
}

/// A name's key for natural order, computed once for many comparisons.
struct NaturalKey: Comparable {
  /// The name's letters, or the name itself if it is ASCII.
  private let letters: [UInt8]
  /// The whole name, in NFC.
  private let name: [UInt8]

  init(_ name: String) {
    self.name = Array(normalised(name).utf8)
    letters = self.name.withUnsafeBufferPointer(isASCII) ? self.name : sortedLetters(name)
  }

  static func == (left: NaturalKey, right: NaturalKey) -> Bool { left.name == right.name }

  static func < (left: NaturalKey, right: NaturalKey) -> Bool {
    left.letters.withUnsafeBufferPointer { one in
      right.letters.withUnsafeBufferPointer { other in letterPrecedence(one, other) }
    } ?? left.name.lexicographicallyPrecedes(right.name)
  }
}

/// Compares names as bytes. Most names are plain ASCII, for which Unicode tables and separate keys
/// would be too expensive.
private func naturalPrecedence(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
) -> Bool? {
  if left.elementsEqual(right) { return nil }
  if isASCII(left), isASCII(right) {
    return letterPrecedence(left, right) ?? left.lexicographicallyPrecedes(right)
  }
  let byLetter = withLetters(left) { left in
    withLetters(right) { right in letterPrecedence(left, right) }
  }
  if let byLetter { return byLetter }
  let (one, other) = (normalised(Array(left)), normalised(Array(right)))
  return one == other ? nil : one.lexicographicallyPrecedes(other)
}

private func withLetters<Result>(
  _ name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  if isASCII(name) { return body(name) }
  return sortedLetters(String(decoding: name, as: UTF8.self)).withUnsafeBufferPointer(body)
}

private func isASCII(_ name: UnsafeBufferPointer<UInt8>) -> Bool { name.allSatisfy { $0 < 0x80 } }

/// Compares letters and numbers of two texts, which are ASCII or results of `sortedLetters`. Nil if
/// they are equal.
private func letterPrecedence(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
) -> Bool? {
  var (left, right) = (SortedLetters(left), SortedLetters(right))
  while let one = left.first, let other = right.first {
    if isDigit(one), isDigit(other) {
      let (number, another) = (left.takeNumber(), right.takeNumber())
      if let shorter = precedence(number.count, another.count) { return shorter }
      if !number.elementsEqual(another) { return number.lexicographicallyPrecedes(another) }
    } else {
      if let byLetter = precedence(one, other) { return byLetter }
      left.removeFirst()
      right.removeFirst()
    }
  }
  return precedence(left.isEmpty ? 0 : 1, right.isEmpty ? 0 : 1)
}

/// The letters of a text: none before the first letter or digit, without case, blanks collapsed,
/// and no trailing blanks.
private struct SortedLetters {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ text: UnsafeBufferPointer<UInt8>) {
    rest = text[...].drop { !isLetter($0) }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
  }

  var isEmpty: Bool { rest.isEmpty }

  var first: UInt8? {
    guard let byte = rest.first else { return nil }
    if isBlank(byte) { return 0x20 }
    return (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  mutating func removeFirst() {
    if isBlank(rest.removeFirst()) { rest = rest.drop(while: isBlank) }
  }

  /// Removes the leading digits, and returns them without leading zeros.
  mutating func takeNumber() -> Slice<UnsafeBufferPointer<UInt8>> {
    let digits = rest.prefix(while: isDigit)
    rest = rest[digits.endIndex...]
    return digits.drop { $0 == 0x30 }
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

private func isLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
  default: false
  }
}
