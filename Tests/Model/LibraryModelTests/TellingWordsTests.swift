import TestSupport
import Testing

@testable import LibraryModel

@Suite("The words that sentences are made of", .limited)
struct TellingWordsTests {
  @Test(
    "numbers have a comma for each three digits, and one thing is told without s",
    arguments: [
      (0, "0 songs"), (1, "1 song"), (2, "2 songs"), (999, "999 songs"), (1_000, "1,000 songs"),
      (12_345, "12,345 songs"), (123_456, "123,456 songs"), (1_234_567, "1,234,567 songs"),
    ])
  func numbers(count: Int, text: String) { #expect(counted(count, "song") == text) }

  @Test("up to four are named, and the others counted")
  func names() {
    for (names, text, isPlural) in [
      (["A"], "A", false), (["A", "B"], "A and B", true), (["A", "B", "C"], "A, B and C", true),
      (["A", "B", "C", "D"], "A, B, C and D", true),
      (["A", "B", "C", "D", "E"], "A, B, C, D and 1 more", true),
    ] {
      #expect(Names(names).text == text)
      #expect(Names(names).isPlural == isPlural)
    }
    #expect(Names(["A", "B"], of: 100).text == "A, B and 98 more")
    #expect(Names([String](), of: 3).text == "3")
    #expect(!Names("A").isPlural)
    #expect(Names.joined([]) == "")
  }

  @Test("a name of sixty characters is told whole, and of a longer one the beginning")
  func longNames() {
    let name = String(repeating: "é", count: 60)
    #expect(Names.cut(name) == name)
    #expect(Names.cut(name + "é") == name.dropLast() + "…")
  }

  @Test("verbs go with their subject, and with what has not happened")
  func verbs() {
    let (one, two) = (Names("A"), Names(["A", "B"]))
    func texts(_ verb: Clause.Verb) -> [String] {
      [one, two].flatMap { subject in
        [false, true].map { Clause(subject, verb, "x").text(isDryRun: $0) }
      }
    }
    #expect(texts(.be) == ["A is x", "A would be x", "A and B are x", "A and B would be x"])
    #expect(texts(.done) == ["A was x", "A would be x", "A and B were x", "A and B would be x"])
    #expect(
      texts(.have) == ["A has x", "A would have x", "A and B have x", "A and B would have x"])
  }

  private func telling(_ changes: [Change] = [], _ library: Library = Library()) -> Telling {
    Telling(changes: changes, before: library, after: library, isDryRun: false)
  }

  @Test("places are told by their numbers, the ends of a list by name")
  func places() {
    let telling = telling()
    for (positions, total, now, again) in [
      ([], 3, "in L", "in L again"),
      ([1], 1, "on top of L (1 of 1)", "on top of L again (1 of 1)"),
      ([1, 2], 3, "on top of L (1–2 of 3)", "on top of L again (1–2 of 3)"),
      ([2], 3, "at 2 of 3 in L", "in L again, at 2"),
      ([2, 3], 4, "at 2–3 of 4 in L", "in L again, at 2–3"),
      ([2, 3], 3, "at the bottom of L (2–3 of 3)", "in L again, at 2–3"),
      ([1, 3], 5, "in L, at 1 and 3 of 5", "in L again, at 1 and 3 of 5"),
      ([1, 3, 5, 9], 9, "in L, at 1, 3, 5 and 9 of 9", "in L again, at 1, 3, 5 and 9 of 9"),
      ([1, 3, 5, 7, 9], 9, "in L", "in L again"),
    ] {
      #expect(telling.place(positions, of: total, in: "L", .now) == now)
      #expect(telling.place(positions, of: total, in: "L", .again) == again)
    }
    #expect(telling.place([1], of: 1, in: "L", isNew: true, .now) == "in the new crate L")
    #expect(telling.place([1], of: 1, in: "L", isNew: true, .again) == "in L again")
    #expect(telling.place([2], of: 3, in: "all", .now, isAmong: true) == "at 2 of 3 among all")
  }

  @Test("what is not there any more is told without a name")
  func nameless() {
    let telling = telling()
    #expect(telling.title(AlbumID(number: 1)) == "an album")
    #expect(telling.title(SongID(number: 1)) == "a song")
    #expect(telling.titleAndArtist(AlbumID(number: 1)) == "an album")
  }

