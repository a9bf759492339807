import Ordering

/// The crates and their albums, both in order. Moves change it. The order of songs is known only
/// for albums that were opened.
struct Order: Sendable {
  private(set) var crates: [CrateID] = []
  /// The names of the crates, by number.
  private var names: [String] = []
  private var lists: [[AlbumID]] = []
  /// The crate of each album, by number; -1 if the album is not listed.
  private var homes: [Int32] = []
  private(set) var songs: [AlbumID: [String]] = [:]

  subscript(crate: CrateID) -> [AlbumID] {
    lists.indices.contains(Int(crate.number)) ? lists[Int(crate.number)] : []
  }

  func name(of crate: CrateID) -> String {
    names.indices.contains(Int(crate.number)) ? names[Int(crate.number)] : ""
  }

  func contains(_ crate: CrateID) -> Bool { crates.contains(crate) }

  /// Returns the crate of an album; nil if the album is not listed.
  func home(of album: AlbumID) -> CrateID? {
    guard homes.indices.contains(Int(album.number)) else { return nil }
    let home = homes[Int(album.number)]
    return home < 0 ? nil : CrateID(number: home)
  }

  // MARK: Changes from the daemon

  mutating func name(_ crate: CrateID, _ name: String) {
    makeRoom(for: crate)
    names[Int(crate.number)] = name
  }

  /// Appends the crate if it is not in the list.
  mutating func add(_ crate: CrateID, named name: String) {
    self.name(crate, name)
    if !crates.contains(crate) { crates.append(crate) }
  }

  /// Appends the album to the crate.
  mutating func append(_ album: AlbumID, to crate: CrateID) {
    makeRoom(for: crate)
    lists[Int(crate.number)].append(album)
    setHome(of: album, crate.number)
  }

  mutating func setSongs(of album: AlbumID, _ ids: [String]?) { songs[album] = ids }

  mutating func put(_ crate: CrateID, after anchor: CrateID?) {
    crates.removeAll { $0 == crate }
    crates.insert(crate, at: anchor.flatMap(crates.firstIndex).map { $0 + 1 } ?? 0)
  }

  mutating func put(_ album: AlbumID, in crate: CrateID, after anchor: AlbumID?) {
    takeOut(album)
    makeRoom(for: crate)
    let list = lists[Int(crate.number)]
    let place = anchor.flatMap(list.firstIndex).map { $0 + 1 } ?? 0
    lists[Int(crate.number)].insert(album, at: place)
    setHome(of: album, crate.number)
  }

  mutating func takeOut(_ album: AlbumID) {
    guard let home = home(of: album) else { return }
    if let place = self[home].firstIndex(of: album) {
      lists[Int(home.number)].remove(at: place)
    }
    homes[Int(album.number)] = -1
  }

  /// - Returns: false if the album's songs have to be read again.
  mutating func put(song id: String, in album: AlbumID, after anchor: String?) -> Bool {
    guard var list = songs[album] else { return true }
    let isKnown = list.contains(id)
    list.removeAll { $0 == id }
    list.insert(id, at: anchor.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
    songs[album] = list
    return isKnown
  }

  mutating func takeOut(song id: String, of album: AlbumID) {
    songs[album]?.removeAll { $0 == id }
  }

  /// Removes empty crates: a crate disappears with its last album.
  mutating func dropEmptyCrates() {
    let kept = crates.filter { !self[$0].isEmpty }
    if kept.count < crates.count { crates = kept }
  }

  private mutating func makeRoom(for crate: CrateID) {
    while lists.count <= Int(crate.number) {
      lists.append([])
      names.append("")
    }
  }

  private mutating func setHome(of album: AlbumID, _ crate: Int32) {
    while homes.count <= Int(album.number) { homes.append(-1) }
    homes[Int(album.number)] = crate
  }
}

// MARK: - Predictions

extension Order {
  /// Returns those of the albums that are listed, in their order.
  func inOrder(_ ids: Set<AlbumID>) -> [AlbumID] {
    if ids.count <= 1 { return ids.filter { home(of: $0) != nil } }
    let homes = Set(ids.compactMap(home))
    return crates.filter(homes.contains).flatMap { self[$0].filter(ids.contains) }
  }

  /// Moves albums to a place of a crate, with the same result as in the daemon, whose code it uses.
  ///
  /// - Parameter place: nil: to the top, except for albums that are already in the crate.
  mutating func move(_ ids: [AlbumID], to place: Place<AlbumID>?, in crate: CrateID) {
    let meant = place == nil ? ids.filter { home(of: $0) != crate } : ids
    let moved = inOrder(Set(meant))
    if moved.isEmpty { return }
    makeRoom(for: crate)
    if !crates.contains(crate) { crates.append(crate) }
    let goal = placing(moved, at: place ?? .top, in: self[crate])
    for album in moved where home(of: album) != crate { takeOut(album) }
    lists[Int(crate.number)] = goal
    for album in moved { setHome(of: album, crate.number) }
    dropEmptyCrates()
  }

  mutating func move(_ crate: CrateID, to place: Place<CrateID>) {
    crates = placing([crate], at: place, in: crates)
  }

  mutating func move(songs ids: [String], of album: AlbumID, to place: Place<String>) {
    guard let list = songs[album] else { return }
    let chosen = Set(ids)
    songs[album] = placing(list.filter(chosen.contains), at: place, in: list)
  }
}
