import CratesInterface

/// The message for a name that is unknown or ambiguous, with what to do.
struct Misunderstanding {
  let failure: Failure

  /// The most similar names, and the most candidates, in a message.
  private static let nearMost = 3
  private static let candidatesMost = 10

  init(
    _ what: WhatArgument, _ meaning: Interface.Meaning, _ finder: Finder
  ) throws(Failure) {
    if !meaning.candidates.isEmpty {
      failure = try Self.several(what, meaning.candidates, finder.daemon)
    } else if what.hasPositions {
      failure = try Self.position(what, finder)
    } else if let other = try Self.other(what, finder) {
      failure = other
    } else {
      failure = try Self.absent(what, meaning.near, finder)
    }
  }

  /// Describes the first words that can't be interpreted. Prefers a longer name to a shorter one.
  init(_ readings: NameReadings, _ finder: Finder) throws(Failure) {
    let stuck = readings.stuck
    if let query = readings.cutQuery {
      failure = .refused(
        "“\(readings.words[stuck])” is no part of the query before it; quote all of that:"
          + " \(Shown.quoted(query))")
      return
    }
    let alone = readings.typed.first { $0.words.lowerBound == stuck } ?? readings.typed[0]
    let names = readings.names(at: stuck) + (alone.what.hasPositions ? [alone] : [])
    var outer: [WhatArgument] = []
    for name in names { outer.append(try WhatArgument(name: name.what.name)) }
    let meanings = Array(zip(names, try finder.asked(outer, Interface.Kind.allCases)))
    if let (name, meaning) = meanings.first(where: {
      !$1.what.isEmpty || !$1.candidates.isEmpty
    }) {
      self = try Misunderstanding(
        name.what, meaning.what.isEmpty ? meaning : Interface.Meaning(), finder)
    } else if let (name, meaning) = meanings.first(where: { !$1.near.isEmpty }) {
      self = try Misunderstanding(name.what, meaning, finder)
    } else {
      let isKnown = !alone.meaning.candidates.isEmpty || !alone.meaning.near.isEmpty
      let what = isKnown ? alone : readings.unknown(at: stuck) ?? alone
      self = try Misunderstanding(what.what, alone.meaning, finder)
    }
  }

  // MARK: Several

  private static func several(
    _ what: WhatArgument, _ candidates: [Interface.Thing], _ daemon: DaemonConnection
  ) throws(Failure) -> Failure {
    let named = candidates.prefix(candidatesMost)
    let ids = try ShortIds(
      named.filter { $0.crate == nil }.map(\.key), daemon, for: .errors)
    let shown = named.map { label($0, ids) }
    let more = candidates.count - shown.count
    return .refused(
      "“\(what.name)” may be \(Shown.either(shown))" + (more > 0 ? ", or one of \(more) more" : "")
        + "; write one of these")
  }

  /// Returns an unambiguous name of a thing, with its title.
  private static func label(_ thing: Interface.Thing, _ ids: ShortIds) -> String {
    if let crate = thing.crate { return "crate:\(crate)" }
    return "\(ids.shown(thing.key)) (\(thing.label)\(thing.song == nil ? "" : ", a song"))"
  }

  // MARK: Positions

  /// Explains a position that doesn't exist, or the unknown name before it.
  private static func position(_ what: WhatArgument, _ finder: Finder) throws(Failure) -> Failure {
    var outer = what
    let position = outer.words.removeLast()
    var all = finder
    all.wanted = Interface.Kind.allCases
    let meaning = try all.meanings(of: [outer])[0]
    guard let thing = meaning.what.first else {
      return try Misunderstanding(outer, meaning, all).failure
    }
    if thing.song != nil {
      return .wrongUse("\(thing.label) is a song, which has nothing inside it")
    }
    let count = try finder.daemon.count(inside: thing)
    return .refused(
      "there is no “\(position)” in \(thing.label), which has \(count); see: crate list "
        + Shown.word(thing.crate.map { _ in outer.text } ?? thing.key))
  }

  // MARK: Nothing

