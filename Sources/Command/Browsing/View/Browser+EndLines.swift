import Terminal

/// The first line, which says where one is, and the last, which says what happened, what can be
/// done and what plays.
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

  /// Columns that are free at the right, and before text at the left.
  var margin: Int { look.isPlain ? 0 : 1 }

  /// What is in front, and how much of it.
  var headingWords: (name: String, rest: String) {
    if pane == .songs, layout.size != .wide, let album = currentAlbum {
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

  // MARK: The last line

  func drawStatus(_ grid: inout Grid) {
    let row = rows - 1
    let keys = footerKeys
    let said = statusWords
    let text = said?.text ?? keys.map(\.words).joined(separator: "  ")
    let end = drawPlaying(beside: Widths.of(text), row: row, &grid)
    if let (label, input) = typedLine {
      let start = grid.put(label, row: row, column: margin, end: end, Pencil.heading)
      // The end of what is typed is what is seen.
      var text = Substring(input.text)
      while Widths.of(text) > end - start - 1, !text.isEmpty { text.removeFirst() }
      let place = grid.put(text, row: row, column: start, end: end)
      grid.cursor = Grid.Spot(row: row, column: place)
      if let notice {
        grid.putShortened(notice.text, row: row, column: place + 2, end: end, Pencil.faint)
      } else {
        draw(keys, row: row, from: place + 3, to: end, &grid)
      }
    } else if let said {
      grid.putShortened(said.text, row: row, column: margin, end: end, said.style)
    } else {
      draw(keys, row: row, from: margin, to: end, &grid)
    }
  }

  /// What plays is at the right, where what is said leaves it room.
  ///
  /// - Returns: where what is said has to end.
  private func drawPlaying(beside width: Int, row: Int, _ grid: inout Grid) -> Int {
    let words = playingWords
    let room = typedLine == nil && statusWords != nil ? columns - width - 4 : columns
    let width = min(Widths.of(words), columns / 3, room)
    guard width >= min(Self.playingLeast, Widths.of(words)), width > 0 else {
      return columns - margin
    }
    let column = columns - margin - width
    grid.putShortened(words, row: row, column: column, end: columns - margin, Pencil.faint)
    return column - 2
  }

  /// Columns in which a title can be recognised.
  private static let playingLeast = 12

  /// As many as have room, each whole.
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

  /// Nil where nothing has to be said.
  private var statusWords: (text: String, style: Style)? {
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
    return status.work.map { ($0, Pencil.faint) }
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
    guard count > 0 else { return nil }
    let keys = pane == .songs ? "t top, b bottom, x picks up" : "m to a crate, t top, x picks up"
    return "\(Words.number(count)) selected: \(keys), Esc none"
  }

  private var selectedCount: Int {
    guard let crate = currentCrate else { return 0 }
    return albumList.selected.count { shown.home(of: $0) == crate }
  }
}

/// A key and what it does now.
struct FooterKey: Hashable, Sendable {
  let key: String
  let does: String

  var words: String { "\(key) \(does)" }
}

extension Browser {
  /// The keys of the moment, the most useful first.
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
        keys = [("Enter", "play"), ("J K", "move"), ("Space", "select"), ("h", "albums")]
      }
    case .finding:
      keys = [("Enter", "go there"), ("!", "play"), ("Alt+m", "to a crate"), ("Esc", "back")]
    case .narrowing: keys = [("Enter", "keep"), ("Esc", "as before")]
    case .renaming: keys = [("Enter", "rename"), ("Esc", "leave it")]
    case .picking: keys = [("Enter", "this one"), ("Tab", "next"), ("Esc", "back")]
    case .sorting, .playing: keys = [("Esc", "back")]
    case .help, .forgetting, .triage: keys = []
    }
    return keys.map { FooterKey(key: $0.0, does: $0.1) }
  }
}
