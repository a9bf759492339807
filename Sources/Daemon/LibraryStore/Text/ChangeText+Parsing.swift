import LibraryModel

extension ChangeText {
  /// What the words of a line say, up to the first that is none of a change. One line is one
  /// change, but in format 1, which has lists in some of its lines.
  ///
  /// - Parameters:
  ///   - format: the version of the journal.
  ///   - changes: they are added to these.
  static func read(
    _ words: inout Words, format: Int, to changes: inout [Change]
  ) throws(LineFault) {
    var parser = ChangeParser(words: words, format: format)
    let change = try parser.change()
    words = parser.words
    changes += parser.before
    changes.append(change)
    changes += parser.after
  }

  /// Whether the line says that something was taken back, or done again.
  static func isUndoStep(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: undoing) || line.starts(with: redoing)
  }

  private static let undoing = Array("undo ".utf8)
  private static let redoing = Array("redo ".utf8)
}

/// Reads the words of one line.
struct ChangeParser {
  var words: Words
  let format: Int
  /// Format 1 has an album's slots and other ids, and a song's slots, in the line that drops the
  /// album or song, or puts it back. They are changes of their own now: these come before that one,
  private(set) var before: [Change] = []
  /// and these after it.
  private(set) var after: [Change] = []

  init(words: Words, format: Int) {
    self.words = words
    self.format = format
  }

  mutating func change() throws(LineFault) -> Change {
    let verb = String(decoding: try words.word("a verb"), as: UTF8.self)
    if verb == "undo" || verb == "redo" {
      let sequence = try words.number("the number of a change")
      return verb == "undo" ? .undid(sequence) : .redid(sequence)
    }
    if verb == "asked", format >= 2 { return .asked(by: try origin()) }
    let noun = String(decoding: try words.word("a noun"), as: UTF8.self)
    switch noun {
    case "crate": return try crateChange(verb)
    case "album": return try albumChange(verb)
    case "song": return try songChange(verb)
    case "scan" where verb == "end": return .firstScanEnded(try words.path())
    case "id" where format >= 2: return try aliasChange(verb)
    case "slot" where format >= 2: return try slotChange(verb)
    default: throw LineFault("\(verb) \(noun) is no change")
    }
  }

  private mutating func origin() throws(LineFault) -> String {
    try words.require("by")
    let text = try words.name("an origin")
    guard Transaction.isOrigin(text) else { throw LineFault("a bad origin") }
    return text
  }

  private mutating func crateChange(_ verb: String) throws(LineFault) -> Change {
    let id = verb == "add" || verb == "remove" ? words.takeCrate() : nil
    let name = try crateName()
    switch verb {
    case "add": return .crateAdded(name, after: try crateAnchor(), id: id)
    case "remove":
      try words.require("was")
      return .crateRemoved(name, wasAfter: try crateAnchor(), id: id)
    case "move":
      let anchor = try crateAnchor()
      try words.require("was")
      return .crateMoved(name, after: anchor, wasAfter: try crateAnchor())
    case "rename":
      try words.require("to")
      return .crateRenamed(name, to: try crateName())
    default: throw LineFault("\(verb) crate is no change")
    }
  }

