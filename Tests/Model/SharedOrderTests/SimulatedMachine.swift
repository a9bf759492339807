import LibraryModel
import ModelSupport
import SharedOrder

/// A machine of a simulation: its library, what it knows of the others, and no file and no clock.
struct SimulatedMachine {
  let id: MachineID
  /// By how much its clock is wrong, in milliseconds.
  let skew: Int64
  var library = Library()
  var table: OrderTable
  /// How many albums changed places when something was read, though nobody moved them.
  private(set) var unasked = 0

  init(_ number: UInt32, skew: Int64 = 0, longestKey: Int = 200) {
    id = MachineID(number: number)
    self.skew = skew
    table = OrderTable(longestKey: longestKey)
  }

  static let start: Int64 = 1_800_000_000_000

  // MARK: What is done here

  /// Makes a decision durable.
  mutating func commit(_ decision: Decision, at wall: Int64) throws {
    if decision.isEmpty { return }
    var transaction = decision.transaction
    transaction.time = Self.start + wall + skew
    transaction.sequence = library.sequence + 1
    let before = library
    try library.apply(transaction)
    let former = table
    table.follow(transaction, from: before, to: library, on: id)
    try checkMarks(former, transaction)
    if former.isOrder(of: before), !table.isOrder(of: library) {
      throw Mismatch("the table has \(wanted), and the library \(shown), after \(transaction)")
    }
  }

  /// A value has a new mark only where the transaction named it, or where it was crowded. Two have
  /// one place where an album came back, and another one had got its place meanwhile.
  private func checkMarks(_ former: OrderTable, _ transaction: Transaction) throws {
    var named: Set<AlbumID> = []
    for change in transaction.changes {
      switch change {
      case .albumMoved(let id, _, _, _, _), .albumAdded(let id, _), .albumArranged(let id, _):
        named.insert(id)
      default: continue
      }
    }
    var sorted: Set<CrateID> = []
    for crate in library.crates {
      let count = crate.albums.count(where: named.contains)
      if count * 2 > crate.albums.count, crate.albums.count > 3 { sorted.insert(crate.id) }
    }
    for (id, album) in table.albums {
      guard let before = former.albums[id], before.spot != album.spot else { continue }
      let isSorted = library.albums[id].map { sorted.contains($0.crate) } ?? false
      let wasCrowded = before.spot.place.value.length > table.longestKey / 2
      let hadPlaceOfOther = former.albums.contains { other, value in
        other != id && value.spot.crate == before.spot.crate
          && value.spot.place.value == before.spot.place.value
      }
      if named.contains(id) || isSorted || wasCrowded || hadPlaceOfOther { continue }
      throw Mismatch("album \(Self.number(id)) has a new mark, and nobody named it")
    }
  }

  mutating func edit(_ edit: Edit, at wall: Int64) throws {
    try commit(try library.decide(edit, newAlbums: nil), at: wall)
  }

  /// Albums come into the folder.
  ///
  /// - Parameter ids: the numbers of the ids of albums that have another one on this machine.
  mutating func arrive(_ albums: [Int], at wall: Int64, ids: [Int: Int] = [:]) throws {
    var decision = Decision(library: library, by: .folder)
    func id(_ number: Int) -> AlbumID { Self.album(ids[number] ?? number) }
    let new = albums.filter { library.albums[id($0)] == nil }
    if new.isEmpty { return }
    if library.crates.isEmpty { decision.add(.crateAdded("Music", after: nil)) }
    let home = decision.library.crates[0].name
    for number in new.reversed() {
      let group = GroupKey(family: "by\tartist\t\(number)")
      decision.add(
        .albumAdded(
          id(number), crate: home, after: nil, group: group, isFresh: false, seen: 1))
      decision.add(
        .songAdded(
          Self.song(number), album: id(number), after: nil, path: BytePath("/\(number)"),
          digest: AudioDigest(high: UInt64(number + 1) << 32, low: 7), added: 1, seen: 1))
    }
    table.placeArrivals(in: &decision, newAlbums: nil)
    try commit(decision, at: wall)
  }

