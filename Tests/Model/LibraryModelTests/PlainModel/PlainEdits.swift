@testable import LibraryModel

/// A polite no, by specification 1.5.
struct PlainRefusal: Error {}

/// What the person does, by specification 1.5. Throws a refusal, or that several results are
/// possible.
extension PlainLibrary {
  mutating func make(_ edit: Edit, newAlbums: String?) throws {
    switch edit {
    // What is given an order or a direction of its own has tests of its own.
    case .moveAlbums(let ids, let place, let crate, _):
      try moveAlbums(ids, place, crate)
    case .moveSongs(let ids, let place, _): try moveSongs(ids, place)
    case .moveCrate(let name, let place): try moveCrate(name, place)
    case .renameCrate(let name, let new):
      guard let crate = crate(named: name) else { throw PlainRefusal() }
      if new.isEmpty || new.hasPrefix(" ") { throw PlainRefusal() }
      if let other = self.crate(named: new), other != crate { throw PlainRefusal() }
      crates[crate].name = new
    case .sortAlbums(let ids, let sorting, _): try sortAlbums(ids, sorting)
    case .sortSongs(let ids, let sorting, _): try sortSongs(ids, sorting)
    case .forget(let songs, let albums, _, let all): try forget(songs, albums, all)
    }
    dropEmptyCrates(except: newAlbums)
  }

  // MARK: Moving

  private mutating func moveAlbums(
    _ ids: [AlbumID], _ place: Place<AlbumID>?, _ name: String?
  ) throws {
    if ids.isEmpty || ids.contains(where: { albums[$0] == nil }) { throw PlainRefusal() }
    var chosen = crates.flatMap(\.albums).filter(ids.contains)
    let homes = crates.indices.filter { crates[$0].albums.contains(where: chosen.contains) }
    var anchorCrate: Int?
    switch place {
    case .before(let anchor), .after(let anchor):
      if ids.contains(anchor) { throw PlainRefusal() }
      anchorCrate = crate(of: anchor)
      if anchorCrate == nil { throw PlainRefusal() }
    default: break
    }
    var target: Int
    if let name {
      if place == .up || place == .down || name.hasPrefix(" ") { throw PlainRefusal() }
      if let anchorCrate, anchorCrate != crate(named: name) { throw PlainRefusal() }
      if crate(named: name) == nil { crates.append(Crate(name: name)) }
      target = crate(named: name) ?? 0
      if place == nil { chosen.removeAll { crates[target].albums.contains($0) } }
      if chosen.isEmpty { return }
    } else {
      guard let only = anchorCrate ?? (homes.count == 1 ? homes[0] : nil) else {
        throw PlainRefusal()
      }
      target = only
    }
    let isOwn = homes == [target]
    // In the order they had: crate, then album. They come from below, and go to their place.
    let list = isOwn ? crates[target].albums : crates[target].albums.filter { !chosen.contains($0) }
    for crate in crates.indices where crate != target {
      crates[crate].albums.removeAll(where: chosen.contains)
    }
    crates[target].albums = try plainMove(
      chosen, to: place ?? .top, in: isOwn ? list : list + chosen
    ) { isListed($0) }
  }

  private mutating func moveSongs(_ ids: [SongID], _ place: Place<SongID>) throws {
    let homes = Set(ids.compactMap { songs[$0]?.album })
    guard homes.count == 1, let home = homes.first, ids.allSatisfy({ songs[$0] != nil }) else {
      throw PlainRefusal()
    }
    switch place {
    case .before(let anchor), .after(let anchor):
      if ids.contains(anchor) || songs[anchor]?.album != home { throw PlainRefusal() }
    default: break
    }
    let entries = albums[home]?.entries ?? []
    let order = try plainMove(entries.filter(ids.contains), to: place, in: entries) { id in
      songs[id]?.album == home && songs[id]?.isGone == false
    }
    if order == entries { return }
    albums[home]?.entries = order
    noteArranged(home)
  }

  private mutating func moveCrate(_ name: String, _ place: Place<String>) throws {
    guard let crate = crate(named: name) else { throw PlainRefusal() }
    let name = crates[crate].name
    var goal = place
    switch place {
    case .before(let anchor):
      guard let other = self.crate(named: anchor), other != crate else { throw PlainRefusal() }
      goal = .before(crates[other].name)
    case .after(let anchor):
      guard let other = self.crate(named: anchor), other != crate else { throw PlainRefusal() }
      goal = .after(crates[other].name)
    default: break
    }
    let names = crates.map(\.name)
    let order = try plainMove([name], to: goal, in: names) { name in
      crates.contains { $0.name == name && isListed($0) }
    }
    crates = order.compactMap { name in crates.first { $0.name == name } }
  }

  // MARK: Sorting

