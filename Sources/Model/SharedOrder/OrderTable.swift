package import LibraryModel

/// The order that several machines share, as this one knows it, with the machine and time of each
/// decision. It contains every album that any of the machines has.
///
/// `join` merges the order of another machine. For each value the greater mark wins, so the result
/// does not depend on the sequence, the number or the time of the joins: all tables converge.
package struct OrderTable: Sendable {
  package struct Crate: Hashable, Sendable {
    package var name: Marked<String>
    package var place: Marked<PlaceKey>

    package init(name: Marked<String>, place: Marked<PlaceKey>) {
      (self.name, self.place) = (name, place)
    }
  }

  /// The place of an album.
  package struct Spot: Hashable, Sendable {
    package var crate: CrateID
    /// The mark of the decision that put it into that crate.
    package var entered: Mark
    /// The place among the albums of that crate, with the mark of that decision.
    package var place: Marked<PlaceKey>

    package init(crate: CrateID, entered: Mark, place: Marked<PlaceKey>) {
      (self.crate, self.entered, self.place) = (crate, entered, place)
    }
  }

  /// The order of an album's songs, if the user has made one.
  package struct SongOrder: Hashable, Sendable {
    /// False if the songs are in default order again.
    package var isArranged: Bool
    package var songs: [SharedSong]

    package init(isArranged: Bool, songs: [SharedSong]) {
      (self.isArranged, self.songs) = (isArranged, songs)
    }
  }

  package struct Album: Hashable, Sendable {
    package var spot: Spot
    package var songs: Marked<SongOrder>?
    package var traits: AlbumTraits

    package init(spot: Spot, songs: Marked<SongOrder>? = nil, traits: AlbumTraits) {
      (self.spot, self.songs, self.traits) = (spot, songs, traits)
    }
  }

  package internal(set) var crates: [CrateID: Crate] = [:]
  /// Indexed by the id that the album has here, or, if only other machines have it, by its id on
  /// one of those.
  package internal(set) var albums: [AlbumID: Album] = [:]
  /// The albums of each crate, in order.
  package private(set) var lists: [CrateID: [AlbumID]] = [:]
  /// The albums of the table that each of the other machines has.
  package internal(set) var held: [MachineID: Set<AlbumID>] = [:]
  /// The latest time of any mark.
  package internal(set) var clock = SharedClock(milliseconds: 0)

  /// The most letters of a new key. If a place would need a longer key, its neighbours get new
  /// keys, too.
  package let longestKey: Int

  /// - Parameter longestKey: other values are for tests.
  package init(longestKey: Int = 200) { self.longestKey = longestKey }
}

// MARK: Which value counts

extension OrderTable.Spot {
  /// Whether this spot wins over the other one. An album that the user put into another crate is in
  /// that crate, whatever was done to it in its former one meanwhile. Otherwise the later decision
  /// wins.
  fileprivate func counts(over other: Self) -> Bool {
    switch (chosenCrate, other.chosenCrate) {
    case (let mine?, let theirs?) where mine != theirs: return theirs < mine
    case (_?, nil): return true
    case (nil, _?): return false
    default: break
    }
    if place.mark != other.place.mark { return other.place.mark < place.mark }
    if entered != other.entered { return other.entered < entered }
    if crate != other.crate { return other.crate.number < crate.number }
    return other.place.value < place.value
  }

  private var chosenCrate: Mark? { entered.rank == .crate ? entered : nil }
}

extension Marked {
  /// - Parameter isLess: whether the first value loses against the second if both have the same
  ///   mark.
  fileprivate mutating func join(_ other: Self, isLess: (Value, Value) -> Bool) {
    if mark < other.mark || mark == other.mark && isLess(value, other.value) { self = other }
  }
}

