import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Editing the order as text", .limited)
struct RewritingTests {
  /// Jazz with J1 to J3, Music with A1 to A4; two songs each.
  func world() throws -> World {
    var world = World()
    for number in (1...4).reversed() {
      world.putAlbum("A\(number)", tracks: 2, sound: number * 10, in: nil)
      world.merge()
    }
    for number in (1...3).reversed() {
      world.putAlbum("J\(number)", tracks: 2, sound: number * 10 + 100, in: nil)
      world.merge()
      try world.edit(.moveAlbums([world.id("J\(number)")], .top, crate: "Jazz"))
    }
    try world.edit(.moveCrate("Jazz", .top))
    return world
  }

  /// `Jazz: J1 J2, Music: A1`; albums by their titles, songs in the order they were read in.
  func written(_ text: String, in world: World) throws -> WrittenOrder {
    var order = WrittenOrder()
    for part in text.split(separator: ",") {
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      var crate = WrittenOrder.Crate(
        name: words[0].trimmed, line: order.crates.count * 100 + 1)
      for title in words.dropFirst().joined().split(separator: " ") {
        var album = WrittenOrder.Album(
          id: try world.id(String(title)), line: crate.line + crate.albums.count + 1)
        album.songs = world.library.members(of: try #require(world.album(String(title)))).map {
          WrittenOrder.Song(id: $0, line: album.line)
        }
        crate.albums.append(album)
      }
      order.crates.append(crate)
    }
    return order
  }

  func shape(_ library: Library) -> String {
    library.crates.map { crate in
      let albums = crate.albums.compactMap { library.albums[$0] }.map { library.face(of: $0).title }
      return "\(crate.name): \(albums.joined(separator: " "))"
    }.joined(separator: ", ")
  }

  static let start = "Jazz: J1 J2 J3, Music: A1 A2 A3 A4"

  struct Case: CustomTestStringConvertible {
    var written: String
    /// Where it is not what was written.
    var result: String?
    /// Without those of crates that came or went.
    var moves: Int
    var note = ""
    var testDescription: String { written }
  }

