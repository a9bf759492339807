import Ordering

/// Moving the selection, or the item under the cursor.
extension Browser {
  /// The albums to which a command applies.
  var meantAlbums: [AlbumID] { albumList.meant(in: items) }

  mutating func move(to place: Place<AlbumID>) -> [Effect] {
    endRanges()
    switch pane {
    case .crates:
      guard let crate = currentCrate else { return [] }
      return ask(.moveCrate(crate, Self.place(place)))
    case .albums:
      guard let crate = currentCrate, !meantAlbums.isEmpty else { return [] }
      let effects = ask(
        .moveAlbums(meantAlbums, place, crate: crate, name: shown.name(of: crate)))
      showCursor()
      return effects
    case .songs:
      guard let album = currentAlbum else { return [] }
      let ids = songList.meant(in: songs)
      if ids.isEmpty { return [] }
      let effects = ask(.moveSongs(ids, Self.place(place), album: album))
      settle()
      return effects
    }
  }

  /// Converts a place that has no anchor to another item type.
  private static func place<Item>(_ place: Place<AlbumID>) -> Place<Item> {
    switch place {
    case .up: .up
    case .down: .down
    case .bottom: .bottom
    default: .top
    }
  }

  mutating func endRanges() {
    changeFront {
      $0.endRange()
    } songs: {
      $0.endRange()
    }
  }

  /// Scrolls to the cursor after the user moved something.
  private mutating func showCursor() {
    guard let crate = currentCrate else { return }
    let layout = layout
    albumLists[crate]?.show(in: items, height: layout.listRows, across: layout.across)
  }

  // MARK: Picking up

  mutating func pick() {
    endRanges()
    let former = carried
    carried = meantThings
    guard let former, let carried, former != carried else { return }
    notice = Notice(
      text: "\(name(of: carried)) picked up instead of \(name(of: former)): p puts below, P above")
  }

  mutating func put(above: Bool) -> [Effect] {
    switch carried {
    case nil:
      notice = Notice(text: "Nothing is picked up; x picks up")
      return []
    case .crate(let crate)?: return put(crate: crate, above: above)
    case .songs(let ids, let album)?: return put(songs: ids, of: album, above: above)
    case .albums(let ids)?:
      guard let crate = currentCrate else { return [] }
      if pane == .songs {
        notice = Notice(text: "Albums are put among albums, or on a crate", isFault: true)
        return []
      }
      // Dropped on a crate, the albums go to its top.
      let anchor = pane == .albums ? anchor(for: ids, in: items, above: above) : .top
      return put(albums: ids, in: crate, anchor)
    }
  }

  /// Returns the place beside the cursor. If the cursor's item is itself moved, uses the nearest
  /// item above that is not.
  private func anchor<Item: Hashable & Sendable>(
    for ids: [Item], in list: [Item], above: Bool, at place: Int
  ) -> Place<Item> {
    let moved = Set(ids)
    guard list.indices.contains(place) else { return .bottom }
    if !moved.contains(list[place]) { return above ? .before(list[place]) : .after(list[place]) }
    return list[..<place].last { !moved.contains($0) }.map { .after($0) } ?? .top
  }

  private func anchor(for ids: [AlbumID], in list: [AlbumID], above: Bool) -> Place<AlbumID> {
    anchor(for: ids, in: list, above: above, at: albumList.place(in: list))
  }

  mutating func put(
    albums ids: [AlbumID], in crate: CrateID, _ place: Place<AlbumID>
  ) -> [Effect] {
    let wasSelected = Set(ids).isSubset(
      of: albumLists.values.reduce(into: Set()) {
        $0.formUnion($1.selected)
      })
    let before = lastEdit
    let effects = ask(.moveAlbums(ids, place, crate: crate, name: shown.name(of: crate)))
    guard lastEdit > before else { return effects }
    carried = nil
    for key in albumLists.keys where key != crate { albumLists[key]?.deselect(ids) }
    if wasSelected { albumLists[crate, default: ListState()].select(ids) }
    if crate == currentCrate, pane == .albums, let first = ids.first,
      let place = items.firstIndex(of: first)
    {
      return effects + go(to: place)
    }
    return effects
  }

  private mutating func put(crate: CrateID, above: Bool) -> [Effect] {
    guard pane == .crates, let anchor = currentCrate else {
      notice = Notice(text: "Crates are put among crates", isFault: true)
      return []
    }
    carried = nil
    if anchor == crate { return [] }
    let effects = ask(.moveCrate(crate, above ? .before(anchor) : .after(anchor)))
    guard let place = shown.crates.firstIndex(of: crate) else { return effects }
    return effects + go(to: place)
  }

  private mutating func put(songs ids: [String], of album: AlbumID, above: Bool) -> [Effect] {
    guard pane == .songs, currentAlbum == album else {
      notice = Notice(text: "Songs stay in their album, which their tags name", isFault: true)
      return []
    }
    let place = anchor(for: ids, in: songs, above: above, at: songList.place(in: songs))
    carried = nil
    return ask(.moveSongs(ids, place, album: album))
  }

  // MARK: To a crate by name

  /// Whether songs are selected in the front list. They can't leave their album, so a notice says
  /// so.
  mutating func refuseSongs() -> Bool {
    guard pane == .songs, !songList.selected(in: songs).isEmpty else { return false }
    notice = Notice(
      text: "Songs stay in their album; Esc selects none, and m moves the album", isFault: true)
    return true
  }

  mutating func sendAgain() -> [Effect] {
    if refuseSongs() { return [] }
    guard let crate = lastTarget, shown.contains(crate) else {
      beginPicking(sentAlbums)
      return []
    }
    return send(sentAlbums, to: crate, named: shown.name(of: crate))
  }

  /// The albums that a send command applies to: the album of the songs in front, the selected
  /// albums, or, with the crates in front, the crate's selected albums or all of its albums.
  var sentAlbums: [AlbumID] {
    switch pane {
    case .songs: return currentAlbum.map { [$0] } ?? []
    case .albums: return meantAlbums
    case .crates:
      guard let crate = currentCrate else { return [] }
      let selected = albumList.selected(in: shown[crate])
      return selected.isEmpty ? shown[crate] : selected
    }
  }

  /// Moves albums to the top of a crate, which may be new.
  mutating func send(_ ids: [AlbumID], to crate: CrateID, named name: String) -> [Effect] {
    endRanges()
    if ids.isEmpty { return [] }
    guard case .albums(let ids)? = left(of: .albums(ids)) else {
      noteGone(.albums(ids), undone: "moved")
      return []
    }
    let before = lastEdit
    // If the songs' album moves away, the albums of the current crate come to the front.
    let front = pane
    if pane == .songs, let album = currentAlbum, ids.contains(album) { pane = .albums }
    let effects = ask(.moveAlbums(ids, nil, crate: crate, name: name))
    guard lastEdit > before else {
      pane = front
      return effects
    }
    lastTarget = crate
    for key in albumLists.keys { albumLists[key]?.deselect(ids) }
    if case .albums(let carriedIDs)? = carried, !Set(carriedIDs).isDisjoint(with: ids) {
      carried = nil
    }
    return effects + openCurrentAlbum()
  }
}
