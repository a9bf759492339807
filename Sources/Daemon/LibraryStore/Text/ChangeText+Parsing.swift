import LibraryModel
import Platform

extension ChangeText {
  /// The change that the words of a line say.
  static func change(_ line: ArraySlice<UInt8>) throws(LineFault) -> Change {
    var parser = ChangeParser(words: Words(line))
    let change = try parser.change()
    if !parser.words.isEmpty { throw LineFault("too many words") }
    return change
  }
}

/// Reads the words of one line.
private struct ChangeParser {
  var words: Words

  mutating func change() throws(LineFault) -> Change {
    let verb = String(decoding: try words.word("a verb"), as: UTF8.self)
    let noun = String(decoding: try words.word("a noun"), as: UTF8.self)
    switch noun {
    case "crate": return try crateChange(verb)
    case "album": return try albumChange(verb)
    case "song": return try songChange(verb)
    case "scan" where verb == "end": return .firstScanEnded(try words.path())
    case "id": return try aliasChange(verb)
    case "slot": return try slotChange(verb)
    default: throw LineFault("\(verb) \(noun) is no change")
    }
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
      return .albumAdded(id, try albumRecord())
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
      return .albumRemoved(id, was: try albumRecord())
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
      return .songAdded(id, try songRecord())
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
    case "follow":
      try words.require("by")
      guard let by = Evidence(rawValue: try words.name("the evidence")) else {
        throw LineFault("an unknown evidence")
      }
      let (digest, path) = try file()
      return .songFollowed(id, path: path, digest: digest, by: by)
    case "lose": return .songGone(id, try traits())
    case "forget":
      try words.require("was")
      return .songForgotten(id, was: try songRecord())
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

  private mutating func albumRecord() throws(LineFault) -> AlbumRecord {
    try words.require("crate")
    let crate = try words.name("a crate's name")
    let anchor = try albumAnchor()
    let (isArranged, isTouched) = (words.take("arranged"), words.take("touched"))
    let isFresh = words.take("fresh")
    let seen = try seen(unless: 0)
    return AlbumRecord(
      crate: crate, after: anchor, group: try group(), seen: seen, isFresh: isFresh,
      isArranged: isArranged, isTouched: isTouched)
  }

  private mutating func songRecord() throws(LineFault) -> SongRecord {
    let album = try album()
    let anchor = try songAnchor()
    let (isGone, isTouched) = (words.take("gone"), words.take("touched"))
    let added = try added()
    let seen = try seen(unless: added)
    let (digest, path) = try file()
    let group = words.take("group") ? GroupText.group(try words.name("a group")) : nil
    return SongRecord(
      album: album, after: anchor, group: group, path: path, digest: digest, added: added,
      seen: seen, isGone: isGone, isTouched: isTouched, traits: try traits())
  }

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
    words.take("seen") ? try time() : usual
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
