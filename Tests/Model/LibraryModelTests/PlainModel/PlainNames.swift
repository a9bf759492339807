import Foundation

/// Names and paths as the specification compares them.

/// A name as names are compared: NFC, case folded, white space collapsed.
func plainName(_ name: String) -> String {
  // Twice, since folding may take a name out of NFC.
  let folded = plainNFC(name).uppercased().lowercased()
  return plainNFC(folded).split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

func plainNFC(_ name: String) -> String { name.precomposedStringWithCanonicalMapping }

/// How names are sorted: by their letters and numbers, then by themselves. Below zero, zero, above.
func plainOrder(_ left: String, _ right: String) -> Int {
  /// Numbers, and single bytes between them.
  func parts(_ name: String) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    for byte in plainLetters(name).utf8 {
      if isDigit(byte), let last = parts.last?.last, isDigit(last) {
        parts[parts.count - 1].append(byte)
      } else {
        parts.append([byte])
      }
    }
    return parts
  }
  func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  func number(_ digits: [UInt8]) -> [UInt8] { Array(digits.drop { $0 == 0x30 }) }
  let (first, second) = (parts(left), parts(right))
  for (one, other) in zip(first, second) {
    if isDigit(one[0]), isDigit(other[0]) {
      let (one, other) = (number(one), number(other))
      if one.count != other.count { return one.count < other.count ? -1 : 1 }
      if one != other { return one.lexicographicallyPrecedes(other) ? -1 : 1 }
    } else if one != other {
      return one.lexicographicallyPrecedes(other) ? -1 : 1
    }
  }
  if first.count != second.count { return first.count < second.count ? -1 : 1 }
  let (one, other) = (Array(plainNFC(left).utf8), Array(plainNFC(right).utf8))
  return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
}

/// A name without what stands before its first letter or digit, without case and accents.
private func plainLetters(_ name: String) -> String {
  let others = ["æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l"]
  var letters = ""
  for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { continue }
    if properties.canonicalCombiningClass.rawValue > 9 { continue }
    if !scalar.isASCII, properties.generalCategory == .modifierSymbol { continue }
    if properties.isWhitespace || properties.generalCategory == .control {
      letters += " "
      continue
    }
    let isText =
      properties.isAlphabetic || properties.numericType != nil || properties.isIdeographic
      || properties.generalCategory == .spacingMark || properties.generalCategory == .nonspacingMark
    if !isText, letters.allSatisfy({ $0 == " " }) { continue }
    let letter = String(scalar).uppercased().lowercased()
    letters += others[letter] ?? letter
  }
  return letters.split(separator: " ").joined(separator: " ")
}

// MARK: Paths

// Paths are written without the first slash, and in ASCII: other bytes, control characters and `%`
// as %XX, since equal texts may be unequal paths.

func isInside(_ path: String, _ folder: String) -> Bool {
  path == folder || path.hasPrefix(folder + "/")
}

func parent(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return String(path[..<slash])
}

func fileName(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return path }
  return String(path[path.index(after: slash)...])
}

/// Without its extension.
func stem(_ path: String) -> String {
  guard let dot = path.lastIndex(of: "."), dot > (path.lastIndex(of: "/") ?? path.startIndex)
  else { return path }
  return String(path[..<dot])
}

func plainBytes(_ path: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = Array(path.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), rest.count >= 2,
      let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    {
      bytes.append(value)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return bytes
}

func plainPath(bytes: [UInt8]) -> String {
  var path = ""
  for byte in bytes {
    if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "%") {
      let digits = String(byte, radix: 16, uppercase: true)
      path += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    } else {
      path.unicodeScalars.append(Unicode.Scalar(byte))
    }
  }
  return path
}

func plainPath(text: String) -> String { plainPath(bytes: Array(text.utf8)) }

/// What people read.
func plainText(_ path: String) -> String { String(decoding: plainBytes(path), as: UTF8.self) }

/// A title made of a name: cleaned as tags are.
func plainShown(_ name: String) -> String {
  let scalars = name.unicodeScalars.compactMap { scalar -> String? in
    if "\t\n\r".unicodeScalars.contains(scalar) { return " " }
    return scalar.properties.generalCategory == .control ? nil : String(scalar)
  }
  return scalars.isEmpty ? "Unknown" : scalars.joined()
}

func isEarlier(_ left: String, _ right: String) -> Bool {
  plainBytes(left).lexicographicallyPrecedes(plainBytes(right))
}

extension Sequence<String> {
  var inByteOrder: [String] { sorted(by: isEarlier) }
}

/// The number of a disc directory.
func plainDisc(ofFolder folder: String) -> Int? {
  let name = fileName(folder).lowercased()
  for word in ["disc", "disk", "vinyl", "dvd", "cd", "lp"] where name.hasPrefix(word) {
    let rest = name.dropFirst(word.count).drop { " ._-".contains($0) }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard (1...3).contains(digits.count) else { return nil }
    if let next = rest.dropFirst(digits.count).first, !" ._-".contains(next) { return nil }
    return Int(digits)
  }
  return nil
}

/// What a folder is among those whose names differ in the number at their end: their common path,
/// and its number.
func plainSibling(_ folder: String) -> (name: String, number: Int)? {
  let name = Array(plainText(fileName(folder)))
  let ending = name.reversed().prefix { ")]} ".contains($0) }.count
  let body = Array(name.dropLast(ending))
  let digits = body.reversed().prefix { $0.isASCII && $0.isNumber }.count
  let letters = body.reversed().prefix { $0.isASCII && $0.isLetter }.count
  let words = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
  ]
  let end = String(body.suffix(max(digits, letters)))
  let before = body.dropLast(end.count)
  var number = 0
  if digits > 0 {
    number = digits < 3 ? Int(end) ?? 0 : 0
  } else if letters > 0, before.last.map({ $0.isASCII && !$0.isNumber }) ?? true {
    let letter =
      letters == 1 ? end.lowercased().unicodeScalars.first.map { Int($0.value) - 96 } : nil
    number = letter ?? words.firstIndex(of: end.lowercased()).map { $0 + 1 } ?? 0
  }
  if number == 0 || !before.contains(where: { $0.isLetter || $0.isNumber }) { return nil }
  return ("\(parent(folder))/\(String(before))#\(String(name.suffix(ending)))", number)
}

/// The directory of a file without trailing disc directories, never above its music folder.
func plainAlbumFolder(_ path: String, roots: [String] = [PlainFolder.root]) -> String {
  var folder = parent(path)
  while !roots.contains(folder), plainDisc(ofFolder: folder) != nil { folder = parent(folder) }
  return plainPath(text: plainNFC(plainText(folder)))
}
