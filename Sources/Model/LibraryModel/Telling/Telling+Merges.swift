/// Descriptions of merges by albums and songs.
extension Telling {
  /// The changes of a merge, by kind.
  private struct Found {
    var albums: [AlbumID] = []
    var added: [SongID] = []
    var returned: [SongID] = []
    var gone: [SongID] = []
    /// Songs that are in another album because of their tags.
    var regrouped: [SongID] = []
    /// All songs of which listings show other tags.
    var retagged: [SongID] = []
    var retaggedAlbums: [AlbumID] = []
    var elsewhere: [SongID] = []
    var replaced: [SongID] = []
    var reordered: [SongID] = []
    var moved: [AlbumID] = []
    var forgotten = 0
    var scanned: [BytePath] = []
  }

  func clausesOfMerge() -> [Clause] {
    let found = found()
    var clauses = newClauses(found) + comeAndGone(found)
    let stayed = retaggedInPlace(found)
    let retagged = byAlbum(found.regrouped.filter { after.songs[$0] != nil } + stayed)
    if !retagged.isEmpty { clauses.append(Clause(songs(retagged), .done, "retagged")) }
    let albums = after.inOrder(found.retaggedAlbums.compactMap { after.album($0)?.id })
    if let new = newTitle(albums) {
      clauses.append(Clause(new.former, .be, now("called \(new.title)")))
    } else if !albums.isEmpty {
      clauses.append(Clause(titles(albums), .done, "retagged"))
    }
    if !found.elsewhere.isEmpty {
      clauses.append(Clause(songs(byAlbum(found.elsewhere)), .done, "found elsewhere"))
    }
    if !found.replaced.isEmpty {
      clauses.append(Clause(songs(byAlbum(found.replaced)), .done, "replaced"))
    }
    // If only tags are described, their effect on the order is added.
    let isOnlyTags = clauses.count == 1 && !stayed.isEmpty && found.regrouped.isEmpty
    if clauses.isEmpty || (isOnlyTags && !found.reordered.isEmpty) {
      clauses += lesserClauses(found)
    }
    return clauses
  }

  /// Returns the new title if exactly one album was retitled, else nil.
  private func newTitle(_ albums: [AlbumID]) -> (former: Names, title: String)? {
    guard albums.count == 1, let album = albums.first.flatMap(before.album) else { return nil }
    let former = Names.cut(before.passingFace(of: album).title)
    let title = title(albums[0])
    return former == title ? nil : (Names(former), title)
  }

  /// Returns the retagged songs that no other clause describes, directly or with their album.
  private func retaggedInPlace(_ found: Found) -> [SongID] {
    let others = Set(found.returned + found.regrouped + found.elsewhere + found.replaced)
    let albums = Set(found.retaggedAlbums.compactMap { after.album($0)?.id })
    return found.retagged.filter { id in
      guard let song = after.songs[id], !others.contains(id) else { return false }
      return !albums.contains(song.album)
    }
  }

  private func found() -> Found {
    var found = Found()
    for change in changes {
      switch change {
      case .albumAdded(let id, _): found.albums.append(id)
      case .songAdded(let id, _): found.added.append(id)
      case .songGone(let id, _): found.gone.append(id)
      case .songRegrouped(let id, let album, _, let former):
        let (now, was) = (after.albums[album]?.group.inTags, before.albums[former]?.group.inTags)
        if now == was { found.elsewhere.append(id) } else { found.regrouped.append(id) }
      case .albumRegrouped(let id, let group, let former, _):
        if group.inTags != former.inTags { found.retaggedAlbums.append(id) }
      case .albumTookOver(let id, _): found.retaggedAlbums.append(id)
      case .songFollowed(let id, let path, _, _):
        if before.songs[id]?.isGone == true {
          found.returned.append(id)
          // A file that was converted in place has another extension.
        } else if before.songs[id]?.path.withoutExtension == path.withoutExtension {
          found.replaced.append(id)
        } else {
          found.elsewhere.append(id)
        }
      case .songRetagged(let id, _): found.retagged.append(id)
      case .songMoved(let id, _, _, _): found.reordered.append(id)
      case .albumMoved(let id, _, _, _, _): found.moved.append(id)
      case .songForgotten: found.forgotten += 1
      case .firstScanEnded(let folder): found.scanned.append(folder)
      default: continue
      }
    }
    return found
  }

