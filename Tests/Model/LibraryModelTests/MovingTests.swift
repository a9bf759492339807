import Ordering
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Moving", .limited)
struct MovingTests {
  /// SongPocket's behaviour on scattered selections.
  static let cases: [(chosen: String, place: Place<Character>, result: String)] = [
    ("CD", .up, "ACDBEFG"),
    ("AB", .up, "ABCDEFG"),
    ("BDG", .up, "ABDGCEF"),
    ("CD", .down, "ABECDFG"),
    ("FG", .down, "ABCDEFG"),
    ("ADF", .down, "BCEADFG"),
    ("BDG", .top, "BDGACEF"),
    ("ADF", .bottom, "BCEGADF"),
    ("BD", .before("F"), "ACEBDFG"),
    ("BD", .after("F"), "ACEFBDG"),
    ("FG", .before("A"), "FGABCDE"),
  ]

  @Test("a selection moves as the table says", arguments: cases)
  func table(_ one: (chosen: String, place: Place<Character>, result: String)) {
    let moved = placing(Array(one.chosen), at: one.place, in: Array("ABCDEFG"))
    #expect(String(moved) == one.result)
  }

  @Test("gone items never move by themselves, and steps count listed ones only")
  func gone() {
    // Small letters are gone.
    let order = Array("aBcDeFg")
    func move(_ chosen: String, _ place: Place<Character>) -> String {
      String(placing(Array(chosen), at: place, in: order, isListed: \.isUppercase))
    }
    #expect(move("D", .up) == "aDBceFg")
    #expect(move("D", .down) == "aBceFDg")
    #expect(move("F", .top) == "FaBcDeg")
    #expect(move("B", .bottom) == "acDeFgB")
    #expect(move("F", .before("B")) == "aFBcDeg")
    #expect(move("B", .after("F")) == "acDeFBg")
    #expect(move("B", .up) == "aBcDeFg")
  }
}

@Suite("Edits", .limited)
struct EditTests {
  private func world() throws -> World {
    var world = World()
    for number in 1...4 {
      world.putAlbum("A\(number)", by: "A", sound: number * 10, in: nil)
      world.merge()
    }
    try world.edit(.moveAlbums([world.id("A1")], .top, crate: "Jazz"))
    return world
  }

  @Test("a crate comes into being with its first album and goes with its last")
  func crates() throws {
    var world = try world()
    #expect(world.library.crates.map(\.name) == ["Music", "Jazz"])
    #expect(world.albums() == ["A4", "A3", "A2"])
    let decision = try world.edit(.moveAlbums([world.id("A1")], nil, crate: "music"))
    #expect(decision.changes.count == 2)
    #expect(world.library.crates.map(\.name) == ["Music"])
    #expect(world.albums() == ["A1", "A4", "A3", "A2"])
  }

  @Test("a move within its crate leaves the album itself, and what is known of it, as they were")
  func sameAlbum() throws {
    var world = try world()
    let id = try world.id("A2")
    let album = try #require(world.library.albums[id])
    try world.edit(.moveAlbums([id], .top, crate: nil))
    #expect(world.albums() == ["A2", "A4", "A3"] && world.library.isTouched(id))
    #expect(world.library.albums[id] === album)
    try world.edit(.moveAlbums([id], .top, crate: "Jazz"))
    #expect(world.library.albums[id] !== album && album.crate != world.library.albums[id]?.crate)
  }

  @Test("without a place those already in the crate stay")
  func alreadyThere() throws {
    var world = try world()
    let ids = try [world.id("A2"), world.id("A1")]
    try world.edit(.moveAlbums(ids, nil, crate: "Music"))
    #expect(world.albums() == ["A1", "A4", "A3", "A2"])
  }

  @Test("albums of several crates join the crate of the anchor, in the order they had")
  func severalCrates() throws {
    var world = try world()
    let ids = try [world.id("A1"), world.id("A4")]
    let anchor = try world.id("A3")
    try world.edit(.moveAlbums(ids, .after(anchor), crate: nil))
    #expect(world.albums() == ["A3", "A4", "A1", "A2"])
    world.check()
  }

  @Test("what makes no sense is refused and changes nothing")
  func refusals() throws {
    var world = try world()
    let (a1, a2, a3) = try (world.id("A1"), world.id("A2"), world.id("A3"))
    func expect(_ edit: Edit, _ isExpected: (Refusal) -> Bool) {
      do {
        _ = try world.library.decide(edit, newAlbums: nil)
        Issue.record("\(edit) is refused")
      } catch {
        #expect(isExpected(error), "\(error)")
      }
    }
    func isPlace(_ refusal: Refusal) -> Bool {
      if case .invalidPlace = refusal { true } else { false }
    }
    expect(.moveAlbums([a1, a2], .top, crate: nil), isPlace)
    expect(.moveAlbums([a2], .up, crate: "Jazz"), isPlace)
    expect(.moveAlbums([a2], .before(a2), crate: nil), isPlace)
    expect(.moveAlbums([a2], .before(a1), crate: "Music"), isPlace)
    expect(.moveAlbums([], .top, crate: nil)) { $0 == .nothingChosen("albums") }
    expect(.moveAlbums([a2], .top, crate: " x")) {
      if case .invalidName = $0 { true } else { false }
    }
    expect(.moveCrate("Rock", .top)) { $0 == .noSuchCrate("Rock") }
    expect(.moveCrate("Jazz", .before("jazz")), isPlace)
    expect(.renameCrate("Jazz", to: "MUSIC")) { $0 == .crateExists("MUSIC") }
    expect(.renameCrate("Jazz", to: "")) { if case .invalidName = $0 { true } else { false } }
    let (song, other) = try (world.song("A1 1").id, world.song("A3 1").id)
    expect(.moveSongs([song, other], .top)) { $0 == .notOneAlbum([song, other]) }
    expect(.moveSongs([song], .before(other))) { $0 == .notOneAlbum([song, other]) }
    expect(.moveSongs([song], .after(song)), isPlace)
    _ = a3
    try world.edit(.renameCrate("Jazz", to: "JAZZ"))
    #expect(world.library.crates.map(\.name) == ["Music", "JAZZ"])
  }

  @Test("nothing to do is no change and no error")
  func nothingToDo() throws {
    var world = try world()
    #expect(try world.edit(.moveAlbums([world.id("A4")], .up, crate: nil)).changes.isEmpty)
    #expect(try world.edit(.moveAlbums([world.id("A2")], .bottom, crate: nil)).changes.isEmpty)
    #expect(try world.edit(.moveCrate("Music", .up)).changes.isEmpty)
    #expect(try world.edit(.renameCrate("Music", to: "Music")).changes.isEmpty)
    #expect(try world.edit(.moveSongs([world.song("A1 1").id], .top)).changes.isEmpty)
  }

  @Test("crates move among the listed ones")
  func moveCrates() throws {
    var world = try world()
    try world.edit(.moveAlbums([world.id("A2")], .top, crate: "Rock"))
    try world.edit(.moveCrate("Rock", .before("Music")))
    #expect(world.library.crates.map(\.name) == ["Rock", "Music", "Jazz"])
    let taken = world.remove("A1")
    world.merge()
    try world.edit(.moveCrate("Rock", .down))
    #expect(world.library.crates.map(\.name) == ["Music", "Rock", "Jazz"])
    try world.edit(.moveCrate("Rock", .bottom))
    #expect(world.library.crates.map(\.name) == ["Music", "Jazz", "Rock"])
    world.restore(taken)
    world.merge()
    #expect(world.library.crates.map(\.name) == ["Music", "Jazz", "Rock"])
  }
}
