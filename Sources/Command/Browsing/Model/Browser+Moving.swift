import Ordering

/// Moving the cursor in lists.
extension Browser {
  /// Returns nil for a command that doesn't move the cursor.
  mutating func runMoving(_ command: Command) -> [Effect]? {
    let page = max(1, pageRows - 1)
    switch command {
    case .down: return step(by: frontAcross)
    case .up: return step(by: -frontAcross)
    case .halfPageDown: return step(by: max(1, pageRows / 2) * frontAcross)
    case .halfPageUp: return step(by: -max(1, pageRows / 2) * frontAcross)
    case .pageDown: return step(by: page * frontAcross)
    case .pageUp: return step(by: -page * frontAcross)
    case .first: return step(by: -frontCount)
    case .last: return step(by: frontCount)
    case .crate(let number):
      if number > shown.crates.count { noteNoCrate("\(number)") }
      return open(crateAt: number - 1)
    case .outwards:
      if place % frontAcross > 0 { return step(by: -1) }
      return turn(to: Pane(rawValue: pane.rawValue - 1))
    case .inwards:
      if frontAcross > 1 { return step(by: 1) }
      return turn(to: Pane(rawValue: pane.rawValue + 1))
    case .next: return turn(to: Pane(rawValue: (pane.rawValue + 1) % 3))
    case .previous: return turn(to: Pane(rawValue: (pane.rawValue + 2) % 3))
    case .open:
      if pane == .songs { return playFromHere() }
      return turn(to: Pane(rawValue: pane.rawValue + 1))
    default: return nil
    }
  }

  /// Reports that a key's crate doesn't exist.
  mutating func noteNoCrate(_ key: String) {
    let count = shown.crates.count
    let there = count == 1 ? "is 1 crate" : "are \(Words.number(count)) crates"
    notice = Notice(text: "\(key): there \(there); ? shows the keys")
  }

  private var pageRows: Int {
    switch pane {
    case .crates: layout.crateRows
    case .albums: layout.listRows
    case .songs: layout.songRows
    }
  }

  private var frontAcross: Int { pane == .albums ? layout.across : 1 }

  var frontCount: Int {
    switch pane {
    case .crates: shown.crates.count
    case .albums: items.count
    case .songs: songs.count
    }
  }

  /// The cursor's row in the list in front.
  var place: Int {
    switch pane {
    case .crates: crateList.place(in: shown.crates)
    case .albums: albumList.place(in: items)
    case .songs: songList.place(in: songs)
    }
  }

  private mutating func step(by rows: Int, extending: Bool = false) -> [Effect] {
    if !extending { endShiftRange() }
    return go(to: place + rows)
  }

  private mutating func endShiftRange() {
    changeFront {
      if $0.range?.endsByItself == true { $0.endRange() }
    } songs: {
      if $0.range?.endsByItself == true { $0.endRange() }
    }
  }

  /// Moves the cursor of the list in front to a row.
  mutating func go(to place: Int) -> [Effect] {
    let layout = layout
    switch pane {
    case .crates:
      let place = min(max(place, 0), max(shown.crates.count - 1, 0))
      return open(crateAt: place, staying: true)
    case .albums:
      guard let crate = currentCrate else { return [] }
      albumLists[crate, default: ListState()].go(
        to: place, in: items, height: layout.listRows, across: layout.across)
      return openCurrentAlbum()
    case .songs:
      guard let album = currentAlbum else { return [] }
      let songs = songs
      songLists[album, default: ListState()].go(to: place, in: songs, height: layout.songRows)
      return []
    }
  }

  /// - Parameter staying: whether the crates stay in front.
  mutating func open(crateAt place: Int, staying: Bool = false) -> [Effect] {
    guard shown.crates.indices.contains(place) else { return [] }
    let crate = shown.crates[place]
    if crate != currentCrate {
      leaveCrate()
      if !narrowedText.isEmpty { clearNarrowing() }
    }
    crateList.go(to: place, in: shown.crates, height: layout.crateRows)
    refreshItems()
    recallPlace(in: crate)
    if !staying { pane = .albums }
    var state = albumLists[crate] ?? ListState()
    // The list may have changed since it was last open.
    state.follow(from: items, to: items, moved: [])
    state.show(in: items, height: layout.listRows, across: layout.across)
    albumLists[crate] = state
    return openCurrentAlbum()
  }

  mutating func turn(to pane: Pane?) -> [Effect] {
    guard let pane else { return [] }
    if pane == .songs, currentAlbum == nil { return [] }
    self.pane = pane
    let effects = openCurrentAlbum()
    if pane == .songs, let album = currentAlbum, songLists[album]?.cursor == nil {
      let (songs, height) = (songs, layout.songRows)
      songLists[album, default: ListState()].go(to: 0, in: songs, height: height)
    }
    settle()
    return effects
  }

  // MARK: Selecting

  mutating func runSelecting(_ command: Command) -> [Effect] {
    if pane == .crates {
      notice = Notice(text: "Crates are moved one at a time; Enter goes to the albums")
      return []
    }
    if command == .selectDown || command == .selectUp {
      let (items, songs) = (items, songs)
      changeFront {
        if $0.range == nil { $0.beginRange(in: items, endsByItself: true) }
      } songs: {
        if $0.range == nil { $0.beginRange(in: songs, endsByItself: true) }
      }
      return step(by: command == .selectDown ? 1 : -1, extending: true)
    }
    let (items, songs) = (items, songs)
    changeFront {
      Self.select(command, in: items, &$0)
    } songs: {
      Self.select(command, in: songs, &$0)
    }
    return command == .select ? go(to: place + 1) : []
  }

  private static func select<Item>(
    _ command: Command, in items: [Item], _ state: inout ListState<Item>
  ) {
    switch command {
    case .select:
      if state.range != nil { state.endRange() }
      if let cursor = state.cursor, items.contains(cursor) { state.toggle(cursor) }
    case .range, .deselectingRange:
      if state.range != nil {
        state.endRange()
      } else {
        state.beginRange(in: items, deselects: command == .deselectingRange)
      }
    case .rangeAbove: state.selectRange(.above, in: items)
    case .rangeBelow: state.selectRange(.below, in: items)
    case .all: state.select(items)
    case .invert: state.invert(items)
    default: break
    }
  }
}
