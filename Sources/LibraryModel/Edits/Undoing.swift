/// What the person can take back, and do again: a value that follows the changes as they become
/// durable, live or read from the journals, and so is the same after a restart.
package struct UndoHistory: Sendable {
  /// Changes that can be taken back at least.
  package static let kept = 1000

  /// A durable change as far as taking it back is concerned.
  package struct Entry: Hashable, Sendable {
    /// Of the person's own change, which an undo and its redo go on naming.
    package var sequence: Int
    package var summary: String
    package var changes: [Change]
  }

  /// What an undo would take back, the newest last.
  package private(set) var undoable: [Entry] = []
  /// What a redo would do again, the newest undo last; their changes are those of the undo.
  package private(set) var redoable: [Entry] = []

  package init() {}

  /// Follows a durable change. What merges do changes nothing here.
  package mutating func follow(
    _ changes: [Change], sequence: Int, summary: String, by author: Author
  ) {
    guard author == .person else { return }
    for change in changes {
      if case .undid(let taken) = change {
        let former = undoable.popLast()
        redoable.append(
          Entry(sequence: taken, summary: former?.summary ?? summary, changes: changes))
        return
      }
      if case .redid(let done) = change {
        let former = redoable.popLast()
        undoable.append(
          Entry(sequence: done, summary: former?.summary ?? summary, changes: changes))
        return
      }
    }
    undoable.append(Entry(sequence: sequence, summary: summary, changes: changes))
    redoable = []
    // Some more than promised, so that the list is not moved at every change.
    if undoable.count > 2 * Self.kept { undoable.removeFirst(undoable.count - Self.kept) }
  }
}

extension Library {
  /// Takes the newest change of the person's back; nil where there is none.
  package func decideUndo(_ history: UndoHistory, newAlbums: String?) -> Decision? {
    history.undoable.last.map { takingBack($0, "undo", .undid($0.sequence), newAlbums) }
  }

  /// Does the change that was taken back last again; nil where there is none.
  package func decideRedo(_ history: UndoHistory, newAlbums: String?) -> Decision? {
    history.redoable.last.map { takingBack($0, "redo", .redid($0.sequence), newAlbums) }
  }

  private func takingBack(
    _ entry: UndoHistory.Entry, _ verb: String, _ mark: Change, _ newAlbums: String?
  ) -> Decision {
    var decision = Decision(library: self)
    decision.takeBack(entry.changes, newAlbums: newAlbums)
    decision.make(mark, by: .person)
    decision.summary = "\(verb): \(entry.summary)"
    return decision
  }
}

extension Decision {
  /// Does the opposite of the changes, the last one first. Each thing goes back behind its former
  /// predecessor, or to the top where that is not there any more; what merges did since stays.
  fileprivate mutating func takeBack(_ changes: [Change], newAlbums: String?) {
    var unarranged: [AlbumID] = []
    var restoring = Restoring()
    for change in changes.reversed() {
      switch change {
      case .crateRemoved(let name, let wasAfter):
        if library.crate(named: name) == nil { addCrate(name, after: wasAfter) }
      case .crateMoved(let name, _, let wasAfter): moveBack(name, after: wasAfter)
      case .crateRenamed(let old, let new):
        let isFree = library.crate(named: old).map { $0.id == library.crate(named: new)?.id }
        if let crate = library.crate(named: new), isFree ?? true {
          make(.crateRenamed(crate.name, to: old), by: .person)
        } else {
          notes.append("crate \(new) keeps its name: \(old) is taken")
        }
      case .albumMoved(let id, _, _, let wasCrate, let wasAfter):
        moveBack(id, to: wasCrate, after: wasAfter)
      case .albumArranged(let id, let isArranged):
        guard let album = library.album(id), album.isArranged == isArranged else { continue }
        make(.albumArranged(album.id, !isArranged), by: .person)
        if isArranged { unarranged.append(album.id) }
      case .songMoved(let id, let album, _, let wasAfter):
        moveBack(id, in: album, after: wasAfter)
      case .albumRemoved(let id, let kept): restore(id, kept, &restoring)
      case .songForgotten(let id, let kept): restore(id, kept, &restoring)
      case .albumRestored(let id, _): dropAgain(id)
      case .songRestored(let id, _): dropAgain(id)
      default: continue
      }
    }
    unarranged += restoring.touched
    for id in unarranged {
      guard let album = library.albums[id], !album.isArranged,
        let goal = library.membersInDefaultOrder(of: album)
      else { continue }
      arrange(goal, in: album, by: .person)
    }
    dropEmptyCrates(except: newAlbums, by: .person)
  }

  mutating func addCrate(_ name: String, after anchor: String?) {
    let anchor = anchor.flatMap { library.crate(named: $0)?.name }
    make(.crateAdded(name, after: anchor), by: .person)
  }

  private mutating func moveBack(_ name: String, after anchor: String?) {
    guard let crate = library.crate(named: name) else { return }
    let names = library.crates.map(\.name)
    let anchor = anchor.flatMap { library.crate(named: $0)?.name }
    let now = predecessor(of: crate.name, in: names)
    if anchor == now || anchor == crate.name { return }
    make(.crateMoved(crate.name, after: anchor, wasAfter: now), by: .person)
  }

  mutating func moveBack(_ id: AlbumID, to name: String, after anchor: AlbumID?) {
    guard let album = library.album(id) else { return }
    if library.crate(named: name) == nil { addCrate(name, after: library.crates.last?.name) }
    guard let crate = library.crate(named: name) else { return }
    // The former predecessor, or the album that has taken it over since.
    var place = anchor.flatMap { library.album($0) }
    if place?.crate != crate.id || place?.id == album.id { place = nil }
    if album.crate == crate.id, predecessor(of: album.id, in: crate.albums) == place?.id { return }
    move(album.id, to: crate, after: place?.id, .person)
  }

  /// Where it left the album since, its slot goes back.
  mutating func moveBack(_ id: SongID, in album: AlbumID, after anchor: SongID?) {
    guard let album = library.album(album), album.entries.contains(id) else { return }
    let place = anchor.flatMap { album.entries.contains($0) && $0 != id ? $0 : nil }
    let now = predecessor(of: id, in: album.entries)
    if place == now { return }
    make(.songMoved(id, in: album.id, after: place, wasAfter: now), by: .person)
  }
}
