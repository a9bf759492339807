import TestSupport
import Testing
import Text

@testable import LibraryModel

@Suite("What people's words mean", .limited)
struct MeaningTests {
  /// Jazz: Kind of Blue, Blue Train, Straße. Music: Low, Heroes, 1979, Both. Rock: Blue Train, Gone
  /// (whose songs are gone). Both: Late. Each of three songs.
  private static func world() throws -> World {
    var world = World()
    let albums = [
      ("Gone", "Nobody"), ("Late", "Zoe"), ("Blue Train", "Other"), ("Both", "Zoe"),
      ("1979", "Zoe"), ("Heroes", "David Bowie"), ("Low", "David Bowie"), ("Straße", "Zoe"),
      ("Blue Train", "John Coltrane"), ("Kind of Blue", "Miles Davis"),
    ]
    for (number, album) in albums.enumerated() {
      world.putAlbum(
        album.0, by: album.1, sound: 10 * number + 10, in: "\(number) \(album.0)")
      world.merge()
    }
    func ids(_ titles: [String]) -> [AlbumID] {
      world.listed().filter { titles.contains(world.library.face(of: $0).title) }.map(\.id)
    }
    let all = world.listed().map(\.id)
    try world.edit(.moveAlbums(Array(all[..<3]), .top, crate: "Jazz"))
    try world.edit(.moveAlbums([all[7], all[9]], .top, crate: "Rock"))
    try world.edit(.moveAlbums([all[8]], .top, crate: "Both"))
    _ = world.remove("0 Gone")
    world.merge()
    return world
  }

  private let world: World
  private let names: NameIndex

  init() throws {
    world = try Self.world()
    var names = NameIndex(world.library)
    names.readSongs(world.library)
    names.readSongNumbers(world.library)
    self.names = names
  }

  private func meaning(
    _ words: [String], _ wanted: Set<Thing.Kind> = Set(Thing.Kind.allCases)
  ) throws -> Meaning {
    let what = try #require(What(words), "\(words)")
    return Resolution(world.library, names: names, wanted: wanted, most: 10).meaning(of: what)
  }

  private func shown(_ things: [Thing]) -> [String] {
    things.map { thing in
      switch thing {
      case .crate(let id): "crate \(world.library.crate(id)?.name ?? "?")"
      case .album(let id):
        world.library.albums[id].map { world.library.face(of: $0) }.map { face in
          "\(face.title) by \(face.artist)"
        } ?? "?"
      case .song(let id): world.library.songs[id]?.title ?? "?"
      }
    }
  }

  @Test(
    "names, positions and marks",
    arguments: [
      (["Jazz"], ["crate Jazz"]), (["  jAZZ "], ["crate Jazz"]),
      (["STRASSE"], ["Straße by Zoe"]), (["kind of  blue"], ["Kind of Blue by Miles Davis"]),
      (["Jazz", "1"], ["Kind of Blue by Miles Davis"]),
      (["Jazz", "-1"], ["Straße by Zoe"]), (["Jazz", "last"], ["Straße by Zoe"]),
      (["Jazz", "3,1"], ["Straße by Zoe", "Kind of Blue by Miles Davis"]),
      (["Jazz", "2-"], ["Blue Train by John Coltrane", "Straße by Zoe"]),
      (["Jazz", "-2-"], ["Blue Train by John Coltrane", "Straße by Zoe"]),
      (["Jazz", "1-2", "last"], ["Kind of Blue 3", "Blue Train 3"]),
      (["Jazz", "1", "2"], ["Kind of Blue 2"]), (["Low", "3"], ["Low 3"]),
      // Gone albums have no positions.
      (["Rock", "1-"], ["Blue Train by Other"]), (["Rock", "2"], []), (["Jazz", "4"], []),
      (["album:Both"], ["Both by Zoe"]), (["crate:Both"], ["crate Both"]),
      (["crate:Low"], []), (["song:Low 2"], ["Low 2"]), (["Low 2"], ["Low 2"]),
      // A title and its artist, as albums are shown.
      (["Blue Train by Other"], ["Blue Train by Other"]),
      (["blue train  JOHN coltrane"], ["Blue Train by John Coltrane"]),
      (["album:Blue Train by Other"], ["Blue Train by Other"]),
      (["Blue Train Other", "2"], ["Blue Train 2"]), (["Blue Train by"], []),
      (["Blue Train by Zoe"], []), (["Gone by Nobody"], []),
      // Only where nothing listed is called so.
      (["Gone"], ["Gone by Nobody"]), (["1979"], ["1979 by Zoe"]),
    ] as [([String], [String])])
  func meant(words: [String], what: [String]) throws {
    #expect(shown(try meaning(words).what) == what)
  }

  @Test("several that fit are told, and none is meant")
  func candidates() throws {
    let blue = try meaning(["Blue Train"])
    #expect(blue.what.isEmpty)
    #expect(shown(blue.candidates) == ["Blue Train by John Coltrane", "Blue Train by Other"])
    #expect(shown(try meaning(["Both"]).candidates) == ["crate Both", "Both by Zoe"])
    #expect(shown(try meaning(["Both"], [.album]).what) == ["Both by Zoe"])
    #expect(shown(try meaning(["Both", "1"], [.album]).candidates).count == 2)
  }

