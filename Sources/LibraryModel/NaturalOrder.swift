/// How people sort names: case ignored, 2 before 10. Equal ones are told apart by their bytes.
package func comesNaturallyBefore(_ left: String, _ right: String) -> Bool {
  naturalOrder(left, right) < 0
}

/// Below zero, zero or above: zero only for the same bytes.
package func naturalOrder(_ left: String, _ right: String) -> Int {
  let byText = naturalOrder(sortingKey(left), sortingKey(right))
  if byText != 0 { return byText }
  if left.utf8.elementsEqual(right.utf8) { return 0 }
  return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
}

/// A name as people sort it, worked out once for many comparisons. Spellings that differ in case or
/// in zeros before a number are equal.
struct NaturalKey: Comparable {
  private let bytes: [UInt8]

  init(_ name: String) { bytes = sortingKey(name) }

  static func == (left: NaturalKey, right: NaturalKey) -> Bool {
    naturalOrder(left.bytes, right.bytes) == 0
  }

  static func < (left: NaturalKey, right: NaturalKey) -> Bool {
    naturalOrder(left.bytes, right.bytes) < 0
  }
}

/// The bytes of the folded name. Most names are plain ASCII, for which Unicode's tables cost too
/// much in a sort.
private func sortingKey(_ name: String) -> [UInt8] {
  var key = [UInt8](name.utf8)
  for place in key.indices {
    let byte = key[place]
    let isBlankAside =
      byte == 0x20 && (place == 0 || place == key.count - 1 || key[place - 1] == 0x20)
    if byte >= 0x7F || byte < 0x20 || isBlankAside { return Array(folded(name).utf8) }
    if (0x41...0x5A).contains(byte) { key[place] = byte + 0x20 }
  }
  return key
}

private func naturalOrder(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var i = 0
  var j = 0
  while i < left.count, j < right.count {
    if isDigit(left[i]), isDigit(right[j]) {
      let (first, second) = (number(left, from: i), number(right, from: j))
      if first.digits.count != second.digits.count {
        return first.digits.count < second.digits.count ? -1 : 1
      }
      if !first.digits.elementsEqual(second.digits) {
        return first.digits.lexicographicallyPrecedes(second.digits) ? -1 : 1
      }
      (i, j) = (first.end, second.end)
    } else {
      if left[i] != right[j] { return left[i] < right[j] ? -1 : 1 }
      i += 1
      j += 1
    }
  }
  let (restLeft, restRight) = (left.count - i, right.count - j)
  return restLeft == restRight ? 0 : restLeft < restRight ? -1 : 1
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
