/// Descriptions of edits by their results.
extension Telling {
  func clauses(of edit: Edit) -> [Clause] {
    switch edit {
    case .moveAlbums(let ids, let place, _, _):
      // Without a place, albums that were in the crate already stay.
      let moved = changes.compactMap { change -> AlbumID? in
        if case .albumMoved(let id, _, _, _, _) = change { id } else { nil }
      }
      let told = place == nil && !moved.isEmpty ? moved : ids
      return clauses(moved: told, place) + crateClauses()
    case .moveSongs(let ids, let place, _):
      let songs = after.inOrder(ids)
      guard let album = songs.first.flatMap({ after.songs[$0]?.album }) else { return [] }
      let told = self.place(of: songs, in: album, place) + remark(on: songs)
      return [Clause(titles(songs), .be, told)]
    case .moveCrate(let name, let place):
      guard let crate = after.crate(named: name) else { return [] }
      return [Clause(Names(Names.cut(crate.name)), .be, self.place(of: crate, place))]
    case .renameCrate(let name, let new):
      let former = before.crate(named: name)?.name ?? name
      return [Clause(Names(Names.cut(former)), .be, now("called \(Names.cut(new))"))]
    case .sortAlbums(let ids, let sorting, let ascending):
      return [Clause(sorted(ids), .be, words(of: sorting, ascending))]
    case .sortSongs(let ids, let sorting, let ascending):
      return [Clause(sorted(ids), .be, words(of: sorting, ascending))]
    case .forget: return [Clause(forgotten(), .be, "forgotten")] + crateClauses()
    }
  }

  private func clauses(moved ids: [AlbumID], _ place: Place<AlbumID>?) -> [Clause] {
    let albums = after.inOrder(ids.compactMap { after.album($0)?.id })
    guard let crate = albums.first.flatMap({ after.albums[$0] }).flatMap({ after.crate($0.crate) })
    else { return [] }
    var told = self.place(of: albums, in: crate, .now)
    if let anchor = place?.anchor.flatMap(after.album) {
      told = self.place(told, beside: title(anchor.id), place, in: crate.name)
    }
    return [Clause(titles(albums), .be, told + remark(on: albums))]
  }

  private func isListed(_ id: AlbumID) -> Bool { after.unlisted[id] == nil }

  /// Turns `at 5 of 12 in Jazz` into `before Kind of Blue in Jazz (5 of 12)`. Descriptions of the
  /// ends of a list are unchanged.
  private func place<Anchor>(
    _ told: String, beside anchor: String, _ place: Place<Anchor>?, in list: String
  ) -> String {
    let end = " in \(Names.cut(list))"
    guard told.hasPrefix("at "), told.hasSuffix(end), let place else { return told }
    let numbers = told.dropFirst("at ".count).dropLast(end.count)
    let word = if case .before = place { "before" } else { "after" }
    return "\(word) \(anchor)\(end) (\(numbers))"
  }

  private func place(of songs: [SongID], in album: AlbumID, _ place: Place<SongID>) -> String {
    let told = self.place(of: songs, in: album, .now)
    guard let anchor = place.anchor else { return told }
    return self.place(told, beside: title(anchor), place, in: title(album))
  }

  private func place(of crate: Crate, _ place: Place<String>) -> String {
    let told = self.place(of: crate, .now)
    guard let anchor = place.anchor, told.hasPrefix("at "), !told.hasPrefix("at the") else {
      return told
    }
    let word = if case .before = place { "before" } else { "after" }
    return "\(word) \(Names.cut(anchor))"
  }

  // MARK: Sorting

  /// Returns the crates if all their albums were sorted, else the albums.
  private func sorted(_ ids: [AlbumID]) -> Names {
    let albums = unique(ids.compactMap { after.album($0)?.id }).filter(isListed)
    var counts: [CrateID: Int] = [:]
    for id in albums { if let album = after.albums[id] { counts[album.crate, default: 0] += 1 } }
    let crates = after.crates.filter { counts[$0.id] != nil }
    if crates.allSatisfy({ counts[$0.id] == after.listedCount(in: $0) }) {
      return Names(crates.map(\.name))
    }
    if albums.count <= Names.namedMost { return titles(after.inOrder(albums)) }
    let home = crates.count == 1 ? " of \(Names.cut(crates[0].name))" : ""
    return Names("\(counted(albums.count, "album"))\(home)", isPlural: true)
  }

