/// Descriptions of moves without an explicit target: edited texts, undo and redo.
extension Telling {
  func clausesOfMoves(_ tense: Tense) -> [Clause] {
    var clauses: [Clause] = []
    for change in changes {
      if case .crateRenamed(let name, let new) = change {
        clauses.append(Clause(Names(Names.cut(name)), .be, called(new, tense)))
      }
    }
    clauses += albumClauses(tense)
    clauses += crateOrderClauses(tense)
    clauses += songClauses(tense)
    clauses += restoredClauses()
    return clauses + crateClauses()
  }

  private func called(_ name: String, _ tense: Tense) -> String {
    let words = "called \(Names.cut(name))"
    return tense == .again ? "\(words) again" : now(words)
  }

  /// Returns the words for a new state, which omit "now" in a dry run.
  func now(_ words: String) -> String { isDryRun ? words : "now \(words)" }

  /// Returns clauses about crates that were removed, or are no longer listed. New crates are
  /// described with their contents.
  func crateClauses() -> [Clause] {
    var removed: [String] = []
    var emptied: [String] = []
    var left: [String] = []
    var seen: Set<String> = []
    for change in changes {
      switch change {
      case .crateRemoved(let name, _, _) where after.crate(named: name) == nil: removed.append(name)
      case .albumMoved(_, _, _, let former, _):
        guard seen.insert(former).inserted, let crate = after.crate(named: former),
          after.listedCount(in: crate) == 0,
          let past = before.crate(crate.id), before.listedCount(in: past) > 0
        else { continue }
        if crate.albums.isEmpty { emptied.append(crate.name) } else { left.append(crate.name) }
      default: continue
      }
    }
    var clauses: [Clause] = []
    if !removed.isEmpty {
      var names = Names(removed)
      names.text += ", left empty,"
      clauses.append(Clause(names, .be, "gone"))
    }
    // The crate for new albums.
    if !emptied.isEmpty { clauses.append(Clause(Names(emptied), .be, "empty")) }
    if !left.isEmpty { clauses.append(Clause(Names(left), .have, "nothing left but kept places")) }
    return clauses
  }

  private func crateOrderClauses(_ tense: Tense) -> [Clause] {
    var moved: [CrateID] = []
    for change in changes {
      if case .crateMoved(let name, _, _) = change, let crate = after.crate(named: name) {
        moved.append(crate.id)
      }
    }
    let crates = unique(moved).compactMap(after.crate)
    if crates.count == 1 {
      return [Clause(Names(Names.cut(crates[0].name)), .be, place(of: crates[0], tense))]
    }
    if crates.isEmpty { return [] }
    let rest = tense == .again ? "where they were among the crates" : "moved among the crates"
    return [Clause(Names(crates.map(\.name)), tense == .again ? .be : .done, rest)]
  }

  /// Returns the crates whose order has changed, or the albums that moved.
  private func albumClauses(_ tense: Tense) -> [Clause] {
    var moved: [AlbumID] = []
    var comers: Set<AlbumID> = []
    for change in changes {
      switch change {
      case .albumMoved(let id, let crate, _, let former, _):
        moved.append(id)
        if folded(crate) != folded(former) { comers.insert(id) }
      default: continue
      }
    }
    let albums = after.inOrder(moved.compactMap { after.album($0)?.id })
    var groups: [(crate: CrateID, albums: [AlbumID])] = []
    for id in albums {
      guard let crate = after.albums[id]?.crate else { continue }
      if groups.last?.crate != crate { groups.append((crate, [])) }
      groups[groups.count - 1].albums.append(id)
    }
    return groups.compactMap { group in
      guard let crate = after.crate(group.crate) else { return nil }
      if comers.isDisjoint(with: group.albums), group.albums.count > Names.namedMost {
        let name = Names(Names.cut(crate.name))
        if tense == .again { return Clause(name, .be, "in its former order again") }
        // If nearly all have moved, their single places say less.
        if group.albums.count * 4 >= after.listedCount(in: crate) * 3 {
          return Clause(name, .be, now("in another order"))
        }
      }
      let told = place(of: group.albums, in: crate, tense) + remark(on: group.albums)
      return Clause(titles(group.albums), .be, told)
    }
  }

  private func songClauses(_ tense: Tense) -> [Clause] {
    var moved: [SongID] = []
    for change in changes { if case .songMoved(let id, _, _, _) = change { moved.append(id) } }
    // Slots are not songs of the album.
    return byAlbum(moved.filter { after.songs[$0] != nil }).map { album, songs in
      if songs.count > Names.namedMost {
        let rest = tense == .again ? "in its former order again" : now("in another order")
        return Clause(Names(title(album)), .be, rest)
      }
      let told = place(of: songs, in: album, tense) + remark(on: songs)
      return Clause(titles(songs), .be, told)
    }
  }

  private func restoredClauses() -> [Clause] {
    var (restored, dropped): ([SongID], [SongID]) = ([], [])
    for change in changes {
      switch change {
      case .songAdded(let id, _): restored.append(id)
      case .songForgotten(let id, _): dropped.append(id)
      default: continue
      }
    }
    var clauses: [Clause] = []
    if !restored.isEmpty {
      let names = songs(byAlbum(restored))
      let rest = names.isPlural ? "their places again" : "its place again"
      clauses.append(Clause(names, .have, rest))
    }
    if !dropped.isEmpty { clauses.append(Clause(songs(byAlbum(dropped)), .be, "forgotten")) }
    return clauses
  }
}