  @Test("ids, whole and from their fourth letter on")
  func ids() throws {
    let album = try #require(world.album("Low"))
    let song = try world.song("Low 2")
    #expect(try meaning(["\(album.id)"]).what == [.album(album.id)])
    #expect(try meaning(["\(song.id)"]).what == [.song(song.id)])
    #expect(try meaning(["\(song.id)"], [.album]).what == [])
    let beginning = String("\(album.id)".prefix(9))
    #expect(try meaning([beginning]).what == [.album(album.id)])
    #expect(try meaning(["id:\(beginning)"]).what == [.album(album.id)])
    #expect(try meaning([beginning, "2"]).what == [.song(song.id)])
    #expect(try meaning([String("\(album.id)".prefix(3))]).what == [])
  }

  @Test("a path is its song, and a folder what lies below it")
  func paths() throws {
    let song = try world.song("Low 2")
    #expect(try meaning([song.path.display]).what == [.song(song.id)])
    #expect(try meaning([song.path.fileURI]).what == [.song(song.id)])
    let folder = song.path.parent.display + "/"
    #expect(shown(try meaning([folder]).what) == ["Low 1", "Low 2", "Low 3"])
    #expect(shown(try meaning([folder], [.album]).what) == ["Low by David Bowie"])
    #expect(What(["./here"]) == nil)
    #expect(What(["~/here"]) == nil)
  }

  @Test(
    "what is misspelt is near to what it was meant to be",
    arguments: [
      ("Jaz", ["crate Jazz"]), ("Heros", ["Heroes by David Bowie"]),
      ("Kind fo Blue", ["Kind of Blue by Miles Davis"]), ("Lo", []), ("Quite another", []),
      ("Jzaz", ["crate Jazz"]), ("crate:Jaz", ["crate Jazz"]), ("album:Jaz", []),
    ])
  func near(word: String, near: [String]) throws {
    let meaning = try meaning([word])
    #expect(meaning.what.isEmpty && meaning.candidates.isEmpty)
    #expect(shown(meaning.near) == near)
  }

  @Test("an unfinished word is all that it may become")
  func completions() throws {
    func completions(_ word: String, _ wanted: Set<Thing.Kind>) throws -> [String] {
      let resolution = Resolution(world.library, names: names, wanted: wanted, most: 10)
      return shown(resolution.completions(of: try #require(What([word]))).candidates)
    }
    #expect(try completions("b", [.crate]) == ["crate Both"])
    #expect(
      try completions("B", [.crate, .album]) == [
        "crate Both", "Both by Zoe", "Blue Train by John Coltrane", "Blue Train by Other",
      ])
    // What is gone is named whole.
    #expect(try completions("Go", [.album]) == [])
    #expect(try completions("crate:", [.crate]).count == 4)
  }

  @Test("the index of names follows what is called otherwise by now")
  func following() throws {
    var (world, names) = (world, names)
    for track in 1...3 {
      world.retag("6 Low/\(track) Low \(track).flac") { $0.album = "High" }
    }
    let outcome = world.merge()
    names.follow(albums: outcome.albums, songs: outcome.songs, in: world.library)
    let high = Resolution(
      world.library, names: names, wanted: [.album], most: 10
    ).meaning(of: try #require(What(["high"])))
    #expect(high.what == [.album(try world.id("High"))])
    let low = Resolution(
      world.library, names: names, wanted: [.album], most: 10
    ).meaning(of: try #require(What(["Low"])))
    #expect(low.what.isEmpty)
  }

  @Test("an album that came later is found by the beginning of its id, too")
  func laterNumbers() throws {
    var (world, names) = (world, names)
    world.putAlbum("Later", by: "Zoe", sound: 900, in: "later")
    let outcome = world.merge()
    names.follow(albums: outcome.albums, songs: outcome.songs, in: world.library)
    let resolution = Resolution(
      world.library, names: names, wanted: Set(Thing.Kind.allCases), most: 10)
    let album = try world.id("Later")
    let song = try world.song("Later 2").id
    for (id, thing) in [("\(album)", Thing.album(album)), ("\(song)", Thing.song(song))] {
      let words = ["id:\(id.prefix(10))"]
      #expect(resolution.meaning(of: try #require(What(words))).what == [thing])
    }
  }

  @Test(
    "lists of positions",
    arguments: [
      ("3", [3]), ("2-4", [2, 3, 4]), ("4-", [4, 5]), ("-1", [5]), ("last", [5]), ("-2-", [4, 5]),
      ("1,5,1", [1, 5]), ("5,2", [5, 2]), ("2--1", [2, 3, 4, 5]), ("3-last", [3, 4, 5]),
      ("6", nil), ("4-2", nil),
    ] as [(String, [Int]?)])
  func positions(word: String, chosen: [Int]?) throws {
    #expect(try #require(Positions(word)).chosen(of: 5) == chosen)
  }

  @Test(
    "what is no list of positions", arguments: ["0", "-0", "", "a", "1,", "-", "--", "1-0", "٣"])
  func noPositions(word: String) {
    #expect(Positions(word) == nil)
  }

  @Test("a list of positions has at most 4096 bytes")
  func longPositions() {
    #expect(Positions(String(repeating: "1,", count: 2_047) + "12") != nil)
    #expect(Positions(String(repeating: "1,", count: 2_048) + "1") == nil)
  }
}
