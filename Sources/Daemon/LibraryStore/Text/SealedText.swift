/// Text whose last line proves that it is whole: `end`, a checksum of all lines before it, and
/// their number without the first one. A user who edits such a text ends it with `end edited`.
enum SealedText {
  struct End {
    /// The offset at which the last line begins.
    var start: Int
    var isEdited: Bool
    /// The lines between the first and the last one.
    var lines: Int
  }

  struct Fault: Error, Hashable {
    /// The line, from 1.
    var line: Int
    var reason: String
  }

  /// Appends the last line.
  static func seal(_ lines: inout [UInt8]) {
    lines += endLine(Checksum.text(of: lines[...]), lines[...].lineCount - 1)
  }

  private static func endLine(_ seal: [UInt8], _ lines: Int) -> [UInt8] {
    "end ".utf8 + seal + " \(lines) lines\n".utf8
  }

  /// Returns the text without the byte order mark and the carriage returns of editors on Windows.
  static func lines(of bytes: [UInt8]) -> [UInt8] {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if text[...].place(of: 0x0D) == nil { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for (place, byte) in text.enumerated() {
      if byte == 0x0D, place + 1 == text.count || text[place + 1] == 0x0A { continue }
      result.append(byte)
    }
    return result
  }

  /// Finds the last line.
  ///
  /// - Throws: if it is missing, or not whole.
  static func end(of text: [UInt8]) throws(Fault) -> End {
    guard let trimmed = text.lastIndex(where: { $0 != 0x0A && $0 != 0x20 && $0 != 0x09 }) else {
      throw Fault(line: 1, reason: "the file is empty")
    }
    let start = text[...trimmed].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    var words = Words(text[start...trimmed])
    let lineCount = text[..<start].lineCount
    guard start > 0, words.consume("end") else {
      throw Fault(line: lineCount + 1, reason: "the end line is missing")
    }
    if words.remaining.elementsEqual("edited".utf8) {
      return End(start: start, isEdited: true, lines: lineCount - 1)
    }
    guard trimmed == text.count - 2, text.last == 0x0A else {
      throw Fault(line: lineCount + 1, reason: "the end line is not whole")
    }
    return End(start: start, isEdited: false, lines: lineCount - 1)
  }

  /// Returns the seal of an unaltered text.
  ///
  /// - Throws: if it does not fit the lines.
  static func seal(of text: [UInt8], _ end: End) throws(Fault) -> [UInt8] {
    let seal = Checksum.text(of: text[..<end.start])
    guard text[end.start...].elementsEqual(endLine(seal, end.lines)) else {
      throw Fault(line: end.lines + 2, reason: "the seal does not fit the lines")
    }
    return seal
  }
}