  /// An album goes for good.
  mutating func forget(_ album: AlbumID, at wall: Int64) throws {
    var decision = Decision(library: library, by: .folder)
    guard let here = library.albums[album], let crate = library.crate(here.crate) else { return }
    for id in here.entries {
      guard let song = library.songs[id] else { continue }
      let record = SongRecord(
        album: album, after: nil, path: song.path, digest: song.digest, added: 1)
      decision.add(.songForgotten(id, was: record))
    }
    decision.add(
      .albumRemoved(album, was: AlbumRecord(crate: crate.name, after: nil, group: here.group)))
    decision.dropEmptyCrates(except: nil)
    try commit(decision, at: wall)
  }

  // MARK: What comes from others

  func told(_ version: Int = 1) -> MachineOrder {
    table.contents(
      for: library, share: MachineID(number: 0), machine: id, name: "\(id)", version: version)
  }

  /// Reads what another machine says, and does it.
  mutating func read(_ other: MachineOrder, at wall: Int64) throws {
    let names = table.crates.mapValues(\.name.value)
    let (former, before) = (table, library)
    table.join(other, with: library)
    defer { unasked += movedUnasked(former, before) }
    if table.isOrder(of: library) { return }
    let agreed = table.written(for: library, names: names)
    let decision = try library.decide(agreed, from: "\(other.machine)", newAlbums: nil)
    try commit(decision, at: wall)
    if !table.isOrder(of: library) {
      throw Mismatch(
        "\(wanted) are wanted, and the library has \(shown), after \(decision.changes)")
    }
  }

  /// How many albums of one crate stand in another order among themselves, of those whose values
  /// are as they were.
  private func movedUnasked(_ former: OrderTable, _ before: Library) -> Int {
    var lists: [CrateID: [Int]] = [:]
    for (rank, id) in before.crates.flatMap({ Array($0.albums) }).enumerated() {
      guard let spot = table.albums[id]?.spot, former.albums[id]?.spot == spot else { continue }
      lists[spot.crate, default: []].append(rank)
    }
    let ranks = Dictionary(
      uniqueKeysWithValues: before.crates.flatMap { Array($0.albums) }.enumerated().map { ($1, $0) }
    )
    var now: [CrateID: [Int]] = [:]
    for id in albums {
      guard let spot = table.albums[id]?.spot, former.albums[id]?.spot == spot,
        let rank = ranks[id]
      else { continue }
      now[spot.crate, default: []].append(rank)
    }
    return lists.count { now[$0.key] != $0.value }
  }

  // MARK: What it looks like

  static func album(_ number: Int) -> AlbumID { AlbumID(number: 1 << 40 + UInt64(number)) }
  static func song(_ number: Int) -> SongID { SongID(number: 1 << 40 + UInt64(number)) }
  static func number(_ album: AlbumID) -> Int { Int(album.number - 1 << 40) }

  var albums: [AlbumID] { library.crates.flatMap { Array($0.albums) } }

  /// The crates with the numbers of their albums.
  var shown: [(name: String, albums: [Int])] {
    library.crates.map { ($0.name, $0.albums.map(Self.number)) }
  }

  var wanted: [(name: String, albums: [Int])] {
    table.wanted(in: library).map { ($0.name, $0.albums.map(Self.number)) }
  }
}

struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Decision {
  /// Records a change of the music folder.
  mutating func add(_ change: Change) {
    var change = change
    if case .crateAdded(let name, let after, nil) = change {
      let taken = library.crates.map(\.id.number)
      let number = IdentifierText.mint(
        Array("\(name)\(library.sequence)".utf8), isTaken: taken.contains)
      change = .crateAdded(name, after: after, id: CrateID(number: number))
    }
    do {
      try library.apply(change, by: transaction.author)
    } catch {
      preconditionFailure("\(error)")
    }
    transaction.changes.append(change)
  }
}
