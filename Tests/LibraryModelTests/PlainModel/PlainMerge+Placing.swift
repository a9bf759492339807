@testable import LibraryModel

/// Specification 1.3.
extension PlainMerge {
  /// What comes into a group.
  private struct Arrival {
    var group: String
    var new: [SongID] = []
    /// Songs that lived in another album, in the order they had: crate, album, song.
    var movers: [SongID] = []
  }

  mutating func place() throws {
    var arrivals: [Arrival] = []
    func arrival(_ group: String) -> Int {
      if let place = arrivals.firstIndex(where: { $0.group == group }) { return place }
      arrivals.append(Arrival(group: group))
      return arrivals.count - 1
    }
    for cluster in clusters where cluster.isNew {
      guard let id = cluster.song else { continue }
      addSong(id, cluster)
      arrivals[arrival(cluster.group)].new.append(id)
    }
    for id in old.crates.flatMap(\.albums) {
      for song in old.members(id) {
        guard let cluster = clusters.first(where: { $0.song == song }) else { continue }
        if old.albums[id]?.group == cluster.group {
          now.songs[song]?.group = cluster.group
          continue
        }
        arrivals[arrival(cluster.group)].movers.append(song)
      }
    }
    var left: [AlbumID] = []
    for arrival in arrivals {
      for song in arrival.movers {
        if let home = old.songs[song]?.album, !left.contains(home) { left.append(home) }
      }
    }
    var newcomers: [AlbumID] = []
    var begun: [AlbumID] = []
    for arrival in arrivals.sorted(by: { $0.group < $1.group }) {
      if let album = now.albums.values.first(where: { $0.group == arrival.group })?.id {
        try enter(album, arrival)
      } else {
        try begin(arrival, &newcomers, &begun)
      }
    }
    for song in old.songs.values where !song.isGone && now.songs[song.id]?.isGone == true {
      if !left.contains(song.album) { left.append(song.album) }
    }
    left.sort(by: <)
    // What begins in this merge is first of all the album that it began from.
    for album in left { try takeOver(album) { begun.contains($0.id) && $0.origin == album } }
    for album in left { try takeOver(album) { _ in true } }
    for (place, album) in begun.enumerated() {
      guard now.albums[album] != nil, let origin = now.albums[album]?.origin else { continue }
      for other in begun[..<place] where now.albums[other]?.origin == origin {
        throw Several("two albums begin above one")
      }
    }
    try beginOnTop(newcomers)
    for (id, album) in now.albums where !album.isArranged {
      now.setMembers(now.inDefaultOrder(now.members(id)), of: id)
    }
    // All that was in it may have given way.
    for id in now.albums.values.filter(\.entries.isEmpty).map(\.id) {
      now.albums[id] = nil
      for index in now.crates.indices { now.crates[index].albums.removeAll { $0 == id } }
    }
    now.dropEmptyCrates(except: look.newAlbums)
  }

  private mutating func addSong(_ id: SongID, _ cluster: Cluster) {
    guard let file = look.files[cluster.paths[0]] else { return }
    var added = look.seen
    if look.isFirstScan { added = min(added, file.modified, file.facts.stamp.bornAt) }
    now.songs[id] = PlainLibrary.Song(
      id: id, album: AlbumID(number: 0), group: cluster.group, paths: cluster.paths, file: file,
      added: added)
  }

  private mutating func settle(_ song: SongID, in album: AlbumID) {
    now.songs[song]?.album = album
    now.songs[song]?.group = now.albums[album]?.group ?? ""
  }

  // MARK: Into an album that is there

  private mutating func enter(_ id: AlbumID, _ arrival: Arrival) throws {
    guard let album = now.albums[id] else { return }
    let strangers = arrival.movers.filter { !album.entries.contains($0) }
    for song in arrival.movers + arrival.new { settle(song, in: id) }
    let new = now.inDefaultOrder(arrival.new)
    // All that is new in one merge was added at one time, first scans apart.
    let byTime = new.enumerated().sorted { left, right in
      let (one, other) = (added(left.element), added(right.element))
      return one == other ? left.offset < right.offset : one > other
    }.map(\.element)
    if album.isArranged, !new.isEmpty, !strangers.isEmpty {
      throw Several("new songs and others enter an arranged album together")
    }
    now.albums[id]?.entries = byTime + strangers + album.entries
  }

  private func added(_ id: SongID) -> Int64 { now.songs[id]?.added ?? 0 }

  // MARK: Albums that begin

