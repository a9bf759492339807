import LibraryModel
import Testing

/// One thing that the store has to keep. Texts are bytes: `String` equates what differs in
/// normalisation.
enum LibraryLine: Equatable {
  case sequence(Int)
  case crate([UInt8])
  case album(
    AlbumID, group: [[UInt8]], marks: [Bool], seen: Int64, aliases: [AlbumID], entries: [SongID])
  case song(SongID, in: AlbumID, group: [[UInt8]], path: BytePath, marks: [Bool])
  case sound(AudioDigest?, added: Int64, seen: Int64)
  /// What is known of a song that is present comes from its file.
  case traits(Traits)
  case alias(AlbumID, of: AlbumID)
}

/// Everything that the store has to keep of a library, by other means than the store's own.
func lines(
  of library: Library, withSequence: Bool = true, withTouches: Bool = true
) -> [LibraryLine] {
  func bytes(_ group: GroupKey) -> [[UInt8]] {
    [Array(group.family.utf8), Array(group.edition.utf8)]
  }
  var lines: [LibraryLine] = withSequence ? [.sequence(library.sequence)] : []
  for crate in library.crates {
    lines.append(.crate(Array(crate.name.utf8)))
    for album in crate.albums.compactMap({ library.albums[$0] }) {
      lines.append(
        .album(
          album.id, group: bytes(album.group),
          marks: [album.isArranged, withTouches && library.isTouched(album.id), album.isFresh],
          seen: album.seen,
          aliases: album.aliases, entries: album.entries))
    }
  }
  for song in library.songs.values.sorted(by: { $0.id < $1.id }) {
    lines.append(
      .song(
        song.id, in: song.album, group: bytes(song.group), path: song.path,
        marks: [song.isGone, withTouches && library.isTouched(song)]))
    lines.append(.sound(song.digest, added: song.added, seen: song.seen))
    lines.append(.traits(song.lasting))
  }
  var aliases: [(alias: AlbumID, album: AlbumID)] = []
  library.aliases.forEach { alias, id in
    // One of an album that was removed leads nowhere, known or not.
    if library.albums[id] != nil { aliases.append((alias, id)) }
  }
  aliases.sort { $0.alias < $1.alias }
  return lines + aliases.map { .alias($0.alias, of: $0.album) }
}

func expectSame(
  _ found: Library, _ expected: Library, _ comment: @autoclosure () -> Comment? = nil,
  _ location: SourceLocation = #_sourceLocation
) {
  let (found, expected) = (lines(of: found), lines(of: expected))
  #expect(found.count == expected.count, comment(), sourceLocation: location)
  for (left, right) in zip(found, expected) where left != right {
    Issue.record(
      "\(left) is not \(right); \(comment()?.description ?? "")", sourceLocation: location)
    return
  }
}

/// What is wrong with the library in itself; nil if nothing is.
func brokenInvariant(of library: Library) -> String? {
  var places: [AlbumID: Int] = [:]
  var homes: [SongID: Int] = [:]
  for crate in library.crates {
    for id in crate.albums {
      places[id, default: 0] += 1
      guard let album = library.albums[id] else { return "crate \(crate.name) lists a stranger" }
      if album.crate != crate.id { return "album \(id) is in another crate than it says" }
      if Set(album.entries).count != album.entries.count { return "album \(id) lists one twice" }
      for entry in album.entries {
        guard let song = library.songs[entry] else { return "entry \(entry) has no song" }
        if song.album == id { homes[entry, default: 0] += 1 }
      }
    }
  }
  if places.count != library.albums.count { return "an album is in no crate" }
  if homes.count != library.songs.count { return "a song is in no album" }
  if places.values.contains(where: { $0 != 1 }) { return "an album is in two places" }
  return homes.values.contains { $0 != 1 } ? "a song is in two places" : nil
}
