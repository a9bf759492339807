import Ordering
import Terminal

/// Clicks and drags. Everything can be done without them.
extension Browser {
  mutating func take(_ mouse: Mouse) -> [Effect] {
    guard mode == .lists else {
      if case .help(let top, let back) = mode, case .wheel(let way) = mouse.action {
        let last = max(0, helpLines.count - rows + 2)
        mode = .help(top: min(max(0, top + 3 * way), last), back: back)
      }
      return []
    }
    switch mouse.action {
    case .wheel(let way): return scroll(by: way, at: mouse.spot)
    case .press(let button): return press(button, mouse)
    case .drag: return drag(to: mouse.spot)
    case .release: return release(at: mouse.spot)
    }
  }

  /// Returns the list at the spot and its row; the row is nil below the last one.
  private func row(at spot: Grid.Spot) -> (pane: Pane, place: Int?)? {
    let layout = layout
    if layout.crates.contains(spot), !layout.crates.isEmpty {
      let place = crateList.topPlace(in: shown.crates) + spot.row - layout.crates.row
      return (.crates, shown.crates.indices.contains(place) ? place : nil)
    }
    if layout.albums.contains(spot) {
      let top = albumList.topPlace(in: items)
      let row = (spot.row - layout.albums.row) / layout.tileRows
      let column =
        layout.hasTiles
        ? min((spot.column - layout.albums.column) / Layout.tileColumns, layout.across - 1) : 0
      let place = top + row * layout.across + column
      return (.albums, items.indices.contains(place) ? place : nil)
    }
    if layout.songs.contains(spot) {
      let place = songList.topPlace(in: songs) + spot.row - layout.songs.row
      return (.songs, songs.indices.contains(place) ? place : nil)
    }
    return nil
  }

  private mutating func scroll(by way: Int, at spot: Grid.Spot) -> [Effect] {
    guard let (pane, _) = row(at: spot) else { return [] }
    let layout = layout
    switch pane {
    case .crates: crateList.scroll(by: 3 * way, in: shown.crates, height: layout.crateRows)
    case .albums:
      guard let crate = currentCrate else { return [] }
      albumLists[crate]?.scroll(
        by: layout.hasTiles ? way : 3 * way, in: items, height: layout.listRows,
        across: layout.across)
    case .songs:
      guard let album = currentAlbum else { return [] }
      let songs = songs
      songLists[album, default: ListState(cursor: songs.first)].scroll(
        by: 3 * way, in: songs, height: layout.songRows)
    }
    return []
  }

  private mutating func press(_ button: Mouse.Button, _ mouse: Mouse) -> [Effect] {
    notice = nil
    guard let (pane, place) = row(at: mouse.spot), let place else { return [] }
    if pane == .crates {
      let effects = turn(to: .crates) + go(to: place)
      drag = nil
      return effects + (mouse.isSecond ? run(.open) : [])
    }
    let former = self.place
    let isFront = pane == self.pane
    self.pane = pane
    if button == .right, isFront {
      // Selects the range from the cursor to the row.
      var effects = go(to: former)
      let (items, songs) = (items, songs)
      changeFront {
        $0.beginRange(in: items)
      } songs: {
        $0.beginRange(in: songs)
      }
      effects += go(to: place)
      endRanges()
      return effects
    }
    let effects = go(to: place)
    if mouse.modifiers.contains(.control) {
      changeFront {
        if let cursor = $0.cursor { $0.toggle(cursor) }
      } songs: {
        if let cursor = $0.cursor { $0.toggle(cursor) }
      }
      return effects
    }
    if mouse.isSecond {
      drag = nil
      return effects + run(.open)
    }
    drag = Drag(pane: pane, start: place, things: isSelected(place) ? meantThings : nil)
    return effects
  }

  private func isSelected(_ place: Int) -> Bool {
    switch pane {
    case .crates: false
    case .albums: albumList.selected.contains(items[place])
    case .songs: songList.selected.contains(songs[place])
    }
  }

  private mutating func drag(to spot: Grid.Spot) -> [Effect] {
    guard var drag, pane == drag.pane || drag.isMove else { return [] }
    guard let (pane, place) = row(at: spot), let place else {
      // Outside of the lists: a drop here changes nothing.
      dropCrate = nil
      self.drag?.isOutside = true
      return []
    }
    drag.isOutside = pane != drag.pane && pane != .crates
    if !drag.hasMoved {
      if pane == drag.pane, place == drag.start { return [] }
      drag.hasMoved = true
      let (items, songs) = (items, songs)
      if let things = drag.things {
        carried = left(of: things)
        if carried == nil { return [] }
      } else {
        changeFront {
          $0.beginRange(in: items)
        } songs: {
          $0.beginRange(in: songs)
        }
      }
    }
    self.drag = drag
    if drag.isMove {
      if pane == .crates {
        // Highlights the crate as the drop target without opening it.
        if case .albums? = carried { dropCrate = shown.crates[place] }
        self.drag?.isOutside = dropCrate == nil
        return []
      }
      dropCrate = nil
    }
    return pane == drag.pane ? go(to: place) : []
  }

  private mutating func release(at spot: Grid.Spot) -> [Effect] {
    defer {
      drag = nil
      dropCrate = nil
    }
    guard let drag, drag.hasMoved else { return [] }
    if !drag.isMove {
      endRanges()
      return []
    }
    guard let carried else { return [] }
    if let (pane, place) = row(at: spot), let place {
      if pane == .crates, case .albums(let ids) = carried {
        self.carried = nil
        return put(albums: ids, in: shown.crates[place], .top)
      }
      if pane == drag.pane { return put(above: false) }
    }
    self.carried = nil
    let rest = carried.count == 1 ? "stays where it was" : "stay where they were"
    notice = Notice(text: "\(name(of: carried)) \(rest)")
    return []
  }
}
