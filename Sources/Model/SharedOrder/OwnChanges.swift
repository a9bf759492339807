package import LibraryModel

extension OrderTable {
  /// Updates the table with a transaction of this machine. What the user named in it counts as
  /// decided now, and what arrived with the music gets a place. Changes from other machines are in
  /// the table already.
  ///
  /// - Parameters:
  ///   - transaction: durable, with its time.
  ///   - library: the library after the transaction.
  ///   - machine: this machine.
  /// - Returns: whether anything was decided.
  @discardableResult
  package mutating func follow(
    _ transaction: Transaction, from before: Library, to library: Library, on machine: MachineID
  ) -> Bool {
    if transaction.author == .machine { return false }
    var own = OwnChanges(self, from: before, to: library, transaction, on: machine)
    own.follow()
    self = own.table
    return own.hasDecided
  }

  /// Creates a table from the order of a library. What the user has touched counts as decided.
  ///
  /// - Parameters:
  ///   - time: in milliseconds since 1970.
  ///   - newAlbums: the crate for new albums. Its existence is not a decision of the user.
  package init(
    beginning library: Library, at time: Int64, on machine: MachineID, newAlbums: String?
  ) {
    self.init()
    addMissing(of: library, at: time, on: machine)
    for crate in library.crates where folded(crate.name) != folded(newAlbums ?? Library.firstCrate)
    {
      for id in crates(named: crate.name) {
        crates[id]?.name.mark.rank = .hand
        crates[id]?.place.mark.rank = .hand
      }
    }
    for album in library.albums.values.sorted(by: { $0.id < $1.id })
    where library.isTouched(album.id) {
      albums[album.id]?.spot.place.mark.rank = .hand
      if album.isArranged { arrange(album, library, at: time, on: machine) }
    }
  }

  /// Makes the order of a library win over all earlier decisions of any machine.
  ///
  /// - Parameters:
  ///   - library: everything in it is in the table.
  ///   - time: in milliseconds since 1970.
  package mutating func decideAll(as library: Library, at time: Int64, on machine: MachineID) {
    let transaction = Transaction(by: .person, time: time)
    var own = OwnChanges(self, from: library, to: library, transaction, on: machine)
    own.decideAll()
    self = own.table
  }

  private mutating func arrange(
    _ album: LibraryModel.Album, _ library: Library, at time: Int64, on machine: MachineID
  ) {
    let change = Change.albumArranged(album.id, true)
    let transaction = Transaction(by: .person, time: time, changes: [change])
    follow(transaction, from: library, to: library, on: machine)
  }

  /// Takes the albums of a library for those of the table that they are, under whatever ids, and
  /// adds what is missing.
  ///
  /// - Parameters:
  ///   - library: nothing of it is in the table yet.
  ///   - time: in milliseconds since 1970.
  package mutating func addAll(of library: Library, at time: Int64, on machine: MachineID) {
    rename(known(library.albumIDs, in: library))
    addMissing(of: library, at: time, on: machine)
  }

  /// Adds everything that is in the library and not in the table. Each item goes behind the one
  /// above it in the library.
  ///
  /// - Parameter time: in milliseconds since 1970.
  package mutating func addMissing(of library: Library, at time: Int64, on machine: MachineID) {
    let transaction = Transaction(by: .folder, time: time)
    var own = OwnChanges(self, from: library, to: library, transaction, on: machine)
    own.addMissing()
    self = own.table
  }
}

/// The application of one transaction of this machine to the table.
struct OwnChanges {
  private(set) var table: OrderTable
  private let former: OrderTable
  private let before: Library
  private let library: Library
  private let transaction: Transaction
  private let machine: MachineID
  /// The time of the transaction.
  private let clock: SharedClock
  private(set) var hasDecided = false

  /// The folded names of crates that were added or moved.
  private var crates: Set<String> = []
  private var made: Set<CrateID> = []
  private var moved: Set<AlbumID> = []
  /// Albums that were added, or are missing in the table.
  private var fresh: Set<AlbumID> = []
  private var arranged: Set<AlbumID> = []

  init(
    _ table: OrderTable, from before: Library, to library: Library, _ transaction: Transaction,
    on machine: MachineID
  ) {
    (self.table, former, self.before, self.library) = (table, table, before, library)
    (self.transaction, self.machine) = (transaction, machine)
    clock = table.clock.next(at: transaction.time)
  }