  private mutating func sortAlbums(_ ids: [AlbumID], _ sorting: AlbumSorting) throws {
    if ids.isEmpty || ids.contains(where: { albums[$0] == nil }) { throw PlainRefusal() }
    for index in crates.indices {
      let chosen = crates[index].albums.filter(ids.contains)
      let sorted: [AlbumID]
      switch sorting {
      case .reversed: sorted = chosen.reversed()
      case .shuffled: throw Several("chance")
      case .added: sorted = stable(chosen) { added($0) > added($1) }
      case .released: sorted = stable(chosen) { (year($0) ?? 0) > (year($1) ?? 0) }
      case .artist:
        sorted = stable(chosen) { isNameBefore(artist($0), artist($1)) }
      case .title: sorted = stable(chosen) { isNameBefore(title($0), title($1)) }
      }
      crates[index].albums = among(crates[index].albums, chosen, sorted)
    }
  }

  private mutating func sortSongs(_ ids: [SongID], _ sorting: SongSorting) throws {
    if ids.isEmpty || ids.contains(where: { songs[$0] == nil }) { throw PlainRefusal() }
    for home in Set(ids.compactMap { songs[$0]?.album }) {
      let chosen = members(home).filter(ids.contains)
      let sorted: [SongID]
      switch sorting {
      case .reversed: sorted = chosen.reversed()
      case .shuffled: throw Several("chance")
      case .track: sorted = inDefaultOrder(chosen)
      case .added:
        sorted = stable(chosen) { (songs[$0]?.added ?? 0) > (songs[$1]?.added ?? 0) }
      case .title:
        sorted = stable(chosen) { isNameBefore(songs[$0]?.title ?? "", songs[$1]?.title ?? "") }
      }
      setMembers(among(members(home), chosen, sorted), of: home)
      noteArranged(home)
    }
  }

  /// Unknown names last.
  private func isNameBefore(_ left: String, _ right: String) -> Bool {
    if left.isEmpty || right.isEmpty { return !left.isEmpty && right.isEmpty }
    return plainOrder(left, right) < 0
  }

  /// Insertion: equal ones keep their order.
  private func stable<Item>(_ items: [Item], _ isBefore: (Item, Item) -> Bool) -> [Item] {
    var sorted: [Item] = []
    for item in items {
      let place = sorted.firstIndex { isBefore(item, $0) } ?? sorted.count
      sorted.insert(item, at: place)
    }
    return sorted
  }

  private func among<Item: Equatable>(
    _ list: [Item], _ chosen: [Item], _ sorted: [Item]
  ) -> [Item] {
    var rest = sorted[...]
    return list.map { chosen.contains($0) ? rest.removeFirst() : $0 }
  }

  // MARK: Forgetting

  private mutating func forget(_ named: [SongID], _ albums: [AlbumID], _ all: Bool) throws {
    if named.isEmpty && albums.isEmpty && !all { throw PlainRefusal() }
    throw Several("forgetting is checked by what must hold")
  }
}

/// The order after the chosen have been moved together, by SongPocket's table and specification
/// 1.5. What is not listed never moves by itself.
///
/// - Parameter chosen: in the order of the list.
func plainMove<Item: Hashable & Sendable>(
  _ chosen: [Item], to place: Place<Item>, in list: [Item], isListed: (Item) -> Bool
) throws -> [Item] {
  let rest = list.filter { !chosen.contains($0) }
  func putting(before anchor: Item) -> [Item] {
    rest.flatMap { $0 == anchor ? chosen + [$0] : [$0] }
  }
  func putting(after anchor: Item) -> [Item] {
    rest.flatMap { $0 == anchor ? [$0] + chosen : [$0] }
  }
  /// Where the member stands, the others of the selection come to it.
  func gathering(at member: Item) -> [Item] {
    list.flatMap { $0 == member ? chosen : chosen.contains($0) ? [] : [$0] }
  }
  switch place {
  case .top: return chosen + rest
  case .bottom: return rest + chosen
  case .before(let anchor): return putting(before: anchor)
  case .after(let anchor): return putting(after: anchor)
  case .up, .down:
    if !chosen.allSatisfy(isListed) { throw Several("a step of what is not listed") }
    let shown = list.filter(isListed)
    let step = place == .up ? -1 : 1
    let edge = place == .up ? chosen[0] : chosen[chosen.count - 1]
    guard let first = shown.firstIndex(of: chosen[0]), let place = shown.firstIndex(of: edge)
    else { return list }
    if Array(shown[first..<min(first + chosen.count, shown.count)]) != chosen {
      return gathering(at: edge)
    }
    guard shown.indices.contains(place + step) else { return list }
    return step < 0
      ? putting(before: shown[place + step]) : putting(after: shown[place + step])
  }
}
