/// The order as the rules of the specification make it: numbers and arrays, and nothing of crated's
/// own code. What is gone keeps its place here, too. Tracks are told apart in every album.
struct OrderModel: Equatable {
  struct Song: Equatable {
    var album: Int
    var track: Int
    var title: String
    var isGone = false
    /// The album that its file names; while it is gone that may be another than it lives in.
    var albumTitle: String
  }

  struct Album: Equatable {
    var title: String
    var isArranged = false
    /// Songs that live in it; in an arranged one also the slots of songs that left.
    var entries: [Int]
    /// Songs that left it by their tags.
    var wanderers: Set<Int> = []
  }

  struct Crate: Equatable {
    var name: String
    var albums: [Int]
  }

  enum Spot {
    case top, bottom, up, down
    case before(Int), after(Int)
  }

  var crates: [Crate] = []
  var albums: [Int: Album] = [:]
  var songs: [Int: Song] = [:]

  func members(_ album: Int) -> [Int] {
    albums[album]?.entries.filter { songs[$0]?.album == album } ?? []
  }

  func listed(_ album: Int) -> [Int] { members(album).filter { songs[$0]?.isGone == false } }

  func isListed(_ crate: Crate) -> Bool { crate.albums.contains { !listed($0).isEmpty } }

  /// Listed ones, crate by crate.
  var listedAlbums: [Int] { crates.flatMap(\.albums).filter { !listed($0).isEmpty } }

  func crate(of album: Int) -> Int? { crates.firstIndex { $0.albums.contains(album) } }

  func byTrack(_ numbers: [Int]) -> [Int] {
    numbers.sorted { (songs[$0]?.track ?? 0) < (songs[$1]?.track ?? 0) }
  }

  // MARK: The folder's doing

  mutating func add(album: Int, _ title: String, of new: [Int: Song]) {
    songs.merge(new) { $1 }
    albums[album] = Album(title: title, entries: byTrack(Array(new.keys)))
    if crates.isEmpty { crates.append(Crate(name: "Music", albums: [])) }
    crates[crates.firstIndex(where: isListed) ?? 0].albums.insert(album, at: 0)
  }

  mutating func add(song: Int, _ new: Song) {
    songs[song] = new
    albums[new.album]?.entries.insert(song, at: 0)
    follow(new.album)
  }

  /// The song is retagged to be of another album, where it takes its slot, if it has one.
  mutating func move(song: Int, to album: Int) {
    guard let old = songs[song]?.album else { return }
    albums[old]?.wanderers.insert(song)
    songs[song]?.album = album
    songs[song]?.albumTitle = albums[album]?.title ?? ""
    if albums[album]?.entries.contains(song) == false { albums[album]?.entries.insert(song, at: 0) }
    albums[album]?.wanderers.remove(song)
    follow(old)
    follow(album)
  }

  /// Whether it is known where the song would go: where the person has put an album's songs in
  /// order since, no rule says where a slot is.
  func canMove(song: Int, to album: Int) -> Bool {
    guard let target = albums[album] else { return false }
    return !target.isArranged || target.entries.contains(song) || !target.wanderers.contains(song)
  }

  /// The song is retagged to begin a new album.
  mutating func split(song: Int, to album: Int, _ title: String) {
    guard let old = songs[song]?.album, let crate = crate(of: old),
      let place = crates[crate].albums.firstIndex(of: old)
    else { return }
    crates[crate].albums.insert(album, at: place)
    albums[album] = Album(
      title: title, isArranged: albums[old]?.isArranged ?? false, entries: [song])
    songs[song]?.album = album
    songs[song]?.albumTitle = title
    albums[old]?.wanderers.insert(song)
    follow(old)
  }

  /// The songs that are there are retitled to be of another album, and it is that.
  mutating func retitle(_ album: Int, _ title: String) {
    albums[album]?.title = title
    for song in listed(album) { songs[song]?.albumTitle = title }
  }

  /// An album that is not arranged follows its tags.
  mutating func follow(_ album: Int) {
    let order = byTrack(members(album))
    if albums[album]?.isArranged == false { albums[album]?.entries = order }
  }

  // MARK: The person's doing

