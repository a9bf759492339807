import Browsing
import Terminal
import TestSupport
import Testing

@testable import crate

/// The very bytes by which a terminal is sent its pictures.
@Suite("Pictures in pieces", .limited)
struct PicturePiecesTests {
  private let first: UInt32 = 0x4352_0001

  private func pixels(_ width: Int, _ height: Int) throws -> Pixels {
    try #require(
      Pixels(width: width, height: height, bytes: [UInt8](repeating: 7, count: width * height * 3)))
  }

  private func picture(_ name: String, row: Int = 1) -> PlacedPicture {
    PlacedPicture(name: name, spot: Grid.Spot(row: row, column: 3), columns: 4, rows: 2)
  }

  private func screen(_ way: CoverWay, _ pictures: [PlacedPicture]) -> PictureScreen {
    var screen = PictureScreen()
    screen.way = way
    show(pictures, on: &screen)
    return screen
  }

  @discardableResult
  private func show(_ pictures: [PlacedPicture], on screen: inout PictureScreen) -> [UInt8] {
    var grid = Grid(columns: 80, rows: 60)
    for picture in pictures { grid.place(picture) }
    var painter = Painter(depth: .none)
    // No text is painted anew, which would interrupt.
    _ = painter.paint(grid)
    return screen.paint(grid, by: &painter)
  }

  /// A picture that kitty's protocol shows, with what places it.
  private func kitty(
    _ pixels: Pixels, _ id: UInt32, row: Int = 1, isExact: Bool = false
  ) -> [UInt8] {
    KittyPicture.transmission(pixels, id: id).bytes + placed(id, row: row, isExact: isExact)
  }

  private func placed(_ id: UInt32, row: Int = 1, isExact: Bool = false) -> [UInt8] {
    TerminalModes.moving(to: Grid.Spot(row: row, column: 3))
      + KittyPicture.placement(id: id, box: isExact ? nil : (4, 2))
  }

  @Test("Nothing is sent where pictures are drawn of text, or none are wanted")
  func nothing() throws {
    let some = try pixels(8, 8)
    for way in [CoverWay.none, .blocks] {
      var screen = screen(way, [picture("a")])
      #expect(!screen.hasMore)
      #expect(screen.nextSlice(most: 4_096) { _ in some } == [])
    }
    for way in [CoverWay.kitty, .sixel] {
      var screen = screen(way, [])
      #expect(!screen.hasMore)
      #expect(screen.nextSlice(most: 4_096) { _ in some } == [])
      // One whose pixels have not come is wanted, and waited for.
      show([picture("a")], on: &screen)
      #expect(screen.hasMore)
      #expect(screen.nextSlice(most: 4_096) { _ in nil } == [] && screen.hasMore)
    }
  }

  @Test("By kitty's protocol one is sent once, and placed anew where it moves")
  func kittyOnce() throws {
    let some = try pixels(8, 8)
    var screen = screen(.kitty, [picture("a"), picture("b", row: 5)])
    let both = kitty(some, first) + kitty(some, first + 1, row: 5)
    #expect(screen.nextSlice(most: 8_192) { _ in some } == both)
    #expect(!screen.hasMore && screen.nextSlice(most: 8_192) { _ in some } == [])
    show([picture("a", row: 9), picture("b", row: 5)], on: &screen)
    #expect(screen.hasMore)
    #expect(screen.nextSlice(most: 8_192) { _ in some } == placed(first, row: 9))
    #expect(!screen.hasMore)
    // Where it was forgotten it comes under another number.
    screen.forget()
    #expect(screen.hasMore)
    #expect(
      screen.nextSlice(most: 8_192) { _ in some }
        == kitty(some, first + 2, row: 9) + kitty(some, first + 3, row: 5))
  }

  @Test("A slice has as many pieces as fit into half of it and one more, and one in any case")
  func slices() throws {
    let some = try pixels(40, 40)
    let pieces = KittyPicture.transmission(some, id: first).pieces
    #expect(pieces.count == 7)
    for (most, count) in [
      (0, 1), (2 * pieces[0].count - 1, 1), (2 * pieces[0].count, 2),
      (2 * (pieces[0].count + pieces[1].count), 3), (1 << 20, 8),
    ] {
      var screen = screen(.kitty, [picture("a")])
      let bytes = screen.nextSlice(most: most) { _ in some }
      let expected =
        count == 8 ? kitty(some, first, isExact: true) : Array(pieces[..<count].joined())
      #expect(bytes == expected, "\(most)")
      #expect(screen.hasMore == (count < 8) && !screen.isWithinString)
    }
  }

  @Test("A key ends the picture that is being sent, and it comes anew under another number")
  func interrupted() throws {
    let some = try pixels(40, 40)
    let pieces = KittyPicture.transmission(some, id: first)
    var screen = screen(.kitty, [picture("a")])
    #expect(screen.interrupt() == [])
    for _ in 0..<2 { _ = screen.nextSlice(most: 0) { _ in some } }
    let closing = screen.interrupt()
    #expect(closing == pieces.closing(after: 2) && !closing.isEmpty)
    #expect(screen.interrupt() == [])
    // Where the terminal takes nothing now, it comes before anything else.
    screen.owe(closing)
    #expect(screen.hasMore)
    #expect(
      screen.nextSlice(most: 1 << 20) { _ in some } == closing
        + kitty(some, first + 1, isExact: true))
    screen.owe([1, 2])
    #expect(screen.hasMore && show([picture("a")], on: &screen) == [1, 2] && !screen.hasMore)
  }

  @Test("A sixel is drawn where it stands, and is one string from its first piece to its last")
  func sixel() throws {
    let some = try #require(
      Pixels(
        width: 120, height: 120,
        bytes: (0..<120 * 120 * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }))
    var picture = picture("a")
    (picture.columns, picture.rows) = (12, 6)
    let frame = PictureFrame(of: some, inColumns: 12, rows: 6)
    let drawing = SixelPicture.drawing(some, in: frame, colours: 16)
    try #require(drawing.pieces.count > 1)
    var screen = screen(.sixel, [picture])
    screen.colours = 16
    var bytes = screen.nextSlice(most: 0) { _ in some }
    #expect(bytes == TerminalModes.moving(to: Grid.Spot(row: 1, column: 3)))
    #expect(!screen.isWithinString)
    for (place, piece) in drawing.pieces.enumerated() {
      #expect(screen.hasMore)
      bytes = screen.nextSlice(most: 0) { _ in some }
      #expect(bytes == piece)
      #expect(screen.isWithinString == (place + 1 < drawing.pieces.count))
    }
    #expect(!screen.hasMore)
    // One that moves is drawn again.
    picture.spot.row = 7
    show([picture], on: &screen)
    #expect(
      screen.nextSlice(most: 1 << 20) { _ in some }
        == TerminalModes.moving(to: Grid.Spot(row: 7, column: 3)) + drawing.bytes)
  }

  @Test(
    "A cover is as wide as high: sent in the pixels that it takes, unless that is far more of them")
  func scaled() throws {
    // Four cells by two are 40 pixels square.
    for (width, isExact) in [(26, false), (27, true), (40, true), (60, true), (200, true)] {
      let some = try pixels(width, width)
      var screen = screen(.kitty, [picture("a")])
      let sent = isExact ? some.scaled(width: 40, height: 40) : some
      let bytes = screen.nextSlice(most: 1 << 20) { _ in some }
      #expect(bytes == kitty(sent, first, isExact: isExact), "\(width)")
    }
  }

  @Test("In a box that is no square a cover is one, at whatever size cells have")
  func square() throws {
    let some = try pixels(171, 171)
    var gallery = picture("a")
    (gallery.columns, gallery.rows) = (18, 9)
    var screen = screen(.kitty, [gallery])
    screen.cell = CellSize(width: 10, height: 19)
    let bytes = screen.nextSlice(most: 1 << 20) { _ in some }
    #expect(bytes == kitty(some, first, isExact: true))
  }

  @Test("One that is wanted no longer is taken off, sent or not")
  func gone() throws {
    let some = try pixels(40, 40)
    var screen = screen(.kitty, [picture("a")])
    _ = screen.nextSlice(most: 1 << 20) { _ in some }
    #expect(show([], on: &screen) == KittyPicture.hiding(id: first))
    #expect(show([], on: &screen) == [])
    // The terminal has it still.
    show([picture("a", row: 4)], on: &screen)
    #expect(screen.nextSlice(most: 1 << 20) { _ in some } == placed(first, row: 4, isExact: true))
    show([picture("b")], on: &screen)
    _ = screen.nextSlice(most: 0) { _ in some }
    let pieces = KittyPicture.transmission(some, id: first + 1)
    #expect(show([], on: &screen) == pieces.closing(after: 1))
    #expect(!screen.hasMore)
  }

  @Test("What was forgotten is not taken off, wherever it was shown")
  func forgotten() throws {
    let some = try pixels(40, 40)
    var screen = screen(.kitty, [picture("a")])
    _ = screen.nextSlice(most: 1 << 20) { _ in some }
    // It is wanted elsewhere, and shown where it was.
    show([picture("a", row: 9)], on: &screen)
    screen.forget()
    #expect(screen.nextSlice(most: 0) { _ in some }.starts(with: "\u{1B}_G".utf8))
    let pieces = KittyPicture.transmission(some, id: first + 1)
    #expect(show([], on: &screen) == pieces.closing(after: 1))
    #expect(show([], on: &screen) == [] && !screen.hasMore)
  }

  @Test("A terminal keeps 64 pictures, of which the oldest goes that isn't wanted")
  func kept() throws {
    let some = try pixels(2, 2)
    var screen = screen(.kitty, [])
    for number in 0..<64 {
      show([picture("\(number)")], on: &screen)
      #expect(screen.nextSlice(most: 1 << 20) { _ in some } == kitty(some, first + UInt32(number)))
    }
    show([picture("0"), picture("new", row: 5)], on: &screen)
    #expect(
      screen.nextSlice(most: 1 << 20) { _ in some } == placed(first)
        + KittyPicture.removal(id: first + 1) + kitty(some, first + 64, row: 5))
  }
}
