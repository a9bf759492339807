import CUnicode

/// Returns the form in which names of albums, artists and crates are compared: in NFC, without case
/// and invisible characters, and with one blank for any white space. Folding twice changes nothing.
package func folded(_ name: String) -> String {
  var name = bounded(name)
  return name.withUTF8 { foldedASCII($0) ?? normalised($0, folds: true) } ?? name
}

/// Returns the text in NFC, so that texts that look the same have one spelling.
package func normalised(_ text: String) -> String {
  var text = bounded(text)
  return text.withUTF8 { isASCII($0) ? nil : normalised($0, folds: false) } ?? text
}

/// Returns the bytes in NFC; bytes that are not UTF-8 are unchanged.
package func normalised(_ bytes: [UInt8]) -> [UInt8] {
  if bytes.count > boundedFrom, let text = String(validating: bytes, as: UTF8.self) {
    return Array(normalised(text).utf8)
  }
  return bytes.withUnsafeBufferPointer { text in
    if isASCII(text) { return nil }
    return normalised(text, folds: false).map { Array($0.utf8) }
  } ?? bytes
}

/// Returns the decomposed text for searches: in NFKD, with accents, ligatures, half-width
/// characters and the like as separate characters, and without invisible ones.
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

/// Limits the marks of a character: sorting them takes time in the square of their number. Texts
/// from tags have few already; those from lists may have any number.
private func bounded(_ text: String) -> String {
  text.utf8.count > boundedFrom ? withFewMarks(text) : text
}

/// Up to this number of bytes, marks cost little, whatever their order.
private let boundedFrom = 1_024

private func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  bytes.allSatisfy { $0 < 0x80 }
}

/// Returns nil if the text is not UTF-8.
private func normalised(_ text: UnsafeBufferPointer<UInt8>, folds: Bool) -> String? {
  // Enough for nearly every text.
  written(atFirst: text.count * 2) {
    crated_normalise(text.baseAddress, text.count, folds, $0.baseAddress, $0.count)
  }
}

/// Returns the text that the body writes. The body returns how many bytes it needs, and is called
/// again if there was too little room. Nil if it returns -1.
private func written(
  atFirst room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
) -> String? {
  /// The result, or the number of bytes that are needed.
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

/// Folds ASCII, as most names are, by looking at each byte only. Returns nil for other names.
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