  @Test(
    "the order becomes what was written, by the fewest changes, which undo takes back",
    arguments: [
      Case(written: start, moves: 0),
      Case(written: "Jazz: J3 J1 J2, Music: A1 A2 A3 A4", moves: 1),
      Case(written: "Music: A4 A1 A2 A3, Jazz: J1 J2 J3", moves: 2),
      Case(written: "Jazz: J1 A3 J2 J3, Music: A1 A2 A4", moves: 1),
      // A new name for the crate that most albums are from.
      Case(written: "Late: J1 J2 J3, Music: A1 A2 A3 A4", moves: 1),
      Case(written: "Late: A1 J2 J3, Music: J1 A2 A3 A4", moves: 3),
      Case(written: "JAZZ: J1 J2 J3, Music: A1 A2 A3 A4", moves: 1),
      // No name is missing: a new crate.
      Case(written: "Jazz: J1 J2, Late: J3 A4, Music: A1 A2 A3", moves: 2),
      Case(written: "Jazz: J1 J2 J3, Pop: A1, Music: A2, Rock: A3 A4", moves: 3),
      // A crate's line was deleted: its albums stand in the one above.
      Case(written: "Jazz: J1 J2 J3 A1 A2 A3 A4", moves: 4),
      Case(written: "Music: J1 J2 J3 A1 A2 A3 A4", moves: 3),
      Case(
        written: "Jazz: J3 J1, Music: A1 A3 A4", result: "Jazz: J3 J1 J2, Music: A1 A2 A3 A4",
        moves: 1, note: "put back "),
      Case(
        written: "Music: A1 A2 A3 A4", result: start, moves: 0, note: "put back "),
      Case(
        written: "Jazz: J1 A1, Pop: A3", result: "Jazz: J1 J2 J3 A1, Pop: A2 A3 A4", moves: 2,
        note: "put back "),
      Case(
        written: "Jazz: J1 J2 J3, Empty:, Music: A1 A2 A3 A4", result: start, moves: 0,
        note: "no album stands below Empty"),
    ])
  func rules(example: Case) throws {
    var world = try world()
    let before = world.library
    let order = try written(example.written, in: world)
    let decision = try before.decide(order, readFrom: before, newAlbums: nil)
    #expect(shape(decision.library) == example.result ?? example.written)
    let moves = decision.changes.filter {
      switch $0 {
      case .crateAdded, .crateRemoved, .albumTouched: false
      default: true
      }
    }
    #expect(moves.count == example.moves)
    #expect(
      example.note.isEmpty == decision.transaction.notes.isEmpty, "\(decision.transaction.notes)")
    #expect(
      decision.transaction.notes.allSatisfy { $0.hasPrefix(example.note) },
      "\(decision.transaction.notes)")
    world.library = decision.library
    world.check()

    // The same text again, of the same time.
    let again = try decision.library.decide(order, readFrom: before, newAlbums: nil)
    #expect(again.changes.isEmpty, "\(again.changes)")
    var history = UndoHistory()
    if decision.changes.isEmpty { return }
    history.follow(decision.transaction.at(1))
    let undone = try #require(decision.library.decideUndo(history, newAlbums: nil))
    #expect(shape(undone.library) == Self.start)
  }

  @Test(
    "the sentence says what moved, what was renamed and what is new",
    arguments: [
      (start, "nothing to do: the order is as the text says"),
      ("Late: J1 J2 J3, Music: A1 A2 A3 A4", "Jazz is now called Late"),
      (
        "Late: A1 J2 J3, Music: J1 A2 A3 A4",
        "Jazz is now called Late, and A1 is on top of Late (1 of 3), and J1 is on top of Music"
          + " (1 of 4)"
      ),
      (
        "Jazz: J1 J2, Late: J3 A4, Music: A1 A2 A3", "J3 and A4 are in the new crate Late"
      ),
      (
        "Music: A1 A2, Jazz: J1, Pop: J2 J3, Rock: A3 A4",
        "J2 and J3 are in the new crate Pop, and A3 and A4 are in the new crate Rock, and Jazz is"
          + " at 2 of 4 among the crates"
      ),
    ])
  func summaries(text: String, summary: String) throws {
    let world = try world()
    let decision = try world.library.decide(
      try written(text, in: world), readFrom: world.library, newAlbums: nil)
    #expect(decision.transaction.sentence == summary)
  }

  @Test("what merges and other edits did since stays, unless the text moved it")
  func meanwhile() throws {
    var world = try world()
    let base = world.library
    let order = try written("Jazz: J3 J1 J2, Music: A1 A2 A4 A3", in: world)
    world.putAlbum("New", sound: 500, in: nil)
    world.merge()
    try world.edit(.moveAlbums([world.id("A1")], nil, crate: "Pop"))
    try world.edit(.renameCrate("Jazz", to: "Late"))
    try world.edit(.moveCrate("Pop", .top))
    let decision = try world.library.decide(order, readFrom: base, newAlbums: nil)
    #expect(shape(decision.library) == "Pop: A1, Late: J3 New J1 J2, Music: A2 A4 A3")
    #expect(
      decision.transaction.sentence
        == "J3 is on top of Late (1 of 4), and A3 is at the bottom of Music (3 of 3)")
    #expect(decision.transaction.notes.isEmpty)
  }

  @Test("what went since is noted, and an album that was taken over is the other one")
  func gone() throws {
    var world = try world()
    let base = world.library
    let order = try written("Jazz: J2 J1 J3, Music: A3 A1 A2 A4", in: world)
    let forgotten = try world.id("A1")
    _ = world.remove("A1")
    world.merge()
    try world.edit(.forget(songs: [], albums: [forgotten], all: false))
    let former = try world.id("J1")
    for track in 1...2 {
      world.retag("J1/\(track) J1 \(track).flac") { $0.album = "Other" }
    }
    world.merge()
    #expect(world.library.album(former) != nil)
    let decision = try world.library.decide(order, readFrom: base, newAlbums: nil)
    #expect(shape(decision.library) == "Jazz: J2 Other J3, Music: A3 A2 A4")
    #expect(decision.transaction.notes == ["A1: not there any more"])
  }

  @Test("what was left out and moved by others stays where they put it")
  func leftOutAndMoved() throws {
    var world = try world()
    world.putAlbum("A0", sound: 600, in: nil)
    world.merge()
    try world.edit(.moveAlbums([world.id("A0")], .top, crate: "Music"))
    let base = world.library
    let order = try written("Jazz: J1 J2 J3, Music: A2 A3 A4 A0", in: world)
    try world.edit(.moveAlbums([world.id("A1")], nil, crate: "Pop"))
    let decision = try world.library.decide(order, readFrom: base, newAlbums: nil)
    #expect(shape(decision.library) == "Jazz: J1 J2 J3, Music: A2 A3 A4 A0, Pop: A1")
    #expect(decision.changes.count == 1)
  }

  @Test("a crate whose albums all go elsewhere is not moved before it goes")
  func leavingCrate() throws {
    var world = try world()
    try world.edit(.moveAlbums([world.id("J3")], nil, crate: "Pop"))
    try world.edit(.moveAlbums([world.id("A4")], nil, crate: "Rock"))
    let text = "Pop: J3, Rock: A4 A1 A2 A3, Jazz: J1 J2"
    let decision = try world.library.decide(
      try written(text, in: world), readFrom: world.library, newAlbums: nil)
    #expect(shape(decision.library) == text)
    #expect(
      decision.transaction.sentence.hasPrefix("A1, A2 and A3 are at the bottom of Rock (2–4 of 4)"))
  }

  @Test("an album that another one took over is that one, unless both were read")
  func takenOver() throws {
    let world = try world()
    let (first, second) = (try world.id("J1"), try world.id("J2"))
    let other = AlbumID(number: 7)
    let base = world.library
    let order = try written("Jazz: J2 J3 J1, Music: A1 A2 A3 A4", in: world)
    var now = base
    let group = GroupKey(family: "by\tx\ty")
    let added = Change.albumAdded(
      other, crate: "Music", after: nil, group: group, isFresh: false, seen: 0)
    try now.apply(added, by: .folder)
    try now.apply(.albumTookOver(other, other: first), by: .folder)
    let new = try now.decide(order, readFrom: base, newAlbums: nil)
    // The album stands in Music since, and goes where the text has the one it took over.
    #expect(new.library.crate(named: "Jazz")?.albums.last == other)
    #expect(new.transaction.notes.isEmpty)

    now = base
    try now.apply(.albumTookOver(second, other: first), by: .folder)
    let both = try now.decide(order, readFrom: base, newAlbums: nil)
    #expect(both.changes.isEmpty)
    #expect(both.transaction.notes == ["J1: not there any more"])
    // An id that resolved to the other album already when the text was read.
    #expect(throws: Refusal.self) {
      try now.decide(order, readFrom: now, newAlbums: nil)
    }
    var alone = order
    alone.crates[0].albums.removeAll { $0.id == second }
    let moved = try now.decide(alone, readFrom: now, newAlbums: nil)
    #expect(moved.library.crate(named: "Jazz")?.albums.last == second)
  }

  @Test("the text of one crate leaves the others alone, but for albums that it moves")
  func oneCrate() throws {
    let world = try world()
    func result(_ text: String) throws -> String {
      let order = try written(text, in: world)
      let decision = try world.library.decide(
        order, readFrom: world.library, scope: TextScope(crate: "jazz"), newAlbums: nil)
      #expect(decision.transaction.notes.isEmpty)
      return shape(decision.library)
    }
    #expect(try result("Jazz: J3 J2 J1") == "Jazz: J3 J2 J1, Music: A1 A2 A3 A4")
    #expect(try result("Late: J2 J1 J3") == "Late: J2 J1 J3, Music: A1 A2 A3 A4")
    #expect(
      try result("Jazz: J1, Late: J3 J2") == "Jazz: J1, Late: J3 J2, Music: A1 A2 A3 A4")
    // To another crate: on top, or behind what stands above it there.
    #expect(
      try result("Music: J1, Jazz: J2 J3") == "Jazz: J2 J3, Music: J1 A1 A2 A3 A4")
    #expect(
      try result("Jazz: J2 J3, Music: A2 J1") == "Jazz: J2 J3, Music: A1 A2 J1 A3 A4")
    // From another crate.
    #expect(try result("Jazz: J1 A2 J2 J3") == "Jazz: J1 A2 J2 J3, Music: A1 A3 A4")
    #expect(throws: Refusal.noSuchCrate("Pop")) {
      try world.library.decide(
        WrittenOrder(), readFrom: world.library, scope: TextScope(crate: "Pop"), newAlbums: nil)
    }
  }

  @Test("songs move inside their album, which is arranged then, or not any longer")
  func songs() throws {
    var world = try world()
    let base = world.library
    var order = try written(Self.start, in: world)
    order.crates[1].albums[0].songs.reverse()
    order.crates[1].albums[1].songs.removeFirst()
    let decision = try base.decide(order, readFrom: base, newAlbums: nil)
    world.library = decision.library
    #expect(world.songs(of: "A1") == ["A1 2", "A1 1"])
    #expect(world.album("A1")?.isArranged == true)
    #expect(world.songs(of: "A2") == ["A2 1", "A2 2"])
    #expect(decision.changes.count == 2)
    #expect(decision.transaction.sentence == "A1 1 is at the bottom of A1 (2 of 2)")
    #expect(
      decision.transaction.notes == [
        "put back A2 1: the music folder decides what is there"
      ])
    order.crates[1].albums[0].songs.reverse()
    let back = try world.library.decide(
      order, readFrom: world.library, newAlbums: nil)
    world.library = back.library
    #expect(world.songs(of: "A1") == ["A1 1", "A1 2"])
    #expect(world.album("A1")?.isArranged == false)
  }

  @Test("what can't be meant is refused with its line")
  func refusals() throws {
    let world = try world()
    func line(
      _ text: String, _ change: (inout WrittenOrder) throws -> Void
    ) throws -> Int? {
      var order = try written(text, in: world)
      try change(&order)
      do {
        _ = try world.library.decide(
          order, readFrom: world.library, newAlbums: nil)
      } catch .editRejected(let line, let reason) {
        #expect(!reason.isEmpty)
        return line
      }
      return nil
    }
    #expect(try line(Self.start) { _ in } == nil)
    #expect(try line("Jazz: J1, jazz: J2") { _ in } == 101)
    #expect(try line("Jazz: J1, Music: A1 J1") { _ in } == 103)
    #expect(try line(Self.start) { $0.crates[1].name = " x" } == 101)
    #expect(try line(Self.start) { $0.crates[1].albums[2].id = AlbumID(number: 5) } == 104)
    #expect(
      try line(Self.start) { $0.crates[0].albums[1].songs[0].id = SongID(number: 5) } == 3)
    #expect(
      try line(Self.start) {
        $0.crates[0].albums[1].songs.append($0.crates[0].albums[1].songs[0])
      } == 3)
    #expect(
      try line(Self.start) {
        let song = $0.crates[0].albums[0].songs.removeFirst()
        $0.crates[1].albums[3].songs.append(WrittenOrder.Song(id: song.id, line: 77))
      } == 77)
  }

  @Test("a crate can't take a name that was taken meanwhile")
  func nameTaken() throws {
    var world = try world()
    let base = world.library
    let order = try written("Late: J1 J2 J3, Music: A1 A2 A3 A4", in: world)
    try world.edit(.moveAlbums([world.id("A1")], nil, crate: "Late"))
    #expect(throws: Refusal.self) {
      try world.library.decide(order, readFrom: base, newAlbums: nil)
    }
  }

  @Test("any text becomes the order, and undo takes it back")
  func random() throws {
    var generator = SeededGenerator(usually: 20_261_125)
    var world = try world()
    for _ in 0..<300 {
      var crates = world.library.crates.map { crate in
        (name: crate.name, albums: world.albums(in: crate.name))
      }
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let from = Int.random(in: 0..<crates.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: crates[from].name = "C\(Int.random(in: 0..<1_000_000, using: &generator))"
        case 1:
          let crate = crates.remove(at: from)
          crates.insert(crate, at: Int.random(in: 0...crates.count, using: &generator))
        case 2: crates.insert((name: "N\(generator.next())", albums: []), at: from)
        default:
          guard let title = crates[from].albums.randomElement(using: &generator) else { continue }
          crates[from].albums.removeAll { $0 == title }
          let to = Int.random(in: 0..<crates.count, using: &generator)
          crates[to].albums.insert(
            title, at: Int.random(in: 0...crates[to].albums.count, using: &generator))
        }
      }
      let text = crates.map { "\($0.name): \($0.albums.joined(separator: " "))" }
        .joined(separator: ", ")
      let before = shape(world.library)
      let order = try written(text, in: world)
      let decision = try world.library.decide(
        order, readFrom: world.library, newAlbums: nil)
      let expected = crates.filter { !$0.albums.isEmpty }
        .map { "\($0.name): \($0.albums.joined(separator: " "))" }.joined(separator: ", ")
      #expect(shape(decision.library) == expected, "\(generator) \(before)")
      if !decision.changes.isEmpty {
        var history = UndoHistory()
        history.follow(decision.transaction.at(1))
        let undone = try #require(decision.library.decideUndo(history, newAlbums: nil))
        #expect(shape(undone.library) == before, "\(generator) \(text)")
      }
      world.library = decision.library
      world.check()
    }
  }

  @Test("a text that was not edited changes nothing, whatever happened since")
  func untouched() throws {
    var generator = SeededGenerator(usually: 20_261_124)
    for _ in 0..<100 {
      var world = try world()
      let base = world.library
      let order = try written(Self.start, in: world)
      for step in 0..<6 {
        let albums = world.library.crates.flatMap(\.albums).filter { _ in
          Int.random(in: 0..<3, using: &generator) == 0
        }
        let crate = ["Jazz", "Pop", "Music"].randomElement(using: &generator)
        if !albums.isEmpty {
          try world.edit(
            .moveAlbums(albums, Bool.random(using: &generator) ? .top : nil, crate: crate))
        }
        if step == 3 {
          world.putAlbum("New", sound: 700, in: nil)
          world.merge()
        }
      }
      let decision = try world.library.decide(order, readFrom: base, newAlbums: nil)
      #expect(decision.changes.isEmpty, "\(generator) \(decision.changes)")
      #expect(decision.transaction.notes.isEmpty, "\(generator)")
    }
  }
}

extension Substring {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
