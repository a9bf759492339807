@testable import LibraryModel
@testable import LibraryStore

extension RandomHistory {
  /// The whole order, for people.
  var shape: [String] {
    library.crates.flatMap { crate in
      ["crate \(crate.name)"]
        + crate.albums.compactMap { library.albums[$0] }.flatMap { album in
          ["  \(album.id)\(album.isArranged ? "*" : "") \(album.group)"]
            + album.entries.map { id in
              let song = library.songs[id]
              let mark = song?.album != album.id ? "slot" : song?.isGone == true ? "gone" : "song"
              return
                "    \(mark) \(id) \(song?.path.display ?? "?") \(song?.group.description ?? "")"
            }
        }
    }
  }

  // MARK: The journal

  /// Writes the changes as lines, reads those, and applies them to what lines gave before.
  mutating func replay(_ changes: [Change], by author: Author) throws {
    for change in changes {
      let line = ChangeText.text(change).bytes
      journal?.append(contentsOf: line + [0x0A])
      let read = try ChangeText.change(line[...])
      if read != change { throw Disagreement("\(change) is read as \(read)") }
      try replica.apply(read, by: author)
    }
    if let words = difference(replica, library) { throw Disagreement("replay: \(words)") }
  }

  /// A snapshot is read as it was written, and is the same when it is written again.
  func checkSnapshot() throws {
    let text = Snapshot.text(library)
    var read = try SnapshotReader.read(text).library
    read.away = library.away
    if let words = difference(read, library) { throw Disagreement("snapshot: \(words)") }
    for (id, album) in read.aliases.pairs where read.albums[album] != nil {
      if library.aliases[id] != album { throw Disagreement("snapshot: alias \(id)") }
    }
    let anew = Lookups(read, roots: [bytePath(PlainFolder.root)])
    for digest in library.songs.values.compactMap(\.digest) {
      let (key, old) = (SongKey.sound(digest), library)
      let found = [anew.songs(key, in: read), anew.goneSongs(key, in: read)].map { $0.map(\.id) }
      let kept = [lookups.songs(key, in: old), lookups.goneSongs(key, in: old)].map { $0.map(\.id) }
      if found == [[], []] || found != kept {
        throw Disagreement("a snapshot gives other sounds")
      }
    }
    if anew.albumOfGroup != lookups.albumOfGroup {
      throw Disagreement("a snapshot gives other groups")
    }
  }

  private func difference(_ found: Library, _ expected: Library) -> String? {
    if found.crates.map(\.name) != expected.crates.map(\.name) { return "crates" }
    if found.crates.map(\.albums) != expected.crates.map(\.albums) { return "albums of crates" }
    if found.albums.count != expected.albums.count { return "count of albums" }
    if found.songs.count != expected.songs.count { return "count of songs" }
    var words: String?
    expected.albums.forEach { id, album in
      guard let other = found.albums[id], other.entries == album.entries,
        other.group == album.group, other.isArranged == album.isArranged,
        found.touches[id] == expected.touches[id], other.isFresh == album.isFresh,
        other.aliases == album.aliases, other.seen == album.seen
      else { return words = "album \(id)" }
    }
    expected.songs.forEach { id, song in
      guard let other = found.songs[id], other.album == song.album, other.group == song.group,
        other.path == song.path, other.digest == song.digest, other.added == song.added,
        other.isGone == song.isGone, other.seen == song.seen,
        found.isTouched(other) == expected.isTouched(song)
      else { return words = "song \(id)" }
    }
    return words
  }

  /// The fewest moves of what was named; `plain` is still as it was.
  func checkFewest(_ edit: Edit, _ decision: Decision, _ before: PlainLibrary) throws {
    let named = Named(edit)
    var moves = 0
    for crate in before.crates {
      let now = library.crate(named: crate.name).map { Array($0.albums) } ?? []
      moves += fewest(from: crate.albums, to: now, moving: named.albums.contains)
    }
    for (id, album) in before.albums {
      let now = library.albums[id]?.entries ?? []
      // A slot of a song that is named elsewhere stays.
      moves += fewest(from: album.entries, to: now) { song in
        named.songs.contains(song) && before.songs[song]?.album == id
      }
    }
    let made = decision.changes.count { change in
      switch change {
      case .albumMoved, .songMoved: true
      default: false
      }
    }
    if made > moves { throw Disagreement("\(made) moves, where \(moves) do") }
  }

