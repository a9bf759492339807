import CratesInterface
import Glibc
import Platform

/// Finds the things that the user named. The daemon resolves the words.
struct Finder {
  let daemon: DaemonConnection
  /// The kinds that a name may denote.
  var wanted: [Interface.Kind] = Interface.Kind.allCases
  /// The kinds that a folder stands for; nil: the same as `wanted`.
  var inFolders: [Interface.Kind]? = [.album]
  /// Whether to leave out single songs beside albums in piped input. `find` prints both, and songs
  /// stay in their album.
  var prefersAlbums = false

  /// The named things, and how they were named.
  struct Found {
    /// The things in the order of their names, without duplicates.
    var things: [Interface.Thing] = []
    /// The things, grouped by name.
    var groups: [(things: [Interface.Thing], isOfSeveral: Bool)] = []
    /// Whether several things were named one by one, which gives them an order; a range or a crate
    /// has its own.
    var isOneByOne = false
  }

  /// The most names in one call, which is more than a user types.
  private static let namesAtOnce = 5_000

  /// Finds the named things. `-` stands for the lines of standard input.
  func found(_ words: [String]) throws(Failure) -> Found {
    let parts = words.contains("-") ? try piped(words) : try read(words)
    var found = Found()
    found.isOneByOne = parts.count > 1 || parts.contains(where: \.what.isList)
    var seen: Set<Interface.Thing> = []
    for part in parts {
      let things = part.meaning.what.filter { seen.insert($0).inserted }
      found.things += things
      found.groups.append((things, part.what.isOfSeveral))
    }
    return found
  }

  private func piped(_ words: [String]) throws(Failure) -> [NameReadings.Part] {
    guard words == ["-"] else {
      throw .wrongUse("`-` stands alone, for what comes on standard input")
    }
    var whats: [WhatArgument] = []
    for line in try Input.lines() { whats.append(try WhatArgument(name: PipedLine.name(line))) }
    if whats.isEmpty { throw .refused("nothing came on standard input") }
    let parts = zip(whats, try meanings(of: whats)).map {
      NameReadings.Part(words: 0..<1, what: $0, meaning: $1)
    }
    for part in parts where part.meaning.what.isEmpty {
      throw try Misunderstanding(part.what, part.meaning, self).failure
    }
    let things = parts.flatMap(\.meaning.what)
    guard prefersAlbums, things.contains(where: { $0.song == nil }) else { return parts }
    let whole = try songs(of: things)
    return parts.filter { part in
      part.meaning.what.allSatisfy { thing in
        thing.song.map { song in whole[song].map { $0.isWhole } ?? true } ?? true
      }
    }
  }

  /// Resolves the words of a command line, quoted or not, and with or without commas and “and”
  /// between names.
  private func read(_ words: [String]) throws(Failure) -> [NameReadings.Part] {
    do throws(Failure) {
      return try readAsTyped(words)
    } catch {
      guard error.status == .refused || error.status == .wrongUse,
        let others = NameReadings.withoutLinks(words),
        let parts = try? readAsTyped(others)
      else { throw error }
      return parts
    }
  }

  private func readAsTyped(_ words: [String]) throws(Failure) -> [NameReadings.Part] {
    var (whats, mistake): ([WhatArgument], Failure?) = ([], nil)
    do throws(Failure) { whats = try WhatArgument.read(words) } catch { mistake = error }
    var readings = NameReadings(words, typed: whats)
    for (place, meaning) in try meanings(of: whats).enumerated() {
      readings.typed[place].meaning = meaning
    }
    do throws(Failure) { try readings.join() } catch { throw mistake ?? error }
    readings.setJoined(try asked(readings.joined.map(\.what), wanted, count: 0))
    let whole = readings.whole
    if let reading = whole.first, whole.count == 1 { return reading }
    if whole.count > 1 { throw NameReadings.ambiguity(words, whole) }
    if let mistake { throw mistake }
    throw try Misunderstanding(readings, self).failure
  }

  func things(_ words: [String]) throws(Failure) -> [Interface.Thing] { try found(words).things }

  /// Returns the only thing that is named.
  ///
  /// - Throws: If there is none, or more than one.
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
    var meanings = [Interface.Meaning](repeating: Interface.Meaning(), count: whats.count)
    func note(_ places: [Int], _ kinds: [Interface.Kind]) throws(Failure) {
      var rest = places[...]
      while !rest.isEmpty {
        let some = rest.prefix(Self.namesAtOnce)
        rest = rest.dropFirst(some.count)
        for (place, meaning) in zip(some, try asked(some.map { whats[$0] }, kinds)) {
          meanings[place] = meaning
        }
      }
    }
    let queries = whats.indices.filter { whats[$0].mark == .query }
    for place in queries { meanings[place] = try meaning(ofQuery: whats[place]) }
    // Folders are resolved separately, since they may stand for other kinds.
    let folders = whats.indices.filter {
      inFolders != nil && whats[$0].isPath && Self.isFolder(whats[$0].name)
    }
    let others = Set(queries + folders)
    try note(whats.indices.filter { !others.contains($0) }, wanted)
    try note(folders, inFolders ?? wanted)
    // A word that is no name may be a path.
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

  /// Resolves the words as things of these kinds.
  ///
  /// - Parameter count: The most candidates and similar names.
  func asked(
    _ whats: [WhatArgument], _ kinds: [Interface.Kind], count: Int? = nil
  ) throws(Failure) -> [Interface.Meaning] {
    if whats.isEmpty { return [] }
    let words = whats.map { what in
      what.isPath ? [FileAddress.absolute(what.name)] + what.words.dropFirst() : what.words
    }
    let call = Call.resolve(words: words, wanted: kinds, count: count)
    guard case .meanings(let meanings, _) = try daemon.reply(to: call),
      meanings.count == whats.count
    else { throw .unreadable("it does not say what all of the words mean") }
    return meanings
  }

  private static func isFolder(_ word: String) -> Bool {
    let address = FileAddress.absolute(word)
    let path = FileURI.path(address).map { String(decoding: $0, as: UTF8.self) } ?? address
    return FileStatus(name: path, followsLinks: true)?.isDirectory ?? false
  }
}

// MARK: - Songs

extension Finder {
  /// The most songs in one call.
  private static let songsAtOnce = 5_000

  /// Passes each named song to `body`, as it came and in the order of the names. Crates, albums and
  /// folders stand for their listed songs.
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

  /// Passes songs to `body` in the given order; the daemon lists them in library order.
  func each(
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
  /// Throws if the thing is gone.
  func refuseGone() throws(Failure) {
    if presence == .gone {
      throw .refused(
        "\(label) is gone: its files are not in the music folders any more; its place is kept, and"
          + " crate forget \(Shown.word(key)) drops it")
    }
  }

  var kind: Interface.Kind { crate != nil ? .crate : album != nil ? .album : .song }

  /// The key by which the daemon identifies it.
  var key: String { crate ?? album ?? song ?? "" }
}
