import Terminal

/// The rows of lists.
extension Browser {
  /// The marks in front of a row, and its style.
  struct Marks {
    let isCursor: Bool
    let isFront: Bool
    var isSelected = false
    var isCarried = false
    let isFaint: Bool
    /// Whether a drop would put items below the row.
    var isDropPlace = false
    /// Whether a drop would put items into the row's crate.
    var isTarget = false

    var style: Style {
      if isFaint { return Pencil.faint }
      return isSelected ? Pencil.chosen : .plain
    }
  }

  func begin(
    _ marks: Marks, row: Int, _ area: Layout.Area, _ grid: inout Grid
  ) {
    if marks.isCursor {
      let mark = marks.isFront ? pencil.cursor : pencil.resting
      grid.put(mark, row: row, column: area.column, marks.isFront ? Pencil.front : Pencil.faint)
    }
    if marks.isCarried {
      grid.put(pencil.carried, row: row, column: area.column + 1, Pencil.chosen)
    } else if marks.isSelected {
      grid.put(pencil.selected, row: row, column: area.column + 1, Pencil.chosen)
    }
  }

  func end(_ marks: Marks, row: Int, _ area: Layout.Area, _ grid: inout Grid) {
    if marks.isTarget {
      grid.paint(
        row: row, from: area.column + 1, to: area.end, Pencil.chosen.adding(.reversed))
    } else if marks.isDropPlace {
      grid.mark(row: row, from: area.column + 2, to: area.end, .underlined)
    } else if marks.isCursor, marks.isFront {
      // The whole bar has one style.
      let style = marks.isSelected ? Pencil.chosen : .plain
      grid.paint(row: row, from: area.column + 1, to: area.end, style.adding(.reversed))
    }
  }

  /// Whether a drop would go beside the cursor, and not on a crate or nowhere.
  var showsDropRow: Bool { dropCrate == nil && drag?.isOutside != true }

  // MARK: Crates

  func drawCrates(_ area: Layout.Area, _ grid: inout Grid) {
    if layout.hasColumnHeadings {
      grid.put("Albums", row: area.row - 1, column: area.end - 6, Pencil.faint)
    }
    let top = crateList.topPlace(in: shown.crates)
    for (offset, crate) in shown.crates.dropFirst(top).prefix(area.rows).enumerated() {
      let row = area.row + offset
      var marks = Marks(
        isCursor: crate == currentCrate, isFront: pane == .crates,
        isFaint: sums[crate]?.isThere == false)
      if case .crate(crate)? = carried { marks.isCarried = true }
      marks.isTarget = dropCrate == crate
      marks.isDropPlace =
        showsDropRow && pane == .crates && carried != nil && marks.isCursor
      begin(marks, row: row, area, &grid)
      let number = top + offset + 1
      if number < 10 {
        grid.put("\(number)", row: row, column: area.column + 2, Pencil.faint)
      }
      var right = area.end
      let count = Words.number(shown[crate].count)
      right -= count.count
      grid.put(count, row: row, column: right, marks.isFaint ? Pencil.faint : .plain)
      let selected = (albumLists[crate]?.selected ?? []).count { shown.home(of: $0) == crate }
      if selected > 0 {
        let text = "\(pencil.selected)\(selected) "
        right -= Widths.of(text)
        grid.put(text, row: row, column: right, Pencil.chosen)
      }
      let arrived = arrived(in: crate)
      if arrived > 0 {
        let text = "+\(arrived) "
        right -= text.count
        grid.put(text, row: row, column: right, Pencil.arrived)
      }
      grid.putShortened(
        shown.name(of: crate), row: row, column: area.column + 4, end: right - 1, marks.style)
      end(marks, row: row, area, &grid)
    }
    if shown.crates.isEmpty, layout.size == .narrow { drawRemark(emptyWords, area, &grid) }
  }

  // MARK: Albums

