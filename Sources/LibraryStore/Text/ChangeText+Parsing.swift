import LibraryModel

extension ChangeText {
  /// The change that the words say; all of them must be understood.
  static func change(_ line: ArraySlice<UInt8>) throws(LineFault) -> Change {
    var words = Words(line)
    let verb = String(decoding: try words.word("a verb"), as: UTF8.self)
    if verb == "undo" || verb == "redo" {
      let sequence = try words.number("the number of a change")
      if !words.isEmpty { throw LineFault("too many words") }
      return verb == "undo" ? .undid(sequence) : .redid(sequence)
    }
    let noun = String(decoding: try words.word("a noun"), as: UTF8.self)
    let change =
      switch noun {
      case "crate": try crateChange(verb, &words)
      case "album": try albumChange(verb, &words)
      case "song": try songChange(verb, &words)
      case "scan" where verb == "end": Change.firstScanEnded(try words.path())
      default: throw LineFault("\(verb) \(noun) is no change")
      }
    if !words.isEmpty { throw LineFault("too many words") }
    return change
  }

  private static func crateChange(
    _ verb: String, _ words: inout Words
  ) throws(LineFault) -> Change {
    let name = try crateName(&words)
    switch verb {
    case "add": return .crateAdded(name, after: try crateAnchor(&words))
    case "remove":
      try words.require("was")
      return .crateRemoved(name, wasAfter: try crateAnchor(&words))
    case "move":
      let anchor = try crateAnchor(&words)
      try words.require("was")
      return .crateMoved(name, after: anchor, wasAfter: try crateAnchor(&words))
    case "rename":
      try words.require("to")
      return .crateRenamed(name, to: try crateName(&words))
    default: throw LineFault("\(verb) crate is no change")
    }
  }

