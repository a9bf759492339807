import Terminal
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

  @Test("Each pixel is the mean of the area under it, as nearly as a byte can be")
  func areas() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let sides = (0..<4).map { _ in Int.random(in: 1...9, using: &random) }
      let pixels = try #require(Pixels.random(sides[0], sides[1], &random))
      let scaled = pixels.scaled(width: sides[2], height: sides[3])
      for place in 0..<(sides[2] * sides[3]) {
        let (column, row) = (place % sides[2], place / sides[2])
        let across = shares(column, of: sides[2], from: sides[0])
        let down = shares(row, of: sides[3], from: sides[1])
        var mean = 0.0
        for (y, high) in down {
          for (x, wide) in across { mean += high * wide * Double(pixels[x, y].green) }
        }
        #expect(abs(Double(scaled[column, row].green) - mean) <= 0.51)
      }
    }
  }

  /// How much of each old pixel's length a new one is made of, which comes to 1.
  private func shares(_ pixel: Int, of new: Int, from old: Int) -> [(Int, Double)] {
    let width = Double(old) / Double(new)
    let (start, end) = (Double(pixel) * width, Double(pixel + 1) * width)
    return (0..<old).map { index in
      let common = min(end, Double(index + 1)) - max(start, Double(index))
      return (index, max(0, common) / width)
    }
  }

  @Test("Halves go up, and what is less goes down, also where they come of two directions")
  func halves() throws {
    func mean(_ width: Int, _ height: Int, ones: Int...) throws -> UInt8 {
      let bytes = ones.flatMap { ones in
        (0..<width).flatMap { place -> [UInt8] in place < ones ? [1, 1, 1] : [0, 0, 0] }
      }
      let pixels = try #require(Pixels(width: width, height: height, bytes: bytes))
      return pixels.scaled(width: 1, height: 1).bytes[1]
    }
    #expect(try mean(2, 1, ones: 1) == 1)
    #expect(try mean(7, 2, ones: 1, 6) == 1)
    #expect(try mean(7, 2, ones: 1, 5) == 0)
    #expect(try mean(257, 1, ones: 127) == 0)
    #expect(try mean(257, 1, ones: 129) == 1)
  }

  @Test("No side is longer than the limit")
  func longest() throws {
    let most = Pixels.sideMost
    #expect(most == 4096)
    let one = try #require(Pixels(width: 1, height: 1, bytes: [1, 2, 3]))
    let (wide, high) = (
      one.scaled(width: most + 1, height: 1), one.scaled(width: 1, height: most + 1)
    )
    #expect(wide.width == most && wide.height == 1 && high.width == 1 && high.height == most)
    #expect(one.scaled(width: 0, height: 0) == one)
    let columns = BlockPicture(one, columns: most + 1, rows: 0)
    #expect(columns.columns == most && columns.rows == 1)
    let rows = BlockPicture(one, columns: 0, rows: most)
    #expect(rows.columns == 1 && rows.rows == most / 2)
    for (given, kept) in [(-1, 1), (0, 1), (1, 1), (2, 2), (256, 256), (257, 256)] {
      #expect(CellSize(width: given, height: 3) == CellSize(width: kept, height: 3))
      #expect(CellSize(width: 3, height: given) == CellSize(width: 3, height: kept))
      #expect(CellSize(width: given, height: given).width == kept)
      #expect(CellSize(width: given, height: given).height == kept)
    }
    #expect(CellSize.usual == CellSize(width: 10, height: 20))
  }

  @Test("Whatever the sizes, one side of a picture fits exactly, and the other is in proportion")
  func proportions() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      let numbers = (0..<6).map { _ in Int.random(in: 1...30, using: &random) }
      let (width, height) = (numbers[0], numbers[1])
      let cell = CellSize(width: numbers[2], height: numbers[3])
      let pixels = try #require(
        Pixels(width: width, height: height, bytes: Array(repeating: 0, count: width * height * 3)))
      let (columns, rows) = (numbers[4], numbers[5])
      let frame = PictureFrame(of: pixels, inColumns: columns, rows: rows, cell: cell)
      let room = (width: Double(columns * cell.width), height: Double(rows * cell.height))
      let scale = min(room.width / Double(width), room.height / Double(height))
      // Halves go up; a little more is for what a Double loses.
      func side(_ pixels: Int) -> Int { max(1, Int((Double(pixels) * scale + 0.500_001))) }
      #expect(frame.width == side(width) && frame.height == side(height))
      #expect(frame.columns == Int((Double(frame.width) / Double(cell.width)).rounded(.up)))
      #expect(frame.rows == Int((Double(frame.height) / Double(cell.height)).rounded(.up)))
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
      (1, 500, 5, 0, .init(1, 1, 1, 20)),
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
