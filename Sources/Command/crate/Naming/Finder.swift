import CratesInterface
import Glibc
import Platform

/// Finds what the person named: crated says what words mean.
struct Finder {
  let daemon: DaemonConnection
  /// What a name may stand for.
  var wanted: [Interface.Kind] = Interface.Kind.allCases
  /// What a folder stands for; the songs in it, where songs are wanted, if nothing else is said.
  var inFolders: [Interface.Kind]? = [.album]

  /// What was named, and how.
  struct Found {
    /// In the order in which they were named, each once.
    var things: [Interface.Thing] = []
    /// Whether several were named one by one, which is an order; a range or a crate has its own.
    var isOneByOne = false
  }

  /// Names in one call; more than people type.
  private static let namesAtOnce = 5_000

  /// `-` stands for names or ids from standard input, one a line.
  func found(_ words: [String]) throws(Failure) -> Found {
    var whats: [WhatArgument] = []
    if words.contains("-") {
      guard words == ["-"] else {
        throw .wrongUse("`-` stands alone, for names or ids on standard input")
      }
      for line in try Input.lines() { whats.append(try WhatArgument(name: line)) }
      if whats.isEmpty { throw .refused("nothing came on standard input") }
    } else {
      whats = try WhatArgument.read(words)
    }
    var found = Found()
    found.isOneByOne = whats.count > 1 || whats.contains(where: \.isList)
    var seen: Set<Interface.Thing> = []
    for (what, meaning) in zip(whats, try meanings(of: whats)) {
      guard !meaning.what.isEmpty else { throw try Misunderstanding(what, meaning, self).failure }
      for thing in meaning.what where seen.insert(thing).inserted { found.things.append(thing) }
    }
    return found
  }

  func things(_ words: [String]) throws(Failure) -> [Interface.Thing] { try found(words).things }

  /// The one thing that is meant. Throws where it is none or several.
  func thing(_ words: [String]) throws(Failure) -> Interface.Thing {
    let things = try things(words)
    guard let thing = things.first, things.count == 1 else {
      throw .wrongUse(
        "“\(words.joined(separator: " "))” matches \(things.count) things; this command takes one")
    }
    return thing
  }

  // MARK: Asking

  func meanings(of whats: [WhatArgument]) throws(Failure) -> [Interface.Meaning] {
    var meanings: [Interface.Meaning] = []
    var rest = whats[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Self.namesAtOnce))
      rest = rest.dropFirst(some.count)
      // Folders are asked for by themselves: they may stand for something else.
      let isFolder = some.map { inFolders != nil && $0.isPath && Self.isFolder($0.name) }
      let names = try asked(zip(some, isFolder).filter { !$1 }.map(\.0), wanted)
      let folders = try asked(zip(some, isFolder).filter { $1 }.map(\.0), inFolders ?? wanted)
      var (next, nextFolder) = (names.makeIterator(), folders.makeIterator())
      meanings += isFolder.compactMap { $0 ? nextFolder.next() : next.next() }
    }
    // What isn't called so may be a path.
    let places = whats.indices.filter { place in
      let what = whats[place]
      return meanings[place] == Interface.Meaning() && !what.isPath && what.mark == nil
        && what.name.contains("/")
    }
    if places.isEmpty { return meanings }
    let paths = places.map { place in
      var path = whats[place]
      path.words[0] = "./\(path.name)"
      return path
    }
    for (place, meaning) in zip(places, try self.meanings(of: paths)) where !meaning.what.isEmpty {
      meanings[place] = meaning
    }
    return meanings
  }

  /// What the words mean, if they may stand for nothing but these kinds.
  func asked(_ whats: [WhatArgument], _ kinds: [Interface.Kind]) throws(Failure) -> [Interface
    .Meaning]
  {
    if whats.isEmpty { return [] }
    let words = whats.map { what in
      what.isPath ? [FileAddress.absolute(what.name)] + what.words.dropFirst() : what.words
    }
    let call = Call.resolve(words: words, wanted: kinds)
    guard case .meanings(let meanings, _) = try daemon.reply(to: call),
      meanings.count == whats.count
    else { throw .unreadable("it does not say what all of the words mean") }
    return meanings
  }

  private static func isFolder(_ word: String) -> Bool {
    let address = FileAddress.absolute(word)
    let path = FileAddress.path(address).map { String(decoding: $0, as: UTF8.self) } ?? address
    return FileStatus(name: path, followsLinks: true)?.isDirectory ?? false
  }

  // MARK: What stands for what

  /// Ids, each once. A crate stands for its albums.
  func albums(of things: [Interface.Thing]) throws(Failure) -> [String] {
    var ids: [String] = []
    var seen: Set<String> = []
    for thing in things {
      var albums: [String] = []
      if let crate = thing.crate {
        albums = try daemon.ids(
          of: .listAlbums(crate: crate, gone: false, first: nil, count: nil), in: "albums")
      } else if let album = thing.album {
        albums = [album]
      }
      ids += albums.filter { seen.insert($0).inserted }
    }
    guard !ids.isEmpty else { throw .refused("no album is listed there") }
    return ids
  }
}

// MARK: - Songs

extension Finder {
  /// Songs that are asked for in one call.
  private static let songsAtOnce = 5_000

  /// Each song that was named, as it came, in the order in which they were named. Crates, albums
  /// and folders stand for the songs that are listed in them.
  func eachSong(
    _ words: [String], _ body: (JSON) throws(Failure) -> Void
  ) throws(Failure) {
    var finder = self
    finder.inFolders = [.song]
    var named: [String] = []
    for thing in try finder.things(words) {
      try thing.refuseGone()
      if let song = thing.song {
        named.append(song)
        continue
      }
      try each(named, body)
      named = []
      let call = Call.listSongs(
        crate: thing.crate, album: thing.album, gone: false, first: nil, count: nil)
      try daemon.eachObject(of: call, in: "songs", body)
    }
    try each(named, body)
  }

  /// Listings are in the library's order.
  private func each(
    _ songs: [String], _ body: (JSON) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = songs[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Self.songsAtOnce))
      rest = rest.dropFirst(some.count)
      var known: [String: JSON] = [:]
      let call = Call.listSongs(
        crate: nil, album: nil, songs: some, gone: false, first: nil, count: nil)
      try daemon.eachObject(of: call, in: "songs") { object throws(Failure) in
        if let id = object["id"]?.string { known[id] = object }
      }
      for id in some { if let object = known[id] { try body(object) } }
    }
  }
}

extension Interface.Thing {
  /// Throws where nothing is left of it but its place.
  func refuseGone() throws(Failure) {
    if presence == .gone {
      throw .refused(
        "\(label) is gone: its files are not in the music folders any more; its place is kept, and"
          + " crate forget \(Shown.word(key)) drops it")
    }
  }

  var kind: Interface.Kind { crate != nil ? .crate : album != nil ? .album : .song }

  /// What crated knows it by.
  var key: String { crate ?? album ?? song ?? "" }
}
