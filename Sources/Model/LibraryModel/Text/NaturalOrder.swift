/// How people sort names: case ignored, 2 before 10. Equal ones are told apart by their bytes.
package func comesNaturallyBefore(_ left: String, _ right: String) -> Bool {
  naturalPrecedence(left, right) == true
}

/// Whether the left one comes first; nil only for the same bytes.
package func naturalPrecedence(_ left: String, _ right: String) -> Bool? {
  if let byText = naturalPrecedence(sortingKey(left), sortingKey(right)) { return byText }
  if left.utf8.elementsEqual(right.utf8) { return nil }
  return left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// A name as people sort it, worked out once for many comparisons. Spellings that differ in case or
/// in zeros before a number are equal.
struct NaturalKey: Comparable {
  private let bytes: [UInt8]

  init(_ name: String) { bytes = sortingKey(name) }

  static func == (left: NaturalKey, right: NaturalKey) -> Bool {
    naturalPrecedence(left.bytes, right.bytes) == nil
  }

  static func < (left: NaturalKey, right: NaturalKey) -> Bool {
    naturalPrecedence(left.bytes, right.bytes) == true
  }
}

/// The bytes of the folded name. Most names are plain ASCII, for which Unicode's tables cost too
/// much in a sort.
private func sortingKey(_ name: String) -> [UInt8] {
  var key = [UInt8](name.utf8)
  for place in key.indices {
    switch key[place] {
    case ..<0x20, 0x80...:
      return Array(folded(name).utf8)
    case 0x20 where place == 0 || place == key.count - 1 || key[place - 1] == 0x20:
      return Array(folded(name).utf8)
    case 0x41...0x5A:
      key[place] += 0x20
    default: continue
    }
  }
  return key
}

private func naturalPrecedence(_ left: [UInt8], _ right: [UInt8]) -> Bool? {
  var i = 0
  var j = 0
  while i < left.count, j < right.count {
    if isDigit(left[i]), isDigit(right[j]) {
      let (first, second) = (number(left, from: i), number(right, from: j))
      if let shorter = precedence(first.digits.count, second.digits.count) { return shorter }
      if !first.digits.elementsEqual(second.digits) {
        return first.digits.lexicographicallyPrecedes(second.digits)
      }
      (i, j) = (first.end, second.end)
    } else {
      if let byLetter = precedence(left[i], right[j]) { return byLetter }
      i += 1
      j += 1
    }
  }
  return precedence(left.count - i, right.count - j)
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

/// The digits without leading zeros, and where the number ends.
private func number(_ text: [UInt8], from start: Int) -> (digits: ArraySlice<UInt8>, end: Int) {
  var end = start
  while end < text.count, isDigit(text[end]) { end += 1 }
  var first = start
  while first < end - 1, text[first] == 0x30 { first += 1 }
  return (text[first..<end], end)
}