  /// Returns clauses about new albums, and about new songs of known albums.
  private func newClauses(_ found: Found) -> [Clause] {
    let begun = Set(found.albums)
    var homes: Set<AlbumID> = []
    var others: [SongID] = []
    for id in found.added {
      guard let home = after.songs[id]?.album else { continue }
      if begun.contains(home) { homes.insert(home) } else { others.append(id) }
    }
    var clauses: [Clause] = []
    let albums = after.inOrder(Array(homes))
    if !albums.isEmpty {
      let names = Names(
        albums.prefix(Names.namedMost).map(titleAndArtist), of: albums.count)
      clauses.append(Clause(names, .be, "new, \(whereabouts(albums))"))
    }
    if !others.isEmpty { clauses.append(Clause(songs(byAlbum(others)), .be, "new")) }
    return clauses
  }

  /// Returns the place of albums in a few words: `on top of Music`, `at 5 in Music`.
  private func whereabouts(_ albums: [AlbumID]) -> String {
    let crates = after.crates.filter { crate in
      albums.contains { after.albums[$0]?.crate == crate.id }
    }
    guard crates.count == 1, let crate = crates.first else {
      return "in \(Names(crates.map(\.name)).text)"
    }
    let name = Names.cut(crate.name)
    guard let first = albums.first.flatMap(after.position),
      let last = albums.last.flatMap(after.position), last - first + 1 == albums.count
    else { return "in \(name)" }
    if first == 1 { return "on top of \(name)" }
    if last == after.listedCount(in: crate) { return "at the bottom of \(name)" }
    return first == last ? "at \(first) in \(name)" : "at \(first)–\(last) in \(name)"
  }

  /// Returns clauses about returned and gone songs. Albums are named if all their songs returned or
  /// are gone.
  private func comeAndGone(_ found: Found) -> [Clause] {
    var clauses: [Clause] = []
    let returned = byAlbum(found.returned.filter { after.songs[$0]?.isGone == false })
    let backs = returned.filter { before.unlisted[$0.album] != nil }.map(\.album)
    if !backs.isEmpty {
      clauses.append(Clause(titles(backs), .be, "back, \(whereabouts(backs))"))
    }
    let some = returned.filter { before.unlisted[$0.album] == nil }
    if !some.isEmpty { clauses.append(Clause(songs(some), .be, "back")) }
    let gone = byAlbum(found.gone.filter { after.songs[$0]?.isGone == true })
    let albums = gone.filter { after.unlisted[$0.album] != nil }.map(\.album)
    for names in [
      albums.isEmpty ? nil : titles(albums),
      albums.count == gone.count
        ? nil : songs(gone.filter { after.unlisted[$0.album] == nil }),
    ].compactMap(\.self) {
      let rest = names.isPlural ? "gone; their places are kept" : "gone; its place is kept"
      clauses.append(Clause(names, .be, rest))
    }
    return clauses
  }

  /// Returns the clauses for a merge without new, returned, gone or retagged items.
  private func lesserClauses(_ found: Found) -> [Clause] {
    if !found.reordered.isEmpty {
      let albums = byAlbum(found.reordered).map(\.album)
      return [Clause(titles(albums), .be, "now in the order of the track numbers")]
    }
    if !found.moved.isEmpty {
      let albums = after.inOrder(found.moved.compactMap { after.album($0)?.id })
      return [Clause(titles(albums), .done, "put in the order of their arrival")]
    }
    if found.forgotten > 0 {
      let songs = Names(counted(found.forgotten, "song"), isPlural: found.forgotten != 1)
      return [Clause(songs, .done, "taken for older ones")]
    }
    if !found.scanned.isEmpty {
      let folders = Names(found.scanned.map(\.display))
      return [Clause(Names("The first scan of \(folders.text)"), .be, "over")]
    }
    return [Clause(Names("What is known of the files"), .be, "up to date")]
  }
}

extension GroupKey {
  /// The part of the key that comes from tags, which does not change when a folder moves.
  fileprivate var inTags: Substring {
    if family.hasPrefix("folder\t") { return "" }
    if family.hasPrefix("in\t") { return family.split(separator: "\t").dropFirst(2).last ?? "" }
    return description[...]
  }
}
