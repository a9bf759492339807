import Terminal

/// The display for screen readers: one column without boxes, with the terminal's cursor on the
/// focused row.
extension Browser {
  func drawPlain(_ layout: Layout, _ grid: inout Grid) {
    let (name, rest) = headingWords
    let words = rest.replacing(" \(pencil.dot) ", with: ", ")
    grid.putShortened("\(name), \(words)", row: 0, column: 0, end: columns)
    if let finding = shownFinding { return drawPlain(finding, &grid) }
    let height = rows - 2
    let (top, cursor, count) = plainPlaces
    for offset in 0..<min(height, max(0, count - top)) {
      let place = top + offset
      grid.putShortened(plainRow(place, of: count), row: 1 + offset, column: 0, end: columns)
      if place == cursor { grid.cursor = Grid.Spot(row: 1 + offset, column: 0) }
    }
    if count == 0 {
      grid.putShortened(emptyWords, row: 1, column: 0, end: columns)
      grid.cursor = Grid.Spot(row: 1, column: 0)
    }
  }

  private var plainPlaces: (top: Int, cursor: Int, count: Int) {
    switch pane {
    case .crates: (crateList.topPlace(in: shown.crates), place, shown.crates.count)
    case .albums: (albumList.topPlace(in: items), place, items.count)
    case .songs: (songList.topPlace(in: songs), place, songs.count)
    }
  }

  /// For example `3 of 84, selected, Blue Train, John Coltrane`.
  func plainRow(_ place: Int, of count: Int) -> String {
    var words = ["\(Words.number(place + 1)) of \(Words.number(count))"]
    switch pane {
    case .crates:
      let crate = shown.crates[place]
      if case .crate(crate)? = carried { words.append("picked up") }
      words += [shown.name(of: crate), Words.count(shown[crate].count, "album")]
      let arrived = arrived(in: crate)
      if arrived > 0 { words.append("\(arrived) new") }
    case .albums:
      let album = items[place]
      let facts = tables[album]
      if albumList.selected.contains(album) { words.append("selected") }
      if case .albums(let ids)? = carried, ids.contains(album) { words.append("picked up") }
      if facts.presence != .present { words.append("offline") }
      if isNew(album) { words.append("new") }
      words += [facts.title, facts.artist]
    case .songs:
      let id = songs[place]
      if songList.selected.contains(id) { words.append("selected") }
      if case .songs(let ids, _)? = carried, ids.contains(id) { words.append("picked up") }
      guard let song = songFacts[id] else { break }
      if song.presence != .present { words.append("offline") }
      words += [song.title, song.artist, Words.duration(song.seconds)]
    }
    return words.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
