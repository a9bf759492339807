import ModelSupport

@testable import LibraryModel

extension RandomHistory {
  // MARK: Undo and redo

  mutating func takeBack() throws {
    tell("undo")
    guard let decision = library.decideUndo(undo, newAlbums: newAlbums) else {
      if !done.isEmpty { throw Disagreement("nothing to undo") }
      return
    }
    if !isJudged { return try take(decision) }
    guard var action = done.popLast() else { throw Disagreement("something to undo") }
    let before = plain
    try take(decision)
    if action.isFresh {
      exact += 1
      if let words = action.before.difference(from: library, withSlots: true) {
        throw Disagreement("undo: \(words)")
      }
    } else {
      try checkUntouched(before, action)
      // What the undo moved besides, the redo moves back.
      action.note(decision.changes)
    }
    plain.adopt(library, lookups, from: former)
    action.after = action.isFresh ? action.after : before
    undone.append(action)
  }

  mutating func doAgain() throws {
    tell("redo")
    guard let decision = library.decideRedo(undo, newAlbums: newAlbums) else {
      if !undone.isEmpty { throw Disagreement("nothing to redo") }
      return
    }
    if !isJudged { return try take(decision) }
    guard let action = undone.popLast() else { throw Disagreement("something to redo") }
    let before = plain
    try take(decision)
    if action.isFresh {
      exact += 1
      if let words = action.after.difference(from: library, withSlots: true) {
        throw Disagreement("redo: \(words)")
      }
    } else {
      try checkUntouched(before, action)
    }
    plain.adopt(library, lookups, from: former)
    done.append(action)
  }

  /// The inverse of each change, the last one first, leads back to where they began. Which other
  /// files a forgotten song had is no part of a change: the next scan tells.
  func checkInverse(of changes: [Change]) throws {
    var (back, plain) = (library, plain)
    for case .songForgotten(let id, _) in changes {
      if let path = plain.songs[id]?.path { plain.songs[id]?.paths = [path] }
    }
    for change in changes.reversed() {
      guard let inverse = change.inverse else { throw Disagreement("\(change) has no inverse") }
      try back.apply(inverse, by: .person)
    }
    if isJudged, let words = plain.difference(from: back, withSlots: true) {
      throw Disagreement("taken back one by one: \(words)")
    }
  }

  /// What the action did not move stays as merges left it.
  private func checkUntouched(_ before: PlainLibrary, _ action: Action) throws {
    let moved = Set(action.movedAlbums.map { library.album($0)?.id ?? $0 })
    for crate in before.crates {
      guard let now = library.crate(named: crate.name)?.albums else { continue }
      // One that has begun with the group of a forgotten one since goes to its place.
      let kept = crate.albums.filter { id in
        !moved.contains(id) && now.contains(id)
          && !(action.forgets && action.after.albums[id] == nil)
      }
      if kept != now.filter(kept.contains) {
        throw Disagreement("undo or redo moves more than was moved, in \(crate.name)")
      }
    }
    if action.forgets { return }
    let touched = Set(action.touchedAlbums.map { library.album($0)?.id ?? $0 })
    for (id, album) in before.albums where !touched.contains(id) {
      if library.albums[id]?.entries != album.entries {
        throw Disagreement("undo or redo moves songs of \(id), which were not moved")
      }
    }
  }
}
