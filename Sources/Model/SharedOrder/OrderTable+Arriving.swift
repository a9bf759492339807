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
    let known = known(Set(added), in: library)
    if known.isEmpty { return }
    var table = self
    table.rename(known)
    // From top to bottom, since each album goes behind the one above it.
    for id in table.crateOrder.flatMap({ table.lists[$0] ?? [] }) where known[id] != nil {
      table.place(id, in: &decision)
    }
    decision.dropEmptyCrates(except: newAlbums)
    decision.tell(.merge, from: decision.before)
  }

  /// Returns, for each added album that the table has, its id in the table. An entry with the id of
  /// another album of the library is that album.
  func known(_ added: Set<AlbumID>, in library: Library) -> [AlbumID: AlbumID] {
    if added.isEmpty || albums.isEmpty { return [:] }
    let candidates = added.sorted().compactMap { id in
      library.albums[id].map {
        AlbumMatching.Candidate(id: id, traits: AlbumTraits(of: $0, in: library))
      }
    }
    // What an added album is in the table is described there, whatever has that id here.
    var matching = AlbumMatching(self, Library()) { added.contains($0) || !library.has($0) }
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
