import TestSupport
import Testing

@testable import LibraryModel

@Suite("Orders that are asked for", .limited)
struct GatheringTests {
  /// Music: A1 to A6. Jazz: J1, J2, J3.
  private static func world() throws -> World {
    var world = World()
    for number in (1...6).reversed() {
      world.putAlbum("A\(number)", sound: number * 10, in: nil)
      world.merge()
    }
    for number in (1...3).reversed() {
      world.putAlbum("J\(number)", sound: 200 + number * 10, in: nil)
      world.merge()
    }
    let ids = try (1...3).map { try world.id("J\($0)") }
    try world.edit(.moveAlbums(ids, nil, crate: "Jazz"))
    return world
  }

  @Test(
    "several albums stand as they were named, from whatever crates they come",
    arguments: [
      (["A5", "A2"], "top", nil, "A5 A2 A1 A3 A4 A6"),
      (["A2", "A5"], "bottom", nil, "A1 A3 A4 A6 A2 A5"),
      (["A6", "A1", "A6"], "before A3", nil, "A2 A6 A1 A3 A4 A5"),
      (["A1", "A6"], "after A3", nil, "A2 A3 A1 A6 A4 A5"),
      // One step orders nothing anew.
      (["A4", "A3"], "up", nil, "A1 A3 A4 A2 A5 A6"),
      (["A2", "A3"], "down", nil, "A1 A4 A2 A3 A5 A6"),
      (["J3", "A4", "J1"], "top", "Music", "J3 A4 J1 A1 A2 A3 A5 A6"),
      // Without a place those already there stay.
      (["A3", "J2", "A1", "J1"], nil, "Music", "J2 J1 A1 A2 A3 A4 A5 A6"),
    ] as [([String], String?, String?, String)])
  func albums(named: [String], place: String?, crate: String?, result: String) throws {
    var world = try Self.world()
    let words = place?.split(separator: " ").map(String.init) ?? []
    let target: Place<AlbumID>? =
      switch words.first {
      case "top": .top
      case "bottom": .bottom
      case "up": .up
      case "down": .down
      case "before": .before(try world.id(words[1]))
      case "after": .after(try world.id(words[1]))
      default: nil
      }
    let ids = try named.map { try world.id($0) }
    try world.edit(.moveAlbums(ids, target, crate: crate, gathered: .given))
    #expect(world.albums().joined(separator: " ") == result)
    world.check()
  }

  @Test("songs stand as they were named, too")
  func songs() throws {
    var world = try Self.world()
    let ids = try ["A1 3", "A1 1"].map { try world.song($0).id }
    try world.edit(.moveSongs(ids, .bottom, gathered: .given))
    #expect(world.songs(of: "A1") == ["A1 2", "A1 3", "A1 1"])
    try world.edit(.moveSongs(ids.reversed(), .top, gathered: .kept))
    #expect(world.songs(of: "A1") == ["A1 3", "A1 1", "A1 2"])
  }

  @Test("a folder's places are forgotten by its path: what is gone, and what is offline there")
  func folder() throws {
    var world = try Self.world()
    _ = world.remove("A1/1 A1 1.flac")
    world.merge()
    world.setAway(["A2"])
    try world.edit(.forget(songs: [], albums: [], folder: World.path("A1"), all: false))
    #expect(world.songs(of: "A1") == ["A1 2", "A1 3"])
    let decision = try world.edit(
      .forget(songs: [], albums: [], folder: World.path("A2"), all: false))
    #expect(world.album("A2") == nil)
    #expect(decision.transaction.sentence == "A2 is forgotten")
    #expect(throws: Refusal.noSuchFolder(BytePath("/elsewhere"))) {
      try world.library.decide(
        .forget(songs: [], albums: [], folder: BytePath("/elsewhere"), all: false), newAlbums: nil)
    }
  }

  @Test(
    "a text of a part moves what disagrees with it, each behind the one above it",
    arguments: [
      ("A1 A3", "A1 A2 A3 A4 A5 A6"), ("A3 A1", "A2 A3 A1 A4 A5 A6"),
      ("A2 A1 A6", "A2 A1 A3 A4 A5 A6"), ("A1 J2 A4", "A1 J2 A2 A3 A4 A5 A6"),
      // The first one goes on top where it comes from elsewhere.
      ("J1 A2", "J1 A1 A2 A3 A4 A5 A6"), ("A5 J3 J1", "A1 A2 A3 A4 A5 J3 J1 A6"),
    ])
  func partial(text: String, result: String) throws {
    var world = try Self.world()
    var written = WrittenOrder()
    written.crates = [WrittenOrder.Crate(name: "music", line: 1)]
    written.crates[0].albums = try text.split(separator: " ").map { title in
      WrittenOrder.Album(id: try world.id(String(title)), line: 2)
    }
    let decision = try world.library.decide(
      written, readFrom: world.library, scope: TextScope(isPartial: true), newAlbums: nil,
      origin: "music.m3u")
    #expect(decision.transaction.notes.isEmpty)
    #expect(decision.transaction.origin == (decision.changes.isEmpty ? nil : "music.m3u"))
    world.library = decision.library
    #expect(world.albums().joined(separator: " ") == result)
    #expect(world.library.crate(named: "Music")?.name == "Music")
    world.check()
    // What it says is so now.
    let again = try world.library.decide(
      written, readFrom: world.library, scope: TextScope(isPartial: true), newAlbums: nil)
    #expect(again.changes.isEmpty)
  }

  @Test("a partial text takes what is gone along behind what it stood behind")
  func partialGone() throws {
    var world = try Self.world()
    let gone = try world.id("A2")
    _ = world.remove("A2")
    world.merge()
    var written = WrittenOrder()
    written.crates = [WrittenOrder.Crate(name: "Music", line: 1)]
    written.crates[0].albums = try ["A3", "A1"].map {
      WrittenOrder.Album(id: try world.id($0), line: 2)
    }
    world.library = try world.library.decide(
      written, readFrom: world.library, scope: TextScope(isPartial: true), newAlbums: nil
    ).library
    let order = Array(try #require(world.library.crate(named: "Music")).albums)
    #expect(world.albums() == ["A3", "A1", "A4", "A5", "A6"])
    #expect(order.firstIndex(of: gone) == 2)
  }
}