  private mutating func albumChange(_ verb: String) throws(LineFault) -> Change {
    let id = try words.album()
    switch verb {
    case "add":
      try words.require("to")
      try words.require("crate")
      let crate = try words.name("a crate's name")
      let anchor = try albumAnchor()
      let group = try self.group()
      let isFresh = words.take("fresh")
      return .albumAdded(
        id, crate: crate, after: anchor, group: group, isFresh: isFresh,
        seen: try seen(unless: 0))
    case "move":
      try words.require("to")
      try words.require("crate")
      let crate = try words.name("a crate's name")
      let anchor = try albumAnchor()
      try words.require("was")
      try words.require("crate")
      let wasCrate = try words.name("a crate's name")
      return .albumMoved(
        id, crate: crate, after: anchor, wasCrate: wasCrate, wasAfter: try albumAnchor())
    case "remove":
      try words.require("was")
      return .albumRemoved(id, was: try keptAlbum(id, isRestored: false))
    case "restore":
      try words.require("to")
      return .albumRestored(id, try keptAlbum(id, isRestored: true))
    case "arrange": return .albumArranged(id, true)
    case "unarrange": return .albumArranged(id, false)
    case "touch": return .albumTouched(id)
    case "untouch": return .albumTouched(id, isNew: true)
    case "retag":
      let group = try self.group()
      try words.require("was")
      let was = GroupText.group(try words.name("a group"))
      let alias = words.take("also") ? try words.album() : nil
      return .albumRegrouped(id, group: group, was: was, alias: alias)
    case "join":
      try words.require("to")
      return .albumTookOver(try words.album(), other: id)
    default: throw LineFault("\(verb) album is no change")
    }
  }

  private mutating func aliasChange(_ verb: String) throws(LineFault) -> Change {
    let alias = try words.album()
    switch verb {
    case "remove":
      try words.require("was")
      return .aliasDropped(alias, of: try words.album())
    case "restore":
      try words.require("to")
      return .aliasRestored(alias, of: try words.album())
    default: throw LineFault("\(verb) id is no change")
    }
  }

  private mutating func songChange(_ verb: String) throws(LineFault) -> Change {
    let id = try words.song()
    switch verb {
    case "add":
      try words.require("to")
      let album = try album()
      let anchor = try songAnchor()
      let added = try added()
      let seen = try seen(unless: added)
      let (digest, path) = try file()
      return .songAdded(
        id, album: album, after: anchor, path: path, digest: digest, added: added, seen: seen)
    case "move":
      try words.require("in")
      let album = try album()
      let anchor = try songAnchor()
      try words.require("was")
      return .songMoved(id, in: album, after: anchor, wasAfter: try songAnchor())
    case "retag":
      if words.take("in") { return .songRetagged(id, in: try album()) }
      try words.require("to")
      let album = try album()
      let anchor = try songAnchor()
      try words.require("was")
      return .songRegrouped(id, album: album, after: anchor, was: try words.album())
    case "follow", "return":
      try words.require("by")
      guard let by = Evidence(rawValue: try words.name("the evidence")) else {
        throw LineFault("an unknown evidence")
      }
      let (digest, path) = try file()
      return verb == "follow"
        ? .songFollowed(id, path: path, digest: digest, by: by)
        : .songReturned(id, path: path, digest: digest, by: by)
    case "lose": return .songGone(id, try traits())
    case "forget":
      try words.require("was")
      return .songForgotten(id, was: try keptSong(id, isRestored: false))
    case "restore":
      try words.require("to")
      return .songRestored(id, try keptSong(id, isRestored: true))
    default: throw LineFault("\(verb) song is no change")
    }
  }

  private mutating func slotChange(_ verb: String) throws(LineFault) -> Change {
    let id = try words.song()
    try words.require("in")
    let album = try album()
    switch verb {
    case "forget":
      try words.require("was")
      return .slotDropped(id, in: album, wasAfter: try songAnchor())
    case "restore": return .slotRestored(id, in: album, after: try songAnchor())
    default: throw LineFault("\(verb) slot is no change")
    }
  }
}

// MARK: Parts

extension ChangeParser {
  /// Nothing that a snapshot would refuse.
  private mutating func crateName() throws(LineFault) -> String {
    let name = try words.name("a crate's name")
    if let fault = crateNameFault(name) { throw LineFault(fault) }
    return name
  }

  private mutating func keptAlbum(
    _ id: AlbumID, isRestored: Bool
  ) throws(LineFault) -> KeptAlbum {
    try words.require("crate")
    let crate = try words.name("a crate's name")
    let anchor = try albumAnchor()
    if format == 1 { try readLists(of: id, isRestored: isRestored) }
    let (isArranged, isTouched) = (words.take("arranged"), words.take(touchedWord))
    let seen = try seen(unless: 0)
    return KeptAlbum(
      crate: crate, after: anchor, group: try group(), seen: seen, isArranged: isArranged,
      isTouched: isTouched)
  }

