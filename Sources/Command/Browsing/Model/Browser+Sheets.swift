import CratesInterface
import Terminal

/// The sheets over the lists: help, sorting, playing, and the confirmation of forgetting.
extension Browser {
  mutating func pressInHelp(_ stroke: Stroke, _ top: Int, back: Triage?) {
    let rows = max(1, self.rows - 2)
    let next: Int
    switch Bindings.commands[stroke] {
    case .down: next = top + 1
    case .up: next = top - 1
    case .halfPageDown, .pageDown: next = top + rows
    case .halfPageUp, .pageUp: next = top - rows
    case .first: next = 0
    case .last: next = .max
    default:
      mode = back.map { .triage($0) } ?? .lists
      extendTriage()
      return
    }
    let last = max(0, helpLines.count - rows)
    mode = .help(top: min(max(next, 0), last), back: back)
  }

  // MARK: Sorting

  /// The orders of the sheet with their letters. A capital letter reverses the direction.
  static let albumSortings:
    [(letter: Unicode.Scalar, sorting: Interface.AlbumOrder, does: String)] = [
      ("a", .added, "added, the newest first"), ("d", .released, "released, the newest first"),
      ("r", .artist, "artist"), ("t", .title, "title"), ("v", .reversed, "reversed"),
      ("s", .shuffled, "shuffled"),
    ]
  static let songSortings: [(letter: Unicode.Scalar, sorting: Interface.SongOrder, does: String)] =
    [
      ("n", .track, "disc and track number"), ("a", .added, "added, the newest first"),
      ("t", .title, "title"), ("v", .reversed, "reversed"), ("s", .shuffled, "shuffled"),
    ]

  /// Sorts the selection if it has two items or more, else the whole list.
  mutating func beginSorting() {
    endRanges()
    if pane == .songs {
      guard let album = currentAlbum else { return }
      let selected = songList.selected(in: songs)
      mode = .sorting(.songs(selected.count > 1 ? selected : songs, of: album), in: nil)
    } else {
      guard let crate = currentCrate else { return }
      let selected = albumList.selected(in: shown[crate])
      let all = narrowing == nil ? shown[crate] : items
      mode = .sorting(.albums(selected.count > 1 ? selected : all), in: crate)
    }
  }

  mutating func pressInSorting(
    _ stroke: Stroke, _ things: Things, in crate: CrateID?
  ) -> [Effect] {
    mode = .lists
    guard case .character(let letter) = stroke.key, stroke.modifiers.isEmpty else { return [] }
    let small = letter.properties.lowercaseMapping.unicodeScalars.first
    let isTurned = small != letter
    switch things {
    case .songs:
      guard let way = Self.songSortings.first(where: { $0.letter == small }) else { return [] }
      if case .songs(let left, _)? = left(of: things) {
        return ask(.sortSongs(left, way.sorting, isTurned: isTurned))
      }
    case .albums(let ids):
      guard let way = Self.albumSortings.first(where: { $0.letter == small }) else { return [] }
      let left = ids.filter { shown.home(of: $0) == crate }
      if !left.isEmpty { return ask(.sortAlbums(left, way.sorting, isTurned: isTurned)) }
    case .crate: break
    }
    noteGone(things, undone: "sorted")
    return []
  }

  // MARK: Forgetting

  mutating func beginForgetting() {
    if status.gone == 0 {
      notice = Notice(text: "Nothing is gone")
    } else {
      mode = .forgetting(status.gone)
    }
  }

  mutating func pressInForgetting(_ stroke: Stroke, _ count: Int) -> [Effect] {
    mode = .lists
    guard stroke == Stroke("y") else {
      notice = Notice(text: "Nothing is forgotten")
      return []
    }
    guard count == status.gone else {
      notice = Notice(
        text: "Nothing is forgotten: \(Words.count(status.gone, "song")) are gone by now; F asks"
          + " again", isFault: true)
      return []
    }
    return ask(.forgetGone)
  }
}