  func drawAlbums(_ area: Layout.Area, _ grid: inout Grid) {
    if items.isEmpty { drawRemark(emptyWords, area, &grid) }
    let list = albumList
    let top = list.topPlace(in: items)
    let columns = albumColumns(area)
    if layout.hasColumnHeadings { columns.drawHeadings(row: area.row - 1, &grid) }
    for (offset, album) in items.dropFirst(top).prefix(area.rows).enumerated() {
      let row = area.row + offset
      let facts = tables[album]
      var marks = Marks(
        isCursor: album == list.cursor, isFront: pane == .albums,
        isSelected: list.selected.contains(album), isFaint: facts.presence != .present)
      if case .albums(let ids)? = carried {
        marks.isCarried = ids.contains(album)
        marks.isDropPlace = marks.isCursor && pane == .albums && showsDropRow
      }
      begin(marks, row: row, area, &grid)
      // Rows have the numbers of the whole crate even if the list is narrowed.
      let place = itemPlaces.isEmpty ? top + offset : itemPlaces[top + offset]
      columns.draw(facts, number: place + 1, row: row, marks.style, isNew: isNew(album), &grid)
      end(marks, row: row, area, &grid)
    }
  }

  /// Returns the columns, which are the same in all rows of a crate.
  func albumColumns(_ area: Layout.Area) -> AlbumColumns {
    AlbumColumns(
      area: area, count: currentCrate.map { shown[$0].count } ?? 0,
      hasNew: currentCrate.map { arrived(in: $0) > 0 } ?? false)
  }

  /// The reason why the list is empty.
  var emptyWords: String {
    if link != .ready { return link == .connecting ? "Connecting\(pencil.dots)" : awaySentence }
    if isReading { return "Reading\(pencil.dots)" }
    if narrowing != nil { return "Nothing here matches; Esc shows all" }
    let why =
      shown.crates.isEmpty && status.gone > 0
      ? "All music is gone; places are kept for \(Words.count(status.gone, "song"))"
      : "There is no music yet"
    return "\(why); `crate status` shows where it is looked for"
  }

  private func drawRemark(_ words: String, _ area: Layout.Area, _ grid: inout Grid) {
    grid.putShortened(words, row: area.row, column: area.column + 2, end: area.end, Pencil.faint)
  }

  // MARK: Songs

  func drawSongs(_ area: Layout.Area, _ grid: inout Grid) {
    let list = songList
    let ids = songs
    let top = list.topPlace(in: ids)
    let digits = String(ids.count).count
    if shown.songs[lookedAtAlbum ?? AlbumID(number: -1)] == nil, lookedAtAlbum != nil {
      let words = link == .ready ? "Reading\(pencil.dots)" : "Not available just now"
      drawRemark(words, area, &grid)
    }
    if layout.hasColumnHeadings, area.row > 1 {
      drawSongHeading(row: area.row - 1, column: area.column + 2, end: area.end, &grid)
    }
    for (offset, id) in ids.dropFirst(top).prefix(area.rows).enumerated() {
      let row = area.row + offset
      let song = songFacts[id]
      let isThere = (song?.presence ?? .present) == .present
      var marks = Marks(
        isCursor: pane == .songs && id == list.cursor, isFront: pane == .songs,
        isSelected: list.selected.contains(id), isFaint: !isThere)
      if case .songs(let ids, _)? = carried {
        marks.isCarried = ids.contains(id)
        marks.isDropPlace = marks.isCursor && showsDropRow
      }
      begin(marks, row: row, area, &grid)
      drawSong(id, number: top + offset + 1, digits: digits, row: row, area, marks.style, &grid)
      end(marks, row: row, area, &grid)
    }
  }

  /// Draws the album's title and the heading of the last column.
  private func drawSongHeading(row: Int, column: Int, end: Int, _ grid: inout Grid) {
    let length = "Length"
    grid.put(length, row: row, column: end - length.count, Pencil.faint)
    guard layout.size == .wide, let album = lookedAtAlbum else {
      grid.put("Song", row: row, column: column, Pencil.faint)
      return
    }
    grid.putShortened(
      tables[album].title, row: row, column: column, end: end - length.count - 2,
      pane == .songs ? Pencil.front : .plain)
  }

