import TestSupport
import Testing

@testable import LibraryModel

@Suite("Sorting", .limited)
struct SortingTests {
  // MARK: Pure

  @Test("only the chosen ones change places, among the slots they hold")
  func slots() {
    func reversed(_ chosen: String) -> String {
      String(permuting(chosen.reversed(), in: Array("ABCDEFG")))
    }
    #expect(reversed("ABCDEFG") == "GFEDCBA")
    #expect(reversed("BDG") == "AGCDEFB")
    #expect(reversed("C") == "ABCDEFG")
    #expect(reversed("") == "ABCDEFG")
  }

  @Test("what is unknown comes last, and the same ones keep their order")
  func keys() {
    let names = ["Track 10", "", "track 2", "TRACK 2", "a", "", "track 2"]
    let places = sorted(Array(names.indices)) { SortingKey(name: names[$0]) }
    #expect(places == [4, 3, 2, 6, 0, 1, 5])
    let years: [Int64?] = [1959, nil, 2001, 1959, nil, 2024]
    let latest = sorted(Array(years.indices)) { SortingKey(latest: years[$0]) }
    #expect(latest == [5, 2, 0, 3, 1, 4])
  }

  @Test("shuffling never gives back the order it began with, and gives every other one")
  func shuffling() {
    var generator = SeededGenerator(usually: 20_261_122)
    for count in 0...4 {
      let items = Array(0..<count)
      var seen: Set<[Int]> = []
      for _ in 0..<1000 {
        var chance = Shuffling(seed: generator.next())
        let shuffled = chance.shuffle(items) { _ in true }
        #expect(shuffled.sorted() == items, "\(generator)")
        seen.insert(shuffled)
      }
      #expect(seen.contains(items) == (count < 2))
      #expect(seen.count == [1, 1, 1, 5, 23][count], "\(generator)")
    }
  }

  @Test("what people see is shuffled, where that is possible")
  func shufflingListed() {
    for seed in 0..<200 {
      var chance = Shuffling(seed: UInt64(seed))
      // Small letters are gone.
      let shuffled = chance.shuffle(Array("AbcD")) { $0.isUppercase }
      #expect(shuffled.filter(\.isUppercase) == ["D", "A"])
      #expect(chance.shuffle(Array("Ab")) { $0.isUppercase } == ["b", "A"])
    }
  }

  // MARK: Albums

  struct AlbumCase: CustomTestStringConvertible {
    var sorting: AlbumSorting
    var result: [String]
    var testDescription: String { sorting.word }
    /// What it is told with.
    var sentence: String {
      sorting == .reversed ? "Music is reversed" : "Music is sorted by \(sorting.word)"
    }
  }

  /// From top to bottom: Track 10 (Miles, 1959), track 2 (Abba, 1976), Apart (Various, no year),
  /// Blue (Miles, 1959), Early (Zappa, 2001).
  private func world() throws -> World {
    var world = World()
    let albums: [(title: String, artist: String, sort: String, date: String)] = [
      ("Early", "Frank Zappa", "", "2001"), ("Blue", "Miles Davis", "Davis, Miles", "1959-08-17"),
      ("Apart", "", "", ""), ("track 2", "Abba", "", "1976"),
      ("Track 10", "Miles Davis", "Davis, Miles", "1959"),
    ]
    for (number, album) in albums.enumerated() {
      world.putAlbum(album.title, by: album.artist, sound: number * 10, in: nil)
      for track in 1...3 {
        world.retag("\(album.title)/\(track) \(album.title) \(track).flac") { tags in
          tags.date = album.date
          tags.albumArtistSort = album.sort
        }
      }
      world.merge()
    }
    #expect(world.albums() == ["Track 10", "track 2", "Apart", "Blue", "Early"])
    return world
  }

