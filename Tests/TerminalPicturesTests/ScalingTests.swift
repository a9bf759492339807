import TerminalPictures
import TestSupport
import Testing

@Suite("Scaling pictures", .limited)
struct ScalingTests {
  @Test("A picture has as many bytes as its sides say, and sides within the limit")
  func bounds() {
    #expect(Pixels(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6])?[1, 0] == RGB(4, 5, 6))
    #expect(Pixels(width: 2, height: 1, bytes: [1, 2, 3, 4, 5]) == nil)
    #expect(Pixels(width: 0, height: 1, bytes: []) == nil)
    #expect(Pixels(width: -1, height: -1, bytes: [1, 2, 3]) == nil)
    let most = Pixels.sideMost
    #expect(
      Pixels(width: most + 1, height: 1, bytes: Array(repeating: 0, count: 3 * most + 3)) == nil)
    #expect(Pixels(width: 1, height: most, bytes: Array(repeating: 0, count: 3 * most)) != nil)
  }

  @Test("Each pixel is the mean of those under it")
  func means() throws {
    let four = try #require(
      Pixels(width: 2, height: 2, bytes: [0, 0, 0, 100, 200, 255, 20, 40, 10, 40, 80, 255]))
    #expect(four.scaled(width: 1, height: 1).bytes == [40, 80, 130])
    #expect(four.scaled(width: 2, height: 1).bytes == [10, 20, 5, 70, 140, 255])
    #expect(four.scaled(width: 4, height: 2).bytes.prefix(9) == [0, 0, 0, 0, 0, 0, 100, 200, 255])
    // Parts of pixels count as parts: a third of the one between.
    let three = try #require(Pixels(width: 3, height: 1, bytes: [0, 0, 0, 90, 90, 90, 30, 30, 30]))
    #expect(three.scaled(width: 2, height: 1).bytes == [30, 30, 30, 50, 50, 50])
    #expect(four.scaled(width: 0, height: -3).bytes == [40, 80, 130])
  }

  @Test("Whatever the sizes, one colour stays itself, and the mean of all stays")
  func anySize() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<60 {
      let (width, height) = (
        Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random)
      )
      let (wide, high) = (
        Int.random(in: 1...50, using: &random), Int.random(in: 1...50, using: &random)
      )
      let colour = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      let plain = try #require(
        Pixels(
          width: width, height: height,
          bytes: Array((0..<(width * height)).flatMap { _ in colour })))
      let scaled = plain.scaled(width: wide, height: high)
      #expect(scaled.width == wide && scaled.height == high)
      #expect(scaled.bytes == Array((0..<(wide * high)).flatMap { _ in colour }))
      let mixed = try #require(Pixels.random(width, height, &random))
      func mean(_ pixels: Pixels) -> Double {
        Double(pixels.bytes.reduce(0) { $0 + Int($1) }) / Double(pixels.bytes.count)
      }
      #expect(abs(mean(mixed) - mean(mixed.scaled(width: wide, height: high))) <= 1)
    }
  }

  @Test(
    "A picture takes as many cells as fit in its own proportions",
    arguments: [
      // Square in cells twice as high as wide.
      (100, 100, 40, 40, PictureFrame.Expected(40, 20, 400, 400)),
      (100, 100, 40, 10, .init(20, 10, 200, 200)),
      (300, 100, 40, 40, .init(40, 7, 400, 133)),
      (100, 300, 40, 10, .init(7, 10, 67, 200)),
      (1, 500, 40, 10, .init(1, 10, 1, 200)),
      (500, 1, 0, -1, .init(1, 1, 10, 1)),
    ])
  func frames(
    _ width: Int, _ height: Int, _ columns: Int, _ rows: Int, _ expected: PictureFrame.Expected
  ) throws {
    let pixels = try #require(
      Pixels(width: width, height: height, bytes: Array(repeating: 9, count: width * height * 3)))
    let frame = PictureFrame(of: pixels, inColumns: columns, rows: rows)
    #expect(frame.columns == expected.columns && frame.rows == expected.rows)
    #expect(frame.width == expected.width && frame.height == expected.height)
  }
}

extension PictureFrame {
  struct Expected: Sendable {
    var (columns, rows, width, height): (Int, Int, Int, Int)

    init(_ columns: Int, _ rows: Int, _ width: Int, _ height: Int) {
      (self.columns, self.rows, self.width, self.height) = (columns, rows, width, height)
    }
  }
}

extension Pixels {
  static func random(
    _ width: Int, _ height: Int, _ random: inout SeededGenerator, of colours: [RGB] = []
  ) -> Pixels? {
    let bytes = (0..<(width * height)).flatMap { _ -> [UInt8] in
      if let colour = colours.randomElement(using: &random) {
        return [colour.red, colour.green, colour.blue]
      }
      return (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    return Pixels(width: width, height: height, bytes: bytes)
  }
}
