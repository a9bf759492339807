package import LibraryModel

/// Reads a snapshot. Every line is parsed or reported; nothing is skipped silently.
package struct SnapshotReader {
  package enum Fault: Error, Hashable, Sendable {
    /// A later version of crated wrote the file.
    case newerVersion(Int)
    /// The file is torn, or was changed without being marked as edited.
    case damaged(line: Int, String)
    /// The user edited the file, and this line doesn't parse.
    case rejected(line: Int, String)
  }

  package struct Contents: Sendable {
    package var library: Library
    /// Whether the user edited the file and marked it as edited.
    package var isEdited: Bool
    /// Whether its songs were given the known facts.
    var hasFacts: Bool
  }

  private var builder = LibraryBuilder()
  private var number = 0
  private var sequence = 0

  /// Reads a whole snapshot.
  ///
  /// - Parameter facts: the known facts about its songs' files. Ignored for an edited snapshot.
  /// - Throws: the first line that is wrong, from 1, and why.
  package static func read(
    _ bytes: [UInt8], facts: KnownFacts? = nil
  ) throws(Fault) -> Contents {
    var reader = SnapshotReader()
    return try reader.read(bytes, facts)
  }

  /// Returns the seal of a snapshot that is as crated wrote it; nil for any other. Its lines are
  /// not parsed.
  static func seal(of text: [UInt8]) -> [UInt8]? {
    guard let end = try? SealedText.end(of: text), !end.isEdited else { return nil }
    return try? SealedText.seal(of: text, end)
  }

  private mutating func read(_ bytes: [UInt8], _ facts: KnownFacts?) throws(Fault) -> Contents {
    let text = SealedText.lines(of: bytes)
    let laterVersion: Int?
    do {
      laterVersion = try readHeader(text)
    } catch {
      let isEdited = (try? SealedText.end(of: text))?.isEdited ?? false
      throw isEdited ? .rejected(line: 1, error.reason) : .damaged(line: 1, error.reason)
    }
    if let laterVersion { throw .newerVersion(laterVersion) }
    let end: SealedText.End
    do {
      end = try SealedText.end(of: text)
      if !end.isEdited { _ = try SealedText.seal(of: text, end) }
    } catch {
      throw .damaged(line: error.line, error.reason)
    }
    let isEdited = end.isEdited
    let facts = isEdited ? nil : facts
    builder = LibraryBuilder(facts: facts)
    do {
      try readBody(text, until: end.start)
      let library = try builder.finish(sequence: sequence)
      return Contents(library: library, isEdited: isEdited, hasFacts: facts != nil)
    } catch {
      let reason = (error as? ParseError)?.reason ?? (error as? Misfit)?.description ?? "\(error)"
      throw isEdited ? .rejected(line: number, reason) : .damaged(line: number, reason)
    }
  }

  /// Returns the version if it is a later one.
  private mutating func readHeader(_ text: [UInt8]) throws(ParseError) -> Int? {
    let end = text.firstIndex(of: 0x0A) ?? text.endIndex
    var words = Words(text[..<end])
    try words.require("crated")
    let version = try words.number("the version")
    if version > Snapshot.version { return version }
    guard version > 0 else { throw ParseError("version \(version) is not known") }
    try words.require("sequence")
    sequence = try words.number("the sequence number")
    if !words.isEmpty { throw ParseError("too many words") }
    return nil
  }

  private mutating func readBody(_ text: [UInt8], until end: Int) throws {
    number = 1
    var start = (text.firstIndex(of: 0x0A) ?? end - 1) + 1
    while start < end {
      let lineEnd = text[start..<end].place(of: 0x0A) ?? end
      number += 1
      try readLine(text[start..<lineEnd])
      start = lineEnd + 1
    }
  }
}

// MARK: Lines