  private var isByHand: Bool { transaction.author == .person }

  private mutating func mark(_ rank: Mark.Class) -> Mark {
    table.clock = clock
    hasDecided = true
    return Mark(rank, clock, machine)
  }

  mutating func follow() {
    for change in transaction.changes { note(change) }
    recognise()
    placeCrates()
    placeAlbums()
    keepCratesInOrder()
    for id in arranged.sorted() { arrange(id) }
  }

  mutating func addMissing() {
    for crate in library.crates {
      if table.crates(named: crate.name).isEmpty { add(crate.name) }
      for id in crate.albums where table.albums[id] == nil { fresh.insert(id) }
    }
    recognise()
    placeCrates()
    placeAlbums()
  }

  /// Takes albums that were added for those that the table knows from other machines.
  private mutating func recognise() {
    let known = table.known(fresh, in: library)
    table.rename(known)
    fresh = fresh.filter { known[$0] == nil }
  }

  mutating func decideAll() {
    for crate in library.crates {
      add(crate.name)
      moved.formUnion(crate.albums)
    }
    for album in library.albums.values
    where album.isArranged || table.albums[album.id]?.songs != nil {
      arranged.insert(album.id)
    }
    placeCrates()
    placeAlbums()
    for id in arranged.sorted() { arrange(id) }
  }

  private mutating func note(_ change: Change) {
    switch change {
    case .crateAdded(let name, _, _): add(name)
    case .crateMoved(let name, _, _): crates.insert(folded(name))
    case .crateRenamed(let old, let new):
      rename(table.crates(named: old), to: new)
      if crates.remove(folded(old)) != nil { crates.insert(folded(new)) }
    case .albumAdded(let id, _): fresh.insert(id)
    case .albumMoved(let id, _, _, _, _):
      if isByHand { moved.insert(id) }
    case .albumTookOver(let id, let other):
      if table.albums[id] == nil { table.rename([id: other]) } else { table.remove(other) }
    case .albumRemoved(let id, _):
      if !table.isHeld(id) { table.remove(id) }
    case .albumArranged(let id, _): arranged.insert(id)
    case .songMoved(_, let album, _, _): arranged.insert(album)
    default: break
    }
  }

  // MARK: Crates

  private mutating func add(_ name: String) {
    let known = table.crates(named: name)
    // A crate that comes back with the music keeps its place.
    if isByHand || known.isEmpty { crates.insert(folded(name)) }
    if isByHand, !known.isEmpty { rename(known, to: name) }
    if !known.isEmpty { return }
    let mark = mark(isByHand ? .hand : .arrival)
    let words = Array("crate\t\(folded(name))".utf8)
    let taken = Set(table.crates.keys.map(\.number))
    let id = CrateID(number: IdentifierText.mint(words, isTaken: taken.contains))
    // Its place is determined when all crates exist.
    let key = PlaceKey.between(nil, nil, count: 1, clock, machine)[0]
    table.crates[id] = OrderTable.Crate(name: Marked(name, mark), place: Marked(key, mark))
    made.insert(id)
  }

  private mutating func rename(_ ids: [CrateID], to name: String) {
    let name = Marked(name, mark(.hand))
    for id in ids { table.crates[id]?.name = name }
  }

  private mutating func placeCrates() {
    if crates.isEmpty { return }
    // A crate that was added and removed in one transaction gets no place.
    for id in made {
      guard let name = table.crates[id]?.name.value, library.crate(named: name) == nil else {
        continue
      }
      table.crates[id] = nil
    }
    let moving = Set(crates.flatMap { table.crates(named: $0) })
    var order = table.crateOrder.filter { !moving.contains($0) }
    var block: [CrateID] = []
    var above: CrateID?
    for crate in library.crates {
      let ids = table.crates(named: crate.name)
      if crates.contains(crate.folded) {
        block += ids
        continue
      }
      place(block, after: above, in: &order)
      above = ids.last ?? block.last ?? above
      block = []
    }
    place(block, after: above, in: &order)
  }

