/// Takes changes back, or does them again, one after the other, as one change. Each is needed only
/// while it is taken: they need not be in memory beside each other.
package struct TakingBack: Sendable {
  private let direction: Reversal.Direction
  private let before: Library
  private let newAlbums: String?
  private var taken: Decision

  /// - Parameter newAlbums: the crate of new albums, which stays when it is empty.
  package init(_ direction: Reversal.Direction, in library: Library, newAlbums: String?) {
    (self.direction, before, self.newAlbums) = (direction, library, newAlbums)
    taken = Decision(library: library, by: .person)
  }

  /// Goes on with the next one.
  ///
  /// - Parameter source: the transaction whose opposite is done, as far as it is about the entry.
  package mutating func take(_ entry: UndoHistory.Entry, source: Transaction) {
    let count = taken.changes.count
    taken.takeBack(source.changes, newAlbums: newAlbums)
    taken.transaction.reversals.append(
      Reversal(direction, entry.sequence, changeCount: taken.changes.count - count))
  }

  /// All of it, with its sentence; nil where nothing was taken.
  package var decision: Decision? {
    let steps = taken.transaction.reversals.count
    if steps == 0 { return nil }
    var decision = taken
    decision.tell(direction == .undo ? .undo(steps: steps) : .redo(steps: steps), from: before)
    return decision
  }
}

/// The songs and albums that a change put back, each with its slots and other ids.
private struct Restored {
  private var songs: Set<SongID> = []
  private var albums: Set<AlbumID> = []

  init(_ changes: [Change]) {
    for change in changes {
      switch change {
      case .songAdded(let id, _): songs.insert(id)
      case .albumAdded(let id, _): albums.insert(id)
      default: continue
      }
    }
  }

  func has(_ album: AlbumID) -> Bool { albums.contains(album) }
  func has(_ song: SongID, _ album: AlbumID) -> Bool {
    songs.contains(song) || albums.contains(album)
  }
}

extension Decision {
  /// Does the opposite of the changes, the last one first. Each thing goes back behind its former
  /// predecessor, or to the top where that is not there any more; what merges did since stays.
  fileprivate mutating func takeBack(_ changes: [Change], newAlbums: String?) {
    // Albums whose songs moved; those that are not arranged in the end take default order.
    var reordered: [AlbumID] = []
    var restoring = Restoring()
    let restored = Restored(changes)
    var left = changes[...]
    while let change = left.popLast() {
      switch change {
      case .crateRemoved(let name, let wasAfter, let id):
        if library.crate(named: name) == nil { addCrate(name, after: wasAfter, id: id) }
      case .crateMoved(let name, _, let wasAfter): moveBack(name, after: wasAfter)
      case .crateRenamed(let old, let new):
        let isFree = library.crate(named: old).map { $0.id == library.crate(named: new)?.id }
        if let crate = library.crate(named: new), isFree ?? true {
          make(.crateRenamed(crate.name, to: old))
        } else {
          transaction.notes.append("\(new) keeps its name: \(old) is taken")
        }
      case .albumMoved(let id, _, _, let wasCrate, let wasAfter):
        moveBack(id, to: wasCrate, after: wasAfter)
      case .albumArranged(let id, let isArranged):
        guard let album = library.album(id), album.isArranged == isArranged else { continue }
        make(.albumArranged(album.id, !isArranged))
        reordered.append(album.id)
      case .albumTouched(let id, let isNew):
        guard let album = library.album(id), library.isMoved(album.id) != isNew else { continue }
        make(.albumTouched(album.id, isNew: !isNew))
      case .songMoved(_, let id, _, _):
        left.append(change)
        let moves = takeMoves(in: id, from: &left)
        if let album = library.album(id) {
          moveBack(moves, in: album)
          reordered.append(album.id)
        }
      case .albumRemoved(let id, let kept): restore(id, kept, &restoring)
      case .songForgotten(let id, let kept): restore(id, kept, &restoring)
      case .albumAdded(let id, _): dropAgain(id)
      case .songAdded(let id, _): dropAgain(id)
      case .slotDropped(let id, let album, let wasAfter):
        restore(slot: id, in: album, after: wasAfter, &restoring)
      case .aliasDropped(let alias, let album): restore(alias: alias, of: album, &restoring)
      // Slots go with what was restored with them, or stay with it.
      case .slotRestored(let id, let album, _) where !restored.has(id, album):
        dropAgain(slot: id, of: album)
      case .aliasRestored(let alias, let album) where !restored.has(album):
        dropAgain(alias: alias, of: album)
      default: continue
      }
    }
    reordered += restoring.touched
    for id in reordered {
      guard let album = library.albums[id], !album.isArranged,
        let goal = library.membersInDefaultOrder(of: album)
      else { continue }
      arrange(goal, in: album)
    }
    dropEmptyCrates(except: newAlbums)
  }

  /// - Parameter id: the one that the crate had.
  mutating func addCrate(_ name: String, after anchor: String?, id: CrateID? = nil) {
    let anchor = anchor.flatMap { library.crate(named: $0)?.name }
    make(.crateAdded(name, after: anchor, id: id.flatMap { library.crate($0) == nil ? $0 : nil }))
  }

  private mutating func moveBack(_ name: String, after anchor: String?) {
    guard let crate = library.crate(named: name) else { return }
    let names = library.crates.map(\.name)
    let anchor = anchor.flatMap { library.crate(named: $0)?.name }
    let now = predecessor(of: crate.name, in: names)
    if anchor == now || anchor == crate.name { return }
    make(.crateMoved(crate.name, after: anchor, wasAfter: now))
  }

  mutating func moveBack(_ id: AlbumID, to name: String, after anchor: AlbumID?) {
    guard let album = library.album(id) else { return }
    if library.crate(named: name) == nil { addCrate(name, after: library.crates.last?.name) }
    guard let crate = library.crate(named: name) else { return }
    // The former predecessor, or the album that has taken it over since.
    var place = anchor.flatMap { library.album($0) }
    if place?.crate != crate.id || place?.id == album.id { place = nil }
    if album.crate == crate.id, predecessor(of: album.id, in: crate.albums) == place?.id { return }
    move(album.id, to: crate, after: place?.id)
  }

  /// The moves of one album's songs at the end of the changes, which are one after the other.
  private func takeMoves(
    in album: AlbumID, from changes: inout ArraySlice<Change>
  ) -> [ListMove<SongID>] {
    var moves: [ListMove<SongID>] = []
    while case .songMoved(let id, album, let anchor, let wasAfter)? = changes.last {
      moves.append(ListMove(item: id, after: anchor, wasAfter: wasAfter))
      changes.removeLast()
    }
    return moves.reversed()
  }

  /// Moves songs back, or their slots where they left the album since.
  mutating func moveBack(_ moves: [ListMove<SongID>], in album: Album) {
    let goal = takenBack(moves, in: album.entries)
    for move in fewestMoves(from: album.entries, to: goal, chosen: Set(moves.map(\.item))) {
      let entries = library.albums[album.id]?.entries ?? []
      let now = predecessor(of: move.item, in: entries)
      make(.songMoved(move.item, in: album.id, after: move.after, wasAfter: now))
    }
  }
}