extension SnapshotReader {
  private mutating func readLine(_ line: ArraySlice<UInt8>) throws {
    let tabs = line.prefix { $0 == 0x09 }.count
    let text = line.dropFirst(tabs)
    if text.isEmpty || text.first == UInt8(ascii: "#") { return }
    var words = Words(text)
    let kind = String(decoding: try words.word("a word"), as: UTF8.self)
    switch (kind, tabs) {
    case ("crate", 0): try readCrate(words)
    case ("album", 1): try readAlbum(&words, isArranged: false)
    case ("album*", 1): try readAlbum(&words, isArranged: true)
    case ("song", 2), ("offline", 2): try readSong(&words, isGone: false)
    case ("gone", 2): try readSong(&words, isGone: true)
    case ("slot", 2): try builder.addSlot(try words.song())
    case ("also", 2):
      try builder.addAlias(try words.album())
      if !words.isEmpty { throw ParseError("too many words") }
    default: throw ParseError("\"\(kind)\" with \(tabs) tabs before it is no line of a library")
    }
  }

  private mutating func readCrate(_ words: Words) throws {
    var words = words
    let id = words.consumeCrateID()
    try builder.addCrate(try words.remaining.text(), id: id)
  }

  private mutating func readAlbum(_ words: inout Words, isArranged: Bool) throws {
    let id = try words.album()
    var group: GroupKey?
    var touch: Touch?
    var isFresh = false
    var isNew = false
    var seen: Int64 = 0
    var came: Int?
    while let (key, name, value) = keyAndValue(&words) {
      switch key {
      case .group where group == nil:
        group = GroupText.group(try value.text())
      case .touched: touch = try self.touch(value)
      case .fresh: isFresh = try flag(value)
      case .new: isNew = try flag(value)
      case .seen: seen = try value.time()
      case .came: came = try value.count()
      default:
        throw ParseError("\(name.display) is no word of an album")
      }
    }
    guard let group else { throw ParseError("the album's group is missing") }
    try builder.addAlbum(
      id, group: group, isArranged: isArranged, touch: touch, isFresh: isFresh, isNew: isNew,
      seen: seen, came: came)
  }

  private mutating func readSong(_ words: inout Words, isGone: Bool) throws {
    let id = try words.song()
    var added: Int64?
    var digest: AudioDigest?
    var group: GroupKey?
    var seen: Int64?
    var isTouched = false
    var traits = Traits()
    var hasTraits = false
    while let (key, name, value) = keyAndValue(&words) {
      switch key {
      case .added: added = try value.time()
      case .digest: digest = try DigestText.digest(value)
      case .group: group = GroupText.group(try value.text())
      case .seen: seen = try value.time()
      case .touched: isTouched = try flag(value)
      case .came, .fresh, .new, .trait:
        guard try TraitsText.set(name, value, into: &traits) else {
          throw ParseError("\(name.display) is no word of a song")
        }
        hasTraits = true
      }
    }
    guard let added else { throw ParseError("the song's added time is missing") }
    try builder.addSong(
      id, group: group, path: try words.remaining.path(), digest: digest, added: added, seen: seen,
      isGone: isGone, isTouched: isTouched, traits: hasTraits ? traits : nil)
  }

  private func touch(_ value: ArraySlice<UInt8>) throws(ParseError) -> Touch {
    if value.elementsEqual("all".utf8) { return .all }
    guard value.elementsEqual("some".utf8) else { throw ParseError("touched is =all or =some") }
    return .some
  }

  private func flag(_ value: ArraySlice<UInt8>) throws(ParseError) -> Bool {
    guard value.elementsEqual("1".utf8) else { throw ParseError("a mark is =1, or left out") }
    return true
  }

  /// Consumes the next word if it is `key=value` with a known key; the free text begins at any
  /// other.
  private func keyAndValue(
    _ words: inout Words
  ) -> (key: Key, name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    var ahead = words
    guard let word = ahead.next(), let equals = word.place(of: UInt8(ascii: "=")) else {
      return nil
    }
    let name = word[..<equals]
    guard let found = Self.keys.first(where: { name.elementsEqual($0.name) }) else { return nil }
    words = ahead
    return (found.key, name, word[(equals + 1)...])
  }

  private enum Key {
    case added, seen, came, digest, touched, group, fresh, new, trait
  }

  /// The most frequent keys come first.
  private static let keys: [(name: [UInt8], key: Key)] =
    [
      ("added", .added), ("seen", .seen), ("came", .came), ("digest", .digest),
      ("touched", .touched),
      ("group", .group), ("fresh", .fresh), ("new", .new),
    ].map { (Array($0.utf8), $1) } + TraitsText.keys.sorted().map { (Array($0.utf8), .trait) }
}
