/// An earlier order, applied to the current library.
package enum FormerOrder {
  /// Returns the origin of a transaction that restores the order of a date.
  package static func origin(of date: String) -> String { Telling.formerOrder + date }

  /// Returns the order of a library as a written order for another library of the same music. Omits
  /// albums that the other library does not have, and songs that are in another album there.
  ///
  /// - Parameters:
  ///   - isKnown: whether the other library has the album.
  ///   - home: the album that a song is in there, or nil if there is no such song.
  ///   - hasSongs: whether the order of an album's songs is included.
  package static func written(
    _ former: Library, isKnown: (AlbumID) -> Bool, home: (SongID) -> AlbumID?,
    hasSongs: (Album) -> Bool = { _ in true }
  ) -> WrittenOrder {
    var order = WrittenOrder()
    for crate in former.crates {
      var written = WrittenOrder.Crate(id: crate.id, name: crate.name, line: 0)
      for album in crate.albums.compactMap({ former.albums[$0] }) where isKnown(album.id) {
        var place = WrittenOrder.Album(id: album.id, line: 0)
        if hasSongs(album) {
          place.songs = former.songs(of: album).filter { home($0.id) == album.id }
            .map { WrittenOrder.Song(id: $0.id, line: 0) }
        }
        written.albums.append(place)
      }
      if !written.albums.isEmpty { order.crates.append(written) }
    }
    return order
  }
}

extension Library {
  /// Restores an earlier order, including changes that were undone since. What the music folder
  /// brought meanwhile stays. Songs without an order of the user at that time follow their tags.
  ///
  /// - Parameters:
  ///   - former: the library at that time.
  ///   - taken: the undo of everything that was done since then.
  /// - Returns: `taken`, if nothing else has to be done. Otherwise everything as one change, which
  ///   is not an undo of single changes any more. Nil if there is nothing to do.
  package func decide(
    backTo former: Library, after taken: Decision?, newAlbums: String?
  ) -> Decision? {
    let now = taken?.library ?? self
    let written = FormerOrder.written(
      former, isKnown: { now.albums[$0] != nil }, home: { now.songs[$0]?.album },
      hasSongs: \.isArranged)
    // A name that another crate has by now stays with that crate.
    guard let laid = try? now.decide(written, readFrom: now, newAlbums: newAlbums) else {
      return taken
    }
    let takenChanges = taken?.changes ?? []
    var decision = Decision(library: self, by: .person)
    for change in takenChanges + laid.changes { decision.make(change) }
    decision.takeBackMarks(to: former)
    if decision.changes.count == takenChanges.count { return taken }
    decision.tell(.undo(steps: 1), from: self)
    return decision
  }
}

extension Library {
  /// Reverts what was done between two times, and nothing else. Later changes stay, and so does an
  /// album that has been moved to another crate since.
  ///
  /// - Returns: an ordinary change, which can be undone itself. Nil if there is nothing left to
  ///   revert.
  package func decide(
    backFrom then: Library, to former: Library, newAlbums: String?
  ) -> Decision? {
    func isThere(_ id: AlbumID) -> Bool {
      albums[id].map { $0.crate == then.albums[id]?.crate } ?? false
    }
    let written = FormerOrder.written(
      former, isKnown: isThere, home: { songs[$0]?.album })
    guard let laid = try? decide(written, readFrom: then, newAlbums: newAlbums) else { return nil }
    var decision = Decision(library: self, by: .person)
    for change in laid.changes { decision.make(change) }
    decision.takeBackMarks(
      to: former, isArranged: { then.albums[$0]?.isArranged == true },
      isMoved: { then.isMoved($0) && isThere($0) })
    if decision.changes.isEmpty { return nil }
    decision.tell(.undo(steps: 1), from: self)
    return decision
  }
}

extension Decision {
  /// Puts songs without an order of the user at that time back into default order, and marks albums
  /// as never moved that had not been moved then.
  ///
  /// - Parameters:
  ///   - isArranged: whether the reverted changes arranged the album's songs.
  ///   - isMoved: whether the reverted changes moved the album, if it had not been moved before.
  fileprivate mutating func takeBackMarks(
    to former: Library, isArranged: (AlbumID) -> Bool = { _ in true },
    isMoved: (AlbumID) -> Bool = { _ in true }
  ) {
    let albums = former.albums.values.sorted { $0.id < $1.id }
    for album in albums where !album.isArranged && isArranged(album.id) {
      guard let there = library.albums[album.id], there.isArranged,
        let goal = library.membersInDefaultOrder(of: there)
      else { continue }
      arrange(goal, in: there)
    }
    for album in albums
    where !former.isMoved(album.id) && library.isMoved(album.id) && isMoved(album.id) {
      make(.albumTouched(album.id, isNew: true))
    }
  }
}
