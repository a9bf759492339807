@testable import LibraryModel

/// The model under test.
struct RealKeeper: Keeper {
  var library = Library()
  /// What the last merge is told as.
  private(set) var sentence = ""
  /// With folders on both sides of what is large.
  var lookups = Lookups(Library(), roots: [bytePath(PlainFolder.root)], manyFiles: 3)

  @discardableResult mutating func merge(_ look: PlainLook) throws -> [String] {
    let roots = look.roots.map(bytePath)
    var left: [BytePath] = []
    if library.away.folders != roots {
      library.away.folders = roots
      library.dropDuplicateFilesOutside()
      lookups = Lookups(library, roots: roots, manyFiles: 3)
      left = lookups.left(in: library)
    }
    library.away.places = look.away.inByteOrder.map(bytePath)
    var contents = FolderContents(root: bytePath(look.root), seen: look.seen)
    (contents.isFirstScan, contents.endsFirstScan) = (look.isFirstScan, look.endsFirstScan)
    for path in look.found.inByteOrder {
      guard let file = look.files[path] else { continue }
      contents.found.append(
        FolderContents.Found(path: bytePath(path), facts: file.facts(at: path)))
    }
    // A music folder that is configured again is looked at for what songs it should hold.
    let expected = library.songs.values.filter { !$0.isGone }.map { plainPath($0.path) }
    contents.vanished = look.known.union(expected).subtracting(look.files.keys).inByteOrder
      .filter { isInside($0, look.root) && !look.isAway($0) }.map(bytePath)
    contents.turned = lookups.turned(in: library) + left
    contents.renames = look.renames.keys.inByteOrder.compactMap { new in
      look.renames[new].map { FolderContents.Rename(from: bytePath($0), to: bytePath(new)) }
    }
    let before = library
    let outcome = Merge.merge(
      contents, into: library, lookups: lookups, newAlbums: look.newAlbums)
    library = outcome.decision.library
    sentence = outcome.decision.transaction.sentence
    library.advance(to: library.sequence + outcome.decision.changes.count)
    lookups.follow(
      from: before, to: library, songs: outcome.songs, albums: outcome.albums)
    if let fault = library.brokenInvariant { throw Disagreement(fault) }
    return outcome.decision.changes.map { "\($0)" }
  }

  mutating func move(_ song: SongID, toCrate crate: String) throws {
    guard let album = library.songs[song]?.album else { return }
    try edit(.moveAlbums([album], .top, crate: crate))
  }

  mutating func arrange(_ songs: [SongID]) throws {
    for (above, song) in zip(songs, songs.dropFirst()) {
      try edit(.moveSongs([song], .after(above)))
    }
  }

  private mutating func edit(_ edit: Edit) throws {
    let before = library
    let decision = try library.decide(edit, newAlbums: nil)
    library = decision.library
    library.advance(to: library.sequence + decision.changes.count)
    lookups.follow(decision.changes, from: before, to: library)
  }

  var view: KeptView {
    KeptView(
      crates: library.crates.map { crate in
        KeptView.Crate(
          name: crate.name,
          albums: crate.albums.compactMap { library.albums[$0] }.map { album in
            KeptView.Album(
              id: album.id, title: library.face(of: album).title,
              artist: library.face(of: album).artist, isArranged: album.isArranged,
              isTouched: library.isTouched(album.id),
              songs: library.songs(of: album).map { song in
                KeptView.Song(
                  id: song.id, path: plainPath(song.path), isGone: song.isGone,
                  isTouched: library.isTouched(song), sound: Int(song.digest?.low ?? 0),
                  seen: song.seen)
              })
          })
      },
      duplicates: library.otherPaths.map(plainPath).filter { path in
        !library.songs.values.contains { !$0.isGone && $0.path == bytePath(path) }
      })
  }
}

/// Both at once: throws where they differ after a merge.
struct BothKeeper: Keeper {
  private(set) var real = RealKeeper()
  private(set) var plain = PlainLibrary()
  /// All songs and albums that there ever were.
  private var former = PlainLibrary()

  @discardableResult mutating func merge(_ look: PlainLook) throws -> [String] {
    let changes = try real.merge(look)
    let (library, lookups) = (real.library, real.lookups)
    let naming = PlainNaming { path in
      lookups.song(at: bytePath(path), in: library)?.id
    } album: { song in
      library.songs[song]?.album
    }
    plain = PlainMerge.merge(look, into: plain, naming: naming)
    if let words = plain.difference(from: library, withSlots: false, withMarks: true) {
      throw Disagreement(words)
    }
    plain.adoptSlots(library)
    former.albums.merge(plain.albums) { $1 }
    former.songs.merge(plain.songs) { $1 }
    return changes
  }

  mutating func move(_ song: SongID, toCrate crate: String) throws {
    try real.move(song, toCrate: crate)
    plain.adopt(real.library, real.lookups, from: former)
  }

  mutating func arrange(_ songs: [SongID]) throws {
    try real.arrange(songs)
    plain.adopt(real.library, real.lookups, from: former)
  }

  var view: KeptView { real.view }
}
