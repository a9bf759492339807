import CratesInterface

/// Navidrome's smart lists (`.nsp`): rules as JSON, in which comments may stand. No songs.
enum SmartList {
  static func file(_ text: [UInt8], named name: String) throws(ListFault) -> ListFile {
    let json: JSON
    do throws(JSON.ParseError) {
      json = try JSON(parsing: withoutComments(text), limits: JSON.Limits(depth: 64))
    } catch {
      throw ListFault(.line(line(of: error.offset, in: text)), error.reason.rawValue)
    }
    let own = words(json["name"]?.string ?? "")
    var file = ListFile()
    file.leftOut = [LeftOutList(name: own.isEmpty ? name : own, reason: .smart)]
    return file
  }

  /// With blanks in their place, so that what follows stays where it is.
  private static func withoutComments(_ text: [UInt8]) -> [UInt8] {
    var text = text
    var place = 0
    var isInString = false
    while place < text.count {
      if isInString {
        if text[place] == UInt8(ascii: "\\") {
          place += 1
        } else if text[place] == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if text[place] == UInt8(ascii: "\"") {
        isInString = true
      } else if let end = endOfComment(text[place...]) {
        for byte in place..<end where text[byte] != 0x0A { text[byte] = 0x20 }
      }
      place += 1
    }
    return text
  }

  /// Nil where none begins.
  private static func endOfComment(_ text: ArraySlice<UInt8>) -> Int? {
    if text.starts(with: "//".utf8) { return text.firstIndex(of: 0x0A) ?? text.endIndex }
    guard text.starts(with: "/*".utf8) else { return nil }
    let rest = text.dropFirst(2)
    let star = zip(rest.indices, zip(rest, rest.dropFirst())).first {
      $1 == (UInt8(ascii: "*"), UInt8(ascii: "/"))
    }
    return star.map { $0.0 + 2 } ?? text.endIndex
  }
}
