import Browsing
import TerminalPictures
import TerminalScreen
import TestSupport
import Testing

@testable import crate

@Suite("Pictures that the terminal draws", .limited)
struct PictureScreenTests {
  @Test("Text that comes while a sixel is sent ends its string first, and it is sent anew")
  func interrupted() throws {
    let side = 120
    let pixels = try #require(
      Pixels(
        width: side, height: side,
        bytes: (0..<side * side * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }))
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
}
