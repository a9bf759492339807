import CratesInterface
import ProgramSupport
import TestSupport
import Testing

/// What the person does, and what happens to the daemon and its drives.
extension Torture {
  private static let names = ["Music", "Evening", "Night", "Dawn", "Noon"]

  private func some<Item>(_ items: [Item]) -> [Item] {
    let count = min(items.count, Int.random(in: 1...3, using: &chance))
    return Array(items.shuffled(using: &chance).prefix(count))
  }

  private func place(
    _ spot: OrderModel.Spot, _ id: (Int) -> String?
  ) -> Interface.Place {
    switch spot {
    case .top: return Interface.Place(.top)
    case .bottom: return Interface.Place(.bottom)
    case .up: return Interface.Place(.up)
    case .down: return Interface.Place(.down)
    case .before(let anchor): return Interface.Place(.before, anchor: id(anchor))
    case .after(let anchor): return Interface.Place(.after, anchor: id(anchor))
    }
  }

  /// - Parameter anchors: what the chosen ones may go before or after.
  private func spot(_ anchors: [Int], isOne: Bool) -> OrderModel.Spot {
    var spots: [OrderModel.Spot] = [.top, .bottom]
    if isOne { spots += [.up, .down] }
    if let anchor = pick(anchors) { spots += [.before(anchor), .after(anchor)] }
    return pick(spots) ?? .top
  }

  func moveSongs() throws -> Bool {
    try settle()
    guard let album = pick(model.listedAlbums) else { return false }
    let listed = model.listed(album)
    let chosen = some(listed)
    let spot = spot(listed.filter { !chosen.contains($0) }, isOne: chosen.count == 1)
    let place = self.place(spot) { self.songIDs[$0] }
    let ids = chosen.compactMap { songIDs[$0] }
    try edit(
      "move songs \(chosen) \(spot)", .moveSongs(songs: ids, place: place, sequence: nil),
      in: album
    ) { model in model.move(songs: chosen, spot) }
    return true
  }

  func moveAlbums() throws -> Bool {
    try settle()
    guard let first = pick(model.listedAlbums), let crate = model.crate(of: first) else {
      return false
    }
    let listed = model.crates[crate].albums.filter { !model.listed($0).isEmpty }
    let chosen = some(listed)
    let spot = spot(listed.filter { !chosen.contains($0) }, isOne: chosen.count == 1)
    let place = self.place(spot) { self.albumIDs[$0] }
    let ids = chosen.compactMap { albumIDs[$0] }
    try edit(
      "move albums \(chosen) \(spot)",
      .moveAlbums(albums: ids, place: place, crate: nil, sequence: nil)
    ) { model in model.move(albums: chosen, spot) }
    return true
  }

  func moveAlbumsToCrate() throws -> Bool {
    try settle()
    guard let name = pick(Self.names), !model.listedAlbums.isEmpty else { return false }
    let chosen = some(model.listedAlbums)
    let crate = model.crates.first { $0.name == name }
    let anchors = (crate?.albums ?? []).filter {
      !model.listed($0).isEmpty && !chosen.contains($0)
    }
    let spot = oneIn(3) ? nil : spot(anchors, isOne: false)
    var place: Interface.Place?
    if let spot { place = self.place(spot) { self.albumIDs[$0] } }
    let ids = chosen.compactMap { albumIDs[$0] }
    try edit(
      "move albums \(chosen) to \(name) \(spot.map { "\($0)" } ?? "")",
      .moveAlbums(albums: ids, place: place, crate: name, sequence: nil)
    ) { model in model.move(albums: chosen, to: name, spot) }
    return true
  }

  func moveCrate() throws -> Bool {
    try settle()
    let listed = model.crates.indices.filter { model.isListed(model.crates[$0]) }
    guard let crate = pick(listed) else { return false }
    let spot = spot(listed.filter { $0 != crate }, isOne: true)
    let names = model.crates.map(\.name)
    let place = self.place(spot) { names[$0] }
    try edit(
      "move crate \(names[crate]) \(spot)",
      .moveCrate(crate: names[crate], place: place, sequence: nil)
    ) { model in model.move(crate: crate, spot) }
    return true
  }

  func renameCrate() throws -> Bool {
    try settle()
    let names = model.crates.map(\.name)
    guard let crate = pick(Array(names.indices)),
      let name = pick(Self.names.filter { !names.contains($0) })
    else { return false }
    try edit(
      "rename crate \(names[crate]) \(name)",
      .renameCrate(crate: names[crate], name: name, sequence: nil)
    ) { model in model.crates[crate].name = name }
    return true
  }