  /// Returns the albums if all their songs were sorted, else the songs.
  private func sorted(_ ids: [SongID]) -> Names {
    let groups = byAlbum(ids.filter { after.songs[$0]?.isGone == false })
    if groups.allSatisfy({ $0.songs.count == after.listedCount(of: $0.album) }) {
      return titles(groups.map(\.album))
    }
    return songs(groups)
  }

  private func words(of sorting: AlbumSorting, _ ascending: Bool?) -> String {
    switch sorting {
    case .reversed: "reversed"
    case .shuffled: "shuffled"
    case .added, .released:
      "sorted by \(sorting.word), \(ascending == true ? "oldest" : "newest") first"
    case .artist, .title: "sorted by \(sorting.word)\(ascending == false ? ", descending" : "")"
    }
  }

  private func words(of sorting: SongSorting, _ ascending: Bool?) -> String {
    switch sorting {
    case .reversed: "reversed"
    case .shuffled: "shuffled"
    case .added: "sorted by \(sorting.word), \(ascending == true ? "oldest" : "newest") first"
    case .track, .title: "sorted by \(sorting.word)\(ascending == false ? ", descending" : "")"
    }
  }

  // MARK: Forgetting

  /// Returns the albums that were removed completely, and the songs of others.
  private func forgotten() -> Names {
    var albums: [AlbumID] = []
    var songs: [SongID] = []
    for change in changes {
      switch change {
      case .albumRemoved(let id, _): albums.append(id)
      case .songForgotten(let id, _): songs.append(id)
      default: continue
      }
    }
    let removed = Set(albums)
    let others = byAlbum(songs).filter { !removed.contains($0.album) }
    if albums.isEmpty { return self.songs(others) }
    let parts =
      albums.map { title($0) }
      + others.map { "\(counted($0.songs.count, "song")) of \(title($0.album))" }
    return Names(parts)
  }

  // MARK: Nothing to do

  /// Returns the reason why an edit changes nothing.
  func reason(_ edit: Edit) -> String {
    switch edit {
    case .moveAlbums, .moveSongs, .moveCrate:
      clauses(of: edit).first.map { $0.text(isDryRun: false) + " already" } ?? "it is there already"
    case .renameCrate(_, let new): "the crate is already called \(Names.cut(new))"
    case .sortAlbums(let ids, let sorting, let ascending):
      "\(Clause(sorted(ids), .be, words(of: sorting, ascending)).text(isDryRun: false)) already"
    case .sortSongs(let ids, let sorting, let ascending):
      "\(Clause(sorted(ids), .be, words(of: sorting, ascending)).text(isDryRun: false)) already"
    case .forget(_, _, _, let all): all ? "no song is gone" : "nothing that was named is gone"
    }
  }
}

extension Place {
  /// The item that the place is relative to.
  var anchor: Anchor? {
    switch self {
    case .before(let anchor), .after(let anchor): anchor
    default: nil
    }
  }
}

extension Decision {
  /// Adds a note if new albums will arrive in another crate than before. Without a setting this is
  /// the first listed crate, which may change unintentionally when crates are moved or emptied.
  package mutating func noteNewAlbums(from before: Library, isDryRun: Bool) {
    let (former, now) = (before.newAlbums, library.newAlbums)
    guard let crate = before.crate(named: former), before.listedCount(in: crate) > 0,
      library.crate(named: now)?.id != crate.id
    else { return }
    let go = isDryRun ? "would then go" : "now go"
    transaction.notes.append("new albums \(go) on top of \(Names.cut(now))")
  }

  /// Adds a note if the crate that the setting names was renamed.
  package mutating func noteNewAlbums(from before: Library, setting name: String) {
    guard let crate = before.crate(named: name), library.crate(crate.id) != nil,
      library.crate(named: name) == nil
    else { return }
    transaction.notes.append(
      "new_albums still names \(Names.cut(name)): new albums go to a new crate of that name")
  }
}