  func drawSong(
    _ id: String, number: Int, digits: Int, row: Int, _ area: Layout.Area, _ style: Style,
    _ grid: inout Grid
  ) {
    let song = songFacts[id]
    let isThere = (song?.presence ?? .present) == .present
    let number = String(number)
    let start = area.column + 2
    grid.put(number, row: row, column: start + digits - number.count, Pencil.faint)
    let length = isThere ? Words.duration(song?.seconds ?? 0) : "offline"
    let right = area.end - length.count
    grid.put(length, row: row, column: right, isThere ? .plain : Pencil.faint)
    let title = start + digits + 1
    let next = grid.putShortened(
      song?.title ?? "", row: row, column: title, end: right - 1, style)
    let artist = lookedAtAlbum.map { tables[$0].artist }
    if let song, song.artist != artist, !song.artist.isEmpty, next + 4 < right {
      grid.putShortened(
        "\(pencil.dot) \(song.artist)", row: row, column: next + 1, end: right - 1, Pencil.faint)
    }
  }
}

/// The columns of a list of albums, depending on its width.
struct AlbumColumns {
  let area: Layout.Area
  let digits: Int
  let isWide: Bool
  /// The end of the columns that every album has.
  let end: Int

  /// - Parameters:
  ///   - count: The number of albums in the crate.
  ///   - hasNew: Whether an album arrived since the user last viewed the crate.
  init(area: Layout.Area, count: Int, hasNew: Bool) {
    self.area = area
    end = area.end - (hasNew ? 4 : 0)
    digits = max(String(count).count, 2)
    isWide = area.columns >= 52
  }

  func draw(
    _ facts: AlbumFacts, number: Int, row: Int, _ style: Style, isNew: Bool, _ grid: inout Grid
  ) {
    let text = String(number)
    let start = area.column + 2
    grid.put(text, row: row, column: start + max(0, digits - text.count), Pencil.faint)
    var right = end
    if isNew { grid.put("new", row: row, column: area.end - 3, Pencil.arrived) }
    guard isWide else {
      if facts.presence != .present {
        right -= 8
        grid.put("offline", row: row, column: right + 1, style)
      }
      // The artist gets the room that the title leaves, and at least a third.
      let artist = facts.artist.isEmpty ? "" : "\(grid.isASCII ? "-" : "·") \(facts.artist)"
      let room = artist.isEmpty ? 0 : min(Widths.of(artist) + 1, (right - title) / 3)
      let next = grid.putShortened(
        shownTitle(facts), row: row, column: title, end: right - room, style)
      grid.putShortened(artist, row: row, column: next + 1, end: right, Pencil.faint)
      return
    }
    let length = facts.presence == .present ? Words.duration(facts.seconds) : "offline"
    grid.put(length, row: row, column: end - length.count, style)
    if showsSongs {
      let songs = String(facts.songs)
      grid.put(songs, row: row, column: songsEnd - songs.count, style)
    }
    let year = facts.year.map(String.init) ?? ""
    grid.put(year, row: row, column: yearEnd - year.count, style)
    grid.putShortened(shownTitle(facts), row: row, column: title, end: artist - 2, style)
    grid.putShortened(facts.artist, row: row, column: artist, end: artistEnd, style)
  }

  func drawHeadings(row: Int, _ grid: inout Grid) {
    let style = Pencil.faint
    grid.putShortened("Album", row: row, column: title, end: isWide ? artist - 2 : end, style)
    guard isWide else { return }
    grid.putShortened("Artist", row: row, column: artist, end: artistEnd, style)
    grid.put("Year", row: row, column: yearEnd - 4, style)
    if showsSongs { grid.put("Songs", row: row, column: songsEnd - 5, style) }
    grid.put("Length", row: row, column: end - 6, style)
  }

  private var title: Int { area.column + digits + 4 }
  /// Titles take precedence over counts.
  private var showsSongs: Bool { area.columns >= 58 }
  private var songsEnd: Int { end - 8 }
  private var yearEnd: Int { showsSongs ? end - 14 : end - 8 }
  private var artistEnd: Int { yearEnd - 6 }
  private var artist: Int { title + (artistEnd - title) * 11 / 20 }

  private func shownTitle(_ facts: AlbumFacts) -> String {
    facts.title.isEmpty ? "..." : facts.title
  }
}
