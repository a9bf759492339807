/// What comes into a group in this merge.
struct Incoming {
  /// Songs that lived in another album, with that album.
  var movers: [(song: Song, from: AlbumID)] = []
  /// Songs that are new.
  var new: [Song] = []
}

extension Merge {
  /// Puts every song of the merge into the album of its group.
  mutating func placeInAlbums() {
    var incoming = gatherIncoming()
    var left = albumsOfLost()
    for group in incoming.values { left.formUnion(group.movers.map(\.from)) }
    for album in left.sorted() { regroupWhole(album, &incoming) }

    let groups = incoming.keys.sorted { ($0.family, $0.edition) < ($1.family, $1.edition) }
    var beginning: [GroupKey] = []
    for group in groups {
      guard let incoming = incoming[group], !(incoming.movers.isEmpty && incoming.new.isEmpty)
      else { continue }
      if let album = albumNow(of: group) {
        enter(album, incoming)
      } else if let origin = onlyOrigin(of: incoming) {
        begin(group, above: origin, incoming)
      } else {
        beginning.append(group)
      }
    }
    beginOnTop(beginning, incoming)
    for album in left.sorted() { takeOverEmptied(album) }
    for album in outcome.albums.sorted() { followTags(album) }
  }

  /// Albums whose last song may have gone in this merge, after others had been retagged away.
  private func albumsOfLost() -> Set<AlbumID> {
    var albums: Set<AlbumID> = []
    for case .songGone(let id, _) in outcome.decision.changes {
      if let song = before.songs[id] { albums.insert(song.album) }
    }
    return albums
  }

  private mutating func gatherIncoming() -> [GroupKey: Incoming] {
    var incoming: [GroupKey: Incoming] = [:]
    for cluster in clusters {
      guard let id = cluster.song else { continue }
      if cluster.isNew {
        incoming[cluster.group, default: Incoming()].new.append(newSong(id, cluster))
      } else if let song = outcome.decision.library.songs[id],
        song.group != cluster.group
          // One that was gone while its album was retitled.
          || outcome.decision.library.albums[song.album]?.group != cluster.group
      {
        outcome.albums.insert(song.album)
        incoming[cluster.group, default: Incoming()].movers.append((song, song.album))
      }
    }
    return incoming
  }

  private func newSong(_ id: SongID, _ cluster: Cluster) -> Song {
    Song(
      id: id, album: AlbumID(number: 0), group: cluster.group, path: cluster.path,
      digest: cluster.digest, added: added(cluster), facts: cluster.facts)
  }

  /// First sight; in a first scan the file's own age, never in the future.
  private func added(_ cluster: Cluster) -> Int64 {
    guard contents.isFirstScan, let stamp = cluster.facts?.stamp else { return contents.seen }
    let modified = stamp.modified / 1_000_000
    let birth = stamp.identity.birth / 1_000_000
    return min(contents.seen, birth > 0 ? min(birth, modified) : modified)
  }

  /// The album of the group as it stands in this merge.
  private func albumNow(of group: GroupKey) -> Album? {
    if let id = lookups.albumOfGroup[group], let album = outcome.decision.library.albums[id],
      album.group == group
    {
      return album
    }
    // Albums that this merge made or renamed.
    for id in outcome.albums {
      if let album = outcome.decision.library.albums[id], album.group == group { return album }
    }
    return nil
  }

  private func onlyOrigin(of incoming: Incoming) -> Album? {
    guard let first = incoming.movers.first,
      incoming.movers.allSatisfy({ $0.from == first.from })
    else { return nil }
    return outcome.decision.library.albums[first.from]
  }

  // MARK: Albums that keep their identity

  /// An album whose songs all leave, most of them for one new group, stays what it is under the new
  /// key: nothing moves.
  private mutating func regroupWhole(_ id: AlbumID, _ incoming: inout [GroupKey: Incoming]) {
    guard let album = outcome.decision.library.albums[id],
      // Filled again in this very merge it stays what it is.
      incoming[album.group] == nil,
      let winner = successor(of: album, incoming), albumNow(of: winner) == nil,
      let movers = incoming[winner]?.movers, movers.allSatisfy({ $0.from == id })
    else { return }
    let alias = mintAlbum(winner)
    make(.albumRegrouped(id, group: winner, was: album.group, alias: alias))
    // Its gone songs keep the group they had; those that stayed present are all of the winner's
    // or leave after this.
    for (song, _) in movers {
      outcome.songs.insert(song.id)
      if outcome.decision.library.songs[song.id]?.group != winner {
        make(.songRegrouped(song.id, album: id, after: nil, was: id))
      }
    }
    outcome.albums.insert(id)
    incoming[winner]?.movers = []
  }

  /// The group that took most of the album's songs, if none that is present stays; of equal ones
  /// the first by name. Where more are gone than it took, the album is kept for those.
  private func successor(of album: Album, _ incoming: [GroupKey: Incoming]) -> GroupKey? {
    let library = outcome.decision.library
    var leaving: [SongID: GroupKey] = [:]
    for (group, coming) in incoming {
      for (song, _) in coming.movers { leaving[song.id] = group }
    }
    var counts: [GroupKey: Int] = [:]
    var gone = 0
    for id in album.entries {
      guard let song = library.songs[id] else { continue }
      if let group = leaving[id] {
        counts[group, default: 0] += 1
      } else if song.album != album.id {
        counts[song.group, default: 0] += 1
      } else if song.isGone {
        gone += 1
      } else {
        return nil
      }
    }
    let most = counts.max {
      ($0.value, $1.key.description) < ($1.value, $0.key.description)
    }
    return most.flatMap { $0.value >= gone ? $0.key : nil }
  }

  /// When the last present song has left, the album that took most takes over identity and place.
  private mutating func takeOverEmptied(_ id: AlbumID) {
    guard let album = outcome.decision.library.albums[id],
      let group = successor(of: album, [:]), let heir = albumNow(of: group),
      heir.id != id, !outcome.decision.library.isPlaced(heir.id)
    else { return }
    // A place that it keeps for another song counts: it had a life of its own before.
    let slots = Set(album.entries)
    guard heir.entries.allSatisfy({ slots.contains($0) || before.songs[$0] == nil })
    else { return }
    outcome.songs.formUnion(heir.entries)
    outcome.albums.formUnion([id, heir.id])
    make(.albumTookOver(id, other: heir.id))
  }

  /// Albums that hold nothing any more, not even kept places.
  mutating func dropEmptyAlbums() {
    for album in outcome.albums.sorted().compactMap({ outcome.decision.library.albums[$0] })
    where album.entries.isEmpty {
      outcome.decision.drop(album, by: .folder)
    }
  }

  func mintAlbum(_ group: GroupKey) -> AlbumID {
    let library = outcome.decision.library
    return AlbumID(
      number: IdentifierText.mint(Array("album\t\(group.minted)".utf8)) { number in
        library.album(AlbumID(number: number)) != nil
      })
  }
}
