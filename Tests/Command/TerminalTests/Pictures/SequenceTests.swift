import Terminal
import TestSupport
import Testing

@Suite("Pictures for terminals", .limited)
struct SequenceTests {
  private let two = Pixels(width: 2, height: 1, bytes: [255, 0, 0, 0, 0, 255])

  // MARK: kitty

  @Test("kitty gets a picture by number, and is told where to show it")
  func kitty() throws {
    let pixels = try #require(two)
    #expect(
      string(KittyPicture.transmission(pixels, id: 7).bytes)
        == "\u{1B}_Ga=t,f=24,s=2,v=1,i=7,q=2,m=0;/wAAAAD/\u{1B}\\")
    #expect(
      string(KittyPicture.placement(id: 7, box: (3, 2)))
        == "\u{1B}_Ga=p,i=7,p=1,c=3,r=2,C=1,q=2\u{1B}\\")
    #expect(string(KittyPicture.hiding(id: 7)) == "\u{1B}_Ga=d,d=i,i=7,q=2\u{1B}\\")
    #expect(string(KittyPicture.removal(id: 7)) == "\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\")
  }

  @Test("A picture that came to kitty in pieces is as it was; placed, hidden and removed")
  func kittyRoundTrip() throws {
    var random = SeededGenerator(seed: 2)
    for (width, height) in [(1, 1), (32, 32), (33, 31), (64, 100), (512, 3)] {
      let pixels = try #require(Pixels.random(width, height, &random))
      let sequence = KittyPicture.transmission(pixels, id: 3)
      #expect(sequence.pieces.count == (pixels.bytes.count + 767) / 768)
      var terminal = PictureTerminal()
      for piece in sequence.pieces { terminal.take(piece) }
      let held = PictureTerminal.Held(width: width, height: height, bytes: pixels.bytes)
      #expect(terminal.held == [3: held])
      terminal.take(KittyPicture.placement(id: 3, box: (4, 2)))
      terminal.take(KittyPicture.placement(id: 3, box: (5, 2)))
      #expect(terminal.placements == [.init(id: 3, columns: 5, rows: 2)])
      terminal.take(KittyPicture.hiding(id: 3))
      #expect(terminal.placements.isEmpty && terminal.held == [3: held])
      terminal.take(KittyPicture.removal(id: 3))
      #expect(terminal.held.isEmpty && terminal.complaints.isEmpty && terminal.text.isEmpty)
    }
  }

  @Test("Stopped after any piece and closed, what follows is text and nothing is left behind")
  func stopping() throws {
    var random = SeededGenerator(seed: 3)
    let pixels = try #require(Pixels.random(60, 60, &random))
    let frame = PictureFrame(of: pixels, inColumns: 12, rows: 6)
    for (sequence, isKitty) in [
      (KittyPicture.transmission(pixels, id: 1), true),
      (SixelPicture.drawing(pixels, in: frame), false),
    ] {
      #expect(sequence.pieces.count > 2)
      for count in 0...sequence.pieces.count {
        var terminal = PictureTerminal()
        let sent = sequence.pieces.prefix(count).flatMap { $0 } + sequence.closing(after: count)
        terminal.take(sent + Array("text".utf8))
        #expect(terminal.text == "text", "after \(count)")
        #expect(terminal.complaints.isEmpty, "after \(count)")
        #expect(terminal.held.count == (isKitty && count == sequence.pieces.count ? 1 : 0))
      }
      #expect(sequence.pieces.allSatisfy { $0.count <= 1024 + 100 })
    }
  }

  // MARK: Sixels

  @Test("Sixels: colours first, then six lines at a time, colour by colour")
  func sixels() throws {
    let pixels = try #require(two)
    let frame = PictureFrame(
      of: pixels, inColumns: 2, rows: 1, cell: CellSize(width: 4, height: 6))
    #expect(frame.width == 8 && frame.height == 4)
    #expect(
      string(SixelPicture.drawing(pixels, in: frame).bytes)
        == "\u{1B}P0;1;0q\"1;1;8;6#0;2;0;0;100#1;2;100;0;0#0!4?!4~$#1!4~-\u{1B}\\")
  }

  @Test("Sixels: a colour is a percentage, to the nearest")
  func percentages() throws {
    for value in UInt8.min ... .max {
      let pixels = try #require(Pixels(width: 1, height: 1, bytes: [value, 0, 255 - value]))
      let frame = PictureFrame(
        of: pixels, inColumns: 1, rows: 1, cell: CellSize(width: 1, height: 1))
      func percent(_ value: UInt8) -> Int { Int((Double(value) / 2.55).rounded()) }
      #expect(
        string(SixelPicture.drawing(pixels, in: frame).bytes)
          == "\u{1B}P0;1;0q\"1;1;1;6#0;2;\(percent(value));0;\(percent(255 - value))#0~-\u{1B}\\")
    }
  }

  @Test("Sixels: four of a kind and more are counted, and what is empty at the end is left out")
  func runs() throws {
    let (red, blue) = ([255, 0, 0] as [UInt8], [0, 0, 255] as [UInt8])
    for (reds, blues, drawn) in [
      (1, 2, "#0?~~$#1~"), (3, 3, "#0???~~~$#1~~~"), (4, 4, "#0!4?!4~$#1!4~"),
      (5, 4, "#0!5?!4~$#1!5~"),
    ] {
      let bytes = (0..<reds).flatMap { _ in red } + (0..<blues).flatMap { _ in blue }
      let pixels = try #require(Pixels(width: reds + blues, height: 1, bytes: bytes))
      let frame = PictureFrame(
        of: pixels, inColumns: 1, rows: 1, cell: CellSize(width: reds + blues, height: 6))
      let text = string(SixelPicture.drawing(pixels, in: frame).bytes)
      #expect(text.hasSuffix("#1;2;100;0;0\(drawn)-\u{1B}\\"), "\(text.dropFirst())")
    }
  }

  @Test("Sixels come in pieces of one length but the last, which with its end is no longer")
  func pieces() throws {
    var random = SeededGenerator(seed: 9)
    var lengths: Set<Int> = []
    for width in 20...60 {
      let pixels = try #require(Pixels.random(width, 12, &random))
      let frame = PictureFrame(
        of: pixels, inColumns: 1, rows: 1, cell: CellSize(width: width, height: 12))
      let pieces = SixelPicture.drawing(pixels, in: frame).pieces
      #expect(pieces.dropLast().allSatisfy { $0.count == 1022 })
      #expect((3...1024).contains(pieces.last?.count ?? 0))
      lengths.insert(pieces.count)
    }
    #expect(lengths.count > 2)
  }

  @Test("Of few colours, what was drawn is what was given; of many, nearly, in every cell of it")
  func sixelRoundTrip() throws {
    var random = SeededGenerator(seed: 4)
    // Colours that a percentage says exactly, and that are told apart.
    let exact = [0, 51, 102, 153, 204, 255].flatMap { red in
      [0, 102, 255].map { RGB(UInt8(red), UInt8($0), UInt8(255 - red)) }
    }
    for (width, height) in [(6, 6), (40, 18), (100, 60), (7, 120)] {
      let pixels = try #require(Pixels.random(width, height, &random, of: exact))
      let cell = CellSize(width: width, height: height)
      let frame = PictureFrame(of: pixels, inColumns: 1, rows: 1, cell: cell)
      let canvas = try drawn(SixelPicture.drawing(pixels, in: frame))
      #expect(canvas.width == width && canvas.height == height)
      #expect(canvas.pixels.count == height)
      for row in 0..<height {
        #expect(canvas.pixels[row] == (0..<width).map { pixels[$0, row] })
      }
      let many = try #require(Pixels.random(width, height, &random))
      for colours in [2, 16, 256] {
        let canvas = try drawn(SixelPicture.drawing(many, in: frame, colours: colours))
        #expect(canvas.pixels.allSatisfy { $0.count == width && !$0.contains(nil) })
        let different = Set(canvas.pixels.joined().compactMap { $0 })
        #expect(different.count <= colours)
      }
    }
  }

  @Test("A smooth picture in 256 colours is nowhere far from itself")
  func palette() throws {
    let side = 96
    let bytes = (0..<(side * side)).flatMap { place -> [UInt8] in
      let (column, row) = (place % side, place / side)
      return [UInt8(column * 2), UInt8(row * 2), UInt8(255 - column - row)]
    }
    let pixels = try #require(Pixels(width: side, height: side, bytes: bytes))
    let frame = PictureFrame(
      of: pixels, inColumns: 1, rows: 1, cell: CellSize(width: side, height: side))
    let canvas = try drawn(SixelPicture.drawing(pixels, in: frame))
    var worst = 0
    for row in 0..<side {
      for column in 0..<side {
        let colour = try #require(canvas.pixels[row][column])
        let given = pixels[column, row]
        worst = max(worst, abs(Int(colour.red) - Int(given.red)))
        worst = max(worst, abs(Int(colour.green) - Int(given.green)))
        worst = max(worst, abs(Int(colour.blue) - Int(given.blue)))
      }
    }
    #expect(worst <= 16)
  }

  @Test("Sixels never reach below the rows of their frame")
  func lastRow() throws {
    for height in 1...40 {
      let pixels = try #require(
        Pixels(width: 3, height: 5, bytes: Array(repeating: 100, count: 45)))
      let frame = PictureFrame(
        of: pixels, inColumns: 80, rows: 3, cell: CellSize(width: 9, height: height + 6))
      let canvas = try drawn(SixelPicture.drawing(pixels, in: frame))
      #expect(canvas.pixels.count <= frame.rows * (height + 6))
      #expect(canvas.pixels.count == canvas.height)
    }
  }

  private func drawn(_ sequence: PicturePieces) throws -> SixelCanvas {
    var terminal = PictureTerminal()
    terminal.take(sequence.bytes)
    #expect(terminal.complaints.isEmpty && terminal.text.isEmpty)
    return try #require(terminal.drawn.first)
  }

  // MARK: Half blocks

  @Test("Half blocks: two pixels in a cell, a colour told only where it changes")
  func blocks() throws {
    let pixels = try #require(
      Pixels(width: 2, height: 2, bytes: [255, 0, 0, 255, 0, 0, 0, 0, 0, 8, 8, 8]))
    let picture = BlockPicture(pixels, columns: 2, rows: 1)
    #expect(picture[1, 0] == .init(upper: RGB(255, 0, 0), lower: RGB(8, 8, 8)))
    #expect(
      picture.line(0, colours: .all)
        == "\u{1B}[38;2;255;0;0;48;2;0;0;0m▀\u{1B}[48;2;8;8;8m▀\u{1B}[0m")
    #expect(
      picture.line(0, colours: .palette)
        == "\u{1B}[38;5;196;48;5;16m▀\u{1B}[48;5;232m▀\u{1B}[0m")
    #expect(picture.columns == 2 && picture.rows == 1)
    let tall = try #require(Pixels(width: 1, height: 6, bytes: (0..<18).map { UInt8($0) }))
    let rows = BlockPicture(tall, columns: 1, rows: 3)
    for row in 0..<3 {
      let first = UInt8(6 * row)
      let upper = RGB(first, first + 1, first + 2)
      #expect(rows[0, row] == .init(upper: upper, lower: RGB(first + 3, first + 4, first + 5)))
    }
  }

  @Test("Of the 240 colours, each is itself, and no other is nearer to any")
  func nearest() {
    var colours: [(index: Int, colour: RGB)] = []
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    for index in 0..<216 {
      let colour = RGB(steps[index / 36], steps[index / 6 % 6], steps[index % 6])
      colours.append((16 + index, colour))
    }
    for index in 0..<24 {
      let grey = UInt8(8 + 10 * index)
      colours.append((232 + index, RGB(grey, grey, grey)))
    }
    for (_, colour) in colours {
      #expect(colours.first { $0.index == colour.paletteIndex }?.colour == colour)
    }
    func distance(_ one: RGB, _ other: RGB) -> Int {
      let red = Int(one.red) - Int(other.red)
      let green = Int(one.green) - Int(other.green)
      let blue = Int(one.blue) - Int(other.blue)
      return red * red * 3 + green * green * 6 + blue * blue
    }
    var random = SeededGenerator(seed: 5)
    let any = (0..<500).flatMap { _ -> [RGB] in
      let grey = UInt8.random(in: 0...255, using: &random)
      let any = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      return [RGB(any[0], any[1], any[2]), RGB(grey, grey, grey)]
    }
    // Between two greys, a little nearer to the darker one.
    let between = (0..<23).map { UInt8(13 + 10 * $0) }.map { RGB($0, $0, $0 - 1) }
    for colour in any + between {
      let best = colours.map { distance($0.colour, colour) }.min() ?? 0
      let found = colours.first { $0.index == colour.paletteIndex }
      #expect(distance(found?.colour ?? RGB(0, 0, 0), colour) == best)
    }
  }

  private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
