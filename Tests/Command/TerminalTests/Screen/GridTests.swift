import TestSupport
import Testing

@testable import Terminal

@Suite("A grid of cells", .limited) struct GridTests {
  /// What a row shows: `<` is a right half, `#` what a picture covers.
  private func shown(_ grid: Grid, row: Int = 0) -> String {
    (0..<grid.columns).map { column in
      if grid.isRightHalf(row: row, column: column) { return "<" }
      if grid.isCovered(row: row, column: column) { return "#" }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: grid.scalars(row: row, column: column))
      return String(text)
    }.joined()
  }

  @Test("Its sides are one at least, and a thousand at most")
  func sides() {
    for (asked, given) in [(-1, 1), (0, 1), (1, 1), (1000, 1000), (1001, 1000)] {
      let grid = Grid(columns: asked, rows: 2)
      #expect(grid.columns == given && grid.rows == 2)
      #expect(Grid(columns: 2, rows: asked).rows == given)
    }
  }

  @Test("A text goes as far as there is room, and no wide glyph is cut")
  func texts() {
    for (text, column, end, row, next) in [
      ("abc", 0, nil, "abc   ", 3), ("abc", 4, nil, "    ab", 6), ("abc", 1, 3, " ab   ", 3),
      ("日本", 0, nil, "日<本<  ", 4), ("日本", 0, 3, "日<    ", 2), ("日本", 5, nil, "      ", 5),
      ("é", 5, 9, "     é", 6), ("abc", 6, nil, "      ", 6), ("é", 7, nil, "      ", 7),
      ("abc", 3, 2, "      ", 3),
    ] as [(String, Int, Int?, String, Int)] {
      var grid = Grid(columns: 6, rows: 1)
      #expect(grid.put(text, row: 0, column: column, end: end) == next, "\(text) at \(column)")
      #expect(shown(grid) == row)
    }
    var grid = Grid(columns: 6, rows: 2)
    for (row, column) in [(-1, 0), (2, 0), (0, -1)] {
      #expect(grid.put("abc", row: row, column: column) == column)
    }
    #expect(grid == Grid(columns: 6, rows: 2))
  }

  @Test("What has no room ends with an ellipsis")
  func shortened() {
    for (text, end, row, next) in [
      ("abcdef", 6, "abcdef", 6), ("abcdefg", 6, "abcde…", 6), ("abcdefg", 9, "abcde…", 6),
      ("日本語", 5, "日<本<… ", 5), ("日本語", 4, "日<…   ", 3), ("éàü", 3, "éàü   ", 3),
      ("abc", 0, "      ", 0), ("ab", 1, "…     ", 1),
    ] {
      var grid = Grid(columns: 6, rows: 1)
      #expect(grid.putShortened(text, row: 0, column: 0, end: end) == next, "\(text) to \(end)")
      #expect(shown(grid) == row)
    }
    for (text, column, end, row) in [
      ("abc", 3, 6, "   abc"), ("abcd", 3, 6, "   ab…"), ("ab", 3, 4, "   …  "),
      ("ab", 4, 6, "    ab"),
      ("abc", 4, 9, "    a…"), ("日本", 2, 6, "  日<本<"), ("日本", 3, 6, "   日<…"),
      ("éé", 4, 6, "    éé"),
      ("a", 3, 3, "      "),
    ] {
      var grid = Grid(columns: 6, rows: 1)
      grid.putShortened(text, row: 0, column: column, end: end)
      #expect(shown(grid) == row, "\(text) at \(column) to \(end)")
    }
    var plain = Grid(columns: 3, rows: 1, isASCII: true)
    plain.putShortened("abcd", row: 0, column: 0, end: 3)
    #expect(shown(plain) == "ab~")
  }

  @Test("The other half of a wide glyph that is written over becomes blank")
  func halves() {
    for (text, column, row) in [
      ("x", 0, "x 本<語<"), ("x", 1, " x本<語<"), ("xy", 1, " xy 語<"), ("x", 5, "日<本< x"),
      ("é", 2, "日<é 語<"), ("é", 3, "日< é語<"), ("ä日", 0, "ä日<" + " 語<"), ("日", 1, " 日< 語<"),
    ] {
      var grid = Grid(columns: 6, rows: 1)
      grid.put("日本語", row: 0, column: 0)
      grid.put(text, row: 0, column: column)
      #expect(shown(grid) == row, "\(text) at \(column)")
    }
    // The next row's glyph is another one's.
    var grid = Grid(columns: 2, rows: 2)
    grid.put("日", row: 1, column: 0)
    grid.put("ab", row: 0, column: 0)
    #expect(shown(grid, row: 1) == "日<")
  }

  @Test("Styles reach both halves of what they touch, and nothing outside")
  func styles() {
    let bold = Style(.bold)
    for (from, to, cells) in [
      (0, 1, [0, 1]), (1, 2, [0, 1]), (1, 3, [0, 1, 2, 3]), (4, 5, [4]), (-3, 1, [0, 1]),
      (4, 99, [4, 5]), (3, 3, []), (4, 2, []),
    ] {
      var grid = Grid(columns: 6, rows: 2)
      grid.put("日本xy", row: 0, column: 0)
      var marked = grid
      grid.paint(row: 0, from: from, to: to, bold)
      marked.mark(row: 0, from: from, to: to, .bold)
      #expect((0..<6).filter { grid.style(row: 0, column: $0) == bold } == cells, "\(from) \(to)")
      #expect(grid == marked && shown(grid) == "日<本<xy")
      for row in [-1, 2] { grid.paint(row: row, from: 0, to: 6, bold) }
      #expect(grid == marked)
    }
    var both = Grid(columns: 1, rows: 1)
    both.paint(row: 0, from: 0, to: 1, bold)
    both.mark(row: 0, from: 0, to: 1, .reversed)
    #expect(both.style(row: 0, column: 0).attributes == [.bold, .reversed])
  }

  @Test("A picture covers as much of its place as there is, and none lies outside")
  func pictures() {
    func placed(_ row: Int, _ column: Int, _ columns: Int, _ rows: Int) -> Grid {
      var grid = Grid(columns: 5, rows: 3)
      grid.put("日本x", row: 1, column: 0)
      grid.place(
        PlacedPicture(
          name: "p", spot: Grid.Spot(row: row, column: column), columns: columns, rows: rows))
      return grid
    }
    let grid = placed(1, 1, 2, 9)
    #expect((0..<3).map { shown(grid, row: $0) } == ["     ", " ## x", " ##  "])
    #expect(grid.pictures.map(\.rows) == [2] && grid.pictures.map(\.columns) == [2])
    #expect(shown(placed(0, 4, 3, 1)) == "    #")
    #expect(placed(0, 4, 3, 1).pictures.map(\.columns) == [1])
    for (row, column, columns, rows) in [
      (-1, 0, 2, 2), (0, -1, 2, 2), (3, 0, 2, 2), (0, 5, 2, 2), (0, 0, 0, 2), (0, 0, 2, 0),
    ] {
      let none = placed(row, column, columns, rows)
      #expect(none.pictures.isEmpty && shown(none, row: 1) == "日<本<x")
      #expect((0..<3).allSatisfy { !shown(none, row: $0).contains("#") })
    }
    var over = placed(1, 0, 2, 1)
    over.put("abc", row: 1, column: 0)
    #expect(shown(over, row: 1) == "abc x")
    #expect(over.scalars(row: 1, column: 4) == ["x"] && !over.isCovered(row: 1, column: 0))
  }

  @Test("A picture that something was written over is not shown, and others are")
  func writtenOver() {
    func names(_ row: Int, _ column: Int) -> [String] {
      var grid = Grid(columns: 9, rows: 4)
      for (name, start) in [("a", 0), ("b", 5)] {
        grid.place(
          PlacedPicture(name: name, spot: Grid.Spot(row: 1, column: start), columns: 3, rows: 2))
      }
      grid.put("x", row: row, column: column)
      return grid.pictures.map(\.name)
    }
    for (row, column, shown) in [
      (0, 0, ["a", "b"]), (1, 0, ["b"]), (2, 2, ["b"]), (2, 3, ["a", "b"]), (1, 5, ["a"]),
      (2, 7, ["a"]), (3, 7, ["a", "b"]),
    ] {
      #expect(names(row, column) == shown, "\(row) \(column)")
    }
  }

  @Test("Two grids are the same that look the same")
  func equality() {
    var (one, two) = (Grid(columns: 4, rows: 2), Grid(columns: 4, rows: 2))
    one.put("e\u{301}x\u{302}", row: 0, column: 0)
    // Other clusters, of which nothing is left.
    two.put("q\u{301}", row: 0, column: 0)
    #expect(one != two)
    two.put("e\u{301}x\u{302}", row: 0, column: 0)
    #expect(one == two)
    two.cursor = Grid.Spot(row: 0, column: 1)
    #expect(one != two)
    one.cursor = two.cursor
    #expect(one == two)
    one.put("e\u{301}x\u{301}", row: 0, column: 0)
    #expect(one != two)
    #expect(Grid(columns: 4, rows: 2) != Grid(columns: 2, rows: 4))
    two = one
    two.paint(row: 1, from: 0, to: 1, .plain.adding(.dim))
    #expect(one != two)
    two = one
    let picture = PlacedPicture(
      name: "p", spot: Grid.Spot(row: 0, column: 0), columns: 1, rows: 1)
    two.place(picture)
    #expect(one != two)
    one.place(picture)
    #expect(one == two)
  }
}
