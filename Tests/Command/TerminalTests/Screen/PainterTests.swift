import TestSupport
import Testing

@testable import Terminal

@Suite("Painting", .limited)
struct PainterTests {
  static let words = [
    "Blue Train", "日本の伝統音楽", "Ágætis byrjun", "e\u{301}a\u{308}", "한국어", "हिन्दी", "👨‍👩‍👧 x", "❤️",
    "🇩🇪🇫🇷", "a\u{1B}[31mred", "\u{202E}abc", "ｗｉｄｅ", "👍🏽!", "│─▌●◌", "", " ", "م\u{200D}ح",
  ]
  static let styles: [Style] = [
    .plain, Style(.bold), Style([.dim, .reversed]), Style(.underlined, ink: .palette(3)),
    Style(ink: .palette(200), paper: .palette(12)),
    Style(.italic, ink: .mixed(red: 1, green: 200, blue: 30), paper: .palette(0)),
  ]

  @Test("What is emptied for a text of unknown width gets no colour of what was painted before it")
  func emptied() throws {
    var grid = Grid(columns: 4, rows: 2)
    grid.put("ab", row: 0, column: 0, Style(paper: .palette(4)))
    grid.put("e\u{301}", row: 1, column: 0)
    var painter = Painter(depth: .mixed)
    let bytes = painter.paint(grid)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\u{1B}[44mab\u{1B}[2;1H\u{1B}[m\u{1B}[1X"))
  }

  @Test("In another size, or with other characters, all is painted as on an empty screen")
  func otherScreen() throws {
    func grid(_ columns: Int, _ rows: Int, isASCII: Bool = false) -> Grid {
      var grid = Grid(columns: columns, rows: rows, isASCII: isASCII)
      grid.put("ab", row: 0, column: 0)
      return grid
    }
    for other in [grid(4, 3), grid(5, 2), grid(4, 2, isASCII: true)] {
      var painter = Painter(depth: .mixed)
      _ = painter.paint(grid(4, 2))
      var fresh = Painter(depth: .mixed)
      #expect(painter.paint(other) == fresh.paint(other))
      #expect(painter.paint(other) == [])
    }
  }

  @Test("Of a wide character both halves are painted, whichever was torn", arguments: [0, 1])
  func torn(column: Int) throws {
    var grid = Grid(columns: 4, rows: 1)
    grid.put("日x", row: 0, column: 0)
    var painter = Painter(depth: .mixed)
    _ = painter.paint(grid)
    painter.forget(
      PlacedPicture(name: "", spot: Grid.Spot(row: 0, column: column), columns: 1, rows: 1))
    let text = String(decoding: painter.paint(grid), as: UTF8.self)
    #expect(text.contains("\u{1B}[1;1H") && text.contains("日") && !text.contains("x"))
  }

  static func randomGrid(_ columns: Int, _ rows: Int, _ random: inout SeededGenerator) -> Grid {
    var grid = Grid(columns: columns, rows: rows)
    draw(on: &grid, times: Int.random(in: 0...20, using: &random), &random)
    return grid
  }

  static func draw(on grid: inout Grid, times: Int, _ random: inout SeededGenerator) {
    for _ in 0..<times {
      let row = Int.random(in: 0..<grid.rows, using: &random)
      let column = Int.random(in: 0..<grid.columns, using: &random)
      let style = styles.randomElement(using: &random) ?? .plain
      let text = words.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<10, using: &random) {
      case 0: grid.mark(row: row, from: column, to: column + 9, .reversed)
      case 1:
        grid.place(
          PlacedPicture(
            name: "\(row)", spot: Grid.Spot(row: row, column: column), columns: 5, rows: 3))
      case 2...5: grid.putShortened(text, row: row, column: column, end: column + 6, style)
      default: grid.put(text, row: row, column: column, style)
      }
    }
    let hasCursor = Bool.random(using: &random)
    grid.cursor = hasCursor ? Grid.Spot(row: 0, column: grid.columns - 1) : nil
  }

  func pen(of style: Style) -> PlainTerminal.Pen {
    var pen = PlainTerminal.Pen()
    let codes: [(Style.Attributes, Int)] = [
      (.bold, 1), (.dim, 2), (.italic, 3), (.underlined, 4), (.reversed, 7),
    ]
    pen.attributes = Set(codes.filter { style.attributes.contains($0.0) }.map(\.1))
    func numbers(_ color: Color, _ dark: Int) -> [Int] {
      switch color.kind {
      case .usual: []
      case .palette(let number) where number < 8: [dark + Int(number)]
      case .palette(let number) where number < 16: [dark + 52 + Int(number)]
      case .palette(let number): [5, Int(number)]
      case .mixed(let red, let green, let blue): [2, Int(red), Int(green), Int(blue)]
      }
    }
    pen.ink = numbers(style.ink, 30)
    pen.paper = numbers(style.paper, 40)
    return pen
  }

  /// The first difference between what is shown and what shall be.
  func fault(of terminal: PlainTerminal, _ grid: Grid, where isMeant: (Int) -> Bool) -> String? {
    if let fault = terminal.faults.first { return fault }
    if terminal.isCursorShown != (grid.cursor != nil) { return "cursor" }
    if let cursor = grid.cursor,
      cursor != Grid.Spot(row: terminal.row, column: terminal.column)
    {
      return "the cursor's place"
    }
    for spot in grid.cells.indices where isMeant(spot) {
      let (row, column) = (spot / grid.columns, spot % grid.columns)
      var expected = PlainTerminal.Cell(pen: pen(of: grid.cells[spot].style))
      expected.isRightHalf = grid.isRightHalf(row: row, column: column)
      if !grid.isCovered(row: row, column: column) {
        expected.scalars = grid.scalars(row: row, column: column)
      }
      if terminal.cells[spot] != expected {
        return "\(row), \(column): \(terminal.cells[spot]), not \(expected)"
      }
    }
    return nil
  }

  @Test("What was painted over anything is what shall be seen")
  func random() {
    var random = SeededGenerator(usually: 7)
    for _ in 0..<300 {
      let columns = Int.random(in: 1...40, using: &random)
      let rows = Int.random(in: 1...8, using: &random)
      var terminal = PlainTerminal(columns: columns, rows: rows)
      var painter = Painter(depth: .mixed)
      var grid = Self.randomGrid(columns, rows, &random)
      for _ in 0..<8 {
        if Bool.random(using: &random) {
          grid = Self.randomGrid(columns, rows, &random)
        } else {
          Self.draw(on: &grid, times: 2, &random)
        }
        terminal.feed(painter.paint(grid))
        if let fault = fault(of: terminal, grid, where: { _ in true }) {
          Issue.record("\(random): \(fault)")
          return
        }
        #expect(painter.paint(grid).isEmpty)
      }
    }
  }

  @Test("A terminal that thinks otherwise of a width errs in those columns alone")
  func otherWidths() {
    var random = SeededGenerator(usually: 8)
    for _ in 0..<200 {
      var terminal = PlainTerminal(columns: 40, rows: 6) { scalar in
        Widths.isCertain(scalar) || Widths.of(scalar) == 0 ? Widths.of(scalar) : 1
      }
      var painter = Painter(depth: .mixed)
      for _ in 0..<6 {
        let grid = Self.randomGrid(40, 6, &random)
        terminal.feed(painter.paint(grid))
        let fault = fault(of: terminal, grid) { spot in
          let cells = [grid.cells[spot], grid.cells[max(spot - 1, 0)]]
          return cells.allSatisfy { cell in
            let scalar = grid.scalars(of: cell).first
            return scalar.map(Widths.isCertain) ?? true
          } && !grid.isRightHalf(row: spot / 40, column: spot % 40)
        }
        if let fault {
          Issue.record("\(random): \(fault)")
          return
        }
      }
    }
  }

  @Test("A step costs a few bytes")
  func bytes() {
    var grid = Grid(columns: 160, rows: 48)
    for row in 0..<48 { grid.put("Blue Train, John Coltrane", row: row, column: 20) }
    var painter = Painter(depth: .mixed)
    _ = painter.paint(grid)
    grid.mark(row: 20, from: 20, to: 80, .reversed)
    #expect(painter.paint(grid).count < 120)
    grid.put("3", row: 47, column: 0)
    #expect(painter.paint(grid) == Array("\u{1B}[?25l\u{1B}[48;1H3".utf8))
  }

  @Test(
    "Where a terminal may draw fewer columns, what was there is erased first",
    arguments: [("e\u{301}", true), ("👍", true), ("\u{2764}", true), ("é", false), ("日", false)])
  func uncertain(text: String, isErased: Bool) {
    var grid = Grid(columns: 4, rows: 1)
    grid.put(text, row: 0, column: 0)
    var painter = Painter(depth: .none)
    let bytes = String(decoding: painter.paint(grid), as: UTF8.self)
    #expect(bytes.hasSuffix(text))
    #expect(bytes.contains("X") == isErased, "\(bytes.debugDescription)")
  }

  @Test("Two grids are equal where they look the same, however they came to that")
  func equal() {
    let words = ["e\u{301}", "a\u{308}"]
    var grids = [words, words.reversed()].map { order in
      var grid = Grid(columns: 8, rows: 1)
      for word in order { grid.put(word, row: 0, column: word == words[0] ? 0 : 4) }
      return grid
    }
    #expect(grids[0] == grids[1])
    grids[0].put("x", row: 0, column: 0)
    #expect(grids[0] != grids[1])
    grids[1].put("x", row: 0, column: 0)
    #expect(grids[0] == grids[1])
    grids[1].cursor = Grid.Spot(row: 0, column: 1)
    #expect(grids[0] != grids[1])
    #expect(Grid(columns: 8, rows: 1) != Grid(columns: 4, rows: 2))
  }

  @Test("What a picture covered is written anew when it has gone")
  func pictures() {
    var grid = Grid(columns: 20, rows: 5)
    let picture = PlacedPicture(
      name: "a", spot: Grid.Spot(row: 1, column: 2), columns: 4, rows: 2)
    grid.place(picture)
    var painter = Painter(depth: .none)
    _ = painter.paint(grid)
    #expect(painter.paint(grid).isEmpty)
    painter.forget(picture)
    let bytes = painter.paint(Grid(columns: 20, rows: 5))
    #expect(
      bytes
        == Array("\u{1B}[?25l\u{1B}[2;3H    \u{1B}[3;3H    ".utf8))
  }

  @Test(
    "Colours are as near as the terminal comes",
    arguments: [
      (ColorDepth.mixed, "38;2;200;10;10;48;5;21"), (.palette, "38;5;160;48;5;21"),
      (.sixteen, "31;44"), (.none, ""),
    ])
  func depths(depth: ColorDepth, expected: String) {
    var grid = Grid(columns: 1, rows: 1)
    let style = Style(ink: .mixed(red: 200, green: 10, blue: 10), paper: .palette(21))
    grid.put("x", row: 0, column: 0, style)
    var painter = Painter(depth: depth)
    let bytes = String(decoding: painter.paint(grid), as: UTF8.self)
    let styled = expected.isEmpty ? "x" : "\u{1B}[\(expected)mx\u{1B}[m"
    #expect(bytes.hasSuffix("\u{1B}[1;1H" + styled))
  }

  @Test("Nothing but ASCII, where the terminal shows nothing else")
  func ascii() {
    var grid = Grid(columns: 20, rows: 1, isASCII: true)
    grid.put("Ágætis 日本 e\u{301}\u{1B}", row: 0, column: 0)
    #expect(grid.text(row: 0) == "?g?tis ?? e?")
  }
}
