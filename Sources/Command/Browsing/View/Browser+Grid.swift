package import Terminal

/// The characters and styles of the browser.
struct Pencil: Sendable {
  let isASCII: Bool

  var cursor: String { isASCII ? ">" : "▌" }
  /// The cursor of a list that is not in front.
  var resting: String { isASCII ? "." : "▏" }
  var selected: String { isASCII ? "*" : "●" }
  var carried: String { isASCII ? "~" : "◌" }
  var vertical: String { isASCII ? "|" : "│" }
  var horizontal: String { isASCII ? "-" : "─" }
  var dot: String { isASCII ? "-" : "·" }
  var dots: String { isASCII ? "..." : "…" }

  /// A colour that is readable on black and on white. It is never the only distinction.
  static let accent = Color.mixed(red: 0x1E, green: 0x8C, blue: 0xB0)
  static let heading = Style(.bold)
  /// The heading and the cursor of the list in front, and keys.
  static let front = Style(.bold, ink: accent)
  static let key = Style(ink: accent)
  static let faint = Style(.dim)
  // Yellow and bold green are unreadable on white.
  static let chosen = Style(.bold, ink: .palette(5))
  static let arrived = Style(ink: .palette(2))
  static let fault = Style(.bold, ink: .palette(1))
}

extension Browser {
  /// Returns what the terminal has to show now.
  package func grid() -> Grid {
    var grid = Grid(columns: columns, rows: rows, isASCII: look.isASCII)
    let layout = layout
    if layout.size == .tooSmall {
      drawTooSmall(&grid)
      return grid
    }
    switch mode {
    case .triage(let triage): draw(triage, &grid)
    case .help(let top, _): drawHelp(top, &grid)
    default:
      if look.isPlain {
        drawPlain(layout, &grid)
      } else {
        drawLists(layout, &grid)
      }
    }
    drawStatus(&grid)
    drawSheet(&grid)
    return grid
  }

  var pencil: Pencil { Pencil(isASCII: look.isASCII) }

  private func drawTooSmall(_ grid: inout Grid) {
    let words = [
      "The window is too small:", "\(columns) x \(rows) instead of",
      "\(Layout.leastColumns) x \(Layout.leastRows). q quits.",
    ]
    for (row, line) in words.enumerated() { grid.put(line, row: row, column: 0) }
  }

  private func drawLists(_ layout: Layout, _ grid: inout Grid) {
    drawHeading(layout, &grid)
    for column in layout.borders {
      for row in 1..<rows - 1 {
        grid.put(pencil.vertical, row: row, column: column, Pencil.faint)
      }
    }
    if layout.crates.columns > 0 { drawCrates(layout.crates, &grid) }
    let finding = shownFinding
    if let finding { draw(finding, layout.foundArea, &grid) }
    if layout.albums.columns > 0, finding == nil {
      if layout.hasTiles {
        drawGallery(layout, &grid)
      } else {
        drawAlbums(layout.albums, &grid)
      }
    }
    if !layout.cover.isEmpty { drawStagedCover(layout.cover, &grid) }
    let isCovered = finding != nil && layout.foundArea == layout.songs
    if layout.songs.columns > 0, !isCovered { drawSongs(layout.songs, &grid) }
  }
}
