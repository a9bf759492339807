package import Terminal

/// The characters and styles that things are drawn with.
struct Pencil: Sendable {
  let isASCII: Bool

  var cursor: String { isASCII ? ">" : "▌" }
  /// The mark in a list that is not in front: where one comes back to.
  var resting: String { isASCII ? "." : "▏" }
  var selected: String { isASCII ? "*" : "●" }
  var carried: String { isASCII ? "~" : "◌" }
  var vertical: String { isASCII ? "|" : "│" }
  var horizontal: String { isASCII ? "-" : "─" }
  var dot: String { isASCII ? "-" : "·" }
  var dots: String { isASCII ? "..." : "…" }

  static let heading = Style(.bold)
  static let faint = Style(.dim)
  // Yellow, and what bold makes of green, can't be read on white.
  static let chosen = Style(.bold, ink: .palette(5))
  static let arrived = Style(ink: .palette(2))
  static let fault = Style(.bold, ink: .palette(1))
}

extension Browser {
  /// What the terminal shall show now.
  package func grid() -> Grid {
    var grid = Grid(columns: columns, rows: rows, isASCII: look.isASCII)
    let layout = layout
    if layout.size == .tooSmall {
      drawTooSmall(&grid)
      return grid
    }
    switch mode {
    case .triage(let triage): draw(triage, &grid)
    case .help(let top): drawHelp(top, &grid)
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
      "The window is too small:", "\(columns) x \(rows). \(Layout.leastColumns) x",
      "\(Layout.leastRows) is enough; q quits.",
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

  // MARK: First and last line

  private func drawHeading(_ layout: Layout, _ grid: inout Grid) {
    let hint = look.isPlain ? "" : "/ find  ? keys"
    let end = columns - hint.count - 2
    grid.put(hint, row: 0, column: columns - hint.count, Pencil.faint)
    var column = 0
    if layout.size == .middle || layout.size == .wide {
      grid.put("Crates", row: 0, column: 1, Pencil.heading)
      column = layout.crates.columns + 2
    }
    let (name, rest) = headingWords
    column = grid.putShortened(name, row: 0, column: column, end: end, Pencil.heading)
    grid.putShortened(rest, row: 0, column: column + 2, end: end, Pencil.faint)
  }

  /// What is in front, and how much of it.
  var headingWords: (name: String, rest: String) {
    if pane == .songs, let album = currentAlbum {
      let count = Words.count(songs.count, "song")
      return (tables[album].title, "\(tables[album].artist) \(pencil.dot) \(count)")
    }
    if pane == .crates, layout.size == .narrow {
      return ("Crates", Words.count(shown.crates.count, "crate"))
    }
    guard let crate = currentCrate else { return ("", "") }
    var rest = Words.count(shown[crate].count, "album")
    if !narrowedText.isEmpty { rest = "\(Words.number(items.count)) of \(rest)" }
    let length = Words.length(itemSeconds)
    if !length.isEmpty { rest += " \(pencil.dot) \(length)" }
    if !narrowedText.isEmpty { rest += " \(pencil.dot) narrowed to “\(narrowedText)”" }
    return (shown.name(of: crate), rest)
  }

  private func drawStatus(_ grid: inout Grid) {
    let row = rows - 1
    let (text, style) = statusWords
    let end = drawPlaying(beside: text, row: row, &grid)
    if let (label, input) = typedLine {
      let start = grid.put(label, row: row, column: 0, end: end, Pencil.heading)
      // The end of what is typed is what is seen.
      var text = Substring(input.text)
      while Widths.of(text) > end - start - 1, !text.isEmpty { text.removeFirst() }
      let place = grid.put(text, row: row, column: start, end: end)
      grid.cursor = Grid.Spot(row: row, column: place)
      if let notice {
        grid.putShortened(notice.text, row: row, column: place + 2, end: end, Pencil.faint)
      }
      return
    }
    grid.putShortened(text, row: row, column: 0, end: end, style)
  }

  /// What plays is at the right of the last line, where what is said leaves it room.
  ///
  /// - Returns: where what is said has to end.
  private func drawPlaying(beside text: String, row: Int, _ grid: inout Grid) -> Int {
    let playing = playingWords
    let words = playing.isEmpty && sequence > 0 ? "change \(sequence)" : playing
    let room = typedLine == nil ? columns - Widths.of(text) - 2 : columns
    let width = min(Widths.of(words), columns / 2, room)
    guard width >= (playing.isEmpty ? Widths.of(words) : Self.playingLeast), width > 0 else {
      return columns
    }
    let column = columns - width
    grid.putShortened(words, row: row, column: column, end: columns, Pencil.faint)
    return column - 2
  }

  /// Columns in which a title can be recognised.
  private static let playingLeast = 12

  /// What is typed in the last line.
  var typedLine: (String, LineInput)? {
    switch mode {
    case .finding(let finding): ("/", finding.input)
    case .narrowing(_, let input): ("narrow to: ", input)
    case .renaming(let crate, let input): ("rename \(shown.name(of: crate)) to: ", input)
    case .picking(let picker): ("to which crate: ", picker.input)
    case .triage(let triage): triage.picker.map { ("to which crate: ", $0.input) }
    default: nil
    }
  }

  private var statusWords: (String, Style) {
    if let notice { return (notice.text, notice.isFault ? Pencil.fault : .plain) }
    if link != .ready { return ("\(awaySentence); trying again", Pencil.fault) }
    if let carried {
      let what = Words.count(carried.count, carriedKind)
      return ("\(what) picked up: p puts below, P above, Esc puts back", Pencil.chosen)
    }
    if frontHasRange { return ("a range: move on, v ends it, Esc drops it", Pencil.chosen) }
    if let selection = selectionWords { return (selection, Pencil.chosen) }
    if let trouble = status.troubles.first { return (trouble, Pencil.fault) }
    if isReading { return ("reading", Pencil.faint) }
    return (status.work ?? "", Pencil.faint)
  }

  private var carriedKind: String {
    switch carried {
    case .songs?: "song"
    case .crate?: "crate"
    default: "album"
    }
  }

  private var selectionWords: String? {
    let count = pane == .songs ? songList.selected(in: songs).count : selectedCount
    return count > 0 ? "\(Words.number(count)) selected" : nil
  }

  private var selectedCount: Int {
    guard let crate = currentCrate else { return 0 }
    return albumList.selected.count { shown.home(of: $0) == crate }
  }
}
