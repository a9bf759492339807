import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("How edits are told", .limited)
struct TellingEditsTests {
  /// The library that the sentences speak of: Music with A1 to A9, Jazz with J1 and J2.
  static func world() throws -> World {
    var world = World()
    for number in (1...9).reversed() {
      world.putAlbum("A\(number)", sound: number * 10, in: nil)
      world.merge()
    }
    for number in 1...2 { world.putAlbum("J\(number)", sound: 200 + number * 10, in: nil) }
    world.merge()
    let ids = try [world.id("J1"), world.id("J2")]
    try world.edit(.moveAlbums(ids, nil, crate: "Jazz", gathered: .given))
    return world
  }

  @Test("each is one sentence")
  func edits() throws {
    let path = Repository.folder() + "/Scenarios/Texts/edits.txt"
    let text = try String(decoding: read(path), as: UTF8.self)
    var titled = try TitledWorld(Self.world())
    var edit: Edit?
    var count = 0
    for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
      if line.hasPrefix("  ") {
        let (kind, sentence) = Self.parted(String(line.dropFirst(2)))
        #expect(
          try Self.told(try #require(edit), kind, titled.world.library) == sentence)
        count += 1
      } else if line.hasPrefix("story ") {
        titled = try TitledWorld(Self.world())
      } else if line.hasPrefix("rm ") {
        titled.remove(String(line.dropFirst(3)))
      } else if line.hasPrefix("do ") {
        try titled.world.edit(titled.edit(String(line.dropFirst(3))))
      } else {
        edit = try titled.edit(line)
      }
    }
    #expect(count > 90)
  }

  private static func parted(_ line: String) -> (kind: Character, sentence: String) {
    let kinds: [Character: String] = ["?": "", "<": "Taken back: ", ">": "Done again: "]
    guard let kind = line.first, let words = kinds[kind] else { return ("=", line) }
    return (kind, words + line.dropFirst(2))
  }

  private static func told(_ edit: Edit, _ kind: Character, _ library: Library) throws -> String {
    let decision = try library.decide(edit, newAlbums: nil)
    if kind == "=" { return decision.transaction.sentence }
    if kind == "?" { return decision.sentence(from: library, isDryRun: true) }
    var history = UndoHistory()
    history.follow(decision.transaction.at(1))
    let undone = try #require(decision.library.decideUndo(history, newAlbums: nil))
    if kind == "<" { return undone.transaction.sentence }
    history.follow(undone.transaction.at(2))
    return try #require(undone.library.decideRedo(history, newAlbums: nil)).transaction.sentence
  }

  @Test("of songs in another order four are named, and of more only their album")
  func manySongs() throws {
    for (count, told) in [
      (5, "L 1, L 2, L 3 and L 4 are on top of L"), (6, "L is in its former order again"),
    ] {
      var world = World()
      world.putAlbum("L", tracks: count, sound: 10, in: nil)
      world.merge()
      let songs = world.library.songs.values.map(\.id)
      let sentence = try Self.told(.sortSongs(songs, .reversed), "<", world.library)
      #expect(sentence.hasPrefix("Taken back: \(told)"))
    }
  }

  @Test(
    "of a text that orders nearly all of a crate anew, only the crate is named",
    arguments: [9, 5, 4])
  func writtenAnew(count: Int) throws {
    let world = try Self.world()
    var written = WrittenOrder()
    for crate in world.library.crates {
      var other = WrittenOrder.Crate(id: crate.id, name: crate.name, line: 0)
      let albums = Array(crate.albums)
      let head = crate.name == "Music" ? count : 0
      other.albums = (albums.prefix(head).reversed() + albums.dropFirst(head)).map {
        WrittenOrder.Album(id: $0, line: 0)
      }
      written.crates.append(other)
    }
    let sentence = try world.library.decide(written, readFrom: world.library, newAlbums: nil)
      .transaction.sentence
    let told = [9: "Music is now in another order", 5: "A4, A3, A2 and A1", 4: "A3, A2 and A1"]
    #expect(sentence.hasPrefix(try #require(told[count])), "\(sentence)")
  }