  /// Puts crates that several machines made under one name where the library has the crate. The
  /// first of them that has albums determines the place, and may have got its first one or lost its
  /// last one, or its name. If the crates were in another order before, that is still to be done.
  private mutating func keepCratesInOrder() {
    let names = Dictionary(table.crates.map { (folded($1.name.value), 1) }, uniquingKeysWith: +)
    crates = Set(names.filter { $1 > 1 }.keys)
    if crates.isEmpty { return }
    func areInOrder(_ table: OrderTable, _ library: Library) -> Bool {
      table.wanted(in: library).map { folded($0.name) }
        == library.crates.filter { !$0.albums.isEmpty }.map(\.folded)
    }
    if !areInOrder(table, library), areInOrder(former, before) { placeCrates() }
  }

  /// Puts crates directly behind another one of the list, or on top.
  private mutating func place(
    _ block: [CrateID], after anchor: CrateID?, in order: inout [CrateID]
  ) {
    if block.isEmpty { return }
    let start = anchor.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let new = newKeys(for: block.count, at: start, of: order.count) { [table, order] in
      table.crates[order[$0]]?.place.value
    }
    order.insert(contentsOf: block, at: start)
    let rank: Mark.Class = isByHand ? .hand : .arrival
    for (id, key) in zip(order[new.start...], new.keys) {
      let former = block.contains(id) ? rank : table.crates[id]?.place.mark.rank ?? rank
      let place = Marked(key, mark(former))
      table.crates[id]?.place = place
    }
  }

  // MARK: Albums

