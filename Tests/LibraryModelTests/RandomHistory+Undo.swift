@testable import LibraryModel

extension RandomHistory {
  // MARK: Undo and redo

  mutating func takeBack() throws {
    tell("undo")
    guard let decision = library.decideUndo(undo, newAlbums: newAlbums) else {
      if !done.isEmpty { throw Disagreement("nothing to undo") }
      return
    }
    if !ClosedGaps.undoAfterRetag, done.last?.isFresh == false, !(done.last?.movesSongs == false) {
      return
    }
    guard var deed = done.popLast() else { throw Disagreement("something to undo") }
    let before = plain
    try take(decision)
    if deed.isFresh {
      exact += 1
      if let words = deed.before.difference(from: library, withSlots: true) {
        throw Disagreement("undo: \(words)")
      }
    } else {
      try checkUntouched(before, deed)
    }
    plain.adopt(library, lookups, known)
    if deed.isFresh, ClosedGaps.placedByStanding, plain != deed.before {
      throw Disagreement("undo leaves an album placed, or not")
    }
    deed.after = deed.isFresh ? deed.after : before
    undone.append(deed)
  }

  mutating func doAgain() throws {
    tell("redo")
    guard let decision = library.decideRedo(undo, newAlbums: newAlbums) else {
      if !undone.isEmpty { throw Disagreement("nothing to redo") }
      return
    }
    if !ClosedGaps.undoAfterRetag, undone.last?.isFresh == false,
      !(undone.last?.movesSongs == false)
    {
      return
    }
    guard let deed = undone.popLast() else { throw Disagreement("something to redo") }
    let before = plain
    try take(decision)
    if deed.isFresh {
      exact += 1
      if let words = deed.after.difference(from: library, withSlots: true) {
        throw Disagreement("redo: \(words)")
      }
    } else {
      try checkUntouched(before, deed)
    }
    plain.adopt(library, lookups, known)
    done.append(deed)
  }

  /// What the action did not move stays as merges left it.
  private func checkUntouched(_ before: PlainLibrary, _ deed: Deed) throws {
    for crate in before.crates {
      guard let now = library.crate(named: crate.name)?.albums else { continue }
      let kept = crate.albums.filter { !deed.movedAlbums.contains($0) && now.contains($0) }
      if kept != now.filter(kept.contains) {
        throw Disagreement("undo or redo moves more than was moved, in \(crate.name)")
      }
    }
  }
}
