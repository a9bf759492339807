import Glibc
import Terminal
import TestSupport
import Testing

@testable import crate

@Suite("A cover in a terminal", .limited)
struct TerminalPictureTests {
  private static let (kitty, sixels) = ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", "\u{1B}[?62;4c")

  /// - Parameter pixels: the terminal's width and height in them.
  private func picture(
    _ answers: String = "", columns: UInt16 = 0, rows: UInt16 = 0,
    pixels: (width: UInt16, height: UInt16) = (0, 0), colorTerm: String? = nil
  ) -> TerminalPicture {
    var support = PictureSupport()
    support.take(answers.utf8)
    let size = WindowSize(
      winsize(ws_row: rows, ws_col: columns, ws_xpixel: pixels.width, ws_ypixel: pixels.height))
    return TerminalPicture(support, in: size, colorTerm: colorTerm)
  }

  @Test("A window tells of cells, and of whole pixels that each has, or of none")
  func windows() {
    for (told, columns, rows, cell) in [
      ((80, 24, 800, 480), 80, 24, (10, 20)), ((80, 24, 879, 503), 80, 24, (10, 20)),
      ((80, 24, 80, 24), 80, 24, (1, 1)), ((80, 24, 79, 24), 80, 24, nil),
      ((80, 24, 80, 23), 80, 24, nil), ((80, 24, 0, 0), 80, 24, nil), ((1, 1, 9, 8), 1, 1, (9, 8)),
      ((0, 24, 800, 480), nil, 24, nil), ((80, 0, 800, 480), 80, nil, nil),
    ] as [((UInt16, UInt16, UInt16, UInt16), Int?, Int?, (Int, Int)?)] {
      let size = WindowSize(
        winsize(ws_row: told.1, ws_col: told.0, ws_xpixel: told.2, ws_ypixel: told.3))
      #expect(size.columns == columns && size.rows == rows)
      #expect(size.cell == cell.map { CellSize(width: $0.0, height: $0.1) }, "\(told)")
    }
    #expect(WindowSize(of: -1) == nil)
  }

  @Test("As half blocks it has a pixel for each column, and two for each row")
  func sidesOfBlocks() {
    for (columns, rows, side) in [
      (0, 0, 40), (0, 20, 40), (30, 10, 30), (10, 17, 30), (10, 12, 20), (5, 3, 16), (41, 5, 40),
      (16, 1, 16), (17, 2, 17), (1, 24, 40), (1, 22, 40), (1, 21, 38), (1, 0, 40), (1, 11, 18),
    ] as [(UInt16, UInt16, Int)] {
      #expect(picture(columns: columns, rows: rows).side == side, "\(columns) \(rows)")
    }
  }

  @Test("As pixels it has as many as its cells have, where these are known or guessed")
  func sidesOfPixels() {
    for answers in [Self.kitty, Self.sixels] {
      for (columns, rows, width, height, side) in [
        (40, 24, 0, 0, 400), (20, 7, 0, 0, 200), (12, 3, 0, 0, 120), (1, 3, 0, 0, 20),
        (40, 24, 320, 384, 320), (40, 24, 480, 240, 480), (40, 24, 480, 0, 400),
        (40, 24, 0, 384, 400), (40, 24, 800, 480, 512), (10, 3, 10, 3, 16), (10, 3, 20, 9, 20),
        (0, 24, 480, 240, 400), (40, 0, 480, 240, 400), (1, 1, 16, 16, 16), (1, 1, 17, 17, 17),
      ] as [(UInt16, UInt16, UInt16, UInt16, Int)] {
        let picture = picture(answers, columns: columns, rows: rows, pixels: (width, height))
        #expect(picture.side == side, "\(columns) \(rows) \(width) \(height): \(picture.side)")
      }
    }
    let told = picture("\u{1B}[6;30;11t" + Self.sixels, columns: 40, rows: 8, pixels: (40, 8))
    #expect(told.side == 440)
  }

  private func pixels() throws -> Pixels {
    try #require(Pixels(width: 2, height: 1, bytes: [255, 0, 0, 0, 0, 255]))
  }

  @Test("Half blocks are lines, in as many colours as there are")
  func blocks() throws {
    let blocks = BlockPicture(try pixels(), columns: 12, rows: 3)
    for (colorTerm, colours) in [
      (nil, .palette), ("truecolor", .all), ("24bit", .all), ("8bit", .palette),
    ] as [(String?, BlockPicture.Colours)] {
      let bytes = picture(columns: 12, rows: 24, colorTerm: colorTerm).bytes(try pixels())
      let lines = (0..<3).map { blocks.line($0, colours: colours) + "\n" }
      #expect(String(decoding: bytes, as: UTF8.self) == lines.joined())
    }
  }

  @Test("A picture has room made for it, and leaves the cursor in the line below")
  func placed() throws {
    let (before, after) = ("\n\n\n\u{1B}[3A\u{1B}7", "\u{1B}8\u{1B}[3B\r")
    let frame = PictureFrame(of: try pixels(), inColumns: 12, rows: 20)
    #expect(frame.rows == 3)
    let sixel = SixelPicture.drawing(try pixels(), in: frame, colours: 256).bytes
    #expect(
      picture(Self.sixels, columns: 12, rows: 24).bytes(try pixels())
        == Array(before.utf8) + sixel + Array(after.utf8))
    let shown = picture(Self.kitty, columns: 12, rows: 24).bytes(try pixels())
    let text = String(decoding: shown, as: UTF8.self)
    let named = try #require(text.firstMatch(of: /i=(\d+)/))
    let id = try #require(UInt32(named.1))
    let picture =
      KittyPicture.transmission(try pixels(), id: id).bytes
      + KittyPicture.placement(id: id, box: (12, 3))
    #expect(shown == Array(before.utf8) + picture + Array(after.utf8))
  }
}
