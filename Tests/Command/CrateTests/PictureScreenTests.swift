import Browsing
import Terminal
import TestSupport
import Testing

@testable import crate

@Suite("Pictures that the terminal draws", .limited)
struct PictureScreenTests {
  @Test("Text that comes while a sixel is sent ends its string first, and it is sent anew")
  func interrupted() throws {
    let pixels = try Self.pixels(120)
    var painter = Painter(depth: .mixed)
    var screen = PictureScreen()
    screen.way = .sixel
    var grid = Grid(columns: 40, rows: 20)
    grid.place(
      PlacedPicture(name: "a", spot: Grid.Spot(row: 1, column: 1), columns: 12, rows: 6))
    var bytes = screen.paint(grid, by: &painter)
    while !screen.isWithinString { bytes += screen.nextSlice(most: 1) { _ in pixels } }
    grid.put("Blue Train", row: 12, column: 0)
    bytes += screen.paint(grid, by: &painter)
    #expect(!screen.isWithinString)
    // Nothing new to be painted is no reason to begin again.
    while !screen.isWithinString { bytes += screen.nextSlice(most: 1) { _ in pixels } }
    #expect(screen.paint(grid, by: &painter).isEmpty && screen.isWithinString)
    while case let more = screen.nextSlice(most: 1, { _ in pixels }), !more.isEmpty {
      bytes += more
    }
    var strings = 0
    var rest = bytes[...]
    while let start = rest.firstRange(of: [0x1B, UInt8(ascii: "P")]) {
      rest = rest[start.upperBound...]
      let end = try #require(rest.firstIndex(of: 0x1B))
      try #require(rest[end + 1] == UInt8(ascii: "\\"))
      rest = rest[(end + 2)...]
      strings += 1
    }
    #expect(strings == 2)
  }

  private static func pixels(_ side: Int) throws -> Pixels {
    try #require(
      Pixels(
        width: side, height: side,
        bytes: (0..<side * side * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }))
  }

  private static func grid(_ pictures: [PlacedPicture]) -> Grid {
    var grid = Grid(columns: 200, rows: 60)
    for picture in pictures { grid.place(picture) }
    return grid
  }

  private static func picture(_ name: String, row: Int, column: Int = 0) -> PlacedPicture {
    PlacedPicture(name: name, spot: Grid.Spot(row: row, column: column), columns: 2, rows: 1)
  }

  private static func count(_ words: String, in bytes: [UInt8]) -> Int {
    String(decoding: bytes, as: UTF8.self).split(separator: words, omittingEmptySubsequences: false)
      .count - 1
  }

  @Test("What kitty shows where it was, and is wanted nowhere in the end, is taken off")
  func misplaced() throws {
    let pixels = try Self.pixels(8)
    var painter = Painter(depth: .mixed)
    var screen = PictureScreen()
    screen.way = .kitty
    _ = screen.paint(Self.grid([Self.picture("a", row: 1)]), by: &painter)
    while !screen.nextSlice(most: 4096, { _ in pixels }).isEmpty {}
    // It stays until it is placed anew, but a key comes before that.
    let moved = screen.paint(Self.grid([Self.picture("a", row: 30)]), by: &painter)
    #expect(Self.count("a=d,d=i", in: moved) == 0)
    let gone = screen.paint(Self.grid([]), by: &painter)
    #expect(Self.count("a=d,d=i", in: gone) == 1)
    // Placed in time, it is gone from where it was.
    _ = screen.paint(Self.grid([Self.picture("a", row: 1)]), by: &painter)
    #expect(Self.count("a=p", in: screen.nextSlice(most: 4096) { _ in pixels }) == 1)
    _ = screen.paint(Self.grid([Self.picture("a", row: 30)]), by: &painter)
    #expect(Self.count("a=p", in: screen.nextSlice(most: 4096) { _ in pixels }) == 1)
    #expect(
      Self.count("a=d", in: screen.paint(Self.grid([Self.picture("a", row: 30)]), by: &painter))
        == 0)
  }

  @Test(
    "In a window of another size the picture that was being sent ends first",
    arguments: [CoverWay.sixel, .kitty])
  func resized(way: CoverWay) throws {
    let pixels = try Self.pixels(120)
    var painter = Painter(depth: .mixed)
    var screen = PictureScreen()
    screen.way = way
    let picture = PlacedPicture(
      name: "a", spot: Grid.Spot(row: 1, column: 1), columns: 12, rows: 6)
    _ = screen.paint(Self.grid([picture]), by: &painter)
    for _ in 0..<4 { _ = screen.nextSlice(most: 1) { _ in pixels } }
    painter.forget()
    screen.forget()
    let bytes = screen.paint(Self.grid([]), by: &painter)
    let ending = way == .sixel ? "\u{1B}\\" : "\u{1B}_Gq=2,m=0\u{1B}\\"
    #expect(bytes.starts(with: ending.utf8))
  }

  @Test("Of more pictures than kitty shall keep none goes that is seen")
  func many() throws {
    let pixels = try Self.pixels(2)
    var painter = Painter(depth: .mixed)
    var screen = PictureScreen()
    screen.way = .kitty
    let pictures = (0..<100).map {
      Self.picture("\($0)", row: $0 / 10 * 2, column: $0 % 10 * 4)
    }
    _ = screen.paint(Self.grid(pictures), by: &painter)
    var bytes: [UInt8] = []
    while case let more = screen.nextSlice(most: 1 << 16, { _ in pixels }), !more.isEmpty {
      bytes += more
    }
    #expect(Self.count("a=p", in: bytes) == 100 && Self.count("a=d", in: bytes) == 0)
    // Those that are seen no longer make room.
    _ = screen.paint(Self.grid([Self.picture("x", row: 1)]), by: &painter)
    bytes = screen.nextSlice(most: 1 << 16) { _ in pixels }
    #expect(Self.count("a=d,d=I", in: bytes) == 1)
  }
}
