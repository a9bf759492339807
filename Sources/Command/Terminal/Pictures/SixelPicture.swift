/// Pictures as sixels (DEC STD 070). They are drawn once, pixel by pixel, and then belong to the
/// cells that they cover: text replaces them.
package enum SixelPicture {
  /// The most bytes of a piece: short enough to send quickly over a slow line.
  private static let pieceMost = 1024
  /// The height of a row of sixels in pixels.
  private static let rowHeight = 6
  /// The most colours, which all but a few terminals have.
  package static let coloursUsual = 256

  /// Draws the picture at the cursor, at most as large as the frame. The cursor's position after
  /// that depends on the terminal.
  ///
  /// A terminal with no more rows below the cursor than the frame has scrolls or draws elsewhere:
  /// keep the picture away from the last row.
  ///
  /// - Parameter colours: The number of colours that the terminal can show, 2 to 256.
  package static func drawing(
    _ pixels: Pixels, in frame: PictureFrame, colours: Int = coloursUsual
  ) -> PicturePieces {
    // Whole rows of sixels only: a partial one would cover the next row of text.
    let height = max(frame.height / rowHeight, 1) * rowHeight
    let scaled = pixels.scaled(width: frame.width, height: height)
    let palette = Palette(of: scaled, most: colours)
    // The aspect ratio is 1:1; undrawn pixels keep their colour.
    var text = Array("\u{1B}P0;1;0q\"1;1;\(scaled.width);\(scaled.height)".utf8)
    for (index, colour) in palette.colours.enumerated() {
      let (red, green, blue) = (percent(colour.red), percent(colour.green), percent(colour.blue))
      text += Array("#\(index);2;\(red);\(green);\(blue)".utf8)
    }
    for row in 0..<(scaled.height / rowHeight) {
      append(row, of: palette, width: scaled.width, to: &text)
    }
    return cut(text)
  }

  /// Appends one row of sixels, colour by colour.
  private static func append(_ row: Int, of palette: Palette, width: Int, to text: inout [UInt8]) {
    let start = row * rowHeight * width
    var sixels: [UInt8: [UInt8]] = [:]
    for line in 0..<rowHeight {
      for column in 0..<width {
        let index = palette.indices[start + line * width + column]
        sixels[index, default: [UInt8](repeating: 0, count: width)][column] |= 1 << UInt8(line)
      }
    }
    var isFirst = true
    for index in sixels.keys.sorted() {
      // Returns to the left edge for the next colour.
      if !isFirst { text.append(UInt8(ascii: "$")) }
      isFirst = false
      text += Array("#\(index)".utf8)
      append(sixels[index] ?? [], to: &text)
    }
    text.append(UInt8(ascii: "-"))
  }

  /// Appends sixels, run-length encoded and without empty ones at the end.
  private static func append(_ sixels: [UInt8], to text: inout [UInt8]) {
    guard let last = sixels.lastIndex(where: { $0 != 0 }) else { return }
    var place = 0
    while place <= last {
      let sixel = sixels[place]
      let count = sixels[place...last].prefix { $0 == sixel }.count
      if count > 3 {
        text += Array("!\(count)".utf8)
        text.append(sixel + UInt8(ascii: "?"))
      } else {
        for _ in 0..<count { text.append(sixel + UInt8(ascii: "?")) }
      }
      place += count
    }
  }

  private static func cut(_ text: [UInt8]) -> PicturePieces {
    let end = Array("\u{1B}\\".utf8)
    let most = pieceMost - end.count
    var pieces = stride(from: 0, to: text.count, by: most).map { start in
      Array(text[start..<min(start + most, text.count)])
    }
    pieces[pieces.count - 1] += end
    return PicturePieces(pieces, end: end)
  }

  private static func percent(_ value: UInt8) -> Int { (Int(value) * 100 + 127) / 255 }
}
