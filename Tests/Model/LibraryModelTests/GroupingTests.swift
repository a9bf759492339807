import TestSupport
import Testing

@testable import LibraryModel

@Suite("Grouping", .limited)
struct GroupingTests {
  @Test(
    "a disc directory is told by its name",
    arguments: [
      ("CD1", 1), ("cd 2", 2), ("Disc-03 live", 3), ("disk_1", 1), ("Vinyl.2", 2), ("LP 1", 1),
      ("DVD1", 1), ("CD1 (bonus)", 1), ("CD", nil), ("CDs 1", nil), ("CD1x", nil), ("CD1234", nil),
      ("Disco 1", nil), ("1", nil),
    ] as [(String, Int?)])
  func discs(_ name: String, _ number: Int?) {
    #expect(discNumber(ofFolder: Array(name.utf8)) == number)
  }

  @Test("an album lies in its disc directories' parent, never above the music folder")
  func albumFolder() {
    let root = BytePath("/music")
    func folder(_ path: String) -> String {
      AlbumFolder(of: BytePath(path), root: root).path.display
    }
    #expect(folder("/music/A/B/CD1/x.mp3") == "/music/A/B")
    #expect(folder("/music/A/B/CD1/Disc 2/x.mp3") == "/music/A/B")
    #expect(folder("/music/CD1/x.mp3") == "/music")
    #expect(folder("/music/x.mp3") == "/music")
  }

  @Test(
    "a disc beside others is told by the number that its name ends in",
    arguments: [
      ("The Wall (Disc 1)", 1, "The Wall (Disc #)"), ("Disc One", 1, "Disc #"),
      ("Digital Media 02", 2, "Digital Media #"), ("The Wall CD2", 2, "The Wall CD#"),
      ("Box [B]", 2, "Box [#]"), ("Hits - twelve", 12, "Hits - #"), ("7", nil, ""),
      ("Suffer (1988)", nil, ""), ("Suffer (2004 Remaster)", nil, ""), ("Sum 182", nil, ""),
      ("Zero 0", nil, ""), ("Phone", nil, ""), ("Étienne", nil, ""), ("1B", nil, ""), ("", nil, ""),
      ("()", nil, ""), ("B", nil, ""), ("[A]", nil, ""), ("Ö 1", 1, "Ö #"),
    ] as [(String, Int?, String)])
  func siblings(_ name: String, _ number: Int?, _ pattern: String) {
    let found = numberAtEnd(of: Array(name.utf8))
    #expect(found?.number == number)
    let folder = AlbumFolder(of: BytePath("/music/a/\(name)/x"), root: BytePath("/music"))
    if number == 2 || number == 12 {
      #expect(folder.disc?.siblings == BytePath("/music/a/\(pattern)"))
    }
  }

  @Test("guests and unflagged compilations don't shatter an album")
  func noAlbumArtist() throws {
    var world = World()
    world.put("Hits/1.mp3", sound: 1, album: "Hits", artist: "Ann feat. Bob", track: 1)
    world.put("Hits/2.mp3", sound: 2, album: "Hits", artist: "Ann & Cid", track: 2)
    world.put("Hits/3.mp3", sound: 3, album: "hits", artist: "Dora", track: 3)
    world.put("Other/1.mp3", sound: 4, album: "Hits", artist: "Eve", track: 1)
    world.merge()
    #expect(world.listed().count == 2)
    let hits = try #require(world.listed().first { world.library.songs(of: $0).count == 3 })
    #expect(world.library.face(of: hits).artist == "Ann")
    world.put("Hits/4.mp3", sound: 5, album: "Hits", artist: "Fay", track: 4)
    world.merge()
    #expect(
      world.library.face(of: try #require(world.library.album(hits.id))).artist
        == "Various Artists")
  }

  @Test("a numbered folder is no disc where any song says another, be it of whatever album")
  func numbered() throws {
    var world = World()
    world.put("Hits 1/CD1/1.mp3", sound: 1, title: "A", album: "Hits", track: 1, disc: 1)
    world.put("Hits 1/CD2/2.mp3", sound: 2, title: "B", album: "Hits", track: 2, disc: 2)
    world.merge()
    let id = try world.song("A").album
    world.retag("Hits 1/CD2/2.mp3") { $0.album = "New" }
    world.merge()
    world.retag("Hits 1/CD2/2.mp3") { $0.albumArtist = "Band" }
    world.merge()
    #expect(try world.song("A").album == id)
    #expect(try world.song("B").album != id)
  }

  // MARK: Keys, which stores keep

  private func groups(_ world: World, _ titles: String...) throws -> [GroupKey] {
    try titles.map { try #require(world.library.albums[world.song($0).album]).group }
  }

  @Test("editions are called by their release, and by their folder where that is not enough")
  func editions() throws {
    var world = World()
    let release = "8f2fe0a9-9a4b-4a9b-8b3f-0a4d6d2c1e5f"
    for (number, folder) in ["A", "B", "C", "D"].enumerated() {
      world.put(
        "\(folder)/1.mp3", sound: 1 + number, title: folder, album: "X", albumArtist: "Y", track: 1,
        release: number < 2 ? "" : release)
    }
    world.merge()
    let keys = try groups(world, "A", "B", "C", "D")
    #expect(Set(keys.map(\.family)) == ["by\ty\tx"])
    #expect(keys.map(\.edition) == ["", " B", release, "\(release) D"])
    // An edition keeps its name when its folder gets another one.
    world.move("B", to: "E")
    world.merge()
    world.put("B/1.mp3", sound: 9, title: "F", album: "X", albumArtist: "Y", track: 1)
    world.merge()
    #expect(try groups(world, "B", "F").map(\.edition) == [" B", " B//2"])
  }
}
