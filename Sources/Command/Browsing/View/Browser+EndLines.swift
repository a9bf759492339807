import Terminal

/// The first line, which shows where the user is, and the last line, which shows notices, keys and
/// what plays.
extension Browser {
  func drawHeading(_ layout: Layout, _ grid: inout Grid) {
    let hint = look.isPlain ? "" : "? keys"
    let end = columns - hint.count - 2 - margin
    grid.put(hint, row: 0, column: columns - hint.count - margin, Pencil.faint)
    var column = margin
    let isFront: Bool
    if layout.size == .middle || layout.size == .wide {
      let style = pane == .crates ? Pencil.front : .plain
      grid.put("Crates", row: 0, column: 1, style)
      column = layout.albums.isEmpty ? layout.songs.column + 1 : layout.albums.column + 1
      isFront = pane == .albums || pane == .songs && layout.albums.isEmpty
    } else {
      isFront = true
    }
    let (name, rest) = headingWords
    let style = isFront ? Pencil.front : .plain
    column = grid.putShortened(name, row: 0, column: column, end: end, style)
    grid.putShortened(rest, row: 0, column: column + 2, end: end, Pencil.faint)
  }

  /// The free columns at the right, and before text at the left.
  var margin: Int { look.isPlain ? 0 : 1 }