  @Test("what is taken back or done again says of how many changes, also where nothing moves")
  func nothingMoved() {
    var telling = telling()
    #expect(telling.sentence(of: .undo(steps: 1)) == "Taken back: nothing had to be moved")
    #expect(
      telling.sentence(of: .redo(steps: 2)) == "Done again, 2 changes: nothing had to be moved")
    #expect(telling.sentence(of: .merge) == "nothing to do")
    #expect(
      telling.sentence(of: .text) == "nothing to do: the order is as the text says")
    telling = Telling(changes: [], before: Library(), after: Library(), isDryRun: true)
    #expect(
      telling.sentence(of: .undo(steps: 2))
        == "Would be taken back, 2 changes: nothing had to be moved")
    #expect(
      telling.sentence(of: .redo(steps: 1)) == "Would be done again: nothing had to be moved")
  }

  @Test("an order of the past is restored, and a trial of that says what would move")
  func formerOrder() throws {
    let library = try TellingEditsTests.world().library
    func told(isDryRun: Bool, _ origin: String) -> String {
      Telling(
        changes: [.crateMoved("Jazz", after: nil, wasAfter: "Music")], before: library,
        after: library, isDryRun: isDryRun, origin: origin
      ).sentence(of: .text)
    }
    #expect(told(isDryRun: false, "order of 1 May, 07:11") == "Restored the order of 1 May, 07:11")
    let moved = "at the bottom of the crates (2 of 2)"
    #expect(told(isDryRun: true, "order of 1 May, 07:11") == "Jazz would be \(moved)")
    #expect(told(isDryRun: false, "Jazz.m3u") == "Jazz is \(moved)")
  }

  @Test("albums that moved are told by their crates, and by names where some came from others")
  func albumsMoved() throws {
    let library = try TellingEditsTests.world().library
    let world = try TellingEditsTests.world()
    func told(_ moves: [(album: String, from: String)], _ purpose: Purpose) throws -> String {
      let changes = try moves.map { album, former in
        Change.albumMoved(
          try world.id(album), crate: album.hasPrefix("A") ? "Music" : "Jazz", after: nil,
          wasCrate: former, wasAfter: nil)
      }
      return telling(changes, library).sentence(of: purpose)
    }
    let five: [(album: String, from: String)] = (1...5).map {
      ("A\($0)", $0 == 3 ? "MUSIC" : "Music")
    }
    var other = five
    other[4].from = "Jazz"
    let names = "A1, A2, A3, A4 and 1 more are on top of Music"
    for moves in [five, other] {
      #expect(try told(moves, .text) == "\(names) (1–5 of 9)")
    }
    let back = "Taken back: "
    #expect(
      try told(five, .undo(steps: 1)) == back + "Music is in its former order again")
    #expect(try told(other, .undo(steps: 1)) == back + "\(names) again (1–5 of 9)")
    #expect(
      try told(
        [("J2", "Jazz"), ("A2", "Music"), ("J1", "Jazz"), ("A1", "Music")], .text)
        == "A1 and A2 are on top of Music (1–2 of 9), and J1 and J2 are on top of Jazz (1–2 of 2)")
  }

  @Test("of a crate that had nothing listed before it is not told that nothing is left")
  func leftBefore() throws {
    var small = try SmallLibrary()
    for song in [10, 11, 12, 20, 21] as [UInt64] {
      try small.apply(.songGone(SongID(number: song), Traits()))
    }
    let before = small.library
    try small.apply(
      .albumMoved(
        AlbumID(number: 1), crate: "Jazz", after: nil, wasCrate: "Music", wasAfter: nil))
    func told(_ before: Library) -> [String] {
      Telling(
        changes: [
          .albumMoved(
            AlbumID(number: 1), crate: "Jazz", after: nil, wasCrate: "Music", wasAfter: nil)
        ], before: before, after: small.library, isDryRun: false
      ).crateClauses().map { $0.text(isDryRun: false) }
    }
    #expect(told(before) == [])
    #expect(told(try SmallLibrary().library) == ["Music has nothing left but kept places"])
  }

  @Test("the crate for new albums is told to be empty, and that the setting has its former name")
  func newAlbums() throws {
    var world = World()
    world.newAlbums = "Inbox"
    world.putAlbum("Blue", sound: 1, in: nil)
    world.merge()
    for (former, name, notes) in [
      ("Inbox", "inbox", []),
      ("inbox", "New", ["new_albums still names Inbox: new albums go to a new crate of that name"]),
      ("New", "Inbox", []),
    ] {
      let before = world.library
      var decision = try world.edit(.renameCrate(former, to: name))
      decision.noteNewAlbums(from: before, setting: "Inbox")
      #expect(decision.transaction.notes == notes)
    }
    let move = Edit.moveAlbums([try world.id("Blue")], nil, crate: "Jazz", gathered: .given)
    #expect(
      try world.edit(move).transaction.sentence
        == "Blue is in the new crate Jazz, and Inbox is empty")
    // It was kept for its name alone.
    try world.edit(.renameCrate("Inbox", to: "New"))
    #expect(world.library.crates.map(\.name) == ["Jazz"])
  }

  @Test("several crates that moved are told together")
  func crates() throws {
    let library = try TellingEditsTests.world().library
    let changes: [Change] = [
      .crateMoved("Jazz", after: nil, wasAfter: "Music"),
      .crateMoved("Music", after: nil, wasAfter: "Jazz"),
      .crateMoved("Jazz", after: "Music", wasAfter: nil),
    ]
    let telling = telling(changes, library)
    #expect(telling.sentence(of: .text) == "Jazz and Music were moved among the crates")
    #expect(
      telling.sentence(of: .undo(steps: 1))
        == "Taken back: Jazz and Music are where they were among the crates")
  }

  @Test("a folder of which there is nothing else to say")
  func lesser() throws {
    let world = try TellingEditsTests.world()
    func told(_ changes: [Change]) -> String {
      telling(changes, world.library).sentence(of: .merge)
    }
    let kept = world.library.record(of: try world.song("A1 1"))
    let forgotten = try ["A1 1", "A2 1"].map {
      Change.songForgotten(try world.song($0).id, was: kept)
    }
    #expect(told([forgotten[0]]) == "1 song was taken for older ones")
    #expect(told(forgotten) == "2 songs were taken for older ones")
    #expect(
      told([.firstScanEnded(BytePath("/m/a"))]) == "The first scan of /m/a is over")
    #expect(
      told([.firstScanEnded(BytePath("/m/a")), .firstScanEnded(BytePath("/m/b"))])
        == "The first scan of /m/a and /m/b is over")
    let moved = try ["A3", "A2"].map {
      Change.albumMoved(
        try world.id($0), crate: "Music", after: nil, wasCrate: "Music", wasAfter: nil)
    }
    #expect(told(moved) == "A2 and A3 were put in the order of their arrival")
    #expect(
      told([.albumArranged(try world.id("A1"), true)])
        == "What is known of the files is up to date")
  }
}