  /// In an edit that changes something, what the person names counts as touched, with all its
  /// songs; nothing else moves, or counts otherwise than before.
  func checkNamed(_ edit: Edit, _ decision: Decision, _ before: PlainLibrary) throws {
    let named = Named(edit)
    if let stranger = named.stranger(in: decision.changes) {
      throw Disagreement("nobody named \(stranger), and it moves")
    }
    if decision.changes.isEmpty { return }
    let albums = named.albums.union(named.songs.compactMap { before.songs[$0]?.album })
    for (id, album) in library.albums.values.map({ ($0.id, $0) }) {
      let isTouched = library.isTouched(id)
      if albums.contains(id) {
        if !isTouched || !library.songs(of: album).allSatisfy(library.isTouched) {
          throw Disagreement("album \(id) is named, and not touched")
        }
      } else if let former = before.albums[id], former.isTouched != isTouched {
        throw Disagreement("nobody named \(id), and it is \(isTouched ? "" : "not ")touched")
      }
    }
  }

  /// What listeners are told of is all that changed.
  func checkTouched(_ changes: [Change], _ old: Library) throws {
    if let id = library.albumMissed(by: changes, since: old) {
      throw Disagreement("the songs of \(id) changed, and it was not touched")
    }
  }

  /// Each known song that shows another title, artist or number, and no other one, was retagged.
  func checkRetagged(_ changes: [Change], _ old: Library) throws {
    var retagged: Set<SongID> = []
    for case .songRetagged(let id, let album) in changes {
      if library.songs[id]?.album != album || !retagged.insert(id).inserted {
        throw Disagreement("song \(id) is said to be retagged twice, or in another album")
      }
    }
    var differing: Set<SongID> = []
    library.songs.forEach { id, song in
      guard let former = old.songs[id], former.facts != nil, song.facts != nil,
        !former.isGone, !song.isGone
      else { return }
      func shown(_ song: Song) -> [String] {
        let numbers = [song.disc, song.track, song.year].map { $0.map(String.init) ?? "none" }
        return [song.facts?.title ?? "", song.artist, song.albumTitle, song.albumArtist]
          + [song.recording, song.release, song.facts?.details.genre ?? ""] + numbers
      }
      if shown(former) != shown(song) { differing.insert(id) }
    }
    if retagged != differing {
      throw Disagreement("retagged: \(retagged), where \(differing) show other tags")
    }
  }

  // MARK: Lookups

  /// What is followed step by step is what the library gives anew.
  func checkLookups() throws {
    let anew = Lookups(library, roots: [bytePath(PlainFolder.root)])
    func same(_ isSame: Bool, _ what: String) throws {
      if !isSame { throw Disagreement("lookups followed differ from those built anew: \(what)") }
    }
    let paths = anew.paths(in: library)
    try same(paths == lookups.paths(in: library), "files")
    let count = anew.folders.values.reduce(0) { $0 + $1.count }
    try same(paths.count == count, "each file is in one folder, once")
    for path in paths {
      let song = anew.song(at: path, in: library)
      try same(song != nil && lookups.song(at: path, in: library) === song, path.display)
    }
    try same(anew.hashes == lookups.hashes, "hashes")
    try same(anew.families == lookups.families, "families")
    try same(anew.albumOfGroup == lookups.albumOfGroup, "groups")
    let others = library.otherPaths
    try same(Set(others).count == others.count, "each file is one song's")
    try same(others.count == library.duplicateFileCount, "other files are counted")
    for (folder, songs) in anew.folders {
      try same(songs.sorted() == lookups.folders[folder]?.sorted(), "folders")
      let kept = lookups.kinds(in: folder, library)
      try same(kept.inOrder == FolderFiles(songs, library).inOrder, "kinds")
    }
    let large = anew.folders.filter { $0.value.count >= lookups.manyFiles }.keys
    try same(Set(large) == Set(lookups.largeFolders.keys), "large folders")
  }
}

extension FolderFiles {
  fileprivate struct InOrder: Equatable {
    var alike: [Kind: [SongID]]
    var several: [SongID]
  }

  fileprivate var inOrder: InOrder {
    InOrder(alike: alike.mapValues { $0.sorted() }, several: several.sorted())
  }
}

extension Lookups {
  /// The paths of all known files.
  func paths(in library: Library) -> Set<BytePath> {
    Set(folders.keys.flatMap { files(in: $0, library).map(\.path) })
  }
}

extension SharedMap {
  fileprivate var pairs: [(Key, Value)] {
    var pairs: [(Key, Value)] = []
    forEach { pairs.append(($0, $1)) }
    return pairs
  }
}

extension Library {
  /// Files that are no song's own.
  var otherPaths: [BytePath] {
    var found: [BytePath] = []
    forEachDuplicateFile { file, _ in found.append(file.path) }
    return found.sorted()
  }
}
