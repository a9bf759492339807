import TerminalScreen

/// Sheets over the lists, at the foot of the screen.
extension Browser {
  func drawSheet(_ grid: inout Grid) {
    guard let sheet = sheet else { return }
    let most = max(1, rows - 3)
    let first = max(0, min(sheet.chosen - most / 2, sheet.lines.count - most))
    let lines = sheet.lines.dropFirst(first).prefix(most)
    let top = rows - 1 - lines.count
    if !look.isPlain, top > 1 {
      grid.put(
        String(repeating: pencil.horizontal, count: columns), row: top - 1, column: 0,
        Pencil.faint)
      grid.put(" \(sheet.title) ", row: top - 1, column: 2, Pencil.heading)
    }
    for (place, line) in zip(lines.indices, lines) {
      let row = top + place - first
      grid.put(String(repeating: " ", count: columns), row: row, column: 0)
      if place == sheet.chosen { grid.put(pencil.cursor, row: row, column: 1, Pencil.heading) }
      grid.putShortened(line, row: row, column: 3, end: columns - 1)
      if place == sheet.chosen {
        grid.mark(row: row, from: 2, to: columns - 1, .reversed)
        if look.isPlain, typedLine == nil { grid.cursor = Grid.Spot(row: row, column: 0) }
      }
    }
  }

  private struct Sheet {
    var title: String
    var lines: [String]
    /// The line that is chosen; beyond the last: none.
    var chosen = Int.max / 2
  }

  private var sheet: Sheet? {
    switch mode {
    case .picking(let picker): sheet(of: picker, title: pickingTitle)
    case .triage(let triage): triage.picker.map { sheet(of: $0, title: "To which crate") }
    case .sorting: sortingSheet
    case .forgetting:
      Sheet(
        title: "Forget",
        lines: [
          "Drop the places of \(Words.count(status.gone, "song")) that are gone?",
          "y yes, anything else no. It can be undone.",
        ])
    case .playing:
      Sheet(title: "Play", lines: Self.playings.map { "\($0.letter)  \($0.does)" })
    default: nil
    }
  }

  private var pickingTitle: String {
    let count =
      pane == .crates
      ? currentCrate.map {
        albumList.selected(in: shown[$0]).count > 0
          ? albumList.selected(in: shown[$0]).count : shown[$0].count
      } ?? 0
      : pane == .songs ? 1 : meantAlbums.count
    return "To the top of which crate: \(Words.count(count, "album"))"
  }

  private func sheet(of picker: Picker, title: String) -> Sheet {
    let lines = choices(of: picker).map { choice in
      switch choice {
      case .crate(let crate):
        "\(shown.name(of: crate))  \(Words.number(shown[crate].count))"
      case .new(let name): "\(name)  (a new crate)"
      }
    }
    return Sheet(title: title, lines: lines, chosen: picker.place)
  }

  private var sortingSheet: Sheet {
    let what: String
    let lines: [String]
    if pane == .songs {
      what = sortedSongs.count == songs.count ? "all" : "\(sortedSongs.count) selected"
      lines = Self.songSortings.map { "\($0.letter)  \($0.does)" }
    } else {
      let count = Words.number(sortedAlbums.count)
      what = sortedAlbums.count == items.count ? "all \(count)" : "\(count) selected"
      lines = Self.albumSortings.map { "\($0.letter)  \($0.does)" }
    }
    return Sheet(
      title: "Sort \(what), each within the places they hold",
      lines: lines + ["A capital letter goes the other way."])
  }

  // MARK: Help

  /// The table of keys as lines of text.
  var helpLines: [String] {
    let width = Bindings.rows.map { Widths.of($0.keys) }.max() ?? 0
    var lines = Bindings.rows.map { row in
      let blanks = String(repeating: " ", count: width - Widths.of(row.keys) + 2)
      return "\(row.keys)\(blanks)\(row.does)\(row.also.isEmpty ? "" : " (\(row.also))")"
    }
    lines += [
      "", "A command means what is selected, else what is under the cursor.",
      "\(pencil.cursor) cursor   \(pencil.selected) selected   \(pencil.carried) picked up   "
        + "+4 came since you looked",
    ]
    return lines
  }

  func drawHelp(_ top: Int, _ grid: inout Grid) {
    grid.put("Keys", row: 0, column: 1, Pencil.heading)
    for (offset, line) in helpLines.dropFirst(top).prefix(rows - 2).enumerated() {
      grid.putShortened(line, row: 1 + offset, column: 1, end: columns - 1)
    }
    if look.isPlain { grid.cursor = Grid.Spot(row: 1, column: 0) }
  }
}