  private static func albumChange(
    _ verb: String, _ words: inout Words
  ) throws(LineFault) -> Change {
    let id = try words.album()
    switch verb {
    case "add":
      try words.require("to")
      try words.require("crate")
      let crate = try words.name("a crate's name")
      let anchor = try albumAnchor(&words)
      try words.require("group")
      let group = GroupText.group(try words.name("a group"))
      return .albumAdded(
        id, crate: crate, after: anchor, group: group, isFresh: words.take("fresh"))
    case "move":
      try words.require("to")
      try words.require("crate")
      let crate = try words.name("a crate's name")
      let anchor = try albumAnchor(&words)
      try words.require("was")
      try words.require("crate")
      let wasCrate = try words.name("a crate's name")
      return .albumMoved(
        id, crate: crate, after: anchor, wasCrate: wasCrate, wasAfter: try albumAnchor(&words))
    case "remove":
      try words.require("was")
      return .albumRemoved(id, was: try keptAlbum(&words))
    case "restore":
      try words.require("to")
      return .albumRestored(id, try keptAlbum(&words))
    case "arrange": return .albumArranged(id, true)
    case "unarrange": return .albumArranged(id, false)
    case "retag":
      try words.require("group")
      let group = GroupText.group(try words.name("a group"))
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

  private static func songChange(
    _ verb: String, _ words: inout Words
  ) throws(LineFault) -> Change {
    let id = try words.song()
    switch verb {
    case "add":
      try words.require("to")
      try words.require("album")
      let album = try words.album()
      let anchor = try songAnchor(&words)
      let added = try added(&words)
      let (digest, path) = try file(&words)
      return .songAdded(
        id, album: album, after: anchor, path: path, digest: digest, added: added)
    case "move":
      try words.require("in")
      try words.require("album")
      let album = try words.album()
      let anchor = try songAnchor(&words)
      try words.require("was")
      return .songMoved(id, in: album, after: anchor, wasAfter: try songAnchor(&words))
    case "retag":
      try words.require("to")
      try words.require("album")
      let album = try words.album()
      let anchor = try songAnchor(&words)
      try words.require("was")
      return .songRegrouped(id, album: album, after: anchor, was: try words.album())
    case "follow", "return":
      try words.require("by")
      guard let by = Evidence(rawValue: try words.name("the evidence")) else {
        throw LineFault("an unknown evidence")
      }
      let (digest, path) = try file(&words)
      return verb == "follow"
        ? .songFollowed(id, path: path, digest: digest, by: by)
        : .songReturned(id, path: path, digest: digest, by: by)
    case "lose": return .songGone(id, try traits(&words))
    case "forget":
      try words.require("was")
      return .songForgotten(id, was: try keptSong(&words))
    case "restore":
      try words.require("to")
      return .songRestored(id, try keptSong(&words))
    default: throw LineFault("\(verb) song is no change")
    }
  }

  /// Nothing that a snapshot would refuse.
  private static func crateName(_ words: inout Words) throws(LineFault) -> String {
    let name = try words.name("a crate's name")
    if let fault = crateNameFault(name) { throw LineFault(fault) }
    return name
  }

  private static func keptAlbum(_ words: inout Words) throws(LineFault) -> KeptAlbum {
    try words.require("crate")
    let crate = try words.name("a crate's name")
    let anchor = try albumAnchor(&words)
    var (aliases, slots): ([AlbumID], [SongID]) = ([], [])
    while words.take("also") { aliases.append(try words.album()) }
    while words.take("slot") { slots.append(try words.song()) }
    let (isArranged, isPlaced) = (words.take("arranged"), words.take("placed"))
    try words.require("group")
    return KeptAlbum(
      crate: crate, after: anchor, group: GroupText.group(try words.name("a group")),
      isArranged: isArranged, isPlaced: isPlaced, aliases: aliases, slots: slots)
  }

  private static func keptSong(_ words: inout Words) throws(LineFault) -> KeptSong {
    try words.require("album")
    let album = try words.album()
    let anchor = try songAnchor(&words)
    var slots: [KeptSlot] = []
    while words.take("slot") {
      let album = try words.album()
      slots.append(KeptSlot(album: album, after: try songAnchor(&words)))
    }
    let (isGone, isPlaced) = (words.take("gone"), words.take("placed"))
    let added = try added(&words)
    let (digest, path) = try file(&words)
    try words.require("group")
    let group = GroupText.group(try words.name("a group"))
    return KeptSong(
      album: album, after: anchor, slots: slots, group: group, path: path, digest: digest,
      added: added, isGone: isGone, isPlaced: isPlaced, traits: try traits(&words))
  }

  private static func added(_ words: inout Words) throws(LineFault) -> Int64 {
    try words.require("added")
    guard let added = Timestamp.milliseconds(try words.word("a time")) else {
      throw LineFault("a bad time")
    }
    return added
  }

  private static func file(
    _ words: inout Words
  ) throws(LineFault) -> (AudioDigest?, BytePath) {
    try words.require("digest")
    let digest = try DigestText.digest(try words.word("a digest"))
    try words.require("path")
    return (digest, try words.path())
  }

  private static func traits(_ words: inout Words) throws(LineFault) -> Traits {
    var traits = Traits()
    while let word = words.next() {
      guard let equals = word.firstIndex(of: UInt8(ascii: "=")) else {
        throw LineFault("too many words")
      }
      let (key, value) = (word[..<equals], word[(equals + 1)...])
      if try !TraitsText.take(key, value, into: &traits) { throw LineFault("an unknown key") }
    }
    return traits
  }

  private static func crateAnchor(_ words: inout Words) throws(LineFault) -> String? {
    if words.take("first") { return nil }
    try words.require("after")
    return try words.name("a crate's name")
  }

  private static func albumAnchor(_ words: inout Words) throws(LineFault) -> AlbumID? {
    if words.take("first") { return nil }
    try words.require("after")
    return try words.album()
  }

  private static func songAnchor(_ words: inout Words) throws(LineFault) -> SongID? {
    if words.take("first") { return nil }
    try words.require("after")
    return try words.song()
  }
}
