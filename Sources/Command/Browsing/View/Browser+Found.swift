import Terminal

/// The matches of the incremental search, in place of the list in front.
extension Browser {
  /// Nil if the query is empty.
  var shownFinding: Finding? {
    guard case .finding(let finding) = mode, !finding.input.text.isEmpty else { return nil }
    return finding
  }

  /// A row of the matches.
  enum FoundRow: Hashable {
    case heading(String)
    /// The index of a match in the list in front.
    case here(Int)
    case elsewhere(Int)
    case blank
    case remark(String)
  }

  /// The rows of the matches, computed on demand since there may be thousands.
  struct FoundRows {
    let finding: Finding
    let here: String
    let dots: String

    private var hereRows: Int { finding.here.isEmpty ? 0 : finding.here.count + 2 }

    var count: Int { hereRows + 1 + max(finding.elsewhere.count, 1) }

    subscript(row: Int) -> FoundRow {
      if row < hereRows {
        if row == 0 { return .heading("In \(here)") }
        return row <= finding.here.count ? .here(row - 1) : .blank
      }
      if row == hereRows { return .heading("In all crates") }
      if !finding.elsewhere.isEmpty { return .elsewhere(row - hereRows - 1) }
      if finding.isAway { return .remark("crated is away") }
      return .remark(finding.awaitsAnswer ? "searching\(dots)" : "Nothing else found")
    }

    /// - Parameter cursor: The row of the cursor in the list in front.
    func chosen(_ cursor: Int) -> Int? {
      if let chosen = finding.chosen { return hereRows + 1 + chosen }
      return finding.here.firstIndex(of: cursor).map { $0 + 1 }
    }
  }

  func foundRows(_ finding: Finding) -> FoundRows {
    let name =
      pane == .songs
      ? currentAlbum.map { tables[$0].title } ?? ""
      : currentCrate.map { shown.name(of: $0) } ?? ""
    return FoundRows(finding: finding, here: name, dots: pencil.dots)
  }

  /// Returns the first visible row, such that the chosen one is visible.
  static func foundTop(_ chosen: Int?, of count: Int, height: Int) -> Int {
    min(max((chosen ?? 0) - height / 2, 0), max(count - height, 0))
  }

  func draw(_ finding: Finding, _ list: Layout.Area, _ grid: inout Grid) {
    // The headings of the matches are among their rows.
    var area = list
    if layout.hasColumnHeadings, !layout.hasTiles {
      (area.row, area.rows) = (area.row - 1, area.rows + 1)
    }
    let rows = foundRows(finding)
    let chosen = rows.chosen(place)
    let top = Self.foundTop(chosen, of: rows.count, height: area.rows)
    let columns = albumColumns(area)
    for place in top..<min(top + area.rows, rows.count) {
      let row = area.row + place - top
      let isChosen = place == chosen
      switch rows[place] {
      case .blank: break
      case .heading(let text):
        grid.putShortened(text, row: row, column: area.column + 2, end: area.end, Pencil.heading)
      case .remark(let text):
        grid.putShortened(text, row: row, column: area.column + 2, end: area.end, Pencil.faint)
      case .here(let number):
        drawHere(finding.here[number], row: row, isChosen: isChosen, columns, area, &grid)
      case .elsewhere(let number):
        draw(finding.elsewhere[number], row: row, isChosen: isChosen, area, &grid)
      }
    }
  }

  private func drawHere(
    _ place: Int, row: Int, isChosen: Bool, _ columns: AlbumColumns, _ area: Layout.Area,
    _ grid: inout Grid
  ) {
    if pane == .songs {
      let id = songs[place]
      let marks = Marks(
        isCursor: isChosen, isFront: true, isSelected: songList.selected.contains(id),
        isFaint: (songFacts[id]?.presence ?? .present) != .present)
      begin(marks, row: row, area, &grid)
      drawSong(
        id, number: place + 1, digits: String(songs.count).count, row: row, area, marks.style,
        &grid)
      return end(marks, row: row, area, &grid)
    }
    let album = items[place]
    let marks = Marks(
      isCursor: isChosen, isFront: true, isSelected: albumList.selected.contains(album),
      isFaint: tables[album].presence != .present)
    begin(marks, row: row, area, &grid)
    let number = itemPlaces.isEmpty ? place : itemPlaces[place]
    columns.draw(
      tables[album], number: number + 1, row: row, marks.style, isNew: isNew(album), &grid)
    end(marks, row: row, area, &grid)
  }

  /// For example `song  Take Five · Dave Brubeck      Time Out, Jazz`.
  private func draw(
    _ thing: FoundThing, row: Int, isChosen: Bool, _ area: Layout.Area, _ grid: inout Grid
  ) {
    let words = words(of: thing)
    let marks = Marks(isCursor: isChosen, isFront: true, isFaint: !words.isThere)
    begin(marks, row: row, area, &grid)
    grid.put(words.kind, row: row, column: area.column + 2, Pencil.faint)
    let title = area.column + 8
    // The album gets the room that the title leaves, and at least a third.
    let room = max(area.columns - 8, 0)
    let left = Widths.of(words.title) + Widths.of(words.artist) + 5
    let crate = words.album.isEmpty ? words.crate : ", \(words.crate)"
    let needed = Widths.of(words.album) + Widths.of(crate)
    let place = area.end - min(needed, max(room - left, room / 3))
    // The crate stays visible behind a long album title.
    let crateStart = max(area.end - Widths.of(crate), place + min(Widths.of(words.album), room / 6))
    let albumEnd = grid.putShortened(
      words.album, row: row, column: place, end: crateStart, Pencil.faint)
    grid.putShortened(crate, row: row, column: albumEnd, end: area.end, Pencil.faint)
    let next = grid.putShortened(
      words.title, row: row, column: title, end: place - 2, marks.style)
    if next + 5 < place, !words.artist.isEmpty {
      grid.putShortened(
        "\(pencil.dot) \(words.artist)", row: row, column: next + 1, end: place - 2, Pencil.faint)
    }
    end(marks, row: row, area, &grid)
  }

  private func words(
    of thing: FoundThing
  ) -> (
    kind: String, title: String, artist: String, album: String, crate: String, isThere: Bool
  ) {
    let album = tables[thing.album]
    let crate = shown.home(of: thing.album).map { shown.name(of: $0) } ?? ""
    guard let song = thing.song else {
      return ("album", album.title, album.artist, "", crate, album.presence == .present)
    }
    return ("song", song.title, song.artist, album.title, crate, song.presence == .present)
  }

  // MARK: For screen readers

  /// Draws the rows that can be chosen, with the cursor on the chosen one.
  func drawPlain(_ finding: Finding, _ grid: inout Grid) {
    let count = finding.here.count + finding.elsewhere.count
    let chosen =
      finding.chosen.map { finding.here.count + $0 } ?? finding.here.firstIndex(of: place)
    let height = rows - 2
    let top = Self.foundTop(chosen, of: count, height: height)
    for place in top..<min(top + height, count) {
      let row = 1 + place - top
      let number = "\(Words.number(place + 1)) of \(Words.number(count))"
      let text: String
      if place < finding.here.count {
        text = plainRow(finding.here[place], of: frontCount)
      } else {
        let words = words(of: finding.elsewhere[place - finding.here.count])
        text = [number, words.kind, words.title, words.artist, words.album, words.crate]
          .filter { !$0.isEmpty }.joined(separator: ", ")
      }
      grid.putShortened(text, row: row, column: 0, end: columns)
      if place == chosen { grid.mark(row: row, from: 0, to: columns, .bold) }
    }
  }
}
