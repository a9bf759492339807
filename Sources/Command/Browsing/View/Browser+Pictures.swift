import Terminal

/// Covers and the gallery.
extension Browser {
  /// Draws the cover beside the list, which changes when no key was pressed for a moment.
  func drawStagedCover(_ area: Layout.Area, _ grid: inout Grid) {
    guard let album = stage.current else { return }
    // The former cover stays until the new one is loaded.
    let isComing = covers[album] == nil
    if isComing, look.covers != .blocks, let former = stage.former {
      drawCover(of: former, area, &grid)
    }
    if look.covers == .blocks, isComing || covers[album]?.pixels != nil, let former = stage.former,
      let blocks = covers[former]?.blocks
    {
      let isWhole = covers[album]?.blocks.map { seenCells(of: album, $0) == $0.cells } ?? false
      if !isWhole { draw(blocks, cells: blocks.cells, area, &grid) }
    }
    drawCover(of: album, area, &grid)
  }

  /// - Parameter isCentred: Whether the cover is centred instead of at the left.
  func drawCover(
    of album: AlbumID, _ area: Layout.Area, _ grid: inout Grid, isCentred: Bool = true
  ) {
    let cover = covers[album]
    switch look.covers {
    case .none: return
    case .blocks:
      if let blocks = cover?.blocks {
        var area = area
        if !isCentred { area.columns = min(area.columns, blocks.columns) }
        draw(blocks, cells: seenCells(of: album, blocks), area, &grid)
      }
    case .sixel, .kitty:
      // A sixel picture in the last row would scroll the screen.
      if let pixels = cover?.pixels, area.row + area.rows < rows {
        let frame = PictureFrame(
          of: pixels, inColumns: area.columns, rows: area.rows, cell: look.cell)
        grid.place(
          PlacedPicture(
            // The name contains the size, since a picture of another size has to be sent anew.
            name: "\(tables[album].id) \(cover?.digest ?? "") \(pixels.width) "
              + "\(frame.width) \(frame.height)",
            spot: Grid.Spot(
              row: area.row,
              column: area.column + (isCentred ? (area.columns - frame.columns) / 2 : 0)),
            columns: frame.columns, rows: frame.rows))
      }
    }
    if let cover, cover.pixels == nil {
      grid.put(
        "no cover", row: area.row + area.rows / 2, column: area.column + (area.columns - 8) / 2,
        Pencil.faint)
    }
  }

  private func seenCells(of album: AlbumID, _ blocks: BlockPicture) -> Int {
    min(stage.cells[album] ?? 0, blocks.cells)
  }

  /// Draws the first cells, row by row.
  private func draw(
    _ blocks: BlockPicture, cells: Int, _ area: Layout.Area, _ grid: inout Grid
  ) {
    let start = area.column + max(0, (area.columns - blocks.columns) / 2)
    for place in 0..<cells {
      let (row, column) = (place / blocks.columns, place % blocks.columns)
      if row >= area.rows { return }
      if column >= area.columns { continue }
      let cell = blocks[column, row]
      grid.put(
        "▀", row: area.row + row, column: start + column,
        Style(ink: Self.color(cell.upper), paper: Self.color(cell.lower)))
    }
  }

  private static func color(_ mix: RGB) -> Color {
    .mixed(red: mix.red, green: mix.green, blue: mix.blue)
  }

  // MARK: Gallery

  func drawGallery(_ layout: Layout, _ grid: inout Grid) {
    let list = albumList
    let top = list.topPlace(in: items)
    let area = layout.albums
    let rowsSeen = (area.rows + layout.tileRows - 1) / layout.tileRows
    for (offset, album) in items.dropFirst(top).prefix(rowsSeen * layout.across).enumerated() {
      let row = area.row + offset / layout.across * layout.tileRows
      let column = area.column + offset % layout.across * Layout.tileColumns
      let left = area.row + area.rows - row
      let tile = Layout.Area(
        row: row, column: column, rows: min(layout.tileRows, left),
        columns: Layout.tileColumns)
      drawTile(
        of: album, tile, coverRows: layout.tileCoverRows, isCursor: album == list.cursor,
        list.selected, &grid)
    }
  }

  private func drawTile(
    of album: AlbumID, _ tile: Layout.Area, coverRows: Int, isCursor: Bool,
    _ selected: Set<AlbumID>, _ grid: inout Grid
  ) {
    let facts = tables[album]
    if tile.rows >= coverRows {
      drawCover(
        of: album,
        Layout.Area(
          row: tile.row, column: tile.column + 1, rows: coverRows, columns: tile.columns - 2),
        &grid, isCentred: false)
    }
    guard tile.rows > coverRows else { return }
    let row = tile.row + coverRows
    let isFaint = facts.presence != .present
    let isSelected = selected.contains(album)
    var isCarried = false
    if case .albums(let ids)? = carried { isCarried = ids.contains(album) }
    if isCursor {
      let isFront = pane == .albums
      grid.put(
        isFront ? pencil.cursor : pencil.resting, row: row, column: tile.column,
        isFront ? Pencil.front : Pencil.faint)
    }
    let mark = isCarried ? pencil.carried : isSelected ? pencil.selected : ""
    let start = grid.put(mark, row: row, column: tile.column + 1, Pencil.chosen)
    let style = isFaint ? Pencil.faint : isSelected ? Pencil.chosen : .plain
    grid.putShortened(facts.title, row: row, column: start, end: tile.end - 1, style)
    if tile.rows > coverRows + 1 {
      grid.putShortened(
        facts.artist, row: row + 1, column: tile.column + 1, end: tile.end - 1, Pencil.faint)
    }
    guard isCursor else { return }
    let isDropPlace = carried != nil && pane == .albums && showsDropRow
    if isDropPlace {
      grid.mark(row: row, from: tile.column + 1, to: tile.end - 1, .underlined)
    } else if pane == .albums {
      let style = isSelected ? Pencil.chosen : .plain
      grid.paint(row: row, from: tile.column + 1, to: tile.end - 1, style.adding(.reversed))
    }
  }

