import Testing

@testable import LibraryModel

extension World {
  /// What must hold after every step, whatever happened.
  func check(_ location: SourceLocation = #_sourceLocation) {
    var homes: [SongID: Int] = [:]
    var albumPlaces: [AlbumID: Int] = [:]
    for crate in library.crates {
      for id in crate.albums {
        albumPlaces[id, default: 0] += 1
        guard let album = library.albums[id] else {
          Issue.record("crate \(crate.name) lists an unknown album", sourceLocation: location)
          continue
        }
        #expect(album.crate == crate.id, sourceLocation: location)
        #expect(Set(album.entries).count == album.entries.count, sourceLocation: location)
        for song in album.entries {
          let home = library.songs[song]?.album
          #expect(home != nil, "an entry without a song", sourceLocation: location)
          if home == id { homes[song, default: 0] += 1 }
        }
      }
    }
    #expect(albumPlaces.values.allSatisfy { $0 == 1 }, sourceLocation: location)
    #expect(albumPlaces.count == library.albums.count, sourceLocation: location)
    #expect(homes.values.allSatisfy { $0 == 1 }, sourceLocation: location)
    #expect(homes.count == library.songs.count, sourceLocation: location)
    #expect(library.brokenInvariant == nil, sourceLocation: location)
    checkSummaries(location)
    checkFiles(location)
    checkLookups(location)
    checkDefaultOrder(location)
  }

  /// What is kept of an album from an earlier step is what its songs say now.
  private func checkSummaries(_ location: SourceLocation) {
    for album in library.albums.values {
      let kept = library.summary(of: album)
      #expect(kept == AlbumSummary(of: album, in: library), "\(album.id)", sourceLocation: location)
    }
  }

  /// Every file that is there belongs to one present song, and every present song has its file.
  private func checkFiles(_ location: SourceLocation) {
    #expect(lookups.paths(in: library) == Set(known.keys), sourceLocation: location)
    library.songs.forEach { id, song in
      if song.isGone { return }
      #expect(known[song.path] != nil, "\(song.path.display)", sourceLocation: location)
      #expect(lookups.song(at: song.path, in: library)?.id == id, sourceLocation: location)
    }
  }

  /// What merges follow step by step is what the library gives anew.
  private func checkLookups(_ location: SourceLocation) {
    let fresh = Lookups(library, roots: library.away.folders)
    let paths = fresh.paths(in: library)
    #expect(paths == lookups.paths(in: library), sourceLocation: location)
    for path in paths {
      let song = fresh.song(at: path, in: library)
      #expect(song != nil && lookups.song(at: path, in: library) === song, sourceLocation: location)
    }
    #expect(fresh.hashes == lookups.hashes, sourceLocation: location)
    #expect(fresh.families == lookups.families, sourceLocation: location)
    #expect(fresh.albumOfGroup == lookups.albumOfGroup, sourceLocation: location)
    #expect(
      fresh.folders.mapValues { $0.sorted() } == lookups.folders.mapValues { $0.sorted() },
      sourceLocation: location)
  }

  /// An album that is not arranged follows its tags.
  private func checkDefaultOrder(_ location: SourceLocation) {
    library.albums.forEach { _, album in
      if album.isArranged { return }
      guard let goal = library.membersInDefaultOrder(of: album) else { return }
      #expect(library.members(of: album) == goal, sourceLocation: location)
    }
  }

  /// Songs and albums of which something else is known after a merge are among those that it tells
  /// of; how far they count as touched is no matter of theirs.
  func checkTold(_ outcome: Merge.Outcome) {
    let after = outcome.decision.library
    for id in Set(library.songs.values.map(\.id) + after.songs.values.map(\.id))
    where !outcome.songs.contains(id) {
      let (old, new) = (library.songs[id], after.songs[id])
      #expect(old?.path == new?.path && old?.digest == new?.digest, "song \(id)")
      #expect(old?.isGone == new?.isGone && old?.facts == new?.facts, "song \(id)")
      #expect(old?.group == new?.group && old?.album == new?.album, "song \(id)")
    }
    for id in Set(library.albums.values.map(\.id) + after.albums.values.map(\.id))
    where !outcome.albums.contains(id) {
      let (old, new) = (library.albums[id], after.albums[id])
      #expect(old?.entries == new?.entries && old?.group == new?.group, "album \(id)")
      #expect(
        old.map { AlbumSummary(of: $0, in: library) }
          == new.map { AlbumSummary(of: $0, in: after) }, "album \(id)")
    }
  }

  /// Survivors of a merge stand as they stood: albums in their crates, songs of arranged albums.
  func checkOrderKept(since before: Library) {
    for crate in before.crates {
      guard let now = library.crate(crate.id) else { continue }
      let here = Set(now.albums)
      let old = crate.albums.filter(here.contains)
      let there = Set(old)
      #expect(old == now.albums.filter(there.contains))
    }
    before.albums.forEach { id, album in
      guard album.isArranged, let now = library.albums[id] else { return }
      let here = Set(now.entries)
      let old = album.entries.filter(here.contains)
      let there = Set(old)
      #expect(old == now.entries.filter(there.contains))
    }
  }

  /// An album whose songs are others, elsewhere or otherwise is among those that were touched.
  func checkTouched(
    by changes: [Change], since before: Library, _ location: SourceLocation = #_sourceLocation
  ) {
    let missed = library.albumMissed(by: changes, since: before)
    #expect(missed == nil, sourceLocation: location)
  }
}

extension Library {
  /// An album whose songs are others, elsewhere or otherwise, and which is not among those that
  /// the changes touched.
  func albumMissed(by changes: [Change], since before: Library) -> AlbumID? {
    let touched = Library.albumsTouched(by: changes, from: before, to: self)
    func songs(_ library: Library, _ id: AlbumID) -> [Song] {
      library.albums[id].map(library.songs) ?? []
    }
    for id in (before.crates + crates).flatMap(\.albums) where !touched.contains(id) {
      let (old, new) = (songs(before, id), songs(self, id))
      if old.count != new.count { return id }
      for (one, other) in zip(old, new)
      where one.id != other.id || one.isGone != other.isGone || one.path != other.path {
        return id
      }
    }
    return nil
  }
}
