import TestSupport
import Testing

@testable import TerminalPictures

@Suite("The colours that stand for a picture's", .limited)
struct PaletteTests {
  @Test("colours that can't be told apart become their mean, to the nearest")
  func mean() throws {
    // Half and more go up, less than half goes down.
    let cases: [(values: [UInt8], mean: UInt8)] = [
      ([16, 17], 17), ([16, 16, 17], 16), ([16, 17, 17], 17), ([16, 16, 16, 17], 16),
      ([16, 18, 18, 18, 18], 18), ([16, 16, 16, 18, 18], 17),
    ]
    for (values, mean) in cases {
      let bytes = values.flatMap { value -> [UInt8] in [value, 0, value] }
      let pixels = try #require(Pixels(width: values.count, height: 1, bytes: bytes))
      let palette = Palette(of: pixels, most: 2)
      #expect(palette.colours == [RGB(mean, 0, mean)], "\(values)")
      #expect(palette.indices == values.map { _ in 0 })
    }
  }
}