  private static func moving(
    _ chosen: [Int], _ spot: Spot, in order: [Int], isListed: (Int) -> Bool
  ) -> [Int] {
    var rest = order.filter { !chosen.contains($0) }
    let block = order.filter(chosen.contains)
    var place: Int?
    switch spot {
    case .top: place = 0
    case .bottom: place = rest.count
    case .before(let anchor): place = rest.firstIndex(of: anchor)
    case .after(let anchor): place = rest.firstIndex(of: anchor).map { $0 + 1 }
    case .up, .down:
      // One step up or down is of one only.
      let shown = order.filter(isListed)
      guard let now = shown.firstIndex(of: chosen[0]) else { return order }
      if case .up = spot {
        place = now > 0 ? rest.firstIndex(of: shown[now - 1]) : nil
      } else {
        place = now + 1 < shown.count ? rest.firstIndex(of: shown[now + 1]).map { $0 + 1 } : nil
      }
    }
    guard let place else { return order }
    rest.insert(contentsOf: block, at: place)
    return rest
  }

  mutating func move(songs chosen: [Int], _ spot: Spot) {
    guard let album = songs[chosen[0]]?.album else { return }
    let order = Self.moving(chosen, spot, in: members(album)) { songs[$0]?.isGone == false }
    if order != members(album) { arrange(album, order) }
  }

  mutating func arrange(_ album: Int, _ order: [Int]) {
    let isArranged = order != byTrack(order)
    // No rule says where the slots of others go.
    if order != members(album) { albums[album]?.entries = order }
    albums[album]?.isArranged = isArranged
  }

  mutating func move(albums chosen: [Int], _ spot: Spot) {
    guard let crate = crate(of: chosen[0]) else { return }
    let order = Self.moving(chosen, spot, in: crates[crate].albums) { !listed($0).isEmpty }
    crates[crate].albums = order
  }

  /// Without a spot those that are there stay.
  mutating func move(albums chosen: [Int], to name: String, _ spot: Spot?) {
    if !crates.contains(where: { $0.name == name }) {
      crates.append(Crate(name: name, albums: []))
    }
    guard let target = crates.firstIndex(where: { $0.name == name }) else { return }
    let block = crates.flatMap(\.albums).filter { album in
      chosen.contains(album) && (spot != nil || !crates[target].albums.contains(album))
    }
    for crate in crates.indices { crates[crate].albums.removeAll(where: block.contains) }
    crates[target].albums += block
    crates[target].albums = Self.moving(block, spot ?? .top, in: crates[target].albums) { _ in
      true
    }
    crates.removeAll(where: \.albums.isEmpty)
  }

  mutating func move(crate: Int, _ spot: Spot) {
    let order = Self.moving([crate], spot, in: Array(crates.indices)) { isListed(crates[$0]) }
    crates = order.map { crates[$0] }
  }

  /// Puts the chosen ones in this order, in the slots that they hold.
  static func permuting(_ chosen: [Int], in order: [Int]) -> [Int] {
    var next = chosen[...]
    return order.map { chosen.contains($0) ? next.removeFirst() : $0 }
  }

  /// Drops the places of songs that are gone.
  ///
  /// - Parameter all: whether all of them are meant; albums that only keep slots go then, too.
  mutating func forget(_ forgotten: [Int], all: Bool) {
    var touched: Set<Int> = []
    for song in forgotten {
      if let album = songs.removeValue(forKey: song)?.album { touched.insert(album) }
    }
    for (album, old) in albums {
      let wanderers = old.wanderers.subtracting(forgotten)
      albums[album]?.entries.removeAll(where: forgotten.contains)
      albums[album]?.wanderers = wanderers
      guard members(album).isEmpty, all || wanderers.isEmpty else { continue }
      albums[album] = nil
      for crate in crates.indices { crates[crate].albums.removeAll { $0 == album } }
    }
    crates.removeAll(where: \.albums.isEmpty)
    // What was forgotten may have been all that stood out of order.
    for album in touched where albums[album]?.isArranged == true {
      let isArranged = members(album) != byTrack(members(album))
      albums[album]?.isArranged = isArranged
    }
  }

  /// Takes on the order of a former or a later time, with the songs as they are now.
  mutating func takeOrder(of other: OrderModel) {
    crates = other.crates
    for (album, then) in other.albums {
      albums[album]?.isArranged = then.isArranged
      // No rule says where slots go.
      let order = then.entries.filter { songs[$0]?.album == album }
      albums[album]?.entries = order
      follow(album)
    }
  }
}
