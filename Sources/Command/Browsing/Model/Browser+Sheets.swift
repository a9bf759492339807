import Terminal

/// Sheets over the lists: help, sorting, playing, and the one question.
extension Browser {
  mutating func pressInHelp(_ stroke: Stroke, _ top: Int) {
    let rows = max(1, self.rows - 2)
    let last = max(0, helpLines.count - rows)
    switch Bindings.commands[stroke] {
    case .down: mode = .help(top: min(top + 1, last))
    case .up: mode = .help(top: max(top - 1, 0))
    case .halfPageDown, .pageDown: mode = .help(top: min(top + rows, last))
    case .halfPageUp, .pageUp: mode = .help(top: max(top - rows, 0))
    default: mode = .lists
    }
  }

  // MARK: Sorting

  /// The orders of the sheet and their letters. A capital letter goes the other way.
  static let albumSortings: [(letter: Unicode.Scalar, sorting: AlbumSorting, does: String)] = [
    ("a", .added, "added, the newest first"), ("d", .released, "released, the newest first"),
    ("r", .artist, "artist"), ("t", .title, "title"), ("v", .reversed, "reversed"),
    ("s", .shuffled, "shuffled"),
  ]
  static let songSortings: [(letter: Unicode.Scalar, sorting: SongSorting, does: String)] = [
    ("n", .track, "disc and track number"), ("a", .added, "added, the newest first"),
    ("t", .title, "title"), ("v", .reversed, "reversed"), ("s", .shuffled, "shuffled"),
  ]

  mutating func beginSorting() {
    endRanges()
    guard pane != .songs || currentAlbum != nil else { return }
    mode = .sorting
  }

  /// What is selected, or all of the list: one alone has no order.
  var sortedAlbums: [AlbumID] {
    let all = currentCrate.map { shown[$0] } ?? []
    let selected = albumList.selected(in: all)
    return selected.count > 1 ? selected : narrowing == nil ? all : items
  }

  var sortedSongs: [String] {
    let selected = songList.selected(in: songs)
    return selected.count > 1 ? selected : songs
  }

  mutating func pressInSorting(_ stroke: Stroke) -> [Effect] {
    mode = .lists
    guard case .character(let letter) = stroke.key, stroke.modifiers.isEmpty else { return [] }
    let small = letter.properties.lowercaseMapping.unicodeScalars.first
    let isTurned = small != letter
    if pane == .songs {
      guard let way = Self.songSortings.first(where: { $0.letter == small }),
        !sortedSongs.isEmpty
      else { return [] }
      return ask(.sortSongs(sortedSongs, way.sorting, isTurned: isTurned))
    }
    guard let way = Self.albumSortings.first(where: { $0.letter == small }),
      !sortedAlbums.isEmpty
    else { return [] }
    return ask(.sortAlbums(sortedAlbums, way.sorting, isTurned: isTurned))
  }

  // MARK: Forgetting

  mutating func beginForgetting() {
    if status.gone == 0 {
      notice = Notice(text: "Nothing is gone")
    } else {
      mode = .forgetting
    }
  }

  mutating func pressInForgetting(_ stroke: Stroke) -> [Effect] {
    mode = .lists
    guard stroke == Stroke("y") else {
      notice = Notice(text: "Nothing is forgotten")
      return []
    }
    return ask(.forgetGone)
  }
}