  /// Explains that the name denotes something that the command doesn't accept.
  private static func other(_ what: WhatArgument, _ finder: Finder) throws(Failure) -> Failure? {
    guard Set(finder.wanted) != Set(Interface.Kind.allCases), !what.isPath, what.mark != .query
    else { return nil }
    let meaning = try finder.asked([what], Interface.Kind.allCases)[0]
    guard let thing = (meaning.what + meaning.candidates).first else { return nil }
    if let crate = thing.crate, finder.wanted == [.album] {
      return .refused(
        "“\(what.name)” is a crate; name an album, such as its first one: \(Shown.words(crate)) 1")
    }
    let article = thing.kind == .album ? "an" : "a"
    let kinds = Shown.either(finder.wanted.map { "\($0.rawValue)s" })
    return .refused(
      "“\(what.name)” is \(article) \(thing.kind.rawValue); this command takes \(kinds)")
  }

  private static func absent(
    _ what: WhatArgument, _ near: [Interface.Thing], _ finder: Finder
  ) throws(Failure) -> Failure {
    let text = what.unmarked
    let mark = what.mark ?? (finder.wanted == [.crate] ? .crate : nil)
    if mark == .query { return .refused("nothing was found for “\(text)”") }
    // The running scan may still find it.
    if near.isEmpty, let scan = Scan(try finder.daemon.status()) {
      return .refused("nothing is called “\(text)” yet; \(scan.text), and crate sync waits")
    }
    if what.isPath {
      return .refused("there is no song of yours at \(what.name); crate status shows the folders")
    }
    let nothing =
      switch mark {
      case .crate: "there is no crate called “\(text)”"
      case .album: "there is no album called “\(text)”"
      case .song: "there is no song called “\(text)”"
      case .id: "there is no id that begins with “\(text)”"
      case nil, .query: "nothing is called “\(text)”"
      }
    if what.mark == .id, text.count < 4 {
      return .refused("\(nothing); give the first four letters of one, or more")
    }
    if mark == nil || mark == .crate, finder.wanted.contains(.crate),
      let present = try FormerName(text, finder).present
    {
      return .refused("\(nothing); the crate that had this name is now called \(present)")
    }
    if mark == nil || mark == .crate, let crate = try finder.crate(at: text) {
      return .refused("\(nothing); crate \(text) is called \(Shown.words(crate))")
    }
    if !near.isEmpty {
      let names = try labels(near.prefix(nearMost), finder.daemon)
      return .refused("\(nothing); did you mean \(Shown.either(names))?")
    }
    if mark == nil, let query = query(text) {
      return .refused("\(nothing); a query is written as \(query)")
    }
    if mark == nil || mark == .album {
      let artist = mark == nil ? try finder.artist(text) : nil
      if let artist, artist.isExact { return .refused(artist.text) }
      let (offers, count) = try finder.offers(for: text)
      if !offers.isEmpty {
        let more = count > offers.count ? " there are more: crate find \(Shown.word(text))" : ""
        return .refused("\(nothing); did you mean \(Shown.either(offers))?\(more)")
      }
      if let artist { return .refused("\(nothing); \(artist.text)") }
    }
    let advice = mark == .crate ? "crate list" : "crate find \(Shown.word(text))"
    return .refused("\(nothing); look for it with: \(advice)")
  }

  /// Returns names that can be typed; things with equal names have their ids in front.
  static func labels(
    _ things: some Collection<Interface.Thing>, _ daemon: DaemonConnection
  ) throws(Failure) -> [String] {
    guard Set(things.map(\.label)).count < things.count else {
      return things.map { Shown.words($0.label) }
    }
    let ids = try ShortIds(things.filter { $0.crate == nil }.map(\.key), daemon, for: .errors)
    return things.map { label($0, ids) }
  }

  /// Returns the notation of a query that was typed as a name, such as `artist:radiohead`.
  private static func query(_ text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
      text.index(after: colon) != text.endIndex, text[..<colon].allSatisfy(\.isLetter)
    else { return nil }
    return Finder.word(ofQuery: text)
  }
}
