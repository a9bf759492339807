/// A change that does not fit the library it is applied to: a damaged journal, or a bug.
package struct Misfit: Error, Sendable, CustomStringConvertible {
  package let description: String
}

extension Library {
  /// The only code that alters what the person ordered.
  package mutating func apply(_ change: Change, by author: Author) throws(Misfit) {
    switch change {
    case .crateAdded, .crateRemoved, .crateMoved, .crateRenamed:
      try applyToCrates(change)
    case .albumAdded, .albumMoved, .albumRemoved, .albumRestored, .albumArranged,
      .firstScanEnded, .albumRegrouped, .albumTookOver:
      try applyToAlbums(change, by: author)
    case .songAdded, .songMoved, .songRegrouped, .songFollowed, .songGone, .songReturned,
      .songForgotten, .songRestored:
      try applyToSongs(change, by: author)
    case .undid, .redid: break
    }
  }

  /// What a reading of the song's file found; no change of the order.
  package mutating func attach(_ facts: FileFacts?, to id: SongID) {
    if let song = songs[id] { put(song.with(facts)) }
  }

  // MARK: Crates

  private mutating func applyToCrates(_ change: Change) throws(Misfit) {
    switch change {
    case .crateAdded(let name, let after):
      if crate(named: name) != nil { throw Misfit(description: "crate \(name) is there already") }
      let place = try placeOfCrate(after: after)
      crates.insert(Crate(id: CrateID(number: nextCrate), name: name, albums: []), at: place)
      nextCrate += 1
    case .crateRemoved(let name, _):
      let place = try indexOfCrate(name)
      if !crates[place].albums.isEmpty { throw Misfit(description: "crate \(name) holds albums") }
      crates.remove(at: place)
    case .crateMoved(let name, let after, _):
      let crate = crates.remove(at: try indexOfCrate(name))
      crates.insert(crate, at: try placeOfCrate(after: after))
    case .crateRenamed(let name, let new):
      let place = try indexOfCrate(name)
      if let other = crate(named: new), other.id != crates[place].id {
        throw Misfit(description: "crate \(new) is there already")
      }
      crates[place].name = new
    default: preconditionFailure("a change of crates")
    }
  }

  func indexOfCrate(_ name: String) throws(Misfit) -> Int {
    let name = folded(name)
    guard let place = crates.firstIndex(where: { folded($0.name) == name }) else {
      throw Misfit(description: "no crate \(name)")
    }
    return place
  }

  private func placeOfCrate(after anchor: String?) throws(Misfit) -> Int {
    guard let anchor else { return 0 }
    return try indexOfCrate(anchor) + 1
  }

  // MARK: Albums

  private mutating func applyToAlbums(_ change: Change, by author: Author) throws(Misfit) {
    switch change {
    case .albumAdded(let id, let crate, let after, let group, let isFresh):
      if album(id) != nil { throw Misfit(description: "album \(id) is there already") }
      let place = try indexOfCrate(crate)
      try insert(id, inCrate: place, after: after)
      albums[id] = Album(id: id, crate: crates[place].id, group: group, isFresh: isFresh)
    case .albumMoved(let id, let crate, let after, _, _):
      let album = try known(id)
      let place = try indexOfCrate(crate)
      if crates[place].id == album.crate {
        guard crates[place].albums.move(id, after: after) else {
          throw Misfit(description: "album \(id) or what is above it is not in crate \(crate)")
        }
      } else {
        try take(album)
        try insert(id, inCrate: place, after: after)
        albums[id] = album.with(crate: crates[place].id)
      }
      if author == .person { notePlaced(id) }
    case .albumRemoved(let id, _):
      let album = try known(id)
      if album.entries.contains(where: { songs[$0]?.album == id }) {
        throw Misfit(description: "album \(id) holds songs")
      }
      try take(album)
      removeAlbum(id)
      for alias in album.aliases where aliases[alias] == id { aliases[alias] = nil }
    case .albumRestored(let id, let kept):
      try restore(id, kept)
    case .albumArranged(let id, let isArranged):
      albums[id] = try known(id).with(isArranged: isArranged)
    case .firstScanEnded(let folder):
      for album in albums.values where album.isFresh {
        guard songs(of: album).contains(where: { $0.path.isInside(folder) }) else { continue }
        albums[album.id] = album.with(isFresh: false)
      }
    case .albumRegrouped(let id, let group, let was, let alias):
      let album = try known(id)
      for song in songs(of: album) where !song.isGone && song.group == was {
        put(song.with(group: group))
      }
      albums[id] = album.with(group: group, aliases: alias.map { album.aliases + [$0] })
      if let alias { aliases[alias] = id }
    case .albumTookOver(let id, let other):
      try takeOver(try known(id), other: try known(other))
    default: preconditionFailure("a change of albums")
    }
  }

  func known(_ id: AlbumID) throws(Misfit) -> Album {
    guard let album = albums[id] else { throw Misfit(description: "no album \(id)") }
    return album
  }

  private mutating func take(_ album: Album) throws(Misfit) {
    guard let crate = crates.firstIndex(where: { $0.id == album.crate }),
      crates[crate].albums.remove(album.id)
    else { throw Misfit(description: "album \(album.id) is in no crate") }
  }