  private mutating func placeAlbums() {
    // Skips albums that were removed again.
    let placed = library.inOrder(Array(moved.union(fresh)))
    if placed.isEmpty { return }
    var rest = placed[...]
    while let first = rest.first.flatMap({ library.albums[$0] }) {
      let count = rest.prefix { library.albums[$0]?.crate == first.crate }.count
      if let crate = library.crate(first.crate) {
        placeAlbums(Array(rest.prefix(count)), of: crate)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// - Parameter placed: in their order in the crate.
  private mutating func placeAlbums(_ placed: [AlbumID], of crate: LibraryModel.Crate) {
    let ids = table.crates(named: crate.name)
    var placed = placed
    func isHere(_ id: AlbumID) -> Bool {
      table.albums[id].map { ids.contains($0.spot.crate) } ?? false
    }
    let stayed = placed.count(where: isHere)
    let total = crate.albums.count - (placed.count - stayed)
    if stayed * 2 > total, total > 3 {
      // Most of the crate was put in order, which counts as a decision about the whole crate.
      sort(crate.albums.filter(isHere), of: ids)
      placed = placed.filter { !isHere($0) }
    }
    let spots = Dictionary(
      uniqueKeysWithValues: placed.compactMap { id in table.albums[id].map { (id, $0.spot) } })
    for id in placed { table.takeOut(id) }
    var block: [AlbumID] = []
    for id in placed {
      if let last = block.last, predecessor(of: id) != last {
        place(block, of: ids, spots)
        block = []
      }
      block.append(id)
    }
    place(block, of: ids, spots)
  }

  private func predecessor(of id: AlbumID) -> AlbumID? {
    library.albums[id].flatMap { library.crate($0.crate) }.flatMap { crate in
      crate.albums.firstIndex(of: id).flatMap { index in
        index == crate.albums.startIndex ? nil : crate.albums[crate.albums.index(before: index)]
      }
    }
  }

  /// Puts albums into this order within the slots that they occupy.
  private mutating func sort(_ albums: [AlbumID], of ids: [CrateID]) {
    let chosen = Set(albums)
    let slots = ids.flatMap { table.lists[$0] ?? [] }.filter(chosen.contains)
      .compactMap { table.albums[$0]?.spot }
    var keys = PlaceKey.slots(of: slots.map(\.place.value), clock, machine)
    // Slots of slots may not be in order, if something was attached to an earlier one.
    if keys.contains(where: { $0.length > table.longestKey })
      || !zip(keys, keys.dropFirst()).allSatisfy(<)
    {
      keys = PlaceKey.between(nil, nil, count: keys.count, clock, machine)
    }
    var spots: [(AlbumID, OrderTable.Spot)] = []
    for (id, (slot, key)) in zip(albums, zip(slots, keys)) {
      spots.append(
        (id, spot(in: slot.crate, key, former: table.albums[id]?.spot, isByHand: isByHand)))
    }
    table.put(spots)
  }

  /// Puts adjacent albums behind the album above them in the library. Albums at the top of the
  /// library's crate go to the top of everything that the machines have there, and albums that the
  /// user put at its bottom go to the bottom.
  private mutating func place(
    _ block: [AlbumID], of ids: [CrateID], _ former: [AlbumID: OrderTable.Spot]
  ) {
    guard let first = block.first, let last = block.last, var crate = ids.first else { return }
    var start = 0
    let isLast = library.albums[last].flatMap { library.crate($0.crate) }?.albums.last == last
    if let above = predecessor(of: first), let spot = table.albums[above]?.spot {
      crate = spot.crate
      let list = table.lists[crate] ?? []
      start = table.rank(of: spot.place.value, above, in: list) + 1
      if isLast, isByHand, let bottom = ids.last(where: { table.lists[$0]?.isEmpty == false }) {
        crate = bottom
        start = table.lists[bottom]?.count ?? 0
      }
    }
    let list = table.lists[crate] ?? []
    let new = newKeys(for: block.count, at: start, of: list.count) { [table] in
      table.albums[list[$0]]?.spot.place.value
    }
    let order = list[..<start] + block + list[start...]
    let chosen = Set(block)
    var spots: [(AlbumID, OrderTable.Spot)] = []
    for (id, key) in zip(order[new.start...], new.keys) {
      let isNamed = chosen.contains(id)
      let known = isNamed ? former[id] : table.albums[id]?.spot
      let isChosen = isNamed ? isByHand : known?.place.mark.rank == .hand
      spots.append((id, spot(in: crate, key, former: known, isByHand: isChosen)))
    }
    for id in block where table.albums[id] == nil {
      guard let album = library.albums[id], let spot = spots.first(where: { $0.0 == id })?.1 else {
        continue
      }
      table.albums[id] = OrderTable.Album(spot: spot, traits: AlbumTraits(of: album, in: library))
    }
    table.put(spots)
  }

  private mutating func spot(
    in crate: CrateID, _ key: PlaceKey, former: OrderTable.Spot?, isByHand: Bool
  ) -> OrderTable.Spot {
    let place = Marked(key, mark(isByHand ? .hand : .arrival))
    if let former, former.crate == crate {
      return OrderTable.Spot(crate: crate, entered: former.entered, place: place)
    }
    let isChosen = isByHand && former != nil
    return OrderTable.Spot(crate: crate, entered: mark(isChosen ? .crate : .arrival), place: place)
  }

  // MARK: Keys

  /// Returns keys for items that are inserted into a list at an index. If the keys would be too
  /// long, or nothing fits because the neighbours share one place, neighbours get new keys, too.
  ///
  /// - Parameters:
  ///   - total: the number of items in the list.
  ///   - key: the key of the item at an index.
  /// - Returns: the keys, and the index of the first item that gets one, in the list after the
  ///   insertion.
  private func newKeys(
    for count: Int, at index: Int, of total: Int, key: (Int) -> PlaceKey?
  ) -> (start: Int, keys: [PlaceKey]) {
    func between(_ start: Int, _ end: Int, _ count: Int) -> [PlaceKey] {
      PlaceKey.between(
        start > 0 ? key(start - 1) : nil, end < total ? key(end) : nil, count: count, clock, machine
      )
    }
    func isCrowded(_ place: Int) -> Bool {
      key(place).map { $0.length > table.longestKey / 2 } ?? false
    }
    var (start, end) = (index, index)
    // An album that comes back from another machine may have a place that has been given to the
    // next album of its run meanwhile.
    while start > 0, end < total, key(end) == key(start - 1) { end += 1 }
    let new = between(start, end, count + end - start)
    if new.allSatisfy({ $0.length <= table.longestKey }) { return (start, new) }
    while start > 0, isCrowded(start - 1) { start -= 1 }
    while end < total, isCrowded(end) { end += 1 }
    return (start, between(start, end, count + end - start))
  }

  // MARK: Songs

  private mutating func arrange(_ id: AlbumID) {
    guard isByHand, let album = library.albums[id], table.albums[id] != nil else { return }
    if !album.isArranged && table.albums[id]?.songs == nil { return }
    let songs = album.isArranged ? library.songs(of: album).map { SharedSong($0) } : []
    let order = OrderTable.SongOrder(isArranged: album.isArranged, songs: songs)
    let marked = Marked(order, mark(.hand))
    table.albums[id]?.songs = marked
  }
}
