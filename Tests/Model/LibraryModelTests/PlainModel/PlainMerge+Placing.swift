@testable import LibraryModel

/// Specification 1.3.
extension PlainMerge {
  private var present: [Song] {
    holder.keys.sorted().compactMap { holder[$0].flatMap { now.songs[$0] } }
  }

  private func group(_ song: Song) -> PlainGroup? {
    pieceAt[song.path].map { pieces[$0].group }
  }

  mutating func place() {
    succeed()
    var arrivals: [PlainGroup: [Song]] = [:]
    for song in present {
      guard let group = group(song), now.group(of: song) != group else { continue }
      arrivals[group, default: []].append(song)
    }
    let before = now
    var fresh: [AlbumID] = []
    for group in arrivals.keys.sorted(by: { $0.description < $1.description }) {
      let songs = arrivals[group] ?? []
      let album = now.albums.values.first { $0.group == group }?.id
      enter(album ?? begin(group, songs, before, &fresh), songs, before)
    }
    handOver()
    for album in now.albums.values where now.members(album.id).isEmpty && !album.isTouched {
      now.removeAlbum(album.id)
    }
    for album in now.albums.values where !album.isArranged { sort(album) }
    putOnTop(fresh.filter { now.albums[$0] != nil }, before)
    if look.endsFirstScan {
      for id in now.albums.keys { now.albums[id]?.isFresh = false }
    }
    now.dropEmptyCrates(except: look.newAlbums)
    now.aliases = now.aliases.filter { now.albums[$0.value] != nil }
  }

  /// A new song takes the file and the place of one that went back to its slot, and which leaves a
  /// slot there.
  private mutating func succeed() {
    for (new, old) in successors {
      guard let song = now.songs[new], let album = now.albums[old.in],
        album.group == group(song), let place = album.entries.firstIndex(of: old.of)
      else { continue }
      now.albums[old.in]?.entries.insert(new, at: place + 1)
      now.songs[new]?.album = old.in
    }
  }

  // MARK: Entering and beginning

  private mutating func begin(
    _ group: PlainGroup, _ songs: [Song], _ before: PlainLibrary, _ fresh: inout [AlbumID]
  ) -> AlbumID {
    var id = songs.lazy.compactMap { [naming] in naming.album($0.id) }.first
    if id == nil || now.albums[id ?? AlbumID(number: 0)] != nil {
      id = AlbumID(number: self.fresh())
    }
    let new = id ?? AlbumID(number: 0)
    var album = Album(id: new, group: group, seen: look.seen, isFresh: look.isFirstScan)
    let known = songs.filter { homes[$0.id] != nil }
    let sources = known.map(\.album)
    let standing = now.standing
    let origin = Set(sources).min { left, right in
      let (one, other) = (sources.count { $0 == left }, sources.count { $0 == right })
      if one != other { return one > other }
      return (standing.firstIndex(of: left) ?? 0) < (standing.firstIndex(of: right) ?? 0)
    }
    if let origin, known.count * 2 >= songs.count, let crate = now.crate(of: origin),
      let place = now.crates[crate].albums.firstIndex(of: origin)
    {
      album.isArranged = now.albums[origin]?.isArranged ?? false
      album.isFresh = false
      now.crates[crate].albums.insert(new, at: place)
    } else {
      fresh.append(new)
    }
    now.albums[new] = album
    return new
  }

  /// Songs of other albums take their slots, or stand by those that came from there; new ones come
  /// on top.
  private mutating func enter(_ id: AlbumID, _ songs: [Song], _ before: PlainLibrary) {
    let known = songs.filter { homes[$0.id] != nil }
      .sorted { before.place(of: $0) < before.place(of: $1) }
    // Those that take their slots stand there whatever becomes of the others.
    for song in known where now.albums[id]?.entries.contains(song.id) == true {
      now.songs[song.id]?.album = id
    }
    for song in known {
      settle(song, in: id, before.albums[song.album]?.entries ?? [])
      now.songs[song.id]?.album = id
    }
    let new = now.newestFirst(
      songs.filter { homes[$0.id] == nil }.map(\.id), among: now.members(id))
    now.albums[id]?.entries.insert(contentsOf: new, at: 0)
    for song in new { now.songs[song]?.album = id }
  }

  private mutating func settle(_ song: Song, in id: AlbumID, _ former: [SongID]) {
    let entries = now.albums[id]?.entries ?? []
    if entries.contains(song.id) { return }
    let here = Set(now.members(id))
    var place = 0
    if let own = former.firstIndex(of: song.id) {
      if let above = former[..<own].last(where: here.contains) {
        place = (entries.firstIndex(of: above) ?? -1) + 1
      } else if let below = former[own...].first(where: here.contains) {
        place = entries.firstIndex(of: below) ?? 0
      }
    }
    now.albums[id]?.entries.insert(song.id, at: place)
  }

  // MARK: Handing over

  /// An album that its songs left by retagging goes on as the one that took more than half of them.
  /// Of several that one took, the touched one, then the one that gave most, then the first.
  private mutating func handOver() {
    let standing = old.standing.enumerated().sorted { left, right in
      let (one, other) = (isTouched(left.element), isTouched(right.element))
      if one != other { return one }
      let (gave, otherGave) = (given(by: left.element), given(by: right.element))
      return gave == otherGave ? left.offset < right.offset : gave > otherGave
    }
    for album in standing.map(\.element) {
      guard let left = now.albums[album], let heir = heir(of: left) else { continue }
      handOver(left, heir)
    }
    now.leaving = []
    for album in now.albums.values {
      let hasLost = old.leaving.contains(album.id) || !leavers(of: album).isEmpty
      if hasLost && now.members(album.id).compactMap({ old.songs[$0] }).contains(where: isWaiting) {
        now.leaving.insert(album.id)
      }
    }
  }

