/// A square picture of a few shapes in four colours, encoded as PNG. Equal values give equal bytes.
package struct DemoCover: Sendable {
  /// Selects the shapes. Five consecutive numbers have different ones.
  package var number: Int
  /// Red, green and blue in the lower 24 bits: dark, middle, light and bright.
  package var colors: [UInt32]
  /// The pixels of each side.
  package var side: Int

  package init(number: Int, colors: [UInt32], side: Int = 320) {
    precondition(colors.count == 4 && side > 0, "a pixel has two bits")
    (self.number, self.colors, self.side) = (number, colors, side)
  }

  private enum Ink: UInt8 { case dark, middle, light, bright }

  package func encoded() -> [UInt8] {
    var lines: [UInt8] = []
    for row in 0..<side {
      // No filter.
      lines.append(0)
      for start in stride(from: 0, to: side, by: 4) {
        var byte: UInt8 = 0
        for column in start..<(start + 4) {
          let ink = column < side ? ink(at: center(column), center(row)) : .dark
          byte = byte << 2 | ink.rawValue
        }
        lines.append(byte)
      }
    }
    return PNGFile(side: side, colors: colors, lines: lines).encoded()
  }

  private func center(_ place: Int) -> Double { (Double(place) + 0.5) / Double(side) }

  private func ink(at x: Double, _ y: Double) -> Ink {
    switch number % 5 {
    case 0: sun(x, y)
    case 1: hills(x, y)
    case 2: quarters(x, y)
    case 3: rings(x, y)
    default: disc(x, y)
    }
  }

  /// The sun above the sea.
  private func sun(_ x: Double, _ y: Double) -> Ink {
    if square(x - 0.62) + square(y - 0.38) < 0.05 {
      return y < 0.5 || Int(y * 40) % 2 == 1 ? .bright : .middle
    }
    if y <= 0.5 { return .light }
    return Int(y * 24) % 3 == 0 ? .middle : .dark
  }

  private func hills(_ x: Double, _ y: Double) -> Ink {
    let chains: [(Ink, Double, Double)] = [
      (.dark, 0.8, 0.09), (.middle, 0.62, 0.13), (.bright, 0.42, 0.1),
    ]
    for (ink, base, height) in chains {
      let turn = (x * 2.2 + base * 7).truncatingRemainder(dividingBy: 2)
      if y > base - height * (1 - (turn - 1).magnitude) { return ink }
    }
    return .light
  }

  /// Quarter circles in a grid.
  private func quarters(_ x: Double, _ y: Double) -> Ink {
    let (column, row) = (Int(x * 4), Int(y * 4))
    let turn = (column * 3 + row * 5 + number) % 4
    var (u, v) = (x * 4 - Double(column), y * 4 - Double(row))
    if turn & 1 != 0 { u = 1 - u }
    if turn & 2 != 0 { v = 1 - v }
    if square(u) + square(v) < 0.95 { return turn % 2 == 0 ? .dark : .bright }
    return (column + row) % 2 == 0 ? .light : .middle
  }

  private func rings(_ x: Double, _ y: Double) -> Ink {
    let ring = (square(x - 0.3) + square(y - 0.7)).squareRoot() * 9
    return [.dark, .middle, .light, .bright][Int(ring) % 4]
  }

  /// A disc on slanted stripes.
  private func disc(_ x: Double, _ y: Double) -> Ink {
    if square(x - 0.5) + square(y - 0.5) < 0.07 { return .bright }
    return [.dark, .middle, .dark, .light][Int((x + y) * 7) % 4]
  }

  private func square(_ number: Double) -> Double { number * number }
}

/// An uncompressed PNG file of a square picture in four colours (RFC 2083, RFC 1950, RFC 1951).
private struct PNGFile {
  let side: Int
  let colors: [UInt32]
  /// The lines: each is a filter byte, then four pixels per byte.
  let lines: [UInt8]

  private static let longestBlock = 65_535

  func encoded() -> [UInt8] {
    var file = ByteWriter()
    file.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var header = ByteWriter()
    header.appendBig(UInt32(side))
    header.appendBig(UInt32(side))
    // Two bits a pixel, with a palette.
    header.append([2, 3, 0, 0, 0])
    appendChunk("IHDR", header.bytes, to: &file)
    var palette = ByteWriter()
    for color in colors { palette.appendBig(Int(color), bytes: 3) }
    appendChunk("PLTE", palette.bytes, to: &file)
    appendChunk("IDAT", stored, to: &file)
    appendChunk("IEND", [], to: &file)
    return file.bytes
  }

  /// The lines as a zlib stream of stored blocks.
  private var stored: [UInt8] {
    var stream = ByteWriter()
    stream.append([0x78, 0x01])
    for start in stride(from: 0, to: lines.count, by: Self.longestBlock) {
      let end = min(start + Self.longestBlock, lines.count)
      stream.append([end == lines.count ? 1 : 0])
      stream.appendLittle(UInt16(end - start))
      stream.appendLittle(~UInt16(end - start))
      stream.append(Array(lines[start..<end]))
    }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in lines {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    stream.appendBig(high << 16 | low)
    return stream.bytes
  }

  private func appendChunk(_ name: String, _ bytes: [UInt8], to file: inout ByteWriter) {
    let content = Array(name.utf8) + bytes
    file.appendBig(UInt32(bytes.count))
    file.append(content)
    file.appendBig(CRC.thirtyTwo(content))
  }
}
