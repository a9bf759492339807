import CratesInterface
import Ordering

extension Browser {
  // MARK: Reading

  mutating func begin(crates: [String], sequence: Int) {
    link = .ready
    if isComplete { return }
    var order = Order()
    for name in crates { order.add(tables.number(ofCrate: name), named: name) }
    let before = shown
    (confirmed, shown) = (order, order)
    self.sequence = sequence
    chooseCrate()
    follow(from: before, moved: Moved())
  }

  /// Opens the crate given at the start, once it is known whether it exists.
  private mutating func chooseCrate() {
    if let wanted = wantedCrate {
      wantedCrate = nil
      if let crate = tables.known(crate: wanted), shown.contains(crate) {
        crateList.go(to: place(of: crate), in: shown.crates, height: layout.crateRows)
      } else if !shown.crates.isEmpty {
        notice = Notice(text: "There is no crate “\(wanted)”", isFault: true)
      }
    }
  }

  private func place(of crate: CrateID) -> Int { shown.crates.firstIndex(of: crate) ?? 0 }

  mutating func takeWindow(_ name: String, _ albums: [AlbumFacts]) -> [Effect] {
    guard !isComplete, let crate = tables.known(crate: name), confirmed[crate].isEmpty else {
      return []
    }
    let before = shown
    for album in albums { confirmed.append(tables.take(album), to: crate) }
    shown = confirmed
    recallPlace(in: crate)
    follow(from: before, moved: Moved())
    return openCurrentAlbum()
  }

  mutating func takeListing(
    crates: [String], _ albums: [AlbumFacts], _ sequence: Int
  ) -> [Effect] {
    var order = Order()
    for name in crates { order.add(tables.number(ofCrate: name), named: name) }
    for album in albums {
      let crate = tables.number(ofCrate: album.crate)
      order.add(crate, named: album.crate)
      order.append(tables.take(album), to: crate)
    }
    order.dropEmptyCrates()
    let open = currentAlbum
    // The notice that the daemon is offline no longer applies.
    if case .away = link { notice = nil }
    confirmed = order
    isComplete = true
    link = .ready
    self.sequence = sequence
    pending.removeAll { edit in
      if case .answered(let change) = edit.state { change <= sequence } else { false }
    }
    rebase()
    chooseCrate()
    // Songs may have moved in the meantime.
    opened = []
    refreshItems()
    if let crate = currentCrate { recallPlace(in: crate) }
    if open != nil, currentAlbum != open, pane == .songs { pane = .albums }
    beginLooking()
    isReading = false
    let missed = early
    early = []
    var effects: [Effect] = []
    for change in missed { effects += take(change) }
    return effects + findAgain() + openCurrentAlbum()
  }

  /// Restores the remembered place in a crate when the crate is first opened.
  mutating func recallPlace(in crate: CrateID) {
    guard let place = remembered.removeValue(forKey: crate) else { return }
    let list = shown[crate]
    let cursor = place.cursor.flatMap(tables.known(album:)).flatMap { list.firstIndex(of: $0) }
    let top = place.top.flatMap(tables.known(album:)).flatMap { list.firstIndex(of: $0) }
    guard let cursor else {
      // If the place is not among the first albums, waits for the others.
      if !isComplete { remembered[crate] = place }
      return
    }
    var state = ListState<AlbumID>(cursor: list[cursor], top: top.map { list[$0] })
    state.go(to: cursor, in: list, height: layout.listRows, across: layout.across)
    albumLists[crate] = state
  }

  // MARK: Changes

  /// The most changes to queue while the albums are read, which takes less than a second. If there
  /// are more, the oldest are already part of what is read.
  private static let earlyMost = 10_000

