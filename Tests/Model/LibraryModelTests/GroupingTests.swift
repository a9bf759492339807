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

  @Test("album and album artist make one album wherever the files lie")
  func tagged() {
    var world = World()
    world.put("1/a.mp3", sound: 1, title: "a", album: "Both", albumArtist: "X", track: 1)
    world.put("2/b.mp3", sound: 2, title: "b", album: "BOTH ", albumArtist: "x", track: 2)
    world.merge()
    #expect(world.songs(of: "Both") == ["a", "b"])
    world.check()
  }

  @Test("a song that names no album artist goes with the one that most songs beside it name")
  func mostNamed() {
    var world = World()
    for (name, artist) in [("a", "Few"), ("b", "Many"), ("c", "Many"), ("d", "")] {
      world.put(
        "1/\(name).mp3", sound: Int(name.utf8.first ?? 0), title: name, album: "Both",
        albumArtist: artist)
    }
    world.merge()
    #expect(
      Set(world.listed().map { Set(world.library.listedSongs(of: $0).map(\.title)) }) == [
        ["a"], ["b", "c", "d"],
      ])
    world.check()
  }

  @Test("the same disc and track with other sound in another folder is another edition")
  func editions() {
    var world = World()
    world.put("cd/a.flac", sound: 1, title: "a", album: "Both", albumArtist: "X", track: 1)
    world.put("mp3/a.mp3", sound: 2, title: "a", album: "Both", albumArtist: "X", track: 1)
    world.merge()
    #expect(world.albums() == ["Both", "Both"])
    let first = world.listed().map(\.id)
    // A third edition does not shuffle those that are there.
    world.put("aaa/a.ogg", sound: 3, title: "a", album: "Both", albumArtist: "X", track: 1)
    world.merge()
    #expect(world.listed().map(\.id).filter(first.contains) == first)
    #expect(world.listed().count == 3)
    world.check()
  }

  @Test("a copy of an album is that album, though a move set it apart for a moment")
  func copyOfEdition() {
    var world = World()
    func put(_ path: String, _ sound: Int) {
      world.put(
        path, sound: sound, title: "\(sound)", album: "X", albumArtist: "Ada", track: 1)
    }
    put("Old/1.flac", 1)
    put("Old/2.flac", 2)
    world.merge()
    for name in ["1.flac", "2.flac"] {
      world.move("Old/\(name)", to: "New/\(name)")
      world.merge()
    }
    put("Copy/1.flac", 1)
    world.merge()
    put("Copy/2.flac", 2)
    world.merge()
    #expect(world.library.songs.count == 2)
    #expect(world.library.albums.count == 1)
    world.check()
  }

  @Test("an edition that is gone keeps its album; the other does not slip into it")
  func goneEdition() {
    var world = World()
    world.put("a/a.flac", sound: 1, title: "a", album: "Both", albumArtist: "X", track: 1)
    world.put("b/a.mp3", sound: 2, title: "a", album: "Both", albumArtist: "X", track: 1)
    world.merge()
    let before = world.shape
    let taken = world.remove("a")
    world.merge()
    #expect(world.listed().count == 1)
    world.retag("b/a.mp3") { $0.genre = "Jazz" }
    world.merge()
    world.restore(taken)
    world.merge()
    #expect(world.shape == before)
    world.check()
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

  @Test("discs in folders beside each other are one album, unless their tags say otherwise")
  func siblingDiscs() {
    var world = World()
    var sound = 0
    func put(_ folder: String, _ album: String, by artist: String = "", disc: Int? = nil) {
      for track in 1...2 {
        sound += 1
        world.put(
          "\(folder)/\(track).flac", sound: sound, title: "\(folder) \(track)", album: album,
          artist: "Artist \(sound)", albumArtist: artist, track: track, disc: disc)
      }
    }
    put("P/The Wall (Disc 2)", "The Wall", by: "P")
    put("P/The Wall (Disc 1)", "The Wall", by: "P")
    put("Tommy/Disc One", "Tommy", by: "Who")
    put("Tommy/Disc Two", "Tommy", by: "Who")
    put("S/Digital Media 01", "Sampler", disc: 1)
    put("S/Digital Media 02", "Sampler", disc: 2)
    // Two of one name that are no discs, and two of different names.
    put("R/Rip (1)", "Rip", by: "R", disc: 1)
    put("R/Rip (2)", "Rip", by: "R", disc: 1)
    put("Q/Rip (1)", "Ripped", disc: 1)
    put("Q/Rip (2)", "Ripped", disc: 1)
    put("B/Suffer (1988)", "Suffer", by: "B")
    put("B/Suffer (2004 Remaster)", "Suffer", by: "B")
    put("W/Works 1", "Works 1", by: "W")
    put("W/Works 2", "Works 2", by: "W")
    put("U/Mix 1", "")
    put("U/Mix 2", "")
    world.merge()
    let counts = Dictionary(
      grouping: world.listed(), by: { world.library.face(of: $0).title }
    ).mapValues { $0.map { world.library.songs(of: $0).count } }
    #expect(
      counts == [
        "The Wall": [4], "Tommy": [4], "Sampler": [4], "Rip": [2, 2], "Ripped": [2, 2],
        "Suffer": [2, 2], "Works 1": [2], "Works 2": [2], "Mix 1": [2], "Mix 2": [2],
      ])
    #expect(
      world.songs(of: "The Wall") == [
        "P/The Wall (Disc 1) 1", "P/The Wall (Disc 1) 2", "P/The Wall (Disc 2) 1",
        "P/The Wall (Disc 2) 2",
      ])
    world.check()
  }

  @Test("the number of a single folder is no disc")
  func numberedFolder() {
    var world = World()
    for (folder, track) in [("Album 11", 1), ("Elsewhere", 2), ("Album 11", 3)] {
      world.put(
        "\(folder)/\(track).flac", sound: track, title: "\(track)", album: "Eleven",
        albumArtist: "X", track: track)
    }
    world.merge()
    #expect(world.songs(of: "Eleven") == ["1", "2", "3"])
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

  @Test("a song without album artist joins its folder's songs of that album that have one")
  func joinsFolder() {
    var world = World()
    world.put("F/1.mp3", sound: 1, title: "1", album: "Mix", albumArtist: "X", track: 1)
    world.put("F/2.mp3", sound: 2, title: "2", album: "Mix", track: 2)
    world.put("F/3.mp3", sound: 3, title: "3")
    world.merge()
    #expect(world.listed().count == 1)
    #expect(world.songs(of: "Mix") == ["1", "2", "3"])
  }

  @Test("what arrives in a folder neither renames an album nor takes its songs")
  func arrivals() {
    var world = World()
    func titles() -> [String: Int] {
      Dictionary(
        world.listed().map {
          (world.library.face(of: $0).title, world.library.listedSongs(of: $0).count)
        }, uniquingKeysWith: +)
    }
    func tagged(_ number: Int, _ album: String) {
      world.put(
        "In/t\(number).mp3", sound: 50 + number, title: "\(number)", album: album,
        albumArtist: "X", track: number)
    }
    for number in 1...2 { world.put("In/bootleg \(number).mp3", sound: number) }
    world.merge()
    for number in 1...3 {
      tagged(number, "Thriller")
      world.merge()
    }
    #expect(titles() == ["In": 2, "Thriller": 3])
    // One that is new or has another name goes to its like, whoever is in the majority.
    world.move("In/bootleg 1.mp3", to: "In/demo 1.mp3")
    world.put("In/bootleg 3.mp3", sound: 3)
    world.merge()
    #expect(titles() == ["In": 3, "Thriller": 3])
    // What joined an album stays in it.
    world.put("Mixed/t.mp3", sound: 61, title: "t", album: "Bad", albumArtist: "X", track: 1)
    world.put("Mixed/u.mp3", sound: 62, title: "u", album: "Bad", albumArtist: "X", track: 2)
    world.put("Mixed/loose.mp3", sound: 63)
    world.merge()
    #expect(titles() == ["In": 3, "Thriller": 3, "Bad": 3])
    for number in 4...8 { world.put("Mixed/more \(number).mp3", sound: 60 + number) }
    world.put("Mixed/o.mp3", sound: 80, title: "o", album: "Other", albumArtist: "X", track: 1)
    world.merge()
    #expect(titles() == ["In": 3, "Thriller": 3, "Bad": 3, "Mixed": 5, "Other": 1])
    world.check()
  }

  @Test("songs without an album go by their folder, titled with its name")
  func folder() {
    var world = World()
    world.put("Live at home/01 One.wav", sound: 1)
    world.put("Live at home/02 - Two.wav", sound: 2)
    world.put("Live at home/1979.mp3", sound: 3)
    world.merge()
    #expect(world.songs(of: "Live at home") == ["One", "Two", "1979"])
  }

  @Test("different releases in different folders are different albums")
  func releases() {
    var world = World()
    for (folder, release) in [("a", "r1"), ("b", "r2"), ("c", "r1"), ("d", "")] {
      world.put(
        "\(folder)/x.mp3", sound: Int(folder.utf8.first ?? 0), title: folder, album: "Both",
        albumArtist: "X", release: release)
    }
    world.merge()
    let albums = world.listed().map { album in world.library.songs(of: album).map(\.title).sorted()
    }
    // No folder's group depends on what lies in another one.
    #expect(Set(albums) == [["a", "c"], ["b"], ["d"]])
    world.check()
  }

  @Test("the same sound under two track numbers of one folder is two songs")
  func silence() {
    var world = World()
    world.put("A/1.mp3", sound: 5, title: "One", album: "A", albumArtist: "X", track: 1)
    world.put("A/2.mp3", sound: 5, title: "Two", album: "A", albumArtist: "X", track: 2)
    world.merge()
    #expect(world.songs(of: "A") == ["One", "Two"])
    world.check()
  }

  @Test("a name is shown as most of the songs write it")
  func spelling() {
    var world = World()
    for (number, name) in ["blue", "Blue", "Blue"].enumerated() {
      world.put(
        "A/\(number).mp3", sound: number + 1, album: name, albumArtist: "X", track: number + 1)
    }
    world.merge()
    #expect(world.albums() == ["Blue"])
  }
}