  // MARK: Triage

  var triageCover: Layout.Area {
    guard look.covers != .none, columns >= 60, rows >= 16 else { return Layout.Area() }
    let height = min(rows - 8, columns / 5)
    return Layout.Area(row: 2, column: 2, rows: height, columns: min(2 * height, columns / 2))
  }

  func draw(_ triage: Triage, _ grid: inout Grid) {
    grid.put(triage.isAll ? "Albums never moved" : "New albums", row: 0, column: 1, Pencil.front)
    let count = triage.queue.count
    let at = min(triage.steps.count + 1, count)
    let counter = "\(Words.number(at)) of \(Words.number(count))"
    grid.put(counter, row: 0, column: columns - counter.count - 1, Pencil.faint)
    // In a low window the album's title and facts come first, and a line of keys of each kind.
    let others = Self.lines(
      of: Self.triageKeys(triage), width: columns - 4, most: rows < 12 ? 1 : 3, rest: pencil.dots)
    let keys = Self.lines(
      of: zip(Self.crateKeys, shown.crates).map { "\($0) \(shown.name(of: $1))" },
      width: columns - 4, most: max(1, min(max(3, rows / 4), rows - 6 - others.count)),
      rest: pencil.dots)
    let foot = rows - 2 - keys.count - others.count
    if let album = triage.current {
      let area = triageCover
      if !area.isEmpty { drawStagedCover(area, &grid) }
      let column = area.isEmpty ? 2 : area.end + 2
      drawArrival(album, column: column, from: 2, to: foot - 1, &grid)
    } else {
      grid.put("That was the last one.", row: 2, column: 2)
      let others = othersCount(triage)
      if others > 0 {
        grid.putShortened(
          "a goes on to \(Words.count(others, "album")) that you never moved.", row: 3, column: 2,
          end: columns - 1)
      }
    }
    for (offset, line) in keys.enumerated() {
      grid.putShortened(line, row: foot + offset, column: 2, end: columns - 2)
    }
    for (offset, line) in others.enumerated() {
      let row = foot + keys.count + offset
      grid.putShortened(line, row: row, column: 2, end: columns - 1, Pencil.faint)
    }
    if look.isPlain { grid.cursor = Grid.Spot(row: 2, column: 0) }
  }

  private func drawArrival(
    _ album: AlbumID, column: Int, from start: Int, to end: Int, _ grid: inout Grid
  ) {
    let facts = tables[album]
    var row = start
    let words = [
      facts.artist, facts.year.map(String.init) ?? "", Words.count(facts.songs, "song"),
      Words.duration(facts.seconds),
    ]
    grid.putShortened(facts.title, row: row, column: column, end: columns - 1, Pencil.heading)
    row += 1
    grid.putShortened(
      words.filter { !$0.isEmpty }.joined(separator: " \(pencil.dot) "), row: row, column: column,
      end: columns - 1)
    row += 1
    if row <= end {
      let crate = shown.home(of: album).map { shown.name(of: $0) } ?? ""
      grid.putShortened(
        "in \(crate)", row: row, column: column, end: columns - 1, Pencil.faint)
    }
    row += 2
    for (number, id) in songs.enumerated() where row < end {
      let song = songFacts[id]
      let length = Words.duration(song?.seconds ?? 0)
      let right = min(columns - 2, column + 50)
      grid.put(length, row: row, column: right - length.count, Pencil.faint)
      grid.putShortened(
        "\(number + 1) \(song?.title ?? "")", row: row, column: column, end: right - 7)
      row += 1
    }
  }

  private static func triageKeys(_ triage: Triage) -> [String] {
    ["Space its place is here", "Enter another or new crate", "n later"]
      + (triage.isAll ? [] : ["a all never moved"])
      + ["u one back", "! play", "q enough for now"]
  }

  /// Arranges items in lines of the given width.
  ///
  /// - Parameter rest: A text that stands for the items that don't fit.
  private static func lines(of items: [String], width: Int, most: Int, rest: String) -> [String] {
    var lines: [String] = []
    for item in items {
      if let last = lines.last, Widths.of(last) + 3 + Widths.of(item) <= width {
        lines[lines.count - 1] = "\(last)   \(item)"
      } else if lines.count < most {
        lines.append(item)
      } else {
        var last = lines.removeLast()
        while Widths.of(last) + 3 + Widths.of(rest) > width, !last.isEmpty { last.removeLast() }
        lines.append("\(last)   \(rest)")
        break
      }
    }
    return lines
  }
}

extension BlockPicture {
  fileprivate var cells: Int { columns * rows }
}