extension Marked<String> {
  mutating func join(_ other: Self) {
    join(other) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension OrderTable {
  /// Merges another machine's name and place of a crate.
  package mutating func join(_ other: Crate, of id: CrateID) {
    guard var crate = crates[id] else { return crates[id] = other }
    crate.name.join(other.name)
    crate.place.join(other.place, isLess: <)
    crates[id] = crate
  }

  /// Merges another machine's places of albums, and the order of their songs.
  ///
  /// - Parameter others: indexed by the albums' ids in this table. Albums that are not in it are
  ///   added.
  package mutating func join(_ others: [AlbumID: Album]) {
    var moved: [(id: AlbumID, spot: Spot)] = []
    for (id, other) in others {
      guard var album = albums[id] else {
        albums[id] = other
        moved.append((id, other.spot))
        continue
      }
      if other.spot.counts(over: album.spot) { moved.append((id, other.spot)) }
      guard let songs = other.songs else { continue }
      if album.songs == nil {
        album.songs = songs
      } else {
        album.songs?.join(songs) { $0.precedes($1) }
      }
      albums[id]?.songs = album.songs
    }
    put(moved)
  }
}

extension OrderTable.SongOrder {
  /// Defines an arbitrary order of the values that is the same on all machines.
  fileprivate func precedes(_ other: Self) -> Bool {
    if isArranged != other.isArranged { return other.isArranged }
    return songs.lexicographicallyPrecedes(other.songs) { $0.id < $1.id }
  }
}

// MARK: Lists

extension OrderTable {
  /// Up to this many albums are inserted into their lists one by one. For more, the lists are
  /// sorted again.
  private static let few = 64

  /// Moves albums of the table to other places.
  mutating func put(_ spots: [(id: AlbumID, spot: Spot)]) {
    if spots.count > Self.few {
      for (id, spot) in spots { albums[id]?.spot = spot }
      return sortLists()
    }
    for (id, spot) in spots {
      takeOut(id)
      albums[id]?.spot = spot
      let list = lists[spot.crate, default: []]
      lists[spot.crate, default: []].insert(id, at: rank(of: spot.place.value, id, in: list))
    }
  }

  mutating func remove(_ id: AlbumID) {
    takeOut(id)
    albums[id] = nil
    for machine in held.keys { held[machine]?.remove(id) }
  }

  /// Gives albums other ids, all at once, since one may get the former id of another. An album that
  /// keeps its id, but has to give it to another one, gets a new one.
  ///
  /// - Parameter former: the former ids by the new ones.
  mutating func rename(_ former: [AlbumID: AlbumID]) {
    var names = former.filter { $0 != $1 && albums[$1] != nil }
    let moving = Set(names.values)
    for id in names.keys.sorted() where albums[id] != nil && !moving.contains(id) {
      names[freeID(id) { names[$0] != nil }] = id
    }
    var renamed: [(id: AlbumID, album: Album, holders: [MachineID])] = []
    for (id, old) in names.sorted(by: { $0.key < $1.key }) {
      guard let album = albums[old] else { continue }
      renamed.append((id, album, holders(of: old)))
    }
    for id in names.values { remove(id) }
    for (id, album, holders) in renamed {
      albums[id] = album
      for machine in holders { held[machine]?.insert(id) }
    }
    put(renamed.map { ($0.id, $0.album.spot) })
  }

  /// Returns the other machines that have an album.
  func holders(of id: AlbumID) -> [MachineID] { held.filter { $0.value.contains(id) }.map(\.key) }

  /// Whether any other machine has an album.
  func isHeld(_ id: AlbumID) -> Bool { held.values.contains { $0.contains(id) } }

  mutating func sortLists() {
    let unsorted = Dictionary(grouping: albums.keys) { albums[$0]?.spot.crate }
    lists = [:]
    for (crate, list) in unsorted {
      if let crate { lists[crate] = list.sorted(by: isAbove) }
    }
  }

  mutating func takeOut(_ id: AlbumID) {
    guard let spot = albums[id]?.spot, let list = lists[spot.crate] else { return }
    let rank = rank(of: spot.place.value, id, in: list)
    if rank < list.count, list[rank] == id { lists[spot.crate]?.remove(at: rank) }
  }

  private func isAbove(_ one: AlbumID, _ other: AlbumID) -> Bool {
    guard let left = albums[one]?.spot.place.value, let right = albums[other]?.spot.place.value
    else { return one < other }
    return left == right ? one < other : left < right
  }

  /// Returns the number of albums of the list that are above that place.
  func rank(of key: PlaceKey, _ id: AlbumID, in list: [AlbumID]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      guard let place = albums[list[middle]]?.spot.place.value else { return low }
      let isAbove = place == key ? list[middle] < id : place < key
      if isAbove { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The crates in order, including empty ones.
  package var crateOrder: [CrateID] { inOrder(crates) }

  private func inOrder(_ crates: [CrateID: Crate]) -> [CrateID] {
    crates.sorted { left, right in
      let (one, other) = (left.value.place.value, right.value.place.value)
      return one == other ? left.key.number < right.key.number : one < other
    }.map(\.key)
  }

  /// Returns the crates with a name, in order. There can be several, if machines created them
  /// independently.
  package func crates(named name: String) -> [CrateID] {
    let name = folded(name)
    return inOrder(crates.filter { folded($0.value.name.value) == name })
  }
}