  @Test("several steps are one change, each of which can be done again by itself")
  func steps() throws {
    var world = try Self.world()
    var history = UndoHistory()
    var sequence = 0
    func follow(_ decision: Decision) {
      sequence += 1
      history.follow(decision.transaction.at(sequence))
      world.library = decision.library
    }
    let start = world.shape
    var shapes: [[String]] = []
    for title in ["A3", "A5", "A7"] {
      shapes.append(world.shape)
      follow(
        try world.library.decide(
          .moveAlbums([world.id(title)], .top, crate: nil), newAlbums: nil))
    }
    let end = world.shape
    let entries = Array(history.undoable.suffix(3).reversed())
    let undone = try #require(world.library.decideUndo(entries, newAlbums: nil))
    #expect(undone.transaction.sentence.hasPrefix("Taken back, 3 changes: "))
    follow(undone)
    #expect(world.shape == start)
    // An index that is read anew knows the same.
    #expect(history.redoable.map(\.sequence) == [3, 2, 1])
    for step in 1...3 {
      follow(try #require(world.library.decideRedo(history, newAlbums: nil)))
      #expect(world.shape == (step == 3 ? end : shapes[step]))
    }
    #expect(history.undoable.map(\.sequence) == [1, 2, 3])
  }
}

/// A world whose things are named by their titles, also those that are gone by now.
private struct TitledWorld {
  var world: World
  private var albums: [String: AlbumID] = [:]
  private var songs: [String: SongID] = [:]

  init(_ world: World) throws {
    self.world = world
    for title in (1...9).map({ "A\($0)" }) + ["J1", "J2"] {
      albums[title] = try world.id(title)
      for track in 1...3 { songs["\(title)/\(track)"] = try world.song("\(title) \(track)").id }
    }
  }

  mutating func remove(_ name: String) {
    let parts = name.split(separator: "/")
    _ = world.remove(parts.count == 1 ? name : "\(name) \(parts[0]) \(parts[1]).flac")
    world.merge()
  }

  /// `move A7 A2 top in=Jazz given`, `sort A1-A4 by=title descending` and so on.
  func edit(_ line: String) throws -> Edit {
    let words = line.split(separator: " ").map(String.init)
    let rest = Array(words.dropFirst())
    let named = try rest.flatMap(titles)
    let albums = named.compactMap { self.albums[$0] }
    let songs = named.compactMap { self.songs[$0] }
    let crate = value("in", rest)
    let gathered: Gathering = rest.contains("given") ? .given : .kept
    let ascending =
      rest.contains("ascending") ? true : rest.contains("descending") ? false : nil
    switch words[0] {
    case "move":
      return .moveAlbums(albums, try place(rest, self.albums), crate: crate, gathered: gathered)
    case "song":
      return .moveSongs(songs, try #require(try place(rest, self.songs)), gathered: gathered)
    case "crate":
      return .moveCrate(rest[0], try #require(try place(rest, nil)))
    case "rename": return .renameCrate(rest[0], to: rest[1])
    case "sort":
      let sorting: [String: AlbumSorting] = [
        "added": .added, "released": .released, "artist": .artist, "title": .title,
        "reversed": .reversed, "shuffled": .shuffled(seed: 1),
      ]
      let by = try #require(sorting[value("by", rest) ?? ""])
      return .sortAlbums(albums, by, ascending: ascending)
    case "songs":
      let sorting: [String: SongSorting] = [
        "added": .added, "track": .track, "title": .title, "reversed": .reversed,
        "shuffled": .shuffled(seed: 1),
      ]
      let all = songs + albums.flatMap { world.library.albums[$0]?.entries ?? [] }
      let by = try #require(sorting[value("by", rest) ?? ""])
      return .sortSongs(all, by, ascending: ascending)
    case "forget": return .forget(songs: songs, albums: albums, all: rest == ["all"])
    default: throw Disagreement("what is “\(line)”?")
    }
  }

  private func value(_ key: String, _ words: [String]) -> String? {
    words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
  }

  /// `A1-A4` is four of them.
  private func titles(_ word: String) throws -> [String] {
    let ends = word.split(separator: "-").compactMap { Int($0.dropFirst()) }
    return ends.count == 2 ? (ends[0]...ends[1]).map { "A\($0)" } : [word]
  }

  private func place<Item>(_ words: [String], _ ids: [String: Item]?) throws -> Place<Item>? {
    for word in words {
      switch word {
      case "top": return .top
      case "bottom": return .bottom
      case "up": return .up
      case "down": return .down
      default: break
      }
    }
    func beside(_ name: String) throws -> Item {
      try #require(ids.map { $0[name] } ?? (name as? Item))
    }
    if let name = value("before", words) { return .before(try beside(name)) }
    if let name = value("after", words) { return .after(try beside(name)) }
    return nil
  }
}
