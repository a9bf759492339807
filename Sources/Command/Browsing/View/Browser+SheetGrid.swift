import Terminal

/// The sheets over the lists, at the bottom of the screen.
extension Browser {
  func drawSheet(_ grid: inout Grid) {
    guard let sheet = sheet else { return }
    // The title has a row of its own.
    let most = rows - 3
    let first = max(0, min(sheet.chosen - most / 2, sheet.lines.count - most))
    let lines = sheet.lines.dropFirst(first).prefix(most)
    let top = rows - 1 - lines.count
    let rule = look.isPlain ? " " : pencil.horizontal
    grid.put(String(repeating: rule, count: columns), row: top - 1, column: 0, Pencil.faint)
    if look.isPlain {
      grid.putShortened(sheet.title, row: top - 1, column: 0, end: columns)
      if typedLine == nil { grid.cursor = Grid.Spot(row: top - 1, column: 0) }
    } else {
      let end = grid.putShortened(
        " \(sheet.title)", row: top - 1, column: 2, end: columns - 2, Pencil.heading)
      grid.put(" ", row: top - 1, column: end)
    }
    for (place, line) in zip(lines.indices, lines) {
      let row = top + place - first
      grid.put(String(repeating: " ", count: columns), row: row, column: 0)
      if place == sheet.chosen { grid.put(pencil.cursor, row: row, column: 1, Pencil.heading) }
      grid.putShortened(line, row: row, column: 3, end: columns - 1)
      if place == sheet.chosen {
        grid.mark(row: row, from: 2, to: columns - 1, .reversed)
        // A screen reader reads the input after typing, and the choice after moving to another one.
        if look.isPlain, place > 0 { grid.cursor = Grid.Spot(row: row, column: 0) }
      }
    }
  }

  private struct Sheet {
    var title: String
    var lines: [String]
    /// The index of the chosen line; beyond the last one if none is chosen.
    var chosen = Int.max / 2
  }

  private var sheet: Sheet? {
    switch mode {
    case .picking(let picker): sheet(of: picker)
    case .triage(let triage): triage.picker.map(sheet)
    case .sorting(let things, let crate): sortingSheet(things, in: crate)
    case .forgetting(let count):
      Sheet(
        title: "Forget",
        lines: [
          "Drop the places of \(Words.count(count, "song")) that are gone?"
        ] + (shown.crates.isEmpty ? ["That is everything: no crate is left then."] : []) + [
          "y yes, anything else no. It can be undone."
        ])
    case .playing(let things, _):
      Sheet(
        title: "Play \(name(of: things))", lines: Self.playings.map { "\($0.letter)  \($0.does)" })
    default: nil
    }
  }

  private func sheet(of picker: Picker) -> Sheet {
    let lines = choices(of: picker).map { choice in
      switch choice {
      case .crate(let crate):
        "\(shown.name(of: crate))  \(Words.number(shown[crate].count))"
      case .new(let name): "\(name)  (a new crate)"
      }
    }
    return Sheet(
      title: "Move \(name(of: .albums(picker.albums))) to the top of a crate", lines: lines,
      chosen: place(of: picker) ?? lines.count)
  }

  private func sortingSheet(_ things: Things, in crate: CrateID?) -> Sheet {
    let count = Words.number(things.count)
    let what: String
    let lines: [String]
    if case .songs(let ids, let album) = things {
      what = ids.count == shown.songs[album]?.count ? "all" : "\(count) selected"
      lines = Self.songSortings.map { "\($0.letter)  \($0.does)" }
    } else {
      let isAll = crate == currentCrate && things.count == items.count
      what = isAll ? "all \(count)" : "\(count) selected"
      lines = Self.albumSortings.map { "\($0.letter)  \($0.does)" }
    }
    return Sheet(
      title: "Sort \(what) within their own places",
      lines: lines + ["A capital letter goes the other way."])
  }

  // MARK: Help

  /// The help as lines of text that fit; during a triage, the help of the triage.
  var helpLines: [String] {
    var isTriage = false
    if case .help(_, .some) = mode { isTriage = true }
    let groups: [(name: String, rows: [(keys: String, words: String)])] =
      isTriage
      ? [("New albums", Self.triageHelp)]
      : Bindings.groups.map { group in
        let rows = group.rows.map { row in
          (row.keys, row.does + (row.also.isEmpty ? "" : " (\(row.also))"))
        }
        return (group.name, rows)
      }
    let width = groups.flatMap { $0.rows.map { Widths.of($0.keys) } }.max() ?? 0
    let indent = String(repeating: " ", count: width + 2)
    var lines: [String] = []
    for group in groups {
      lines += ["", group.name]
      for row in group.rows {
        let keys = row.keys + indent.dropLast(Widths.of(row.keys))
        for (number, part) in Self.wrapped(row.words, to: columns - width - 4).enumerated() {
          lines.append((number == 0 ? keys : indent) + part)
        }
      }
    }
    if isTriage { return lines }
    let marks = [
      "\(pencil.cursor) cursor", "\(pencil.selected) selected", "\(pencil.carried) picked up",
      "+4 came since you looked",
    ]
    lines.append("")
    lines += Self.wrapped(
      "A command means what is selected, or what is under the cursor.", to: columns - 2)
    return lines + Self.wrapped(marks.joined(separator: "   "), to: columns - 2)
  }

  private static let triageHelp: [(keys: String, words: String)] = [
    ("1 2 ... b c ...", "put it on top of the crate that has the key"),
    ("Enter", "another crate by its name, a new name makes one"),
    ("Space", "its place is where it is; it is not asked about again"),
    ("n Right Down", "later: go on, and say nothing of it"),
    ("u Left Up", "one back; what was put somewhere comes back"),
    ("a", "go on to all that were never moved"), ("!", "play it"),
    (", > .", "pause or go on; next song; stop"), ("q Esc", "enough for now"),
  ]

  /// Wraps a text at blanks.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = lines.last, Widths.of(last) + 1 + Widths.of(word) <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  func drawHelp(_ top: Int, _ grid: inout Grid) {
    let lines = helpLines
    let rows = rows - 2
    let isWhole = lines.count <= rows
    let name = grid.put("Keys", row: 0, column: margin, Pencil.front)
    let hint = isWhole ? "any key leaves" : "j k go on, others leave"
    grid.put(hint, row: 0, column: max(columns - hint.count - margin, name + 2), Pencil.faint)
    let names = Set(Bindings.groups.map(\.name))
    for (offset, line) in lines.dropFirst(top).prefix(rows).enumerated() {
      grid.putShortened(
        line, row: 1 + offset, column: margin, end: columns - margin,
        names.contains(line) ? Pencil.front : .plain)
    }
    if look.isPlain { grid.cursor = Grid.Spot(row: 1, column: 0) }
  }
}
