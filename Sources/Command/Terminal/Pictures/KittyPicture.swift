/// Pictures by kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), which
/// terminals store by number and place into cells. All commands suppress the terminal's replies.
package enum KittyPicture {
  /// The bytes of a picture in one piece, which are 1024 of base64: short enough to send quickly
  /// over a slow line. The protocol allows up to 4096 bytes of base64.
  private static let perPiece = 768

  /// Transmits a picture to the terminal without showing it. Replaces a picture with the same
  /// number.
  ///
  /// - Parameter id: The picture's number, which can't be 0.
  package static func transmission(_ pixels: Pixels, id: UInt32) -> PicturePieces {
    precondition(id > 0, "a picture's number is not 0")
    var pieces: [[UInt8]] = []
    for start in stride(from: 0, to: pixels.bytes.count, by: perPiece) {
      let end = min(start + perPiece, pixels.bytes.count)
      let more = end < pixels.bytes.count ? 1 : 0
      let keys =
        start == 0
        ? "a=t,f=24,s=\(pixels.width),v=\(pixels.height),i=\(id),q=2,m=\(more)"
        : "q=2,m=\(more)"
      pieces.append(command(keys, base64(pixels.bytes[start..<end])))
    }
    // Ending the transmission early leaves an incomplete picture. The terminal drops it; its number
    // is then freed.
    return PicturePieces(pieces, end: command("q=2,m=0") + removal(id: id))
  }

  /// Places a transmitted picture at the cursor, which doesn't move. A picture has only one
  /// placement, so that it disappears from its former place.
  ///
  /// - Parameter box: The columns and rows to stretch the picture to, which alters its proportions
  ///   a little; nil: its own size.
  package static func placement(id: UInt32, box: (columns: Int, rows: Int)? = nil) -> [UInt8] {
    let size = box.map { "c=\($0.columns),r=\($0.rows)," } ?? ""
    return command("a=p,i=\(id),p=1,\(size)C=1,q=2")
  }

  /// Removes a picture from the screen; the terminal still stores it.
  package static func hiding(id: UInt32) -> [UInt8] { command("a=d,d=i,i=\(id),q=2") }

  /// Removes a picture from the screen and from the terminal's memory.
  package static func removal(id: UInt32) -> [UInt8] { command("a=d,d=I,i=\(id),q=2") }

  /// A query that terminals with this protocol answer with `ESC _ G i=31;OK ESC \`; others ignore
  /// it. The caller has to send a query that all terminals answer behind it.
  package static let question = command("i=31,s=1,v=1,a=q,t=d,f=24", Array("AAAA".utf8))

  private static func command(_ keys: String, _ payload: [UInt8] = []) -> [UInt8] {
    let content = payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload
    return Array("\u{1B}_G\(keys)".utf8) + content + Array("\u{1B}\\".utf8)
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes as base64 without padding: whole pixels are multiples of three bytes.
  private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4)
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let bits = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      for shift in [18, 12, 6, 0] { text.append(digits[bits >> shift & 63]) }
      place += 3
    }
    return text
  }
}