  private func isTouched(_ id: AlbumID) -> Bool { old.albums[id]?.isTouched ?? false }

  /// How many present songs that had a place in the album are elsewhere now.
  private func given(by id: AlbumID) -> Int {
    (now.albums[id]?.entries ?? []).count { now.songs[$0]?.album != id && isPresent($0) }
  }

  private func isPresent(_ id: SongID) -> Bool {
    has[id] != nil || holder.values.contains(id)
  }

  /// Present songs that had a place in the album and are elsewhere.
  private func goneFrom(_ left: Album) -> [SongID] {
    left.entries.filter { now.songs[$0]?.album != left.id && isPresent($0) }
  }

  /// Those of them that leave it in this look.
  private func leavers(of left: Album) -> [SongID] {
    // One that left it before may have been stood for until now.
    let stoodFor = Set(
      forgotten.compactMap { old.songs[$0] }.filter { $0.album == left.id && $0.file.sound != 0 }
        .map(\.file.sound))
    return goneFrom(left).filter { id in
      homes[id] == left.id || old.songs[id].map { stoodFor.contains($0.file.sound) } ?? false
    }
  }

  private func heir(of left: Album) -> Album? {
    // What is waited for may yet come elsewhere, and stay.
    if now.members(left.id).contains(where: { now.songs[$0]?.isGone == false }) { return nil }
    let gone = goneFrom(left)
    if gone.isEmpty || (leavers(of: left).isEmpty && !old.leaving.contains(left.id)) { return nil }
    let takers = gone.compactMap { now.songs[$0]?.album }
    guard let taker = takers.first(where: { id in takers.count { $0 == id } * 2 > takers.count }),
      let heir = now.albums[taker], !heir.isTouched, heir.seen > left.seen
    else { return nil }
    let songs = now.members(taker).filter { id in
      now.songs[id]?.isGone == false && old.songs[id].map(isWaiting) != true
    }
    return songs.count(where: left.entries.contains) * 2 < songs.count ? nil : heir
  }

  private mutating func handOver(_ left: Album, _ heir: Album) {
    // The same as if the songs had entered the heir one look earlier.
    if !heir.isArranged { sort(heir) }
    let heir = now.albums[heir.id] ?? heir
    let others = heir.entries.filter { !left.entries.contains($0) }
    now.albums[left.id]?.group = heir.group
    now.albums[left.id]?.entries = left.isArranged ? others + left.entries : left.entries + others
    for song in now.members(heir.id) { now.songs[song]?.album = left.id }
    now.removeAlbum(heir.id)
    for (alias, id) in now.aliases where id == heir.id { now.aliases[alias] = left.id }
    // One that begins and goes on as another in one look was never there.
    if old.albums[heir.id] != nil { now.aliases[heir.id] = left.id }
  }

  // MARK: Default order

  /// Songs follow their tags; slots, whose songs' tags belong elsewhere, stay behind what they
  /// stood behind before.
  private mutating func sort(_ album: Album) {
    let former = old.albums[album.id]?.entries ?? []
    var entries = now.inDefaultOrder(now.members(album.id))
    let slots = album.entries.filter { !entries.contains($0) }
    for slot in (former + slots.filter { !former.contains($0) }) where slots.contains(slot) {
      let above = former.firstIndex(of: slot).flatMap {
        former[..<$0].last(where: entries.contains)
      }
      let place = above.flatMap(entries.firstIndex).map { $0 + 1 } ?? 0
      entries.insert(slot, at: place)
    }
    now.albums[album.id]?.entries = entries
  }

  // MARK: New albums

  /// The most recently added on top; ties by artist, year, title and id.
  private func newestOnTop(_ ids: [AlbumID]) -> [AlbumID] {
    ids.sorted { left, right in
      let (one, other) = (now.added(left), now.added(right))
      if one != other { return one > other }
      let byArtist = plainOrder(now.artist(left), now.artist(right))
      if byArtist != 0 { return byArtist < 0 }
      let (year, later) = (now.year(left) ?? Int.max, now.year(right) ?? Int.max)
      if year != later { return year < later }
      let byTitle = plainOrder(now.title(left), now.title(right))
      return byTitle == 0 ? left < right : byTitle < 0
    }
  }

  private mutating func putOnTop(_ new: [AlbumID], _ before: PlainLibrary) {
    if new.isEmpty && (!look.isFirstScan || now.crates.isEmpty) { return }
    let crate = crateOfNew(before)
    var albums = now.crates[crate].albums
    var top = 0
    var all = new
    if look.isFirstScan {
      // All of a first scan that the person hasn't touched.
      let scanned = albums.filter { now.albums[$0].map { $0.isFresh && !$0.isTouched } ?? false }
      top = albums.firstIndex(where: scanned.contains) ?? 0
      albums.removeAll(where: scanned.contains)
      all += scanned
    }
    albums.insert(contentsOf: newestOnTop(all), at: top)
    now.crates[crate].albums = albums
  }

  private mutating func crateOfNew(_ before: PlainLibrary) -> Int {
    if let name = look.newAlbums {
      if let crate = now.crate(named: name) { return crate }
      now.crates.append(PlainLibrary.Crate(name: name))
      return now.crates.count - 1
    }
    if now.crates.isEmpty { now.crates.append(PlainLibrary.Crate(name: "Music")) }
    // The crate that was listed first until now.
    let first = before.crates.first(where: before.isListed)
    return first.flatMap { now.crate(named: $0.name) } ?? 0
  }
}
