import TestSupport
import Testing

@testable import Terminal

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

  /// Which colour of the palette stands for each, where all are in one row.
  private func parts(_ colours: [RGB], most: Int) throws -> [Int] {
    let bytes = colours.flatMap { [$0.red, $0.green, $0.blue] }
    let pixels = try #require(Pixels(width: colours.count, height: 1, bytes: bytes))
    let palette = Palette(of: pixels, most: most)
    #expect(palette.indices.count == colours.count)
    for (index, colour) in palette.colours.enumerated() {
      // The mean of those for which it stands.
      let those = zip(colours, palette.indices).filter { $0.1 == index }.map(\.0)
      func mean(_ part: (RGB) -> UInt8) -> UInt8 {
        let sum = those.reduce(0) { $0 + Int(part($1)) }
        return UInt8((Double(sum) / Double(those.count)).rounded())
      }
      #expect(!those.isEmpty && colour == RGB(mean(\.red), mean(\.green), mean(\.blue)))
    }
    return palette.indices.map { Int($0) }
  }

  /// The same for one channel after the other, with nothing in the others.
  private func expect(
    _ values: [UInt8], most: Int, _ expected: [Int], _ location: SourceLocation = #_sourceLocation
  ) throws {
    for channel in 0..<3 {
      let colours = values.map { value -> RGB in
        let parts = (0..<3).map { $0 == channel ? value : 0 }
        return RGB(parts[0], parts[1], parts[2])
      }
      #expect(try parts(colours, most: most) == expected, sourceLocation: location)
    }
  }

  @Test("eight shades are one, and their neighbours are another")
  func shades() throws {
    try expect([0, 7, 8, 15, 16], most: 8, [0, 0, 2, 2, 1])
    try expect([248, 255, 247], most: 8, [1, 1, 0])
    let corners = [RGB(0, 0, 0), RGB(8, 0, 0), RGB(0, 8, 0), RGB(0, 0, 8), RGB(8, 8, 8)]
    #expect(Set(try parts(corners, most: 8)).count == 5)
  }

  @Test("what differs most is halved: as many pixels on either side, as near as may be")
  func halves() throws {
    try expect([0, 8, 16, 24], most: 2, [0, 0, 1, 1])
    try expect([24, 0, 8, 16], most: 2, [1, 0, 0, 1])
    try expect([0, 8, 16, 24, 32], most: 2, [0, 0, 0, 1, 1])
    try expect([0, 8, 16, 24, 32, 40], most: 2, [0, 0, 0, 1, 1, 1])
    try expect([0, 8, 16, 16, 16, 16, 16], most: 2, [0, 0, 1, 1, 1, 1, 1])
    try expect([0, 8, 8, 8, 8, 8], most: 2, [0, 1, 1, 1, 1, 1])
    try expect([0, 0, 0, 0, 8, 16], most: 2, [0, 0, 0, 0, 1, 1])
  }

  @Test("next is halved what has much that differs much, the first where two are alike")
  func weights() throws {
    try expect([0, 8, 16, 24], most: 3, [0, 2, 1, 1])
    try expect([0, 8, 200, 248], most: 3, [0, 0, 1, 2])
    try expect(
      [0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 200, 248], most: 3, [0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 1, 1])
    try expect([0, 8, 200, 248], most: 4, [0, 3, 1, 2])
    try expect([0, 8, 200, 248], most: 5, [0, 3, 1, 2])
  }

  @Test("the channel that differs most tells the halves, the first where two are alike")
  func channels() throws {
    let alike = [RGB(0, 0, 0), RGB(0, 16, 0), RGB(16, 0, 0)]
    #expect(try parts(alike, most: 2) == [0, 0, 1])
    #expect(try parts(alike.map { RGB(0, $0.red, $0.green) }, most: 2) == [0, 0, 1])
    for (wide, narrow) in [(16, 8), (64, 8), (248, 240)] as [(UInt8, UInt8)] {
      let corner = RGB(0, 0, 0)
      #expect(
        try parts([corner, RGB(narrow, 0, 0), RGB(0, wide, 0)], most: 2) == [0, 0, 1])
      #expect(
        try parts([corner, RGB(0, narrow, 0), RGB(wide, 0, 0)], most: 2) == [0, 0, 1])
      #expect(
        try parts([corner, RGB(0, narrow, 0), RGB(0, 0, wide)], most: 2) == [0, 0, 1])
      #expect(
        try parts([corner, RGB(0, 0, narrow), RGB(0, wide, 0)], most: 2) == [0, 0, 1])
    }
  }

  @Test("there are two at least and 256 at most, as many as are asked for")
  func counts() throws {
    let colours = (0..<300).map { (number: Int) -> RGB in
      RGB(UInt8(number % 32 * 8), UInt8(number / 32 * 8), 0)
    }
    for (most, count) in [
      (-1, 2), (0, 2), (1, 2), (2, 2), (3, 3), (255, 255), (256, 256), (257, 256), (1000, 256),
    ] {
      #expect(Set(try parts(colours, most: most)).count == count, "\(most)")
    }
    #expect(Set(try parts(Array(colours[..<5]), most: 256)).count == 5)
  }
}
