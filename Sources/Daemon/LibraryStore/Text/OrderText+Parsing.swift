package import LibraryModel

extension OrderText {
  /// What a person wrote. The first word of a line says what it is, so indentation is as it comes;
  /// CRLF, a byte order mark, blank lines and comments are read, too. Throws `editRejected`.
  package static func written(_ text: String) throws(Refusal) -> WrittenOrder {
    var order = WrittenOrder()
    var number = 0
    let bytes = Array(text.utf8)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      do throws(LineFault) {
        try read(number == 1 ? withoutMark(line) : line, number, into: &order)
      } catch {
        throw .editRejected(line: number, reason: error.reason)
      }
    }
    return order
  }

  private static func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
  }

  private static func read(
    _ line: ArraySlice<UInt8>, _ number: Int, into order: inout WrittenOrder
  ) throws(LineFault) {
    var rest = trimmed(line)
    guard let first = rest.first, first != UInt8(ascii: "#") else { return }
    let kind = word(&rest)
    let crate = order.crates.count - 1
    switch kind {
    case "crate":
      var words = Words(rest)
      let id = words.takeCrate()
      order.crates.append(
        WrittenOrder.Crate(id: id, name: try name(trimmed(words.remaining)), line: number))
    case "album", "album*":
      guard let id = AlbumID(word(&rest)) else { throw LineFault(noId(kind)) }
      guard crate >= 0 else {
        throw LineFault("an album above the first crate; put it below the line of a crate")
      }
      order.crates[crate].albums.append(WrittenOrder.Album(id: id, line: number))
    case "song", "offline", "gone":
      guard let id = SongID(word(&rest)) else { throw LineFault(noId(kind)) }
      guard crate >= 0, !order.crates[crate].albums.isEmpty else {
        throw LineFault("a song above the first album of its crate; put it below its album")
      }
      let album = order.crates[crate].albums.count - 1
      order.crates[crate].albums[album].songs.append(WrittenOrder.Song(id: id, line: number))
    // The place of a song that is in another album now: not the person's to move.
    case "slot": return
    default:
      throw LineFault(
        "“\(String(kind.prefix(20)))” can't start a line; lines start with crate, album, song or #")
    }
  }

  private static func noId(_ kind: String) -> String {
    "the id after “\(kind)” is not whole; it has 12 letters and digits, and has to stay"
  }

  private static func name(_ text: ArraySlice<UInt8>) throws(LineFault) -> String {
    guard let bytes = Escaping.decoded(text), let name = String(validating: bytes, as: UTF8.self)
    else { throw LineFault("a % in a crate's name is written %25") }
    return name
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  /// The next word and the blanks after it, taken.
  private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    let word = rest.prefix { !isBlank($0) }
    rest = rest.dropFirst(word.count).drop(while: isBlank)
    return String(decoding: word, as: UTF8.self)
  }
}
