import Text

/// A line of an order as text. The rest of a line after an id is for the reader, or, in a snapshot
/// of a store, for crated.
package enum OrderLine: Hashable, Sendable {
  /// - Parameter id: nil if the user wrote only the name.
  case crate(id: String?, name: String)
  /// An album of the crate above it.
  case album(id: String, rest: ArraySlice<UInt8>)
  /// A song of the album above it.
  case song(id: String, rest: ArraySlice<UInt8>)
}

/// The error in a line, worded to follow the line's number.
package struct OrderFault: Error, Hashable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// Reads an order line by line. The first word of a line is its kind, so indentation is ignored.
/// Blank lines and comments are skipped.
package struct OrderReader {
  /// Whether trailing blanks belong to the line. A path may end with one.
  package var keepsEnds = false
  private var hasCrate = false
  private var hasAlbum = false

  package init() {}

  /// Reads the next line, given without its line end.
  ///
  /// - Returns: nil for a line that is blank, a comment or a slot.
  /// - Throws: the reason why the line is invalid. Reading can continue with the next one.
  package mutating func read(_ line: ArraySlice<UInt8>) throws(OrderFault) -> OrderLine? {
    var rest = line.drop(while: isBlank)
    while !keepsEnds, let last = rest.last, isBlank(last) { rest.removeLast() }
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    let kind = OrderSyntax.word(&rest)
    switch kind {
    case "crate":
      (hasCrate, hasAlbum) = (true, false)
      var name = rest
      let id = OrderSyntax.word(&name)
      // A name that looks like an id is preceded by the crate's own id.
      guard OrderSyntax.isID(id), !name.isEmpty else {
        return .crate(id: nil, name: try self.name(rest))
      }
      return .crate(id: id, name: try self.name(name))
    case "album", "album*":
      let id = try id(&rest, after: kind)
      guard hasCrate else {
        throw OrderFault("an album above the first crate; put it below the line of a crate")
      }
      hasAlbum = true
      return .album(id: id, rest: rest)
    case "song", "offline", "gone":
      let id = try id(&rest, after: kind)
      guard hasAlbum else {
        throw OrderFault("a song above the first album of its crate; put it below its album")
      }
      return .song(id: id, rest: rest)
    // The slot of a song that is in another album now. The user can't move it.
    case "slot": return nil
    default:
      throw OrderFault(
        "“\(kind.prefix(20))” can't start a line; lines start with crate, album, song or #")
    }
  }

  private func id(_ rest: inout ArraySlice<UInt8>, after kind: String) throws(OrderFault) -> String
  {
    let id = OrderSyntax.word(&rest)
    guard OrderSyntax.isID(id) else {
      throw OrderFault(
        "the id after “\(kind)” is not whole; it has 12 letters and digits, and has to stay")
    }
    return id
  }

  private func name(_ text: ArraySlice<UInt8>) throws(OrderFault) -> String {
    guard let bytes = percentDecoded(text), let name = String(validating: bytes, as: UTF8.self)
    else { throw OrderFault("a % in a crate's name is written %25") }
    return name
  }
}

/// The syntax of a line.
package enum OrderSyntax {
  private static let letters = Array("abcdefghijkmnpqrstuvwxyz".utf8)
  private static let digits = Array("23456789".utf8)

  /// Removes the next word and the blanks after it, and returns the word.
  package static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    let word = rest.prefix { !isBlank($0) }
    rest = rest.dropFirst(word.count).drop(while: isBlank)
    return String(decoding: word, as: UTF8.self)
  }

  /// Whether the word is a complete id of a crate, an album or a song: 12 letters and digits,
  /// beginning with a letter, without the characters that are easily misread.
  package static func isID(_ word: String) -> Bool {
    word.utf8.count == 12 && word.utf8.first.map(letters.contains) == true
      && word.utf8.allSatisfy { letters.contains($0) || digits.contains($0) }
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