  private mutating func begin(
    _ arrival: Arrival, _ newcomers: inout [AlbumID], _ begun: inout [AlbumID]
  ) throws {
    guard let id = named(arrival.movers + arrival.new) else {
      throw Disagreement("\(arrival.group) begins, and its songs are not in one album")
    }
    var album = PlainLibrary.Album(id: id, group: arrival.group)
    let homes = Set(arrival.movers.compactMap { old.songs[$0]?.album })
    if homes.isEmpty {
      now.albums[id] = album
      newcomers.append(id)
    } else {
      if homes.count > 1 { throw Several("an album begins with songs of several others") }
      if !arrival.new.isEmpty { throw Several("an album begins with new songs and others") }
      guard let origin = homes.first else { return }
      // All of them at once is one by one: the album goes on under its id.
      if now.albums[id] != nil {
        album.id = AlbumID(number: UInt64(begun.count))
      }
      album.origin = origin
      album.isArranged = now.albums[origin]?.isArranged ?? false
      now.albums[album.id] = album
      begun.append(album.id)
      guard let crate = now.crate(of: origin),
        let place = now.crates[crate].albums.firstIndex(of: origin)
      else { return }
      now.crates[crate].albums.insert(album.id, at: place)
    }
    for song in arrival.movers + arrival.new { settle(song, in: album.id) }
    let new = now.inDefaultOrder(arrival.new)
    now.albums[album.id]?.entries = arrival.movers + new
  }

  /// The id that the code under test gave to the album of these songs.
  private func named(_ songs: [SongID]) -> AlbumID? {
    let homes = Set(songs.compactMap { namer.songs[$0]?.album })
    return homes.count == 1 ? homes.first : nil
  }

  /// The most recently added on top, ties by artist, year, title and id.
  private mutating func beginOnTop(_ ids: [AlbumID]) throws {
    if ids.isEmpty { return }
    let sorted = ids.sorted { left, right in
      let (one, other) = (now.added(left), now.added(right))
      if one != other { return one > other }
      let byArtist = plainOrder(now.artist(left), now.artist(right))
      if byArtist != 0 { return byArtist < 0 }
      let (year, later) = (now.year(left) ?? 9999, now.year(right) ?? 9999)
      if year != later { return year < later }
      let byTitle = plainOrder(now.title(left), now.title(right))
      return byTitle == 0 ? left < right : byTitle < 0
    }
    let crate: Int
    if let name = look.newAlbums {
      if now.crate(named: name) == nil { now.crates.append(PlainLibrary.Crate(name: name)) }
      crate = now.crate(named: name) ?? 0
    } else if now.crates.isEmpty {
      now.crates.append(PlainLibrary.Crate(name: "Music"))
      crate = 0
    } else {
      let listed = now.crates.firstIndex { crate in
        crate.albums.contains { now.isListed($0) && !ids.contains($0) }
      }
      guard let listed, listed == old.crates.firstIndex(where: old.isListed) else {
        throw Several("the first listed crate changes in this merge")
      }
      crate = listed
    }
    now.crates[crate].albums = sorted + now.crates[crate].albums
  }

  // MARK: Albums that were left

  /// When its last present song has left, the album that took most takes over id and place, if
  /// those are no fewer than are gone.
  private mutating func takeOver(
    _ id: AlbumID, by isMeant: (PlainLibrary.Album) -> Bool
  ) throws {
    guard let album = now.albums[id] else { return }
    if now.isListed(id) {
      let there = now.members(id).filter { now.songs[$0]?.isGone == false }
      let areAway = there.allSatisfy { song in
        now.songs[song]?.paths.allSatisfy(look.isAway) ?? false
      }
      if areAway { throw Several("only songs that are away stay") }
      return
    }
    var takers: [AlbumID: Int] = [:]
    for entry in album.entries {
      if let home = now.songs[entry]?.album, home != id { takers[home, default: 0] += 1 }
    }
    let most = takers.values.max() ?? 0
    let first = takers.filter { $0.value == most }.compactMap { now.albums[$0.key] }
    guard let heir = first.min(by: { $0.group < $1.group }), !heir.isPlaced,
      isMeant(heir), most >= now.members(id).count,
      heir.entries.allSatisfy({ album.entries.contains($0) || old.songs[$0] == nil })
    else { return }
    now.albums[id]?.group = heir.group
    for entry in heir.entries where !album.entries.contains(entry) {
      now.albums[id]?.entries.append(entry)
    }
    for song in now.members(heir.id) { now.songs[song]?.album = id }
    now.albums[heir.id] = nil
    for index in now.crates.indices { now.crates[index].albums.removeAll { $0 == heir.id } }
    for other in now.albums.values where other.origin == heir.id {
      now.albums[other.id]?.origin = id
    }
  }
}

extension FileStamp {
  /// Milliseconds since 1970.
  fileprivate var bornAt: Int64 { identity.birth / 1_000_000 }
}