  @Test(
    "albums are sorted as the table says",
    arguments: [
      AlbumCase(sorting: .title, result: ["Apart", "Blue", "Early", "track 2", "Track 10"]),
      AlbumCase(sorting: .artist, result: ["track 2", "Track 10", "Blue", "Early", "Apart"]),
      AlbumCase(sorting: .released, result: ["Early", "track 2", "Track 10", "Blue", "Apart"]),
      AlbumCase(sorting: .added, result: ["Track 10", "track 2", "Apart", "Blue", "Early"]),
      AlbumCase(sorting: .reversed, result: ["Early", "Blue", "Apart", "track 2", "Track 10"]),
    ])
  func albums(one: AlbumCase) throws {
    var world = try world()
    let ids = world.listed().map(\.id)
    let decision = try world.edit(.sortAlbums(ids.reversed() + ids, one.sorting))
    #expect(world.albums() == one.result)
    #expect(decision.transaction.sentence.contains(one.sentence))
    #expect(
      try world.edit(.sortAlbums(ids, one.sorting)).changes.isEmpty == (one.sorting != .reversed))
    world.check()
  }

  @Test("each crate is sorted by itself, with the fewest moves, and the others stay")
  func crates() throws {
    var world = try world()
    let ids = ["Track 10", "track 2", "Blue"]
    try world.edit(
      .moveAlbums([world.id("Track 10"), world.id("Early"), world.id("track 2")], nil, crate: "J"))
    #expect(world.albums(in: "J") == ["Track 10", "track 2", "Early"])
    let decision = try world.edit(.sortAlbums(ids.map { try world.id($0) }, .title))
    #expect(
      decision.transaction.sentence == "Blue, track 2 and Track 10 are sorted by title")
    // The others were moved before.
    let others = decision.changes.filter { if case .albumMoved = $0 { false } else { true } }
    let blue = try world.id("Blue")
    #expect(decision.changes.count == 2 && others == [.albumTouched(blue)])
    #expect(world.albums(in: "J") == ["track 2", "Track 10", "Early"])
    #expect(world.albums() == ["Apart", "Blue"])
  }

  @Test("an album keeps its slot while it is gone, and is sorted by id")
  func goneAlbum() throws {
    var world = try world()
    let gone = try world.id("track 2")
    let listed = world.listed().map(\.id).filter { $0 != gone }
    let taken = world.remove("track 2")
    world.merge()
    try world.edit(.sortAlbums(listed, .title))
    #expect(Array(world.library.crates[0].albums).firstIndex(of: gone) == 1)
    try world.edit(.sortAlbums(listed + [gone], .title))
    world.restore(taken)
    world.merge()
    #expect(world.albums() == ["Apart", "Blue", "Early", "track 2", "Track 10"])
  }

  @Test("the sort name of a guest is not the album's")
  func guests() throws {
    var world = World()
    world.putAlbum("One", by: "Beatles", sound: 10, in: nil)
    world.putAlbum("Two", by: "Cream", sound: 20, in: nil)
    for track in 1...3 {
      world.retag("One/\(track) One \(track).flac") { tags in
        tags.artist = track == 1 ? "The Beatles" : "Zoe"
        tags.artistSort = track == 1 ? "Beatles, The" : "Zoe"
        tags.albumArtist = "The Beatles"
      }
    }
    world.merge()
    let ids = try [world.id("One"), world.id("Two")]
    try world.edit(.sortAlbums(ids, .title))
    try world.edit(.sortAlbums(ids, .artist))
    #expect(world.albums() == ["One", "Two"])
  }

  // MARK: Songs

  private func songs() throws -> World {
    var world = World()
    for (title, sound) in [("A", 10), ("B", 20)] {
      world.putAlbum(title, tracks: 4, sound: sound, in: nil)
      world.merge()
    }
    return world
  }

  @Test("songs are sorted in their own albums, which are arranged then, or no longer")
  func songsOfAlbums() throws {
    var world = try songs()
    let ids = world.library.crates[0].albums
      .flatMap { world.library.albums[$0]?.entries ?? [] }
    let decision = try world.edit(.sortSongs(ids, .reversed))
    #expect(world.songs(of: "A") == ["A 4", "A 3", "A 2", "A 1"])
    #expect(world.songs(of: "B") == ["B 4", "B 3", "B 2", "B 1"])
    #expect(decision.transaction.sentence == "B and A are reversed")
    #expect(world.album("A")?.isArranged == true)
    let album = try #require(world.album("A"))
    #expect(
      try world.edit(.sortSongs(album.entries, .track)).transaction.sentence
        == "A is sorted by track")
    #expect(world.songs(of: "A") == ["A 1", "A 2", "A 3", "A 4"])
    #expect(world.album("A")?.isArranged == false)
    #expect(world.album("B")?.isArranged == true)
    try world.edit(.sortSongs(try ["B 4", "B 1"].map { try world.song($0).id }, .title))
    #expect(world.songs(of: "B") == ["B 1", "B 3", "B 2", "B 4"])
    world.check()
  }

  @Test("sorting by track what stands so already lets the album follow its tags again")
  func followsAgain() throws {
    var world = try songs()
    try world.edit(.sortSongs([world.song("A 1").id, world.song("A 2").id], .reversed))
    world.retag("A/1 A 1.flac") { $0.track = 2 }
    world.retag("A/2 A 2.flac") { $0.track = 1 }
    world.merge()
    let album = try #require(world.album("A"))
    #expect(album.isArranged)
    let decision = try world.edit(.sortSongs(album.entries, .track))
    #expect(decision.changes == [.albumArranged(album.id, false)])
    #expect(try world.edit(.sortSongs(album.entries, .track)).changes.isEmpty)
  }

  @Test("songs added last come first")
  func added() throws {
    var world = try songs()
    world.put(
      "A/2b.flac", sound: 19, title: "New", album: "A", artist: "Artist",
      albumArtist: "Artist", track: 2)
    world.merge()
    #expect(world.songs(of: "A") == ["A 1", "A 2", "New", "A 3", "A 4"])
    let entries = try #require(world.album("A")).entries
    try world.edit(.sortSongs(entries, .added))
    #expect(world.songs(of: "A") == ["New", "A 1", "A 2", "A 3", "A 4"])
    try world.edit(.sortSongs(entries, .title))
    #expect(world.songs(of: "A") == ["A 1", "A 2", "A 3", "A 4", "New"])
  }

  @Test("nothing chosen and what is not there are refused")
  func refusals() throws {
    let world = try songs()
    func refusal(_ edit: Edit) -> Refusal? {
      do {
        _ = try world.library.decide(edit, newAlbums: nil)
        return nil
      } catch { return error }
    }
    let (album, song) = (AlbumID(number: 1), SongID(number: 1))
    #expect(refusal(.sortAlbums([], .title)) == .nothingChosen("albums"))
    #expect(refusal(.sortAlbums([album], .title)) == .noSuchAlbum(album))
    #expect(refusal(.sortSongs([], .title)) == .nothingChosen("songs"))
    #expect(refusal(.sortSongs([song], .title)) == .noSuchSong(song))
  }
}
