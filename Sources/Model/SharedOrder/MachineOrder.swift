package import LibraryModel

/// All that one machine says of the order: what its file holds.
package struct MachineOrder: Sendable {
  package struct Album: Sendable {
    package var id: AlbumID
    package var value: OrderTable.Album
    /// Whether the machine has it, and does not only know of it from others.
    package var isOwn: Bool

    package init(id: AlbumID, value: OrderTable.Album, isOwn: Bool) {
      (self.id, self.value, self.isOwn) = (id, value, isOwn)
    }
  }

  /// What machines that share one order have in common.
  package var share: MachineID
  package var machine: MachineID
  /// As the person calls it.
  package var name: String
  /// How often it was written.
  package var version: Int
  /// At least as late as all marks.
  package var clock: SharedClock
  package var crates: [(id: CrateID, value: OrderTable.Crate)] = []
  package var albums: [Album] = []

  package init(share: MachineID, machine: MachineID, name: String, version: Int, clock: SharedClock)
  {
    (self.share, self.machine, self.name) = (share, machine, name)
    (self.version, self.clock) = (version, clock)
  }
}

extension MachineOrder {
  /// Whether a person has decided anything in it.
  package var hasDecisions: Bool {
    crates.contains { $0.value.hasDecisions } || albums.contains { $0.value.hasDecisions }
  }
}

extension OrderTable {
  /// Whether a person has decided anything of it, on any machine.
  package var hasDecisions: Bool {
    crates.values.contains(where: \.hasDecisions) || albums.values.contains(where: \.hasDecisions)
  }

  /// A table of what this machine said when it was saved.
  ///
  /// - Parameter held: the albums that each of the other machines has.
  package init(_ order: MachineOrder, held: [MachineID: Set<AlbumID>]) {
    self.init()
    (clock, self.held) = (order.clock, held)
    for (id, crate) in order.crates { crates[id] = crate }
    for album in order.albums { albums[album.id] = album.value }
    sortLists()
  }

  /// Takes in what another machine says.
  ///
  /// - Parameter library: of this machine.
  package mutating func join(_ other: MachineOrder, with library: Library) {
    clock = max(clock, other.clock)
    for (id, crate) in other.crates { join(crate, of: id) }
    var matching = AlbumMatching(self, library)
    let known = matching.matches(
      of: other.albums.map { AlbumMatching.Candidate(id: $0.id, traits: $0.value.traits) })
    let here = library.albumIDs
    var theirs: [AlbumID: Album] = [:]
    var owned: Set<AlbumID> = []
    theirs.reserveCapacity(other.albums.count)
    owned.reserveCapacity(other.albums.count)
    for album in other.albums {
      // Two of its albums are one here.
      if known[album.id] == nil, library.aliases[album.id] != nil { continue }
      let id = known[album.id] ?? freeID(album.id) { theirs[$0] != nil }
      theirs[id] = album.value
      if album.isOwn { owned.insert(id) }
      // What others have is known as they have it.
      if album.isOwn, !here.contains(id) { albums[id]?.traits = album.value.traits }
    }
    join(theirs)
    held[other.machine] = owned
    forgetUnknown(library)
  }

  /// Forgets a machine, and what only that had.
  package mutating func drop(_ machine: MachineID, library: Library) {
    held[machine] = nil
    forgetUnknown(library)
  }

  /// Forgets the albums that no machine has any more.
  private mutating func forgetUnknown(_ library: Library) {
    for id in albums.keys.filter({ !isHeld($0) && !library.has($0) }) { remove(id) }
  }

  /// The same id, unless another album of the table has it.
  private func freeID(_ id: AlbumID, isTaken: (AlbumID) -> Bool) -> AlbumID {
    if albums[id] == nil, !isTaken(id) { return id }
    let number = IdentifierText.mint(Array("other\t\(id)".utf8)) {
      albums[AlbumID(number: $0)] != nil || isTaken(AlbumID(number: $0))
    }
    return AlbumID(number: number)
  }

  /// Returns what this machine says, in order.
  package func contents(
    for library: Library, share: MachineID, machine: MachineID, name: String, version: Int
  ) -> MachineOrder {
    var order = MachineOrder(
      share: share, machine: machine, name: name, version: version, clock: clock)
    let here = library.albumIDs
    order.albums.reserveCapacity(albums.count)
    for id in crateOrder {
      guard let crate = crates[id] else { continue }
      order.crates.append((id, crate))
      for id in lists[order.crates.last?.id ?? id] ?? [] {
        guard let album = albums[id] else { continue }
        order.albums.append(
          MachineOrder.Album(id: id, value: album, isOwn: here.contains(id)))
      }
    }
    return order
  }

  /// Brings up to date what others know the albums by that are here.
  ///
  /// - Parameter former: the library from which they were described last: only what changed since
  ///   is described anew.
  package mutating func refreshTraits(from library: Library, described former: Library) {
    library.albums.forEach(changedSince: former.albums) { id, album in
      if former.albums[id] === album { return }
      albums[id]?.traits = AlbumTraits(of: album, in: library)
    }
  }
}

extension OrderTable.Crate {
  var hasDecisions: Bool { name.mark.rank != .arrival || place.mark.rank != .arrival }
}

extension OrderTable.Album {
  var hasDecisions: Bool { spot.place.mark.rank != .arrival || songs != nil }
}
