package import LibraryModel
package import TestSupport

/// Makes libraries that nobody has: random changes, each of which fits what is there, with names
/// that are as bad as names can be.
package struct LibraryMaker {
  package var random: SeededGenerator
  package var library = Library()
  /// Whether there may be albums of a first scan that goes on.
  package var makesFresh = true
  private var used: UInt64 = 0

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  package init(_ random: SeededGenerator) { self.random = random }

  /// Changes that take effect together, already applied here; their numbers are still to come.
  package mutating func changes(_ steps: Int? = nil) throws -> (by: Author, changes: [Change]) {
    let author = Bool.random(using: &random) ? Author.person : .folder
    let count = steps ?? (chance(3) ? 1 + below(4) : 1)
    var changes: [Change] = []
    while changes.count < count {
      guard let change = proposal() else { continue }
      try library.apply(change, by: author)
      changes.append(change)
    }
    return (author, changes)
  }

  // MARK: Names

  package static let texts = [
    "", "Kind of Blue", "100% vinyl", "two\nlines", "tab\there", "carriage\r\nreturn", "after",
    "fresh=1 also", "group=x", " blanks ", "後で聴く", "e\u{301}", "\u{E9}", "nul\u{0}", "\u{2028}",
    "a=b", "%41%", "\u{7F}", "\u{FFFD}", String(repeating: "long ", count: 60), "\u{200B}unseen",
    "o" + String(repeating: "\u{301}\u{323}", count: 30),
  ]

  package static let fileNames: [[UInt8]] =
    texts.map { Array($0.utf8) } + [
      [0xFF, 0xFE], [0xC3], [0xE2, 0x80], Array("Ⅻ".utf8), Array(repeating: 0xF5, count: 250),
      Array(String(repeating: "ü", count: 1000).utf8),
    ]

  package mutating func path() -> BytePath {
    used += 1
    return BytePath(
      Array("/home/ada/Music/".utf8) + pick(Self.fileNames) + Array("/\(used) ".utf8)
        + pick(Self.fileNames).filter { $0 != 0x2F } + Array(".flac".utf8))
  }

  private mutating func crateName() -> String {
    used += 1
    let fit = ["Jazz", "100% vinyl", "後で聴く", "e\u{301}", "a=b", "after", "first", "%41", "a  b"]
    return "\(pick(fit)) \(used)"
  }

  private mutating func group() -> GroupKey {
    used += 1
    // Families as they are made today: others are not read as they were written.
    let families = [
      "in\t\talbum \(used)", "folder\t\(used)", "in\tMiles %FF/x\talbum \(used)",
    ]
    if chance(2) { return GroupKey(family: pick(families), edition: chance(4) ? "/12 x%09y" : "") }
    return GroupKey(
      family: GroupKey.tagged(artist: pick(Self.texts), album: "Kind of Blue \(used)"),
      edition: chance(4) ? GroupKey.release("12") + pick(["", " ", " x%09y"]) : "")
  }

  private mutating func digest() -> AudioDigest? {
    chance(5) ? nil : AudioDigest(high: random.next(), low: random.next())
  }

  package mutating func time() -> Int64 {
    Int64.random(in: 946_684_800_000...4_102_444_800_000, using: &random)
  }

  package mutating func traits() -> Traits {
    var traits = Traits()
    traits.disc = chance(2) ? below(5) : nil
    traits.track = chance(2) ? below(200) : nil
    traits.title = pick(Self.texts)
    traits.milliseconds = below(3) * below(1_000_000)
    traits.recording = chance(2) ? "f3b1\(below(99))" : ""
    traits.release = pick(Self.texts)
    return traits
  }

  private mutating func number() -> UInt64 {
    used += 1
    return used << 20 | UInt64(below(1 << 20))
  }

  package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  package mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
  package mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
  private mutating func any<Value>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : pick(values)
  }

  // MARK: Changes

  /// A change that fits, if the dice find one.
  private mutating func proposal() -> Change? {
    switch below(20) {
    case 0...3: crateChange()
    case 4...10: albumChange()
    default: songChange()
    }
  }

  private mutating func crateChange() -> Change? {
    let names = library.crates.map(\.name)
    let anchor = chance(3) ? nil : any(names)
    if names.count < 2 {
      return .crateAdded(crateName(), after: anchor, id: CrateID(number: number()))
    }
    guard let name = any(names) else { return nil }
    let others = names.filter { $0 != name }
    switch below(4) {
    case 0: return .crateAdded(crateName(), after: anchor, id: CrateID(number: number()))
    case 1: return .crateMoved(name, after: any(others), wasAfter: anchor)
    case 2: return .crateRenamed(name, to: crateName())
    default:
      guard let crate = library.crate(named: name), crate.albums.isEmpty else { return nil }
      return .crateRemoved(name, wasAfter: anchor, id: crate.id)
    }
  }

  private mutating func albumChange() -> Change? {
    guard let crate = any(library.crates) else { return nil }
    let members = Array(crate.albums)
    let albums = library.albums.values.sorted { $0.id < $1.id }
    guard albums.count > 1, let album = any(albums) else {
      return .albumAdded(
        AlbumID(number: number()), crate: crate.name, after: any(members), group: group(),
        isFresh: chance(2) && makesFresh, seen: chance(2) ? time() : 0)
    }
    let home = library.crate(album.crate)?.name ?? ""
    let anchor = any(crate.albums.filter { $0 != album.id })
    switch below(9) {
    case 0, 1:
      return .albumAdded(
        AlbumID(number: number()), crate: crate.name, after: any(members), group: group(),
        isFresh: chance(2) && makesFresh, seen: chance(2) ? time() : 0)
    case 2, 3:
      return .albumMoved(
        album.id, crate: crate.name, after: anchor, wasCrate: home, wasAfter: any(members))
    case 4:
      guard library.songs(of: album).isEmpty else { return nil }
      return .albumRemoved(
        album.id,
        was: AlbumRecord(crate: home, after: anchor, group: group(), isTouched: chance(2)))
    case 5:
      return chance(3)
        ? .albumTouched(album.id, isNew: chance(2)) : .albumArranged(album.id, chance(2))
    case 6:
      return chance(4)
        ? .firstScanEnded(BytePath("/home/ada/Music"))
        : .albumRegrouped(
          album.id, group: group(), was: album.group,
          alias: chance(2) ? AlbumID(number: number()) : nil)
    case 7:
      if let alias = any(album.aliases) { return .aliasDropped(alias, of: album.id) }
      return .aliasRestored(AlbumID(number: number()), of: album.id)
    default:
      guard chance(3), let other = any(albums.filter { $0.id != album.id }) else { return nil }
      return .albumTookOver(album.id, other: other.id)
    }
  }

  private mutating func songChange() -> Change? {
    guard let album = any(library.albums.values.sorted(by: { $0.id < $1.id })) else { return nil }
    let songs = library.songs.values.sorted { $0.id < $1.id }
    guard songs.count > 2, let song = any(songs) else { return added(to: album) }
    let home = library.albums[song.album]?.entries.filter { $0 != song.id } ?? []
    switch below(12) {
    case 0...2: return added(to: album)
    case 3:
      return .songMoved(song.id, in: song.album, after: any(home), wasAfter: any(home))
    case 4:
      if album.id == song.album { return nil }
      let others = album.entries.filter { $0 != song.id }
      return .songRegrouped(song.id, album: album.id, after: any(others), was: song.album)
    case 5:
      if chance(4) { return .songRetagged(song.id, in: song.album) }
      return .songFollowed(song.id, path: path(), digest: digest(), by: pick(Evidence.allCases))
    case 6: return song.isGone ? nil : .songGone(song.id, traits())
    case 7:
      if !song.isGone { return nil }
      return .songFollowed(song.id, path: path(), digest: digest(), by: pick(Evidence.allCases))
    case 8:
      if library.songs[SongID(number: 77)] != nil { return nil }
      return .songAdded(SongID(number: 77), kept(in: album))
    case 9:
      guard let slot = any(album.entries.filter { library.songs[$0]?.album != album.id }) else {
        return nil
      }
      return .slotDropped(slot, in: album.id, wasAfter: any(album.entries))
    case 10:
      if song.album == album.id || album.entries.contains(song.id) { return nil }
      return .slotRestored(song.id, in: album.id, after: any(album.entries))
    default: return chance(3) ? .songForgotten(song.id, was: kept(in: album)) : nil
    }
  }

  private mutating func kept(in album: Album) -> SongRecord {
    SongRecord(
      album: album.id, after: any(album.entries), group: group(), path: path(), digest: digest(),
      added: time(), seen: chance(2) ? time() : nil, isGone: chance(2), isTouched: chance(2),
      traits: traits())
  }

  private mutating func added(to album: Album) -> Change {
    let time = time()
    return .songAdded(
      SongID(number: number()), album: album.id, after: any(album.entries), path: path(),
      digest: digest(), added: time, seen: chance(2) ? time : self.time())
  }
}
