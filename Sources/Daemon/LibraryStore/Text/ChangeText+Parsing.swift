import LibraryModel

extension ChangeText {
  /// Parses a line that `text` wrote.
  static func change(_ line: ArraySlice<UInt8>) throws(ParseError) -> Change {
    var words = Words(line)
    let change = try words.change()
    if !words.isEmpty { throw ParseError("too many words") }
    return change
  }
}

extension Words {
  fileprivate mutating func change() throws(ParseError) -> Change {
    let line = remaining
    _ = try word("a verb")
    let noun = try word("a noun")
    let words = String(decoding: line[..<noun.endIndex], as: UTF8.self)
    switch words {
    case "add song": return .songAdded(try song(), try songRecord("to"))
    case "follow song": return try songFollowed()
    case "lose song": return .songGone(try song(), try traits())
    case "forget song": return .songForgotten(try song(), was: try songRecord("was"))
    case "move song":
      return .songMoved(
        try song(), in: try album("in album"), after: try songAnchor(),
        wasAfter: try songAnchor("was"))
    case "retag song":
      let id = try song()
      if consume("in") { return .songRetagged(id, in: try album("album")) }
      return .songRegrouped(
        id, album: try album("to album"), after: try songAnchor(), was: try album("was"))
    case "forget slot":
      return .slotDropped(try song(), in: try album("in album"), wasAfter: try songAnchor("was"))
    case "restore slot":
      return .slotRestored(try song(), in: try album("in album"), after: try songAnchor())

    case "add album": return .albumAdded(try album(), try albumRecord("to"))
    case "move album":
      return .albumMoved(
        try album(), crate: try crate("to crate"), after: try albumAnchor(),
        wasCrate: try crate("was crate"), wasAfter: try albumAnchor())
    case "remove album": return .albumRemoved(try album(), was: try albumRecord("was"))
    case "arrange album": return .albumArranged(try album(), true)
    case "unarrange album": return .albumArranged(try album(), false)
    case "touch album": return .albumTouched(try album())
    case "untouch album": return .albumTouched(try album(), isNew: true)
    case "retag album":
      return .albumRegrouped(
        try album(), group: try group("group"), was: try group("was"),
        alias: consume("also") ? try album() : nil)
    case "join album":
      let other = try album()
      return .albumTookOver(try album("to"), other: other)
    case "remove id": return .aliasDropped(try album(), of: try album("was"))
    case "restore id": return .aliasRestored(try album(), of: try album("to"))
    case "end scan": return .firstScanEnded(try path())
    default: return try crateChange(words)
    }
  }

  private mutating func crateChange(_ words: String) throws(ParseError) -> Change {
    switch words {
    case "add crate":
      let id = consumeCrateID()
      return .crateAdded(try crateName(), after: try crateAnchor(), id: id)
    case "remove crate":
      let id = consumeCrateID()
      return .crateRemoved(try crateName(), wasAfter: try crateAnchor("was"), id: id)
    case "move crate":
      return .crateMoved(
        try crateName(), after: try crateAnchor(), wasAfter: try crateAnchor("was"))
    case "rename crate": return .crateRenamed(try crateName(), to: try crateName("to"))
    default: throw ParseError("\(words) is no change")
    }
  }

  private mutating func songFollowed() throws(ParseError) -> Change {
    let id = try song()
    try require("by")
    guard let evidence = Evidence(rawValue: try name("the evidence")) else {
      throw ParseError("an unknown evidence")
    }
    let (digest, path) = try file()
    return .songFollowed(id, path: path, digest: digest, by: evidence)
  }
}

// MARK: Parts, each behind the words that it needs before it

extension Words {
  private mutating func albumRecord(_ words: String) throws(ParseError) -> AlbumRecord {
    try require(words)
    let (crate, anchor) = (try crate("crate"), try albumAnchor())
    let (isArranged, isTouched, isFresh) = (
      consume("arranged"), consume("touched"), consume("fresh")
    )
    let seen = consume("seen") ? try time() : 0
    return AlbumRecord(
      crate: crate, after: anchor, group: try group("group"), seen: seen, isFresh: isFresh,
      isArranged: isArranged, isTouched: isTouched)
  }

  private mutating func songRecord(_ words: String) throws(ParseError) -> SongRecord {
    try require(words)
    let (album, anchor) = (try album("album"), try songAnchor())
    let (isGone, isTouched) = (consume("gone"), consume("touched"))
    try require("added")
    let added = try time()
    let seen = consume("seen") ? try time() : added
    let (digest, path) = try file()
    let group = consume("group") ? GroupText.group(try name("a group")) : nil
    return SongRecord(
      album: album, after: anchor, group: group, path: path, digest: digest, added: added,
      seen: seen, isGone: isGone, isTouched: isTouched, traits: try traits())
  }

  private mutating func group(_ words: String) throws(ParseError) -> GroupKey {
    try require(words)
    return GroupText.group(try name("a group"))
  }

  private mutating func time() throws(ParseError) -> Int64 { try word("a time").time() }

  private mutating func file() throws(ParseError) -> (AudioDigest?, BytePath) {
    try require("digest")
    let digest = try DigestText.digest(try word("a digest"))
    try require("path")
    return (digest, try path())
  }

  /// Reads traits up to the first word that is no `key=value`.
  private mutating func traits() throws(ParseError) -> Traits {
    var traits = Traits()
    var ahead = self
    while let word = ahead.next(), let equals = word.firstIndex(of: UInt8(ascii: "=")) {
      let (key, value) = (word[..<equals], word[(equals + 1)...])
      if try !TraitsText.set(key, value, into: &traits) { throw ParseError("an unknown key") }
      self = ahead
    }
    return traits
  }

  private mutating func album(_ words: String) throws(ParseError) -> AlbumID {
    try require(words)
    return try album()
  }

  /// Reads the name of an existing crate. Whether it exists is checked when the change is applied.
  private mutating func crate(_ words: String) throws(ParseError) -> String {
    try require(words)
    return try name("a crate's name")
  }

  /// Reads the name of a crate that a change is about, which a snapshot must accept, too.
  private mutating func crateName(_ words: String? = nil) throws(ParseError) -> String {
    if let words { try require(words) }
    let name = try name("a crate's name")
    if let fault = crateNameFault(name) { throw ParseError(fault) }
    return name
  }

  /// Returns whether an item goes behind another one, which follows; otherwise it goes first.
  private mutating func isAfter(_ words: String?) throws(ParseError) -> Bool {
    if let words { try require(words) }
    if consume("first") { return false }
    try require("after")
    return true
  }

  private mutating func crateAnchor(_ words: String? = nil) throws(ParseError) -> String? {
    try isAfter(words) ? try name("a crate's name") : nil
  }

  private mutating func albumAnchor(_ words: String? = nil) throws(ParseError) -> AlbumID? {
    try isAfter(words) ? try album() : nil
  }

  private mutating func songAnchor(_ words: String? = nil) throws(ParseError) -> SongID? {
    try isAfter(words) ? try song() : nil
  }
}