  /// The name of the list in front, and its counts.
  var headingWords: (name: String, rest: String) {
    if pane == .songs, layout.size != .wide, let album = currentAlbum {
      let known = shown.songs[album]?.count ?? tables[album].songs
      let count = Words.count(known, "song")
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

  // MARK: The last line

  func drawStatus(_ grid: inout Grid) {
    let row = rows - 1
    let keys = footerKeys
    let said = statusWords
    // A long notice takes more rows; keys never do.
    if let said, notice != nil || link != .ready, typedLine == nil,
      Widths.of(said.text) > columns - 2 * margin
    {
      return drawLong(said.text, said.style, &grid)
    }
    let text = said?.text ?? keys.map(\.words).joined(separator: "  ")
    let end = drawPlaying(beside: Widths.of(text), row: row, &grid)
    if let (label, input) = typedLine {
      let start = grid.put(label, row: row, column: margin, end: end, Pencil.heading)
      // Shows as much of the text before the cursor as fits.
      var before = Substring(input.before)
      while Widths.of(before) > end - start - 1, !before.isEmpty { before.removeFirst() }
      let cursor = grid.put(before, row: row, column: start, end: end)
      let place = grid.put(input.after, row: row, column: cursor, end: end)
      grid.cursor = Grid.Spot(row: row, column: cursor)
      if let notice, saysBesideTyped(notice) {
        // Away from the input, so that the notice isn't read as part of it.
        let width = Widths.of(notice.text)
        grid.putShortened(
          notice.text, row: row, column: max(place + 3, end - width), end: end,
          notice.isFault ? Pencil.fault : Pencil.faint)
      } else {
        draw(keys, row: row, from: place + 3, to: end, &grid)
      }
    } else if let said {
      grid.putShortened(said.text, row: row, column: margin, end: end, said.style)
    } else {
      draw(keys, row: row, from: margin, to: end, &grid)
    }
  }

  /// The most lines of a long sentence.
  private static let linesMost = 3

  /// Draws a text that is too long for the last line over the lines above it, too.
  private func drawLong(_ text: String, _ style: Style, _ grid: inout Grid) {
    let width = columns - 2 * margin
    var lines = Self.wrapped(text, to: width)
    if lines.count > Self.linesMost {
      lines[Self.linesMost - 1] = lines[(Self.linesMost - 1)...].joined(separator: " ")
      lines = Array(lines[..<Self.linesMost])
    }
    for (place, line) in lines.enumerated() {
      let row = rows - lines.count + place
      grid.put(String(repeating: " ", count: columns), row: row, column: 0)
      grid.putShortened(line, row: row, column: margin, end: columns - margin, style)
    }
  }

  /// Whether the notice is about the input. Notices about earlier moves are shown after it is
  /// closed.
  private func saysBesideTyped(_ notice: Notice) -> Bool {
    if case .finding = mode { true } else { notice.isFault }
  }

  /// Draws what plays at the right, if the text at the left leaves enough room.
  ///
  /// - Returns: The column at which the text at the left has to end.
  private func drawPlaying(beside width: Int, row: Int, _ grid: inout Grid) -> Int {
    let words = playingWords
    let free = columns - width - 2 - 2 * margin
    let isSaid = typedLine == nil && statusWords != nil
    // Keys leave a third of the line to it.
    let room = isSaid ? free : max(columns / 3, typedLine == nil ? free : 0)
    let width = min(Widths.of(words), room)
    guard width >= min(Self.playingLeast, Widths.of(words)), width > 0 else {
      return columns - margin
    }
    let column = columns - margin - width
    grid.putShortened(words, row: row, column: column, end: columns - margin, Pencil.faint)
    return column - 2
  }

  /// The least number of columns in which a title is recognizable.
  private static let playingLeast = 12

  /// Draws as many keys as fit, each in full.
  private func draw(
    _ keys: [FooterKey], row: Int, from start: Int, to end: Int, _ grid: inout Grid
  ) {
    var column = start
    for key in keys {
      guard column + Widths.of(key.words) <= end else { return }
      column = grid.put(key.key, row: row, column: column, end: end, Pencil.key)
      column = 2 + grid.put(" \(key.does)", row: row, column: column, end: end, Pencil.faint)
    }
  }

  /// The input in the last line with its label.
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

  /// Returns nil if there is nothing to say.
  private var statusWords: (text: String, style: Style)? {
    if let notice {
      let text = notice.fitted(to: columns - 2 * margin)
      return (text, notice.isFault ? Pencil.fault : .plain)
    }
    if link == .connecting { return ("Connecting\(pencil.dots)", Pencil.faint) }
    if link != .ready { return ("\(awaySentence); trying again", Pencil.fault) }
    if let drag, drag.hasMoved, let carried { return (words(of: drag, carried), Pencil.chosen) }
    if let carried {
      return (
        "\(name(of: carried)) picked up: p puts below, P above, Esc puts back", Pencil.chosen
      )
    }
    if frontHasRange { return ("Range: move on, v ends it, Esc drops it", Pencil.chosen) }
    if let selection = selectionWords { return (selection, Pencil.chosen) }
    if let trouble = status.troubles.first { return (trouble, Pencil.fault) }
    if isReading { return ("Reading\(pencil.dots)", Pencil.faint) }
    return status.work.map { ($0, Pencil.faint) }
  }

  private func words(of drag: Drag, _ carried: Things) -> String {
    let name = name(of: carried)
    if drag.isOutside { return "Release to leave \(name) in place" }
    if let dropCrate { return "Release to put \(name) on top of \(shown.name(of: dropCrate))" }
    return "Release to put \(name) below this row"
  }

  private var selectionWords: String? {
    let count = pane == .songs ? songList.selected(in: songs).count : selectedCount
    guard count > 0 else { return nil }
    let keys = pane == .songs ? "t top, b bottom, x picks up" : "m to a crate, t top, x picks up"
    return "\(Words.number(count)) selected: \(keys), Esc none"
  }

  private var selectedCount: Int {
    guard let crate = currentCrate else { return 0 }
    return albumList.selected.count { shown.home(of: $0) == crate }
  }
}

/// A key with its present action.
struct FooterKey: Hashable, Sendable {
  let key: String
  let does: String

  var words: String { "\(key) \(does)" }
}

extension Browser {
  /// The keys that apply at present, the most useful first.
  var footerKeys: [FooterKey] {
    if look.isPlain { return [] }
    let keys: [(String, String)]
    switch mode {
    case .lists:
      switch pane {
      case .crates:
        keys = [
          ("Enter", "albums"), ("/", "find"), ("J K", "move"), ("r", "rename"), ("!", "play"),
        ]
      case .albums:
        keys = [
          ("m", "to a crate"), ("/", "find"), ("Space", "select"), ("J K", "move"), ("!", "play"),
          ("+", "new"),
        ]
      case .songs:
        keys = [
          ("Enter", "play from here"), ("!", "play it"), ("J K", "move"), ("Space", "select"),
          ("h", "albums"),
        ]
      }
    case .finding:
      keys = [("Enter", "go there"), ("^p", "play"), ("Alt+m", "to a crate"), ("Esc", "back")]
    case .narrowing: keys = [("Enter", "keep"), ("Esc", "as before")]
    case .renaming: keys = [("Enter", "rename"), ("Esc", "leave it")]
    case .picking: keys = [("Enter", "this one"), ("Tab", "next"), ("Esc", "back")]
    case .sorting, .playing: keys = [("Esc", "back")]
    case .help, .forgetting, .triage: keys = []
    }
    return keys.map { FooterKey(key: $0.0, does: $0.1) }
  }
}
