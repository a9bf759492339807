import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("How changes are told", .limited)
struct TellingTests {
  /// Music: A1 to A9, by Artist, of three songs each. Jazz: J1, J2.
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

  struct Case: Sendable, CustomTestStringConvertible {
    var sentence: String
    /// How a trial of it is told.
    var trial: String
    var edit: @Sendable (World) throws -> Edit
    var testDescription: String { sentence }

    init(
      _ sentence: String, _ trial: String, _ edit: @escaping @Sendable (World) throws -> Edit
    ) {
      (self.sentence, self.trial, self.edit) = (sentence, trial, edit)
    }
  }

  private static func ids(_ titles: [String], _ world: World) throws -> [AlbumID] {
    try titles.map { try world.id($0) }
  }

  static let cases: [Case] = [
    Case("A5 is on top of Music (1 of 9)", "A5 would be on top of Music (1 of 9)") { world in
      .moveAlbums([try world.id("A5")], .top, crate: nil)
    },
    Case(
      "A7 and A2 are on top of Jazz (1–2 of 4)", "A7 and A2 would be on top of Jazz (1–2 of 4)"
    ) { .moveAlbums(try ids(["A7", "A2"], $0), .top, crate: "Jazz", gathered: .given) },
    Case(
      "A2 and A7 are at the bottom of Jazz (3–4 of 4)",
      "A2 and A7 would be at the bottom of Jazz (3–4 of 4)"
    ) { .moveAlbums(try ids(["A7", "A2"], $0), .bottom, crate: "Jazz") },
    Case("A2 is after A5 in Music (5 of 9)", "A2 would be after A5 in Music (5 of 9)") { world in
      .moveAlbums([try world.id("A2")], .after(try world.id("A5")), crate: nil)
    },
    Case("A2 is at 3 of 9 in Music", "A2 would be at 3 of 9 in Music") { world in
      .moveAlbums([try world.id("A2")], .down, crate: nil)
    },
    Case(
      "A1, A2, A3, A4 and 2 more are in the new crate Late",
      "A1, A2, A3, A4 and 2 more would be in the new crate Late"
    ) { .moveAlbums(try ids(["A1", "A2", "A3", "A4", "A5", "A6"], $0), nil, crate: "Late") },
    Case(
      "J1 and J2 are on top of Music (1–2 of 11), and Jazz, left empty, is gone",
      "J1 and J2 would be on top of Music (1–2 of 11), and Jazz, left empty, would be gone"
    ) { .moveAlbums(try ids(["J1", "J2"], $0), .top, crate: "Music") },
    Case(
      "A1, A2, A3, A4 and 1 more are at the bottom of Jazz (3–7 of 7)",
      "A1, A2, A3, A4 and 1 more would be at the bottom of Jazz (3–7 of 7)"
    ) { .moveAlbums(try ids(["A1", "A2", "A3", "A4", "A5"], $0), .bottom, crate: "Jazz") },
    Case("A1 2 is on top of A1 (1 of 3)", "A1 2 would be on top of A1 (1 of 3)") { world in
      .moveSongs([try world.song("A1 2").id], .top)
    },
    Case(
      "Jazz is on top of the crates (1 of 2)", "Jazz would be on top of the crates (1 of 2)"
    ) { _ in .moveCrate("jazz", .top) },
    Case("Jazz is now called Blue", "Jazz would be called Blue") { _ in
      .renameCrate("Jazz", to: "Blue")
    },
    Case(
      "Music is sorted by title, descending", "Music would be sorted by title, descending"
    ) { .sortAlbums($0.listed().map(\.id), .title, ascending: false) },
    Case(
      "A3, A2 and A1 are sorted by time of arrival, oldest first",
      "A3, A2 and A1 would be sorted by time of arrival, oldest first"
    ) { .sortAlbums(try ids(["A1", "A2", "A3"], $0), .added, ascending: true) },
    Case("A1 is reversed", "A1 would be reversed") { world in
      .sortSongs(try #require(world.album("A1")).entries, .reversed)
    },
  ]

  @Test("each edit is one sentence, and its trial says would", arguments: cases)
  func edits(one: Case) throws {
    let world = try Self.world()
    let decision = try world.library.decide(one.edit(world), newAlbums: nil)
    #expect(decision.transaction.sentence == one.sentence)
    #expect(decision.sentence(from: world.library, isTrial: true) == one.trial)
  }

  @Test("nothing to do says why")
  func nothing() throws {
    let world = try Self.world()
    func sentence(_ edit: Edit) throws -> String {
      let decision = try world.library.decide(edit, newAlbums: nil)
      #expect(decision.changes.isEmpty)
      return decision.transaction.sentence
    }
    #expect(
      try sentence(.moveAlbums([world.id("A1")], .top, crate: nil))
        == "nothing to do: A1 is on top of Music (1 of 9) already")
    #expect(
      try sentence(.moveCrate("Jazz", .bottom))
        == "nothing to do: Jazz is at the bottom of the crates (2 of 2) already")
    #expect(
      try sentence(.renameCrate("Jazz", to: "Jazz"))
        == "nothing to do: the crate is already called Jazz")
    #expect(
      try sentence(.sortAlbums(world.listed().map(\.id), .title))
        == "nothing to do: Music is sorted by title already")
    #expect(
      try sentence(.forget(songs: [], albums: [], all: true))
        == "nothing to do: no song is gone")
  }

  @Test("what is taken back and done again is told as what it comes to")
  func undo() throws {
    let start = try Self.world()
    func told(_ edit: Edit) throws -> (undo: String, redo: String) {
      var history = UndoHistory()
      let decision = try start.library.decide(edit, newAlbums: nil)
      history.follow(decision.transaction.at(1))
      let undone = try #require(decision.library.decideUndo(history, newAlbums: nil))
      history.follow(undone.transaction.at(2))
      let redone = try #require(undone.library.decideRedo(history, newAlbums: nil))
      return (undone.transaction.sentence, redone.transaction.sentence)
    }
    let moved = try told(.moveAlbums([start.id("A5")], .top, crate: "Jazz"))
    #expect(moved.undo == "Taken back: A5 is in Music again, at 5")
    #expect(moved.redo == "Done again: A5 is on top of Jazz (1 of 3)")
    let emptied = try told(
      .moveAlbums([start.id("J1"), start.id("J2")], .top, crate: "Music"))
    #expect(emptied.undo == "Taken back: J1 and J2 are in Jazz again")
    let top = try told(.moveAlbums([start.id("A1")], .bottom, crate: nil))
    #expect(top.undo == "Taken back: A1 is on top of Music again (1 of 9)")
    let renamed = try told(.renameCrate("Jazz", to: "Blue"))
    #expect(renamed.undo == "Taken back: Blue is called Jazz again")
    let sorted = try told(.sortAlbums(start.listed().map(\.id), .reversed))
    #expect(sorted.undo == "Taken back: Music is in its former order again")
  }

  @Test("Of songs in another order four are named, and of more only their album")
  func manySongs() throws {
    for (count, told) in [
      (5, "L 1, L 2, L 3 and L 4 are on top of L"), (6, "L is in its former order again"),
    ] {
      var world = World()
      world.putAlbum("L", tracks: count, sound: 10, in: nil)
      world.merge()
      var history = UndoHistory()
      let songs = world.library.songs.values.map(\.id)
      let turned = try world.library.decide(.sortSongs(songs, .reversed), newAlbums: nil)
      history.follow(turned.transaction.at(1))
      let undone = try #require(turned.library.decideUndo(history, newAlbums: nil))
      #expect(undone.transaction.sentence.hasPrefix("Taken back: \(told)"))
    }
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
    // A book that is read anew knows the same.
    #expect(history.redoable.map(\.sequence) == [3, 2, 1])
    for step in 1...3 {
      follow(try #require(world.library.decideRedo(history, newAlbums: nil)))
      #expect(world.shape == (step == 3 ? end : shapes[step]))
    }
    #expect(history.undoable.map(\.sequence) == [1, 2, 3])
  }

  @Test("a crate that is left with nothing to be seen is told of")
  func leftEmpty() throws {
    var world = try Self.world()
    let ids = try Self.ids(["J1", "J2"], world)
    let told = try world.library.decide(
      .moveAlbums(ids, .top, crate: "Music", gathered: .given), newAlbums: nil)
    #expect(
      told.transaction.sentence
        == "J1 and J2 are on top of Music (1–2 of 11), and Jazz, left empty, is gone")
    _ = world.remove("J1")
    world.merge()
    let kept = try world.library.decide(
      .moveAlbums([ids[1]], .top, crate: "Music", gathered: .given), newAlbums: nil)
    #expect(
      kept.transaction.sentence
        == "J2 is on top of Music (1 of 10), and Jazz has nothing left but kept places")
  }

  @Test("what a folder says is told by albums and songs")
  func merges() throws {
    var world = try Self.world()
    func told(_ change: (inout World) throws -> Void) rethrows -> String {
      try change(&world)
      return world.merge().decision.transaction.sentence
    }
    #expect(
      told { $0.putAlbum("New", by: "Zoe", sound: 500, in: nil) }
        == "New by Zoe is new, on top of Music")
    #expect(
      told { world in
        for number in 1...6 { world.putAlbum("N\(number)", sound: 600 + number * 10, in: nil) }
      } == "N1 by Artist, N2 by Artist, N3 by Artist, N4 by Artist and 2 more are new,"
        + " on top of Music")
    #expect(
      told {
        $0.put(
          "A1/4 A1 4.flac", sound: 900, title: "A1 4", album: "A1", artist: "Artist",
          albumArtist: "Artist", track: 4)
      } == "A1 4 of A1 is new")
    var taken: [BytePath: World.File] = [:]
    #expect(told { taken = $0.remove("A2") } == "A2 is gone; its place is kept")
    #expect(told { $0.restore(taken) } == "A2 is back, at 9 in Music")
    #expect(
      told { _ = $0.remove("A3/1 A3 1.flac") } == "A3 1 of A3 is gone; its place is kept")
    #expect(
      told { world in
        world.retag("A4/1 A4 1.flac") { $0.album = "B" }
      } == "A4 1 of B was retagged")
    // Converted where it was.
    #expect(
      told { $0.move("A8/1 A8 1.flac", to: "A8/1 A8 1.ogg") } == "A8 1 of A8 was replaced")
    #expect(told { $0.move("A6", to: "Elsewhere") } == "3 songs of A6 were found elsewhere")
    // An album that is known by its folder: its tags are as they were.
    _ = told { $0.put("Here/1.flac", sound: 910, title: "Only", album: "Lone", artist: "Zoe") }
    #expect(told { $0.move("Here", to: "There") } == "Only of Lone was found elsewhere")
    _ = told { $0.put("Rips/1.flac", sound: 920, title: "Untagged") }
    #expect(told { $0.move("Rips", to: "More") } == "Untagged of More was found elsewhere")
    #expect(
      told { world in
        world.retag("A7/1 A7 1.flac") { $0.track = 3 }
        world.retag("A7/3 A7 3.flac") { $0.track = 1 }
      }
        == "2 songs of A7 were retagged, and A7 is now in the order of the track numbers")
  }

  @Test("no sentence has an id, a word of the journal or a rule's name in it")
  func plainWords() throws {
    let world = try Self.world()
    var sentences: [String] = []
    for one in Self.cases {
      let decision = try world.library.decide(one.edit(world), newAlbums: nil)
      sentences += [
        decision.transaction.sentence, decision.sentence(from: world.library, isTrial: true),
      ]
    }
    var ids: [String] = []
    world.library.albums.forEach { id, _ in ids.append("\(id)") }
    world.library.songs.forEach { id, _ in ids.append("\(id)") }
    for sentence in sentences {
      for id in ids { #expect(!sentence.contains(id)) }
      for word in ["merge", "regrouped", "touched", "arranged", "undid", "was after", "slot"] {
        #expect(!sentence.contains(word), "\(sentence)")
      }
    }
  }

  @Test("long names are cut, and a sentence has a bound")
  func bounds() throws {
    var world = World()
    for number in 1...6 {
      world.putAlbum(
        "\(number)" + String(repeating: "東", count: 300), sound: number * 10, in: "\(number)")
    }
    let sentence = world.merge().decision.transaction.sentence
    #expect(sentence.utf8.count <= Telling.longest)
    #expect(sentence.hasPrefix("1東"))
  }
}