  mutating func take(_ change: Interface.Change) -> [Effect] {
    if isReading {
      early.append(change)
      if early.count > Self.earlyMost { early.removeFirst() }
      return []
    }
    guard change.complete else {
      isReading = true
      return [.list]
    }
    guard change.sequence > sequence else { return [] }
    sequence = change.sequence
    guard change.changed else { return [] }
    var effects: [Effect] = []
    var moved = Moved()
    var unread: Set<String> = []
    let arriving = arrivals(of: change)
    for move in change.moves { apply(move, by: change, &moved, &unread, &effects) }
    confirmed.dropEmptyCrates()
    let isOurs = pending.contains { $0.state != .waiting }
    pending.removeAll { edit in
      if case .answered(let number) = edit.state { number <= change.sequence } else { false }
    }
    rebase(moved: moved)
    if change.author != .person { noteUnread(change, &unread) }
    if !unread.isEmpty { effects.append(.lookUp(unread.sorted())) }
    if !isOurs, !change.summary.isEmpty { notice = notice(of: change, arriving) }
    return effects + openCurrentAlbum()
  }

  /// Records albums whose data or songs changed in the music folder, so that both are read again.
  /// The moves tell which albums gained or lost songs.
  private mutating func noteUnread(_ change: Interface.Change, _ unread: inout Set<String>) {
    let named = Set(change.albums)
    unread.formUnion(named)
    opened.removeAll { named.contains(tables[$0].id) }
    for move in change.moves where move.song != nil {
      if let album = move.album { unread.insert(album) }
    }
  }

  private mutating func apply(
    _ move: Interface.Move, by change: Interface.Change, _ moved: inout Moved,
    _ unread: inout Set<String>,
    _ effects: inout [Effect]
  ) {
    if let song = move.song {
      guard let album = move.album.map({ tables.number(ofAlbum: $0) }) else { return }
      moved.songs.insert(song)
      if move.crate == nil {
        confirmed.takeOut(song: song, of: album)
      } else if !confirmed.put(song: song, in: album, after: move.after) {
        confirmed.setSongs(of: album, nil)
        opened.removeAll { $0 == album }
      }
    } else if let id = move.album {
      let album = tables.number(ofAlbum: id)
      moved.albums.insert(album)
      guard let name = move.crate else {
        confirmed.takeOut(album)
        return
      }
      let crate = tables.number(ofCrate: name)
      if !confirmed.contains(crate) { confirmed.add(crate, named: name) }
      if confirmed.home(of: album) == nil, tables[album].title.isEmpty { unread.insert(id) }
      confirmed.put(album, in: crate, after: move.after.flatMap(tables.known(album:)))
      if change.author == .person {
        // Undo may have reset an album to never moved.
        if !isOwnMove, tables.isMoved(album) { unread.insert(id) }
        tables.noteMoved(album)
      }
    } else if let name = move.crate {
      if let was = move.was, let crate = tables.known(crate: was) {
        tables.rename(crate, from: was, to: name)
      }
      let crate = tables.number(ofCrate: name)
      confirmed.name(crate, name)
      confirmed.put(crate, after: move.after.flatMap(tables.known(crate:)))
      moved.crates.insert(crate)
    }
  }

  /// Whether the change was caused by this browser's own moves.
  private var isOwnMove: Bool {
    pending.contains { edit in
      if case .moveAlbums = edit.edit { edit.state != .waiting } else { false }
    }
  }

  mutating func takeFacts(_ albums: [AlbumFacts]) -> [Effect] {
    var differs = false
    for album in albums {
      let former = tables.known(album: album.id).map { tables[$0] }
      let number = tables.take(album)
      if isOutdated(number, former: former, album) {
        covers.forget(number)
        covers.asked = []
      }
      // An open album whose songs changed has to be read again.
      if let former, former.songs != album.songs { opened.removeAll { $0 == number } }
      if former != tables[number] { differs = true }
    }
    if !differs { return [] }
    // A narrowed list may match other albums now.
    follow(from: shown, moved: Moved())
    return openCurrentAlbum()
  }

  // MARK: Songs

  /// The most albums whose songs are stored, which is more than a user switches between.
  private static let openedMost = 64

