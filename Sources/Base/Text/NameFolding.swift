import CUnicode

/// How names of albums, artists and crates are compared: in NFC, without case and what can't be
/// seen, and with one blank for any white space. Folding what is folded gives the same.
package func folded(_ name: String) -> String {
  var name = bounded(name)
  return name.withUTF8 { foldedASCII($0) ?? normalised($0, folds: true) } ?? name
}

/// The same text in NFC: one spelling of those that look the same.
package func normalised(_ text: String) -> String {
  var text = bounded(text)
  return text.withUTF8 { isASCII($0) ? nil : normalised($0, folds: false) } ?? text
}

/// The same of bytes; those that are not UTF-8 stay as they are.
package func normalised(_ bytes: [UInt8]) -> [UInt8] {
  if bytes.count > boundedFrom, let text = String(validating: bytes, as: UTF8.self) {
    return Array(normalised(text).utf8)
  }
  return bytes.withUnsafeBufferPointer { text in
    if isASCII(text) { return nil }
    return normalised(text, folds: false).map { Array($0.utf8) }
  } ?? bytes
}

/// The same text with accents, ligatures, half-width characters and the like as characters of their
/// own, in NFKD, without what can't be seen: what a search looks at.
package func takenApart(_ text: String) -> String {
  var text = bounded(text)
  return text.withUTF8 { text in
    isASCII(text)
      ? nil
      : written(atFirst: text.count * 2) {
        crated_take_apart(text.baseAddress, text.count, $0.baseAddress, $0.count)
      }
  } ?? text
}

/// To put marks into order takes the square of how many there are. Texts out of tags have few
/// already; those of lists may have any.
private func bounded(_ text: String) -> String {
  text.utf8.count > boundedFrom ? withFewMarks(text) : text
}

/// Bytes in which marks cost little, whatever their order.
private let boundedFrom = 1_024

private func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  bytes.allSatisfy { $0 < 0x80 }
}

/// Nil where it is not UTF-8.
private func normalised(_ text: UnsafeBufferPointer<UInt8>, folds: Bool) -> String? {
  // Enough for nearly every text.
  written(atFirst: text.count * 2) {
    crated_normalise(text.baseAddress, text.count, folds, $0.baseAddress, $0.count)
  }
}

/// The text that the body writes. It says how many bytes it needs, and is called again if there
/// was too little room; nil where it says -1.
private func written(
  atFirst room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
) -> String? {
  /// What came of it, or how many bytes are needed.
  enum Attempt { case done(String?), needs(Int) }
  var capacity = room
  while true {
    let attempt = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { room in
      let count = write(room)
      if count > room.count { return Attempt.needs(count) }
      return .done(
        count < 0
          ? nil : String(decoding: UnsafeBufferPointer(rebasing: room[..<count]), as: UTF8.self))
    }
    switch attempt {
    case .done(let found): return found
    case .needs(let count): capacity = count
    }
  }
}

/// Most names are, and for them a look at each byte is enough. Nil for the others.
private func foldedASCII(_ name: UnsafeBufferPointer<UInt8>) -> String? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { room in
    var count = 0
    var followsBlank = false
    for byte in name {
      switch byte {
      case 0x80...: return nil
      case 0x09...0x0D, 0x20:
        followsBlank = count > 0
        continue
      default: break
      }
      if followsBlank {
        room[count] = 0x20
        count += 1
        followsBlank = false
      }
      room[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      count += 1
    }
    return String(decoding: UnsafeBufferPointer(rebasing: room[..<count]), as: UTF8.self)
  }
}
