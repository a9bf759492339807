import CratesInterface
import NameFolding

/// Finds what the person named, asking the daemon for no more than that takes.
final class Resolver {
  private let daemon: Daemon
  private let wanted: Set<Thing.Kind>
  private var knownCrates: [Interface.Crate]?
  private var knownAlbums: [Interface.Album]?
  private var knownSongs: [Interface.Song]?

  /// `wanted`: what a name or id may stand for here.
  init(_ daemon: Daemon, wanted: Set<Thing.Kind> = [.crate, .album, .song]) {
    self.daemon = daemon
    self.wanted = wanted
  }

  /// In the order in which they were named, each once. `-` stands for ids from standard input.
  func things(_ words: [String]) throws(Failure) -> [Thing] {
    var targets: [Target] = []
    if words.contains("-") {
      guard words == ["-"] else { throw .wrongUse("`-` stands alone, for ids on standard input") }
      for id in try Input.ids() { targets.append(Target(name: .id(id))) }
      if targets.isEmpty { throw .refused("no id came on standard input") }
    } else {
      targets = try Target.read(words)
    }
    var things: [Thing] = []
    var seen: Set<Thing.Reference> = []
    for target in targets {
      for thing in try self.things(target) where seen.insert(thing.reference).inserted {
        things.append(thing)
      }
    }
    return things
  }

  /// The one thing that is meant. Throws where it is none or several.
  func thing(_ words: [String]) throws(Failure) -> Thing {
    let things = try things(words)
    guard let thing = things.first, things.count == 1 else {
      throw .wrongUse("\(words.joined(separator: " ")) names \(things.count) things; name one")
    }
    return thing
  }

  private func things(_ target: Target) throws(Failure) -> [Thing] {
    var things = [try named(target)]
    for positions in target.levels {
      var below: [Thing] = []
      for thing in things { below += try inside(thing, positions) }
      things = below
    }
    return things
  }

  // MARK: Positions

  private func inside(_ thing: Thing, _ positions: Positions) throws(Failure) -> [Thing] {
    switch thing {
    case .crate(let crate):
      let albums = try listedAlbums(of: crate)
      let chosen = try positions.chosen(of: albums.count, in: crate.name)
      return chosen.map { .album(albums[$0 - 1]) }
    case .album(let album):
      let songs = try daemon.songs(of: album.id).filter { $0.position != nil }
      let chosen = try positions.chosen(of: songs.count, in: album.title)
      return chosen.map { .song(id: songs[$0 - 1].id, songs[$0 - 1]) }
    case .song(let id, _):
      throw .wrongUse("\(id) is a song, which has no positions inside it")
    }
  }

  func listedAlbums(of crate: Interface.Crate) throws(Failure) -> [Interface.Album] {
    let all: [Interface.Album]
    if let knownAlbums { all = knownAlbums } else { all = try daemon.albums(of: crate.name) }
    return all.filter { $0.position != nil && folded($0.crate) == folded(crate.name) }
  }

  /// Ids, each once. A crate stands for its albums.
  func albums(of things: [Thing]) throws(Failure) -> [String] {
    var ids: [String] = []
    var seen: Set<String> = []
    for thing in things {
      switch thing {
      case .crate(let crate):
        let albums = try listedAlbums(of: crate).map(\.id)
        ids += albums.filter { seen.insert($0).inserted }
      case .album(let album): if seen.insert(album.id).inserted { ids.append(album.id) }
      case .song: break
      }
    }
    guard !ids.isEmpty else { throw .refused("no album is listed there") }
    return ids
  }

  // MARK: Names and ids

  private func named(_ target: Target) throws(Failure) -> Thing {
    // With positions inside it, it is no song, and not an album if there are two levels.
    var kinds = target.levels.isEmpty ? wanted : [.crate, .album]
    if target.levels.count == 2 { kinds = [.crate] }
    let text = target.name.text
    switch target.name {
    case .crate:
      guard kinds.contains(.crate) else { throw .refused("a crate cannot be meant: \(text)") }
      return try only(try namedCrates(text), of: text, or: .noSuchCrate(name: text))
    case .album:
      guard kinds.contains(.album) else { throw .refused("an album cannot be meant: \(text)") }
      let named = try namedAlbums(text)
      let found = named.isEmpty ? try prefixed(text, kinds: [.album]) : named
      return try only(found, of: text, or: .noSuchAlbum(id: text))
    case .id:
      if let thing = try fullId(text, kinds: kinds) { return thing }
      return try only(try prefixed(text, kinds: kinds), of: text, or: nil)
    case .any:
      if let thing = try fullId(text, kinds: kinds) { return thing }
      var named: [Thing] = []
      if kinds.contains(.crate) { named += try namedCrates(text) }
      if kinds.contains(.album) { named += try namedAlbums(text) }
      if !named.isEmpty { return try only(named, of: text, or: nil) }
      return try only(try prefixed(text, kinds: kinds), of: text, or: nil)
    }
  }

