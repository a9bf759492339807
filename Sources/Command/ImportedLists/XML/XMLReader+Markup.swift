extension XMLReader {
  // MARK: What is no element

  /// Whether it is text: a section of character data.
  mutating func readDeclaration() throws(ListFault) -> Bool {
    let start = position
    if skip("<!--") {
      guard let end = place(of: "--") else { throw fault("a comment that doesn't end", at: start) }
      try checkCharacters(position..<end)
      position = end
      guard skip("-->") else { throw fault("two dashes in a comment", at: end) }
      return false
    }
    if skip("<![CDATA[") {
      guard let end = place(of: "]]>") else { throw fault("a section that doesn't end", at: start) }
      try take(characters: position..<end)
      position = end + 3
      return true
    }
    guard skip("<!DOCTYPE") else { throw fault("a declaration that has no place here") }
    guard depth == 0, !hasDocumentType, !hasRoot else {
      throw fault("a document type that has no place here", at: start)
    }
    hasDocumentType = true
    try skipDocumentType()
    return false
  }

  /// Skips a document type's name and where its rules are, which nobody looks at. Rules inside it
  /// could define what texts mean, and make a lot of a little.
  private mutating func skipDocumentType() throws(ListFault) {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "["), UInt8(ascii: "<"):
        throw fault("a document type with rules of its own", at: start)
      case 0x22, 0x27:
        guard let end = bytes[position...].firstIndex(of: byte) else {
          throw fault("the file ends too early")
        }
        position = end + 1
      default: break
      }
    }
    throw fault("a document type that doesn't end", at: start)
  }

  mutating func skipInstruction() throws(ListFault) {
    let start = position
    position += 2
    let target = try readName()
    if isSame(Array(target.utf8)[...], "xml"), start > 0 {
      throw fault("an XML declaration that isn't at the beginning", at: start)
    }
    guard let end = place(of: "?>") else {
      throw fault("an instruction that doesn't end", at: start)
    }
    if end > position, !isBlankOfXML(bytes[position]) {
      throw fault("a name that is none", at: position)
    }
    try checkCharacters(position..<end)
    position = end + 2
  }

  func checkCharacters(_ range: Range<Int>) throws(ListFault) {
    for place in range {
      let byte = bytes[place]
      if byte < 0x20 && !isBlankOfXML(byte) || byte == 0xEF && isNoCharacter(place) {
        throw fault("a control character", at: place)
      }
    }
  }

  // MARK: References

  /// A text with what its references stand for, and with LF as the only end of line; in an
  /// attribute blanks in place of those (section 3.3.3).
  func decoded(_ range: Range<Int>, inAttribute: Bool) throws(ListFault) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "&"):
        let (scalar, end) = try reference(at: place, before: range.upperBound)
        text += String(scalar).utf8
        place = end
        continue
      case 0x0D:
        if place + 1 < range.upperBound, bytes[place + 1] == 0x0A { place += 1 }
        text.append(inAttribute ? 0x20 : 0x0A)
      case 0x09, 0x0A: text.append(inAttribute ? 0x20 : byte)
      case 0x00..<0x20: throw fault("a control character", at: place)
      case 0xEF where isNoCharacter(place): throw fault("a character that is none", at: place)
      default: text.append(byte)
      }
      place += 1
    }
    return text
  }

  /// The bytes of a section that is no markup, with LF as the only end of line.
  func withLineFeeds(_ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    for place in range {
      if bytes[place] != 0x0D {
        text.append(bytes[place])
      } else if bytes[place + 1] != 0x0A {
        // What ends the section follows the last of its bytes.
        text.append(0x0A)
      }
    }
    return text
  }

  func reference(
    at place: Int, before end: Int
  ) throws(ListFault) -> (Unicode.Scalar, end: Int) {
    let longest = 12
    let room = bytes[place..<min(end, place + longest)]
    guard let semicolon = room.firstIndex(of: UInt8(ascii: ";")) else {
      throw fault("an & that begins no character", at: place)
    }
    let name = bytes[(place + 1)..<semicolon]
    guard let scalar = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : known(name)
    else { throw fault("an & that begins no known character", at: place) }
    return (scalar, semicolon + 1)
  }

  private func known(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default: nil
    }
  }

  /// The character of a number, only one that a document could have.
  private func number(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == UInt8(ascii: "x")
    let digits = isHexadecimal ? digits.dropFirst() : digits
    guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let value = UInt32(
        String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20..<0xFFFE, 0x10000...: return scalar
    default: return nil
    }
  }

  // MARK: Bytes

  func isNext(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] {
      return false
    }
    return true
  }

  mutating func skip(_ word: StaticString) -> Bool {
    guard isNext(word) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  /// Whether there was one.
  mutating func skipBlanks() -> Bool {
    let start = position
    while position < bytes.count, isBlankOfXML(bytes[position]) { position += 1 }
    return position > start
  }

  private func place(of word: StaticString) -> Int? {
    let count = word.utf8CodeUnitCount
    let first = word.utf8Start[0]
    var place = position
    while bytes.count - place >= count {
      if bytes[place] == first,
        (1..<count).allSatisfy({ bytes[place + $0] == word.utf8Start[$0] })
      {
        return place
      }
      place += 1
    }
    return nil
  }

  /// U+FFFE and U+FFFF, which no document has. At the place a character of three bytes begins.
  func isNoCharacter(_ place: Int) -> Bool {
    bytes[place + 1] == 0xBF && bytes[place + 2] >= 0xBE
  }
}

func isBlankOfXML(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
}