  private mutating func readLists(of id: AlbumID, isRestored: Bool) throws(LineFault) {
    var (aliases, slots): ([AlbumID], [SongID]) = ([], [])
    while words.take("also") { aliases.append(try words.album()) }
    while words.take("slot") { slots.append(try words.song()) }
    let anchors = [nil] + slots.dropLast().map(Optional.some)
    if isRestored {
      after = zip(slots, anchors).map { .slotRestored($0, in: id, after: $1) }
      after += aliases.map { .aliasRestored($0, of: id) }
    } else {
      before = aliases.reversed().map { .aliasDropped($0, of: id) }
      before += zip(slots, anchors).reversed().map { .slotDropped($0, in: id, wasAfter: $1) }
    }
  }

  private mutating func keptSong(_ id: SongID, isRestored: Bool) throws(LineFault) -> KeptSong {
    let album = try album()
    let anchor = try songAnchor()
    while format == 1, words.take("slot") {
      let other = try words.album()
      let anchor = try songAnchor()
      if isRestored {
        after.append(.slotRestored(id, in: other, after: anchor))
      } else {
        before.append(.slotDropped(id, in: other, wasAfter: anchor))
      }
    }
    let (isGone, isTouched) = (words.take("gone"), words.take(touchedWord))
    let added = try added()
    let seen = try seen(unless: added)
    let (digest, path) = try file()
    let group = try group()
    return KeptSong(
      album: album, after: anchor, group: group, path: path, digest: digest, added: added,
      seen: seen, isGone: isGone, isTouched: isTouched, traits: try traits())
  }

  private var touchedWord: String { format == 1 ? "placed" : "touched" }

  private mutating func group() throws(LineFault) -> GroupKey {
    try words.require("group")
    return GroupText.group(try words.name("a group"))
  }

  private mutating func added() throws(LineFault) -> Int64 {
    try words.require("added")
    return try time()
  }

  /// The look of first sight, which is left out where it is the usual.
  private mutating func seen(unless usual: Int64) throws(LineFault) -> Int64 {
    format >= 2 && words.take("seen") ? try time() : usual
  }

  private mutating func time() throws(LineFault) -> Int64 {
    guard let time = Timestamp.milliseconds(try words.word("a time")) else {
      throw LineFault("a bad time")
    }
    return time
  }

  private mutating func file() throws(LineFault) -> (AudioDigest?, BytePath) {
    try words.require("digest")
    let digest = try DigestText.digest(try words.word("a digest"))
    try words.require("path")
    return (digest, try words.path())
  }

  /// Up to the first word that is no `key=value`.
  private mutating func traits() throws(LineFault) -> Traits {
    var traits = Traits()
    var ahead = words
    while let word = ahead.next(), let equals = word.firstIndex(of: UInt8(ascii: "=")) {
      let (key, value) = (word[..<equals], word[(equals + 1)...])
      if try !TraitsText.take(key, value, into: &traits) { throw LineFault("an unknown key") }
      words = ahead
    }
    return traits
  }

  private mutating func album() throws(LineFault) -> AlbumID {
    try words.require("album")
    return try words.album()
  }

  private mutating func crateAnchor() throws(LineFault) -> String? {
    if words.take("first") { return nil }
    try words.require("after")
    return try words.name("a crate's name")
  }

  private mutating func albumAnchor() throws(LineFault) -> AlbumID? {
    if words.take("first") { return nil }
    try words.require("after")
    return try words.album()
  }

  private mutating func songAnchor() throws(LineFault) -> SongID? {
    if words.take("first") { return nil }
    try words.require("after")
    return try words.song()
  }
}