  private func only(
    _ candidates: [Thing], of text: String, or error: InterfaceError?
  ) throws(Failure) -> Thing {
    guard let first = candidates.first else {
      throw .refused(
        error?.message
          ?? "nothing is called “\(text)”; `crate list` and `crate list CRATE` show what is there")
    }
    guard candidates.count == 1 else {
      let shown = candidates.prefix(Self.candidatesShownMost).map(\.label)
      let more = candidates.count - shown.count
      throw .refused(
        "“\(text)” may be any of: \(shown.joined(separator: ", "))"
          + (more > 0 ? " and \(more) more" : "") + "; give an id, or crate:NAME")
    }
    return first
  }

  private static let candidatesShownMost = 10

  private func namedCrates(_ name: String) throws(Failure) -> [Thing] {
    let listed = try crates().filter { folded($0.name) == folded(name) }
    if !listed.isEmpty { return listed.map { .crate($0) } }
    // One whose songs are all gone is not listed, and keeps its name and its place.
    guard let album = try albums().first(where: { folded($0.crate) == folded(name) }) else {
      return []
    }
    return [
      .crate(Interface.Crate(name: album.crate, position: nil, albums: 0, songs: 0, seconds: 0))
    ]
  }

  /// Albums that are gone are called by their ids.
  private func namedAlbums(_ title: String) throws(Failure) -> [Thing] {
    try albums().filter { $0.position != nil && folded($0.title) == folded(title) }
      .map { .album($0) }
  }

  private func fullId(_ text: String, kinds: Set<Thing.Kind>) throws(Failure) -> Thing? {
    guard text.utf8.count == Identifier.length, Identifier.canBegin(with: text),
      kinds.contains(.album)
    else { return nil }
    if let album = try albums().first(where: { $0.id == text }) { return .album(album) }
    // An album that was taken over by another one is found under its former id by the daemon only.
    let call = Call.listSongs(crate: nil, album: text, gone: true, first: 1, count: 1)
    guard let reply = try daemon.replyUnlessUnknown(to: call), case .songs(let songs, _, _) = reply
    else { return nil }
    return try albums().first { $0.id == songs.first?.album }.map { .album($0) }
  }

  /// What the beginning of an id may stand for. Where no album has it and songs are wanted, a full
  /// id is taken for a song's: the daemon says if there is none.
  private func prefixed(_ text: String, kinds: Set<Thing.Kind>) throws(Failure) -> [Thing] {
    guard Identifier.canBegin(with: text) else { return [] }
    var found: [Thing] = []
    if kinds.contains(.album) {
      found += try albums().filter { $0.id.hasPrefix(text) }.map { .album($0) }
    }
    guard kinds.contains(.song) else { return found }
    if text.utf8.count == Identifier.length, found.isEmpty { return [.song(id: text, nil)] }
    return found + (try songs()).filter { $0.id.hasPrefix(text) }.map { .song(id: $0.id, $0) }
  }

  // MARK: What the daemon knows

  private func crates() throws(Failure) -> [Interface.Crate] {
    if let knownCrates { return knownCrates }
    let crates = try daemon.crates()
    knownCrates = crates
    return crates
  }

  private func albums() throws(Failure) -> [Interface.Album] {
    if let knownAlbums { return knownAlbums }
    let albums = try daemon.albums()
    knownAlbums = albums
    return albums
  }

  private func songs() throws(Failure) -> [Interface.Song] {
    if let knownSongs { return knownSongs }
    let songs = try daemon.songs()
    knownSongs = songs
    return songs
  }

  /// The song of an id that was taken on trust.
  func song(_ id: String) throws(Failure) -> Interface.Song {
    guard let song = try songs().first(where: { $0.id == id }) else {
      throw .refused(InterfaceError.noSuchSong(id: id).message)
    }
    return song
  }
}
