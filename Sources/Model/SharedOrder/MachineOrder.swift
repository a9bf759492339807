package import LibraryModel

/// The order as one machine publishes it: the contents of its file.
package struct MachineOrder: Sendable {
  package struct Album: Sendable {
    package var id: AlbumID
    package var value: OrderTable.Album
    /// Whether the machine has the album itself, and does not only know of it from others.
    package var isOwn: Bool

    package init(id: AlbumID, value: OrderTable.Album, isOwn: Bool) {
      (self.id, self.value, self.isOwn) = (id, value, isOwn)
    }
  }

  /// The id that the machines that share one order have in common.
  package var share: MachineID
  package var machine: MachineID
  /// The name that the user gave the machine.
  package var name: String
  /// The number of times that the file was written.
  package var version: Int
  /// At least as late as every mark.
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
  /// Whether it contains any decision of the user.
  package var hasDecisions: Bool {
    crates.contains { $0.value.hasDecisions } || albums.contains { $0.value.hasDecisions }
  }
}

extension OrderTable {
  /// Whether it contains any decision of the user, made on any machine.
  package var hasDecisions: Bool {
    crates.values.contains(where: \.hasDecisions) || albums.values.contains(where: \.hasDecisions)
  }

  /// Creates a table from what this machine saved.
  ///
  /// - Parameter held: the albums that each of the other machines has.
  package init(_ order: MachineOrder, held: [MachineID: Set<AlbumID>]) {
    self.init()
    (clock, self.held) = (order.clock, held)
    for (id, crate) in order.crates { crates[id] = crate }
    for album in order.albums { albums[album.id] = album.value }
    sortLists()
  }

  /// Merges the order of another machine into this table.
  ///
  /// - Parameter library: this machine's library.
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
      // Two of its albums are one album here.
      if known[album.id] == nil, library.aliases[album.id] != nil { continue }
      let id = known[album.id] ?? freeID(album.id) { theirs[$0] != nil }
      theirs[id] = album.value
      if album.isOwn { owned.insert(id) }
      // Albums that only others have are described as they describe them.
      if album.isOwn, !here.contains(id) { albums[id]?.traits = album.value.traits }
    }
    join(theirs)
    held[other.machine] = owned
    forgetUnknown(library)
  }

  /// Removes a machine, and the albums that only it had.
  package mutating func drop(_ machine: MachineID, library: Library) {
    held[machine] = nil
    forgetUnknown(library)
  }

  /// Removes the albums that no machine has any more.
  private mutating func forgetUnknown(_ library: Library) {
    for id in albums.keys.filter({ !isHeld($0) && !library.has($0) }) { remove(id) }
  }

  /// Returns the same id, or a new one if another album of the table has it.
  func freeID(_ id: AlbumID, isTaken: (AlbumID) -> Bool) -> AlbumID {
    if albums[id] == nil, !isTaken(id) { return id }
    let number = IdentifierText.mint(Array("other\t\(id)".utf8)) {
      albums[AlbumID(number: $0)] != nil || isTaken(AlbumID(number: $0))
    }
    return AlbumID(number: number)
  }

  /// Returns the order as this machine publishes it.
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

  /// Updates the traits of the albums that this machine has.
  ///
  /// - Parameter former: the library from which the traits were last updated. Only albums that have
  ///   changed since are described again.
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
