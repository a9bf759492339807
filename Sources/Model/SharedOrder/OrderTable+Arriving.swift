package import LibraryModel

extension OrderTable {
  /// Puts albums that a merge added, and that other machines have already placed, where those
  /// machines have them. They never appear on top first.
  ///
  /// - Parameter newAlbums: the crate that is kept while it is empty.
  package func placeArrivals(in decision: inout Decision, newAlbums: String?) {
    let library = decision.library
    let added = decision.changes.compactMap { change -> AlbumID? in
      guard case .albumAdded(let id, _) = change, library.has(id) else { return nil }
      return id
    }
    let known = known(Set(added), in: library, before: decision.before)
    if known.isEmpty { return }
    var table = self
    for (id, other) in known { table.rename(other, to: id) }
    // From top to bottom, since each album goes behind the one above it.
    for id in table.crateOrder.flatMap({ table.lists[$0] ?? [] }) where known[id] != nil {
      table.place(id, in: &decision)
    }
    decision.dropEmptyCrates(except: newAlbums)
    decision.tell(.merge, from: decision.before)
  }

  /// Returns, for each added album that the table has, its id in the table.
  func known(_ added: Set<AlbumID>, in library: Library, before: Library) -> [AlbumID: AlbumID] {
    if added.isEmpty { return [:] }
    let candidates = added.sorted().compactMap { id in
      library.albums[id].map {
        AlbumMatching.Candidate(id: id, traits: AlbumTraits(of: $0, in: library))
      }
    }
    var matching = AlbumMatching(self, before) { before.albums[$0] == nil }
    return matching.matches(of: candidates)
  }

  private func place(_ id: AlbumID, in decision: inout Decision) {
    guard let crate = albums[id]?.spot.crate, let known = crates[crate]?.name.value else { return }
    let name = shownNames[folded(known)]?.value ?? known
    let library = decision.library
    let here = library.crate(named: name)?.id
    let above = crates(named: name).flatMap { lists[$0] ?? [] }.prefix { $0 != id }
      .last { library.albums[$0].map { $0.crate == here } ?? false }
    let order = crateOrder
    let crateAbove = order[..<(order.firstIndex(of: crate) ?? 0)].last { other in
      crates[other].map { library.crate(named: $0.name.value) != nil } ?? false
    }
    decision.put(
      id, into: name, after: above, madeAfter: crateAbove.flatMap { crates[$0]?.name.value })
  }
}
