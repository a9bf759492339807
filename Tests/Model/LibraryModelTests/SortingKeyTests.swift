import TestSupport
import Testing

@testable import LibraryModel

@Suite("What things are sorted by", .limited)
struct SortingKeyTests {
  @Test("unknown ones are last, whichever way the others go")
  func turned() {
    let years: [Int64?] = [nil, 1959, 2001, nil, 1959, 2024]
    let oldest = sorted(Array(years.indices), turned: true) { SortingKey(latest: years[$0]) }
    #expect(oldest == [1, 4, 2, 5, 0, 3])
    let names = ["", "b", "A", "", "a", "C"]
    let last = sorted(Array(names.indices), turned: true) { SortingKey(name: names[$0]) }
    #expect(last == [5, 1, 4, 2, 0, 3])
  }

  @Test("nothing is before itself, and everything known before what is unknown")
  func order() {
    let known = [SortingKey.latest(2), .latest(1), .name(NaturalKey("a")), .name(NaturalKey("b"))]
    for key in known + [.unknown] {
      #expect(!(key < key))
      #expect(!(SortingKey.unknown < key))
    }
    for key in known { #expect(key < .unknown) }
    #expect(known[0] < known[1] && !(known[1] < known[0]))
    #expect(known[2] < known[3] && !(known[3] < known[2]))
    #expect(!(known[0] < known[2]) && !(known[2] < known[0]))
    #expect(SortingKey(latest: nil) == .unknown && SortingKey(name: "") == .unknown)
  }

  @Test("each has a way that it goes where nobody says, and a seed where it is by chance")
  func directions() {
    let albums: [AlbumSorting] = [
      .added, .released, .artist, .title, .reversed, .shuffled(seed: 7),
    ]
    #expect(albums.map(\.isAscending) == [false, false, true, true, false, false])
    #expect(albums.map(\.seed) == [0, 0, 0, 0, 0, 7])
    let songs: [SongSorting] = [.track, .added, .title, .reversed, .shuffled(seed: 7)]
    #expect(songs.map(\.isAscending) == [true, false, true, false, false])
    #expect(songs.map(\.seed) == [0, 0, 0, 0, 7])
  }

  @Test("the same seed shuffles the same way, on every machine")
  func seeds() {
    var chance = Shuffling(seed: 0)
    #expect(chance.next() == 0xE220_A839_7B1D_CDAF)
    #expect(chance.next() == 0x6E78_9E6A_A1B9_65F4)
    #expect(chance.next() == 0x06C4_5D18_8009_454F)
  }

  @Test("two that are listed change places, however many are gone between them")
  func shuffled() {
    for seed in 0..<50 {
      var chance = Shuffling(seed: UInt64(seed))
      #expect(chance.shuffle([1, 2]) { _ in true } == [2, 1])
      #expect(chance.shuffle([1, 2]) { _ in false } == [2, 1])
      #expect(chance.shuffle([1]) { _ in true } == [1])
      let one = chance.shuffle([1, 2, 3]) { $0 == 2 }
      #expect(one != [1, 2, 3] && one.sorted() == [1, 2, 3])
      let two = chance.shuffle([1, 2, 3, 4]) { $0.isMultiple(of: 2) }
      #expect(two.filter { $0.isMultiple(of: 2) } == [4, 2])
    }
    // Every other order comes.
    var chance = Shuffling(seed: 1)
    let orders = Set((0..<200).map { _ in chance.shuffle([1, 2, 3]) { _ in true } })
    #expect(orders.count == 5)
  }
}

/// Albums and songs by what their tags say.
@Suite("Sorting with a direction", .limited)
struct SortingDirectionTests {
  private func world() throws -> World {
    var world = World()
    for (number, (title, date)) in [("C", "2001"), ("B", ""), ("A", "1959")].enumerated() {
      world.putAlbum(title, by: title, sound: number * 10, in: nil)
      for track in 1...3 {
        world.retag("\(title)/\(track) \(title) \(track).flac") { $0.date = date }
      }
      world.merge()
    }
    #expect(world.albums() == ["A", "B", "C"])
    return world
  }

  @Test("albums go either way, those without a year last")
  func albums() throws {
    for (sorting, ascending, result) in [
      (AlbumSorting.added, nil, "ABC"), (.added, false, "ABC"), (.added, true, "CBA"),
      (.released, nil, "CAB"), (.released, false, "CAB"), (.released, true, "ACB"),
      (.artist, nil, "ABC"), (.artist, true, "ABC"), (.artist, false, "CBA"),
      (.title, nil, "ABC"), (.title, true, "ABC"), (.title, false, "CBA"),
      (.reversed, nil, "CBA"),
    ] as [(AlbumSorting, Bool?, String)] {
      var world = try world()
      let ids = world.listed().map(\.id)
      try world.edit(.sortAlbums(ids, sorting, ascending: ascending))
      #expect(world.albums().joined() == result, "\(sorting) \(String(describing: ascending))")
    }
  }

  @Test("albums whose names differ in case alone are ordered by their names, others keep theirs")
  func equalNames() throws {
    var world = World()
    for (number, title) in ["b", "É", "e", "B", "E"].enumerated() {
      world.putAlbum(title, by: "X\(number)", sound: number * 10, in: "\(number)")
    }
    world.merge()
    try world.edit(.sortAlbums(world.listed().map(\.id), .title, ascending: nil))
    #expect(world.albums() == ["B", "b", "E", "e", "É"])
    try world.edit(.sortAlbums(world.listed().map(\.id), .artist, ascending: nil))
    #expect(world.albums() == ["b", "É", "e", "B", "E"])
  }

  @Test("songs go either way, those without a number last")
  func songs() throws {
    for (sorting, ascending, result) in [
      (SongSorting.track, nil, [1, 2, 3, 0]), (.track, true, [1, 2, 3, 0]),
      (.track, false, [3, 2, 1, 0]), (.title, nil, [0, 1, 2, 3]), (.title, false, [3, 2, 1, 0]),
      (.added, nil, [0, 1, 2, 3]), (.added, true, [1, 2, 3, 0]), (.reversed, nil, [0, 3, 2, 1]),
    ] as [(SongSorting, Bool?, [Int])] {
      var world = try world()
      world.put(
        "A/0.flac", sound: 99, title: "A 0", album: "A", artist: "A", albumArtist: "A")
      world.merge()
      #expect(world.songs(of: "A") == ["A 1", "A 2", "A 3", "A 0"])
      let entries = try #require(world.album("A")).entries
      try world.edit(.sortSongs(entries, sorting, ascending: ascending))
      #expect(
        world.songs(of: "A") == result.map { "A \($0)" },
        "\(sorting) \(String(describing: ascending))")
    }
  }

  @Test("an album is as old as the oldest of its songs")
  func oldest() throws {
    var world = try world()
    world.put(
      "C/4.flac", sound: 99, title: "C 4", album: "C", artist: "C", albumArtist: "C", track: 4)
    world.merge()
    try world.edit(.sortAlbums(world.listed().map(\.id), .added))
    #expect(world.albums() == ["A", "B", "C"])
  }

  @Test("chance is that of SplitMix64, whose first numbers are known")
  func chance() {
    var chance = Shuffling(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in chance.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }
}