  private mutating func insert(
    _ id: AlbumID, inCrate crate: Int, after anchor: AlbumID?
  ) throws(Misfit) {
    guard crates[crate].albums.insert(id, after: anchor) else {
      let other = anchor.map { "\($0)" } ?? ""
      throw Misfit(description: "album \(other) is not in crate \(crates[crate].name)")
    }
  }

  private mutating func restore(_ id: AlbumID, _ kept: KeptAlbum) throws(Misfit) {
    if album(id) != nil || kept.aliases.contains(where: { album($0) != nil }) {
      throw Misfit(description: "album \(id) is there already")
    }
    for slot in kept.slots {
      guard songs[slot] != nil else { throw Misfit(description: "no song \(slot)") }
      wanderers[slot] = true
    }
    let place = try indexOfCrate(kept.crate)
    try insert(id, inCrate: place, after: kept.after)
    albums[id] = Album(
      id: id, crate: crates[place].id, group: kept.group, entries: kept.slots,
      isArranged: kept.isArranged, aliases: kept.aliases)
    if kept.isPlaced { notePlaced(id) }
    for alias in kept.aliases { aliases[alias] = id }
  }

  /// Songs that have a slot here go there; the others, and slots of the other album's own, go
  /// below.
  private mutating func takeOver(_ album: Album, other: Album) throws(Misfit) {
    try take(other)
    var entries = album.entries
    let slots = Set(entries)
    for id in other.entries {
      if !slots.contains(id) { entries.append(id) }
      if let song = songs[id], song.album == other.id {
        put(song.with(album: album.id))
      }
    }
    removeAlbum(other.id)
    for alias in other.aliases + [other.id] { aliases[alias] = album.id }
    albums[album.id] = album.with(
      group: other.group, entries: entries, aliases: album.aliases + other.aliases + [other.id])
  }

  // MARK: Songs

  private mutating func applyToSongs(_ change: Change, by author: Author) throws(Misfit) {
    switch change {
    case .songAdded(let id, let album, let after, let path, let digest, let added):
      if songs[id] != nil { throw Misfit(description: "song \(id) is there already") }
      let album = try known(album)
      try insert(id, in: album, after: after)
      put(
        Song(
          id: id, album: album.id, group: album.group, path: path, digest: digest, added: added))
    case .songMoved(let id, let album, let after, _):
      let song = try known(id)
      let rest = try known(album).entries.filter { $0 != id }
      if rest.count == albums[album]?.entries.count {
        throw Misfit(description: "song \(id) is not in album \(album)")
      }
      try insert(id, in: try known(album).with(entries: rest), after: after)
      if author == .person { put(song.with(isPlaced: true)) }
    case .songRegrouped(let id, let album, let after, _):
      let song = try known(id)
      let album = try known(album)
      if !album.entries.contains(id) { try insert(id, in: album, after: after) }
      if song.album != album.id { wanderers[id] = true }
      put(song.with(album: album.id, group: album.group))
    case .songFollowed(let id, let path, let digest, _):
      put(try known(id).with(path: path, digest: .some(digest)))
    case .songGone(let id, let traits):
      // Empty where its file had not been read since the index was lost.
      let known: Traits? = traits == Traits() ? nil : traits
      put(try self.known(id).with(isGone: true, traits: .some(known)))
    case .songReturned(let id, let path, let digest, _):
      put(
        try known(id).with(path: path, digest: .some(digest), isGone: false, facts: .some(nil)))
    case .songForgotten(let id, _):
      for album in albumsListing(try known(id)) {
        albums[album.id] = album.with(entries: album.entries.filter { $0 != id })
      }
      removeSong(id)
      wanderers[id] = nil
    case .songRestored(let id, let kept):
      try restore(id, kept)
    default: preconditionFailure("a change of songs")
    }
  }

  func known(_ id: SongID) throws(Misfit) -> Song {
    guard let song = songs[id] else { throw Misfit(description: "no song \(id)") }
    return song
  }

  private mutating func restore(_ id: SongID, _ kept: KeptSong) throws(Misfit) {
    if songs[id] != nil { throw Misfit(description: "song \(id) is there already") }
    try insert(id, in: try known(kept.album), after: kept.after)
    for slot in kept.slots { try insert(id, in: try known(slot.album), after: slot.after) }
    if !kept.slots.isEmpty { wanderers[id] = true }
    put(
      Song(
        id: id, album: kept.album, group: kept.group, path: kept.path, digest: kept.digest,
        added: kept.added, isGone: kept.isGone, isPlaced: kept.isPlaced, traits: kept.traits))
  }

  /// Where the song lives, and the albums that keep a slot for it.
  func albumsListing(_ song: Song) -> [Album] {
    if wanderers[song.id] == nil { return albums[song.album].map { [$0] } ?? [] }
    return albums.values.filter { $0.entries.contains(song.id) }
  }

  private mutating func insert(
    _ id: SongID, in album: Album, after anchor: SongID?
  ) throws(Misfit) {
    var place = 0
    if let anchor {
      guard let above = album.entries.firstIndex(of: anchor) else {
        throw Misfit(description: "song \(anchor) is not in album \(album.id)")
      }
      place = above + 1
    }
    // Made to measure: a list that grows takes room for as many again.
    var entries: [SongID] = []
    entries.reserveCapacity(album.entries.count + 1)
    entries += album.entries[..<place]
    entries.append(id)
    entries += album.entries[place...]
    albums[album.id] = album.with(entries: entries)
  }
}