  func sortAlbums() throws -> Bool {
    try settle()
    guard !model.listedAlbums.isEmpty else { return false }
    let chosen = oneIn(4) ? model.listedAlbums : some(model.listedAlbums)
    let order = oneIn(2) ? Interface.AlbumOrder.title : .reversed
    let ids = chosen.compactMap { albumIDs[$0] }
    try edit(
      "sort albums \(chosen) by \(order)", .sortAlbums(albums: ids, order: order, sequence: nil)
    ) { model in
      for crate in model.crates.indices {
        let own = model.crates[crate].albums.filter(chosen.contains)
        // "Album" and a number.
        let sorted = own.sorted {
          self.number(model.albums[$0]?.title) < self.number(model.albums[$1]?.title)
        }
        model.crates[crate].albums = OrderModel.permuting(
          order == .title ? sorted : own.reversed(), in: model.crates[crate].albums)
      }
    }
    return true
  }

  func sortSongs() throws -> Bool {
    try settle()
    guard let album = pick(model.listedAlbums) else { return false }
    let listed = model.listed(album)
    let chosen = oneIn(2) ? listed : some(listed)
    let order = pick([Interface.SongOrder.track, .title, .reversed]) ?? .track
    let ids = chosen.compactMap { songIDs[$0] }
    try edit(
      "sort songs \(chosen) by \(order)", .sortSongs(songs: ids, order: order, sequence: nil),
      in: album
    ) { model in
      let own = model.members(album).filter(chosen.contains)
      let sorted =
        switch order {
        case .track: model.byTrack(own)
        case .title:
          own.sorted { self.number(model.songs[$0]?.title) < self.number(model.songs[$1]?.title) }
        default: Array(own.reversed())
        }
      model.arrange(album, OrderModel.permuting(sorted, in: model.members(album)))
    }
    return true
  }

  private func number(_ title: String?) -> Int {
    title?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  func undo() throws -> Bool {
    try settle()
    guard let taken = undoable.popLast() else { return false }
    note("undo")
    try client.ask(.undo(sequence: nil))
    model.takeOrder(of: taken.before)
    redoable.append(taken)
    try compare()
    return true
  }

  func redo() throws -> Bool {
    try settle()
    guard let done = redoable.popLast() else { return false }
    note("redo")
    try client.ask(.redo(sequence: nil))
    model.takeOrder(of: done.after)
    undoable.append(done)
    try compare()
    return true
  }

  func forget() throws -> Bool {
    try settle()
    let gone = files.trash.keys.sorted()
    guard files.away.isEmpty, !gone.isEmpty else { return false }
    let all = oneIn(2)
    let chosen = all ? gone : some(gone)
    note("forget \(chosen)\(all ? ", which is all" : "")")
    let ids = chosen.compactMap { songIDs[$0] }
    try client.ask(.forget(songs: all ? nil : ids, albums: nil, all: all, sequence: nil))
    for song in chosen { files.drop(song) }
    model.forget(chosen, all: all)
    orderChangedByFolder()
    try compare()
    return true
  }

  // MARK: The daemon and its drives

  func toggleFolder() throws -> Bool {
    try settle()
    try toggle()
    try client.sync()
    try compare()
    return true
  }

  private func toggle() throws {
    guard let root = pick(files.roots) else { return }
    note("\(root) \(files.away.contains(root) ? "comes back" : "goes away")")
    try files.toggle(root)
  }

  /// The daemon ends, and files change before it starts again; of what changes the order one thing.
  func restart() throws -> Bool {
    let isKilled = oneIn(2)
    if !isKilled || oneIn(2) { try settle() }
    note(isKilled ? "kill -9" : "stop")
    try session.restart(after: isKilled ? .killed : .stopped) {
      isDown = true
      // What a killed daemon has not seen in a folder cannot be told from what was never there.
      if oneIn(4), touched.isEmpty { try toggle() }
      for _ in 0..<Int.random(in: 0...4, using: &chance) { try doQuietly() }
      if oneIn(2) { try reorderByFolder() }
      isDown = false
      note("start")
    }
    try acceptEmptied()
    touched = []
    try compare()
    return true
  }

  func loseIndex() throws -> Bool {
    try settle()
    note("stop, and lose the index")
    try session.restart(withoutIndex: true) {
      for _ in 0..<Int.random(in: 0...3, using: &chance) { try changeOneFile() }
      note("start")
    }
    try acceptEmptied()
    touched = []
    try compare()
    return true
  }

  /// A folder that lost most of its songs while nobody watched is offline until it is accepted.
  private func acceptEmptied() throws {
    for folder in try client.status().folders
    where folder.state == .offline && onlineRoots.contains(folder.path) {
      note("\(folder.path) is meant to be so empty")
      try client.ask(.rescan(path: folder.path))
    }
  }
}
