/// Undoes or redoes several changes, one after the other, as one change. Each source transaction is
/// needed only for its own step, so they need not be in memory together.
package struct TakingBack: Sendable {
  private let direction: Reversal.Direction
  private let before: Library
  private let newAlbums: String?
  private let elsewhere: DecidedElsewhere
  /// Albums that stay where other machines put them, with the machines' names.
  private var kept: [AlbumID: String] = [:]
  private var taken: Decision

  /// - Parameters:
  ///   - newAlbums: the crate for new albums, which is kept while it is empty.
  ///   - elsewhere: later decisions of other machines, which stay.
  package init(
    _ direction: Reversal.Direction, in library: Library, newAlbums: String?,
    leaving elsewhere: DecidedElsewhere = DecidedElsewhere()
  ) {
    (self.direction, before, self.newAlbums) = (direction, library, newAlbums)
    self.elsewhere = elsewhere
    taken = Decision(library: library, by: .person)
  }

  /// Reverts the next entry.
  ///
  /// - Parameter source: the part of the transaction to be reverted that is about the entry.
  package mutating func take(_ entry: UndoHistory.Entry, source: Transaction) {
    let count = taken.changes.count
    taken.takeBack(source.changes.filter { !stays($0) }, newAlbums: newAlbums)
    taken.transaction.reversals.append(
      Reversal(direction, entry.sequence, changeCount: taken.changes.count - count))
  }

  /// Whether a change is not reverted because another machine decided the same thing later.
  private mutating func stays(_ change: Change) -> Bool {
    switch change {
    case .albumMoved(let id, _, _, _, _):
      guard let machine = elsewhere.albums[id] else { return false }
      kept[id] = machine
      return true
    case .albumArranged(let id, _), .songMoved(_, let id, _, _):
      return elsewhere.arranged.contains(id)
    case .crateMoved(let name, _, _), .crateRenamed(_, let name):
      return elsewhere.crates.contains(folded(name))
    default: return false
    }
  }

  /// A note for the user about albums that stay.
  private var note: String? {
    let machines = Set(kept.values).sorted().joined(separator: ", ")
    if kept.count > 1 { return "\(kept.count) albums stay where they were put on \(machines)" }
    guard let id = kept.keys.first, let album = before.albums[id] else { return nil }
    return "\(before.face(of: album).title) stays where it was put on \(machines)"
  }

  /// The result, with its description. Nil if nothing was reverted.
  package var decision: Decision? {
    let steps = taken.transaction.reversals.count
    if steps == 0 { return nil }
    var decision = taken
    decision.transaction.notes += [note].compactMap(\.self)
    decision.tell(direction == .undo ? .undo(steps: steps) : .redo(steps: steps), from: before)
    return decision
  }
}

/// The decisions of other machines since a change that is reverted.
package struct DecidedElsewhere: Sendable {
  /// Albums that were moved, with the machines' names.
  fileprivate var albums: [AlbumID: String] = [:]
  /// Albums whose songs were put in order.
  fileprivate var arranged: Set<AlbumID> = []
  /// The folded names of crates that were moved or renamed.
  fileprivate var crates: Set<String> = []

  package init() {}

  /// - Parameter transactions: in order. Those of other authors are ignored.
  package init(_ transactions: [Transaction]) {
    for transaction in transactions where transaction.author == .machine {
      for change in transaction.changes { note(change, transaction.origin ?? "another machine") }
    }
  }

  private mutating func note(_ change: Change, _ machine: String) {
    switch change {
    case .albumMoved(let id, _, _, _, _): albums[id] = machine
    case .albumArranged(let id, _), .songMoved(_, let id, _, _): arranged.insert(id)
    case .crateMoved(let name, _, _): crates.insert(folded(name))
    case .crateRenamed(let name, let new): crates.formUnion([folded(name), folded(new)])
    default: break
    }
  }
}

