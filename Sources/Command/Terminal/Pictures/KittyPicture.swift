/// Pictures by kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol), which
/// terminals keep by number and put into cells. None of it is answered.
package enum KittyPicture {
  /// Bytes of a picture in one piece, which are 1024 of base64: short enough to be sent in a moment
  /// on a slow line. The protocol has 4096 of these at most.
  private static let perPiece = 768

  /// Gives a picture to the terminal, which shows nothing yet. One that has the number goes.
  ///
  /// - Parameter id: not 0, which is none.
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
    // What has come is too little for a picture. It is dropped then, and its number with it.
    return PicturePieces(pieces, end: command("q=2,m=0") + removal(id: id))
  }

  /// Puts a picture that the terminal has into cells, the first of which is the cursor's, where it
  /// stays. The picture is then there once: where it was before it no longer is.
  ///
  /// - Parameter box: columns and rows that it is stretched to fill, which alters its proportions a
  ///   little; nil: it has its own size.
  package static func placement(id: UInt32, box: (columns: Int, rows: Int)? = nil) -> [UInt8] {
    let size = box.map { "c=\($0.columns),r=\($0.rows)," } ?? ""
    return command("a=p,i=\(id),p=1,\(size)C=1,q=2")
  }

  /// Takes a picture off the screen; the terminal keeps it.
  package static func hiding(id: UInt32) -> [UInt8] { command("a=d,d=i,i=\(id),q=2") }

  /// Takes a picture off the screen, and out of the terminal's memory.
  package static func removal(id: UInt32) -> [UInt8] { command("a=d,d=I,i=\(id),q=2") }

  /// A question that a terminal with this protocol answers with `ESC _ G i=31;OK ESC \`, and others
  /// don't. To be followed by one that all answer.
  package static let question = command("i=31,s=1,v=1,a=q,t=d,f=24", Array("AAAA".utf8))

  private static func command(_ keys: String, _ payload: [UInt8] = []) -> [UInt8] {
    let content = payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload
    return Array("\u{1B}_G\(keys)".utf8) + content + Array("\u{1B}\\".utf8)
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Bytes as base64: those of whole pixels, so that nothing is left over.
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
