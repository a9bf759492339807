import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("How covers are drawn", .limited) struct CoverDrawingTests: CoverSessions {
  @Test("A picture stands in the middle of its place, as large as fits")
  func placed() throws {
    for (width, height, column, columns, rows) in [
      (8, 8, 71, 28, 14), (4, 8, 78, 14, 14), (8, 4, 71, 28, 7), (2, 8, 81, 7, 14),
    ] {
      var session = session(.kitty)
      let id = id(0, session)
      _ = asked(&session)
      #expect(session.browser.grid().pictures.isEmpty)
      session.take(.cover(album: id, digest: "d", try pixels(width, height), side: 280))
      let frame = PictureFrame(of: try pixels(width, height), inColumns: 28, rows: 14)
      #expect(
        session.browser.grid().pictures == [
          PlacedPicture(
            name: "\(id) d \(width) \(frame.width) \(frame.height)",
            spot: Grid.Spot(row: 1, column: column), columns: columns,
            rows: rows)
        ])
      #expect(session.browser.pixels(ofPicture: "\(id) d \(width)")?.width == width)
      #expect(session.browser.pixels(ofPicture: "none d") == nil)
      #expect(session.browser.pixels(ofPicture: "") == nil)
    }
  }

  @Test("A cover is not in the way of a menu or a prompt over it, and comes back after it")
  func belowSheets() throws {
    for (keys, columns) in [("m", 80), ("!", 80), ("s", 80), ("w m", 100), ("+ Enter", 80)] {
      var session = session(.kitty, columns, 24, albums: 20)
      session.take(.playing(PlayingFacts(player: "mpv", title: "Something")))
      let way = keys.split(separator: " ")
      session.press(way.dropLast().joined(separator: " "))
      _ = asked(&session)
      for place in 0..<20 {
        session.take(.cover(album: id(place, session), digest: "d", try pixels(8, 8), side: 280))
      }
      let before = session.browser.grid().pictures
      #expect(!before.isEmpty, "\(keys)")
      session.press(String(way.last ?? ""))
      let top = session.screen.firstIndex { $0.hasPrefix("──") } ?? 0
      let pictures = session.browser.grid().pictures
      #expect(top > 0 && pictures.allSatisfy { $0.spot.row + $0.rows <= top }, "\(keys)")
      session.press("Esc")
      #expect(session.browser.grid().pictures == before, "\(keys)")
    }
  }

  @Test("The cover before it stays until the next one is at hand, and nothing was pressed")
  func staged() throws {
    var session = session(.kitty)
    let ids = [id(0, session), id(1, session)]
    func shown() -> [String] {
      session.browser.grid().pictures.map { String($0.name.split(separator: " ")[0]) }
    }
    _ = asked(&session)
    session.take(.cover(album: ids[0], digest: "d", try pixels(8, 8), side: 280))
    #expect(shown() == [ids[0]])
    session.press("j")
    session.take(.cover(album: ids[1], digest: "d", try pixels(8, 8), side: 280))
    #expect(shown() == [ids[0]])
    _ = asked(&session)
    #expect(shown() == [ids[1]])
    session.press("j")
    _ = asked(&session)
    #expect(shown() == [ids[1]])
    session.take(.cover(album: id(2, session), digest: nil, nil, side: 280))
    #expect(shown() == [])
    #expect(session.screen[1 + 14 / 2].contains("no cover"))
    // From a gallery nothing stays.
    session.press("w")
    _ = asked(&session)
    session.press("w j")
    _ = asked(&session)
    #expect(shown() == [])
  }

  @Test("That there is no cover is said in the middle of its place, if there is room")
  func noCover() {
    var session = session(.kitty)
    _ = asked(&session)
    session.take(.cover(album: id(0, session), digest: nil, nil, side: 280))
    let row = session.screen[8]
    let place = row.firstRange(of: "no cover").map {
      row.distance(from: row.startIndex, to: $0.lowerBound)
    }
    #expect(place == 71 + (28 - 8) / 2)
    #expect(session.browser.grid().style(row: 8, column: 81) == Pencil.faint)
  }

  /// The cells of half blocks that are seen, row by row from the first of the cover.
  private func blocks(_ session: Session) -> [String] {
    (1..<15).map { row in
      String(session.screen[row].unicodeScalars.dropFirst(71).map { $0 == "▀" ? "#" : "." })
    }.filter { $0.contains("#") }
  }

  @Test("Half blocks stand in the middle of their place, as large as fits")
  func placedBlocks() throws {
    for (width, height, column, columns, rows) in [
      (8, 8, 71, 28, 14), (32, 64, 78, 14, 14), (64, 32, 71, 28, 7), (16, 64, 81, 7, 14),
      (64, 16, 71, 28, 4),
    ] {
      var session = session(.blocks)
      _ = asked(&session)
      session.take(
        .cover(album: id(0, session), digest: "d", try pixels(width * 4, height * 4), side: 58))
      session.take(.roomForMore(cells: 1_000))
      let seen = (1..<29).map { row in
        let cells = session.screen[row].unicodeScalars.enumerated().filter { $0.element == "▀" }
        return (first: cells.first?.offset, count: cells.count)
      }
      #expect(seen.prefix(rows).allSatisfy { $0 == (column, columns) }, "\(width) \(height)")
      #expect(seen.dropFirst(rows).allSatisfy { $0.count == 0 }, "\(width) \(height)")
    }
  }

  @Test("In a gallery of two columns half blocks come where the list stands still")
  func revealedTiles() throws {
    let sessions = (60..<240).lazy.map { columns in
      var session = Session(
        [(name: "Music", albums: ["A", "B", "C"])], columns: columns, rows: 58,
        look: Look(covers: .blocks))
      session.press("w")
      return session
    }
    var session = try #require(sessions.first { $0.browser.layout.across == 2 })
    session.take(.cover(album: id(1, session), digest: "d", try pixels(8, 8), side: 58))
    #expect(!session.browser.hasMoreToDraw)
    _ = asked(&session)
    #expect(session.browser.hasMoreToDraw)
    while session.browser.hasMoreToDraw { session.take(.roomForMore(cells: 100)) }
    #expect(session.screen.contains { $0.contains("▀") })
  }

  @Test("Half blocks come row by row, as many cells as there is room for")
  func revealed() throws {
    var session = session(.blocks)
    _ = asked(&session)
    session.take(.cover(album: id(0, session), digest: "d", try pixels(58, 29), side: 58))
    #expect(session.browser.hasMoreToDraw && blocks(session) == [])
    session.take(.roomForMore(cells: 10))
    #expect(blocks(session) == [String(repeating: "#", count: 10)])
    session.take(.roomForMore(cells: 20))
    #expect(blocks(session) == [String(repeating: "#", count: 28), "##"])
    // One at least comes each time.
    session.take(.roomForMore(cells: 0))
    #expect(blocks(session) == [String(repeating: "#", count: 28), "###"])
    // 28 columns by 7 rows.
    session.take(.roomForMore(cells: 28 * 7 - 32))
    #expect(session.browser.hasMoreToDraw)
    session.take(.roomForMore(cells: 1))
    #expect(!session.browser.hasMoreToDraw)
    #expect(blocks(session) == Array(repeating: String(repeating: "#", count: 28), count: 7))
    session.take(.roomForMore(cells: 50))
    #expect(blocks(session).count == 7)
    // The next one takes its place cell by cell.
    session.take(.cover(album: id(1, session), digest: "d", try pixels(29, 29), side: 58))
    session.press("j")
    #expect(blocks(session).count == 7 && !session.browser.hasMoreToDraw)
    _ = asked(&session)
    #expect(blocks(session).count == 7 && session.browser.hasMoreToDraw)
    session.take(.roomForMore(cells: 1_000))
    #expect(!session.browser.hasMoreToDraw)
    #expect(blocks(session) == Array(repeating: String(repeating: "#", count: 28), count: 14))
    // As long as none is at hand the former one stays.
    session.press("j")
    _ = asked(&session)
    #expect(blocks(session) == Array(repeating: String(repeating: "#", count: 28), count: 14))
    session.press("k")
    _ = asked(&session)
    session.take(.roomForMore(cells: 1_000))
    // Below a sheet nothing is drawn.
    session.take(.cover(album: id(2, session), digest: "d", try pixels(58, 29), side: 58))
    session.press("j")
    _ = asked(&session)
    session.press("?")
    #expect(!session.browser.hasMoreToDraw)
    session.press("?")
    #expect(session.browser.hasMoreToDraw)
  }

  @Test("Among new albums the cover stands at the left, and what is known of the album beside it")
  func triageScreen() throws {
    for (columns, rows, cover, column) in [
      (100, 30, (2, 40, 20), 44), (60, 16, (2, 16, 8), 20), (60, 30, (2, 24, 12), 28),
      (59, 30, nil, 2),
    ] as [(Int, Int, (row: Int, columns: Int, rows: Int)?, Int)] {
      var session = session(.kitty, columns, rows)
      session.press("+")
      let title = session.screen[2].split(separator: " ").first.map(String.init) ?? ""
      #expect(title == "A0" && session.screen[2].hasSuffix(" A0"), "\(columns) \(rows)")
      #expect(session.screen[2].count == column + 2, "\(columns) \(rows)")
      _ = asked(&session)
      session.take(.cover(album: id(0, session), digest: "d", try pixels(8, 8), side: 512))
      let found = session.browser.grid().pictures.map {
        [$0.spot.row, $0.spot.column, $0.columns, $0.rows]
      }
      #expect(
        found == (cover.map { [[$0.row, 2, $0.columns, $0.rows]] } ?? []), "\(columns) \(rows)")
    }
  }

  @Test("As many rows of covers are whole as have room, with a free row between")
  func tiles() throws {
    for (rows, covers, height) in [
      (22, 2, 9), (23, 4, 8), (24, 4, 8), (25, 4, 9), (33, 4, 9), (34, 6, 8), (37, 6, 9),
    ] {
      var session = session(.kitty, 100, rows)
      session.press("w")
      _ = asked(&session)
      for place in 0..<6 {
        session.take(.cover(album: id(place, session), digest: "d", try pixels(8, 8), side: 512))
      }
      let grid = session.browser.grid()
      let starts = (0..<3).map { 1 + $0 * (height + 3) }
      let spots = starts.flatMap { row in
        [18, 38].map { Grid.Spot(row: row, column: $0) }
      }
      #expect(grid.pictures.map(\.spot) == Array(spots.prefix(covers)), "\(rows)")
      #expect(grid.pictures.allSatisfy { $0.columns == 2 * height && $0.rows == height })
      for place in 0..<covers {
        let row = starts[place / 2] + height
        let column = 18 + place % 2 * 20
        func line(_ row: Int) -> String {
          String(session.screen[row].unicodeScalars.dropFirst(column))
        }
        #expect(line(row).hasPrefix("A\(place)"), "\(rows)")
        #expect(line(row + 1).hasPrefix("Artist of A\(place)"), "\(rows)")
        // Below it a row is free, but for the last line of all.
        #expect(row + 2 == rows - 1 || line(row + 2).first == " " || line(row + 2).isEmpty)
      }
      // What has no room is not in the last line either.
      #expect(!session.screen[rows - 1].contains("Artist"), "\(rows)")
    }
  }

  @Test("In a gallery a tile is marked as a row of a list is")
  func marks() {
    var session = session(.none)
    session.press("w")
    func styles(_ row: Int, _ column: Int) -> [Bool] {
      let style = session.browser.grid().style(row: row, column: column)
      return [style.attributes.contains(.reversed), style.attributes.contains(.underlined)]
    }
    func cells(_ row: Int, _ column: Int) -> String {
      String(session.screen[row].unicodeScalars.dropFirst(column).prefix(5))
    }
    #expect(cells(1, 17) == "▌A0  " && cells(1, 37) == " A1  ")
    #expect(
      (17...37).map { styles(1, $0)[0] } == [false] + Array(repeating: true, count: 18) + [
        false, false,
      ])
    session.press("Space")
    #expect(cells(1, 17) == " ●A0 " && cells(1, 37) == "▌A1  ")
    #expect(session.browser.grid().style(row: 1, column: 19) == Pencil.chosen)
    session.press("x")
    #expect(cells(1, 17) == " ◌A0 " && cells(1, 37) == "▌A1  ")
    #expect(styles(1, 38) == [false, true] && styles(1, 55) == [false, true])
    #expect(styles(1, 56) == [false, false] && styles(1, 37) == [false, false])
    session.press("h h")
    #expect(session.browser.pane == .crates && cells(1, 17) == "▏◌A0 ")
    #expect(styles(1, 18) == [false, false])
  }
}