/// The songs and albums that a change restored. Their slots and other ids were restored with them.
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
  /// Makes the inverse of each change, the last one first, as far as the library allows it. An item
  /// goes back behind its former predecessor, or to the top if that does not exist any more.
  /// Changes by merges stay.
  fileprivate mutating func takeBack(_ changes: [Change], newAlbums: String?) {
    // Albums whose songs may be out of default order. Those that are not arranged are put back into
    // it.
    var reordered: [AlbumID] = []
    var restoring = Restoring()
    let restored = Restored(changes)
    for change in changes.reversed() {
      switch change.inverse {
      case .crateAdded(let name, let after, let id):
        if library.crate(named: name) == nil { addCrate(name, after: after, id: id) }
      case .crateMoved(let name, let after, _): moveBack(name, after: after)
      case .crateRenamed(let name, let former): renameBack(name, to: former)
      case .albumMoved(let id, let crate, let after, _, _): moveBack(id, to: crate, after: after)
      case .albumArranged(let id, let isArranged):
        guard let album = library.album(id), album.isArranged != isArranged else { continue }
        make(.albumArranged(album.id, isArranged))
        reordered.append(album.id)
      case .albumTouched(let id, let isNew):
        guard let album = library.album(id), library.isMoved(album.id) == isNew else { continue }
        make(.albumTouched(album.id, isNew: isNew))
      case .songMoved(let id, let album, let after, _):
        guard let album = library.album(album) else { continue }
        moveBack(id, in: album, after: after)
        reordered.append(album.id)
      case .albumAdded(let id, let record): restore(id, record, &restoring)
      case .songAdded(let id, let record): restore(id, record, &restoring)
      case .slotRestored(let id, let album, let after):
        restore(slot: id, in: album, after: after, &restoring)
      case .aliasRestored(let alias, let album): restore(alias: alias, of: album, &restoring)
      case .albumRemoved(let id, _): dropAgain(id)
      case .songForgotten(let id, _): dropAgain(id)
      // The slots of a restored item are dropped with it, or stay with it.
      case .slotDropped(let id, let album, _) where !restored.has(id, album):
        dropAgain(slot: id, of: album)
      case .aliasDropped(let alias, let album) where !restored.has(album):
        dropAgain(alias: alias, of: album)
      // A crate that was added is removed at the end, if it is empty.
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

  /// - Parameter id: the former id of the crate.
  mutating func addCrate(_ name: String, after anchor: String?, id: CrateID? = nil) {
    let anchor = anchor.flatMap { library.crate(named: $0)?.name }
    make(.crateAdded(name, after: anchor, id: id.flatMap { library.crate($0) == nil ? $0 : nil }))
  }

  private mutating func renameBack(_ name: String, to former: String) {
    guard let crate = library.crate(named: name) else { return noteNameTaken(name, former) }
    if let other = library.crate(named: former), other.id != crate.id {
      return noteNameTaken(name, former)
    }
    make(.crateRenamed(crate.name, to: former))
  }

  private mutating func noteNameTaken(_ name: String, _ former: String) {
    transaction.notes.append("\(name) keeps its name: \(former) is taken")
  }

  private mutating func moveBack(_ name: String, after anchor: String?) {
    guard let crate = library.crate(named: name) else { return }
    let anchor = anchor.flatMap { library.crate(named: $0)?.name }
    if anchor != crate.name { move(crate, after: anchor) }
  }

  mutating func moveBack(_ id: AlbumID, to name: String, after anchor: AlbumID?) {
    guard let album = library.album(id) else { return }
    if library.crate(named: name) == nil { addCrate(name, after: library.crates.last?.name) }
    guard let crate = library.crate(named: name) else { return }
    // The former predecessor, or the album that has taken it over since.
    var place = anchor.flatMap { library.album($0) }
    if place?.crate != crate.id || place?.id == album.id { place = nil }
    move(album.id, to: crate, after: place?.id)
  }

  /// Moves a song or a slot back.
  mutating func moveBack(_ id: SongID, in album: Album, after anchor: SongID?) {
    guard album.entries.contains(id) else { return }
    let anchor = anchor.flatMap { $0 != id && album.entries.contains($0) ? $0 : nil }
    move(id, in: album.id, after: anchor)
  }
}
