import Text

/// Resolves a WHAT: a full id, an exact name or a prefix of an id, in that order, then positions
/// one level down.
package struct Resolution {
  let library: Library
  let names: NameIndex
  /// The kinds of things that a name may refer to.
  let wanted: Set<Thing.Kind>
  /// The most candidates, and most similarly spelled names, that are returned.
  let most: Int

  package init(
    _ library: Library, names: NameIndex, wanted: Set<Thing.Kind>, most: Int
  ) {
    self.library = library
    self.names = names
    self.wanted = wanted
    self.most = most
  }

  /// Returns what it refers to.
  package func meaning(of what: What) -> Meaning {
    // With positions, the name refers to no song, and with two levels to no album.
    var kinds = what.levels.isEmpty ? wanted : [.crate, .album]
    if what.levels.count == 2 { kinds = [.crate] }
    var meaning = named(what.name, kinds)
    if let thing = meaning.what.first, !what.levels.isEmpty {
      // Exactly one thing of that name has the positions.
      meaning.what = inside(thing, what.levels[...]) ?? []
    }
    return meaning
  }

  /// Returns everything that begins with the words, the last of which is incomplete.
  package func completions(of what: What) -> Meaning {
    guard what.levels.isEmpty else { return meaning(of: what) }
    var found: [Thing] = []
    let start = folded(what.name.text)
    func crates() -> [Thing] {
      library.crates.filter { $0.folded.utf8.starts(with: start.utf8) && isListed($0) }
        .map { .crate($0.id) }
    }
    func albums() -> [Thing] {
      let found = names.albums(beginning: start, in: library)
      return firstListed(found.map(\.id)).map { .album($0) }
    }
    switch what.name {
    case .any:
      if wanted.contains(.crate) { found += crates() }
      if wanted.contains(.album) { found += albums() }
    case .crate: found = crates()
    case .album: found = albums()
    case .id(let text):
      if let range = IdentifierText.range(ofPrefix: text) { found = things(range, wanted) }
    case .song, .path: break
    }
    var meaning = Meaning()
    meaning.candidates = Array(inOrder(found).prefix(most))
    return meaning
  }

  /// Returns the listed albums. If there are many, only the first ones in the order of the library:
  /// iterating from the top finds them faster than determining the place of each.
  private func firstListed(_ ids: [AlbumID]) -> [AlbumID] {
    let listed = ids.filter { library.unlisted[$0] == nil }
    if listed.count <= 4 * most { return listed }
    let chosen = Set(listed)
    return Array(library.crates.lazy.flatMap(\.albums).filter(chosen.contains).prefix(most))
  }

  // MARK: Positions

  /// Returns nil if one of the positions does not exist.
  private func inside(_ thing: Thing, _ levels: ArraySlice<Positions>) -> [Thing]? {
    guard let positions = levels.first else { return [thing] }
    var below: [Thing]
    switch thing {
    case .crate(let id):
      guard let crate = library.crate(id),
        let chosen = positions.chosen(of: library.listedCount(in: crate))
      else { return nil }
      below = library.albums(at: chosen, of: crate).map { .album($0) }
    case .album(let id):
      guard let album = library.albums[id],
        let chosen = positions.chosen(of: library.listedCount(of: id))
      else { return nil }
      let songs = library.listedSongs(of: album)
      below = chosen.map { .song(songs[$0 - 1].id) }
    case .song: return nil
    }
    if levels.count == 1 { return below }
    var found: [Thing] = []
    for thing in below {
      guard let things = inside(thing, levels.dropFirst()) else { return nil }
      found += things
    }
    return found
  }

  // MARK: Names

  private func named(_ name: What.Name, _ kinds: Set<Thing.Kind>) -> Meaning {
    switch name {
    case .any(let text): return any(text, kinds)
    case .id(let text): return one(of: byId(text, kinds), or: text, near: [])
    case .crate(let text):
      return one(of: kinds.contains(.crate) ? crates(text) : [], or: text, near: [.crate])
    case .album(let text):
      let named = kinds.contains(.album) ? albums(text) : []
      let ofArtist = named.isEmpty && kinds.contains(.album) ? albumsOfArtist(text) : []
      let others = ofArtist.isEmpty ? byId(text, kinds.intersection([.album])) : ofArtist
      return one(of: named.isEmpty ? others : listedFirst(named), or: text, near: [.album])
    case .song(let text):
      let named = kinds.contains(.song) ? songs(text) : []
      let found = named.isEmpty ? byId(text, kinds.intersection([.song])) : listedFirst(named)
      return one(of: found, or: text, near: [])
    case .path(let path):
      var meaning = Meaning()
      meaning.what = things(at: path, kinds)
      return meaning
    }
  }

  private func any(_ text: String, _ kinds: Set<Thing.Kind>) -> Meaning {
    if text.utf8.count == IdentifierText.length {
      let full = byId(text, kinds)
      if !full.isEmpty { return one(of: full, or: text, near: []) }
    }
    var named: [Thing] = []
    if kinds.contains(.crate) { named += crates(text) }
    if kinds.contains(.album) { named += albums(text) }
    let listed = named.filter(isListed)
    if !listed.isEmpty { return one(of: listed, or: text, near: []) }
    let songs = kinds.contains(.song) ? songs(text) : []
    let listedSongs = songs.filter(isListed)
    for found in [listedSongs, named, songs] where !found.isEmpty {
      return one(of: found, or: text, near: [])
    }
    let ofArtist = kinds.contains(.album) ? albumsOfArtist(text) : []
    return one(of: ofArtist.isEmpty ? byId(text, kinds) : ofArtist, or: text, near: kinds)
  }

  private func listedFirst(_ things: [Thing]) -> [Thing] {
    let listed = things.filter(isListed)
    return listed.isEmpty ? things : listed
  }

  private func one(of found: [Thing], or text: String, near kinds: Set<Thing.Kind>) -> Meaning {
    var meaning = Meaning()
    if found.count == 1 {
      meaning.what = found
    } else if found.isEmpty {
      meaning.near = near(text, kinds)
    } else {
      meaning.candidates = Array(inOrder(found).prefix(most))
    }
    return meaning
  }

  private func crates(_ name: String) -> [Thing] {
    library.crate(named: name).map { [.crate($0.id)] } ?? []
  }

  private func albums(_ title: String) -> [Thing] {
    names.albums(called: folded(title), in: library).map { .album($0.id) }
  }

  /// The most words of a title and an artist.
  private static let wordsMost = 40

  /// Returns the albums of a title and an artist, as responses name them: `Greatest Hits by Queen`,
  /// with an optional `by`.
  private func albumsOfArtist(_ text: String) -> [Thing] {
    let words = folded(text).split(separator: " ")
    guard (2...Self.wordsMost).contains(words.count) else { return [] }
    var found: [Thing] = []
    for end in 1..<words.count {
      var artist = words[end...]
      if artist.count > 1, artist.first == "by" { artist.removeFirst() }
      let name = artist.joined(separator: " ")
      found += names.albums(called: words[..<end].joined(separator: " "), in: library)
        .filter { library.unlisted[$0.id] == nil && folded(library.face(of: $0).artist) == name }
        .map { .album($0.id) }
    }
    return found
  }

  private func songs(_ title: String) -> [Thing] {
    names.songs(called: folded(title), in: library).map { .song($0.id) }
  }

  // MARK: Ids and paths

  /// Returns the things with an id. A complete id refers to one thing, a prefix to any number.
  private func byId(_ text: String, _ kinds: Set<Thing.Kind>) -> [Thing] {
    if kinds.contains(.album), let id = AlbumID(text), let album = library.album(id) {
      return [.album(album.id)]
    }
    if kinds.contains(.song), let id = SongID(text), library.songs[id] != nil {
      return [.song(id)]
    }
    guard (IdentifierText.shortestPrefix..<IdentifierText.length).contains(text.utf8.count),
      let range = IdentifierText.range(ofPrefix: text)
    else { return [] }
    return things(range, kinds)
  }

  private func things(_ range: ClosedRange<UInt64>, _ kinds: Set<Thing.Kind>) -> [Thing] {
    var found: [Thing] = []
    if kinds.contains(.album) {
      found += names.albums(of: range, in: library).map { .album($0.id) }
    }
    if kinds.contains(.song) {
      found += names.songs(of: range, in: library).map { .song($0.id) }
    }
    return found
  }

  /// Returns the song of that file, or everything below that folder: its songs, or their albums if
  /// songs are not wanted.
  private func things(at path: BytePath, _ kinds: Set<Thing.Kind>) -> [Thing] {
    var songs = names.songs(at: path, in: library)
    if songs.isEmpty {
      library.songs.forEach { _, song in
        if !song.isGone, song.path.isInside(path) { songs.append(song) }
      }
    }
    if kinds.contains(.song) { return inOrder(songs.map { .song($0.id) }) }
    guard kinds.contains(.album) else { return [] }
    return inOrder(Set(songs.map(\.album)).map { .album($0) })
  }

  // MARK: What was probably meant

  private func near(_ text: String, _ kinds: Set<Thing.Kind>) -> [Thing] {
    if most == 0 { return [] }
    let typed = TypedName(folded(text))
    var found: [(thing: Thing, faults: Int)] = []
    if kinds.contains(.crate) {
      for crate in library.crates where isListed(crate) {
        if let faults = typed.faults(in: crate.folded) { found.append((.crate(crate.id), faults)) }
      }
    }
    if kinds.contains(.album) {
      for (album, faults) in names.albums(near: typed, in: library)
      where library.unlisted[album.id] == nil {
        found.append((.album(album.id), faults))
      }
    }
    let places = inOrder(found.map(\.thing)).enumerated()
    let rank = Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
    let best = found.sorted { left, right in
      (left.faults, rank[left.thing] ?? 0) < (right.faults, rank[right.thing] ?? 0)
    }
    return best.prefix(most).map(\.thing)
  }

  // MARK: Order

  private func isListed(_ crate: Crate) -> Bool { library.listedCount(in: crate) > 0 }

  private func isListed(_ thing: Thing) -> Bool {
    switch thing {
    case .crate(let id): library.crate(id).map(isListed) ?? false
    case .album(let id): library.unlisted[id] == nil
    case .song(let id): library.songs[id]?.isGone == false
    }
  }

  /// Sorts things by the order of the library: crates first, then albums, then songs.
  private func inOrder(_ things: [Thing]) -> [Thing] {
    if things.count < 2 { return things }
    var (crates, albums, songs): (Set<CrateID>, [AlbumID], [SongID]) = ([], [], [])
    for thing in things {
      switch thing {
      case .crate(let id): crates.insert(id)
      case .album(let id): albums.append(id)
      case .song(let id): songs.append(id)
      }
    }
    return library.crates.lazy.map(\.id).filter(crates.contains).map { .crate($0) }
      + library.inOrder(albums).map { .album($0) } + library.inOrder(songs).map { .song($0) }
  }
}