  mutating func takeSongs(_ album: String, _ songs: [SongFacts]) {
    guard let number = tables.known(album: album) else { return }
    for song in songs { songFacts[song.id] = song }
    let before = shown
    confirmed.setSongs(of: number, songs.map(\.id))
    opened.removeAll { $0 == number }
    opened.append(number)
    while opened.count > Self.openedMost { close(opened.removeFirst()) }
    shown = confirmed
    for edit in pending { shown.predict(edit.edit) }
    follow(from: before, moved: Moved())
    goToWantedSong()
  }

  private mutating func close(_ album: AlbumID) {
    for song in confirmed.songs[album] ?? [] { songFacts[song] = nil }
    confirmed.setSongs(of: album, nil)
    songLists[album] = nil
  }

  /// Requests the songs of the album under the cursor if they are visible and not loaded.
  mutating func openCurrentAlbum() -> [Effect] {
    guard layout.showsSongs || pane == .songs || isTriage, let album = lookedAtAlbum,
      !opened.contains(album), link == .ready
    else { return [] }
    return [.songs(album: tables[album].id)]
  }

  // MARK: Lists

  /// Updates all visible lists to the current order.
  mutating func follow(from before: Order, moved: Moved) {
    let layout = layout
    let front = pane == .songs ? albumList.cursor : nil
    crateList.follow(from: before.crates, to: shown.crates, moved: moved.crates)
    crateList.fill(shown.crates, height: layout.crateRows)
    let former = items
    sumUp()
    refreshItems()
    if let crate = currentCrate {
      albumLists[crate, default: ListState()].follow(from: former, to: items, moved: moved.albums)
      albumLists[crate]?.show(ifEmptyBefore: former, items, layout)
      albumLists[crate]?.fill(items, height: layout.listRows, across: layout.across)
    }
    if let front { keepInFront(front) }
    if let album = currentAlbum, let songs = shown.songs[album] {
      songLists[album, default: ListState()].follow(
        from: before.songs[album] ?? [], to: songs, moved: moved.songs)
      songLists[album]?.fill(songs, height: layout.songRows)
    }
    leaveWhatIsGone()
    extendTriage()
    refreshFinding()
  }

  /// Recomputes the visible albums.
  mutating func refreshItems() {
    items = currentCrate.map { shown[$0] } ?? []
    itemPlaces = []
    if let narrowing, !narrowing.isEmpty {
      var found: [AlbumID] = []
      for (place, album) in items.enumerated() where narrowing.finds(tables.searched(album)) {
        found.append(album)
        itemPlaces.append(place)
      }
      items = found
    }
    itemSeconds = items.reduce(0) { $0 + tables.seconds($1) }
  }

  /// Keeps the songs of one album in front. Follows the album if it moved, and brings the albums to
  /// the front if it disappeared.
  private mutating func keepInFront(_ album: AlbumID) {
    if currentAlbum == album { return }
    guard let crate = shown.home(of: album), let row = shown.crates.firstIndex(of: crate) else {
      pane = .albums
      return
    }
    _ = open(crateAt: row)
    if let place = items.firstIndex(of: album) { _ = go(to: place) }
    pane = .songs
  }

  private mutating func leaveWhatIsGone() {
    if let former = carried {
      carried = left(of: former)
      let gone = former.count - (carried?.count ?? 0)
      if case .albums = former, gone > 0 {
        notice = Notice(text: "\(Words.count(gone, "album")) that you picked up went away")
      }
    }
    if case .renaming(let crate, _) = mode, !shown.contains(crate) { mode = .lists }
  }
}

extension ListState where Item == AlbumID {
  /// Scrolls to the cursor when the list gets its first items.
  fileprivate mutating func show(
    ifEmptyBefore former: [AlbumID], _ items: [AlbumID], _ layout: Layout
  ) {
    if former.isEmpty, !items.isEmpty {
      go(
        to: place(in: items), in: items, height: layout.listRows, across: layout.across)
    }
  }
}
