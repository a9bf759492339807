/// An order of the past, laid over what there is now.
package enum FormerOrder {
  /// Who asks for it.
  package static func origin(of date: String) -> String { Telling.formerOrder + date }

  /// The order of a library as somebody would write it down in another one of the same music. What
  /// that one doesn't know is left out, and so are songs that are in another album now.
  ///
  /// - Parameters:
  ///   - isKnown: whether there is such an album now.
  ///   - home: the album that a song is in now; nil where there is no such song.
  ///   - hasSongs: whether the order of an album's songs is meant.
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
  /// Brings back the order that there was, also what was taken back since then; what the music
  /// folder brought meanwhile stays. Songs whose order nobody had made then follow their tags.
  ///
  /// - Parameters:
  ///   - former: the library at that time.
  ///   - taken: what has been done since then, taken back.
  /// - Returns: that, where nothing else is to be done; else all of it as one change, which is no
  ///   undo of single changes any more. Nil where nothing is to be done.
  package func decide(
    backTo former: Library, after taken: Decision?, newAlbums: String?
  ) -> Decision? {
    let now = taken?.library ?? self
    let written = FormerOrder.written(
      former, isKnown: { now.albums[$0] != nil }, home: { now.songs[$0]?.album },
      hasSongs: \.isArranged)
    // A name that another crate has by now stays with that one.
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
  /// Takes back what was done between two times, and nothing else: what changed since stays, and so
  /// does an album that has been moved on to another crate.
  ///
  /// - Returns: a change as any other, which can be taken back itself. Nil where nothing is left of
  ///   what was done.
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
  /// Albums whose songs were in no order of the person's at that time follow their tags again, and
  /// those that had never been moved count so again.
  ///
  /// - Parameters:
  ///   - isArranged: whether the album's songs were put into that order by what is taken back.
  ///   - isMoved: whether the album was moved by that, if it had never been.
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
