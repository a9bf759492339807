import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("What is asked of a whole library", .limited)
struct LibraryShapeTests {
  private let album = AlbumID(number: 1)

  @Test("its fingerprint is another one with all that is shown, and with nothing else")
  func fingerprints() throws {
    let small = try SmallLibrary()
    let song = SongID(number: 10)
    var seen: Set<UInt64> = [small.library.fingerprint, Library().fingerprint]
    let shown: [Change] = [
      .crateRenamed("Jazz", to: "Blues"), .crateMoved("Jazz", after: nil, wasAfter: nil),
      .crateAdded("New", after: "Jazz"),
      .albumMoved(album, crate: "Music", after: AlbumID(number: 2), wasCrate: "", wasAfter: nil),
      .albumMoved(album, crate: "Jazz", after: nil, wasCrate: "", wasAfter: nil),
      .songMoved(song, in: album, after: SongID(number: 11), wasAfter: nil),
      .songGone(song, Traits()), .songForgotten(song, was: small.kept(1)),
      .songFollowed(song, path: BytePath("/m/1/11.flax"), digest: nil, by: .path),
      .songFollowed(song, path: BytePath("/m/1/1"), digest: nil, by: .path),
      .songRegrouped(song, album: AlbumID(number: 2), after: nil, was: album),
      .albumRegrouped(
        album, group: GroupKey(family: "by\tx\tz"), was: GroupKey(family: ""), alias: nil),
      SmallLibrary.added(SongID(number: 19), to: album),
    ]
    for change in shown {
      var other = small
      try other.apply(change)
      #expect(seen.insert(other.library.fingerprint).inserted, "\(change)")
    }
    var other = small
    try other.apply(
      .albumTouched(album), .slotRestored(SongID(number: 20), in: album, after: nil),
      .aliasRestored(AlbumID(number: 9), of: album))
    other.library.advance(to: 9)
    #expect(other.library.fingerprint == small.library.fingerprint)
    #expect(try SmallLibrary().library.fingerprint == small.library.fingerprint)
    // The same in every process, of every version.
    #expect(small.library.fingerprint == 0xB97F_7F4A_EA5D_A879)
  }

  @Test("its albums stand where listings show them, in the order of crates and positions")
  func places() throws {
    for seed in 0..<6 {
      var maker = LibraryMaker(seed: UInt64(seed))
      for _ in 0..<120 { _ = try maker.changes() }
      let library = maker.library
      let places = AlbumPlaces(in: library)
      let listed = library.crates.flatMap { crate in crate.albums.filter { library.isListed($0) } }
      for id in library.crates.flatMap(\.albums) {
        #expect(places[id].map { Int($0.position) } == library.position(of: id))
      }
      let sorted = listed.shuffled(using: &maker.random).sorted { left, right in
        guard let left = places[left], let right = places[right] else { return false }
        return left < right
      }
      #expect(sorted == listed)
    }
  }

  @Test("new albums arrive in the first crate that is listed, else in the first, else in Music")
  func newAlbums() throws {
    var small = try SmallLibrary()
    #expect(small.library.newAlbums == "Music" && Library().newAlbums == "Music")
    try small.apply(.crateMoved("Jazz", after: nil, wasAfter: nil))
    #expect(small.library.newAlbums == "Jazz")
    try small.apply(.songGone(SongID(number: 30), Traits()))
    #expect(small.library.newAlbums == "Music")
    for number in [10, 11, 12, 20, 21] {
      try small.apply(.songGone(SongID(number: UInt64(number)), Traits()))
    }
    #expect(small.library.newAlbums == "Jazz")
  }

  @Test("its albums came with the changes whose numbers they got")
  func arrivals() throws {
    var small = try SmallLibrary()
    #expect(small.library.arrivals.isEmpty)
    small.library.advance(to: 7)
    #expect((1...3).map { small.library.arrivals[AlbumID(number: $0)] } == [7, 7, 7])
    try small.add(4, to: "Jazz", songs: 0)
    try small.add(5, to: "Jazz", songs: 0)
    try small.apply(.albumRemoved(AlbumID(number: 5), was: small.kept(in: "Jazz")))
    small.library.advance(to: 9)
    #expect((4...5).map { small.library.arrivals[AlbumID(number: $0)] } == [9, nil])
    #expect((1...3).map { small.library.arrivals[AlbumID(number: $0)] } == [7, 7, 7])
    #expect(small.library.arrivals.count == 4)
    small.library.advance(to: 9)
    // Of several at once each has its own.
    let (added, restored) = (AlbumID(number: 6), AlbumID(number: 7))
    let changes: [Change] = [
      .albumAdded(
        added, crate: "Jazz", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      .albumAdded(restored, small.kept(in: "Jazz")),
    ]
    for change in changes { try small.apply(change) }
    small.library.advance(past: [
      Transaction(by: .folder, sequence: 12, changes: [changes[0]]),
      Transaction(by: .person, sequence: 11, changes: [changes[1]]),
    ])
    #expect([added, restored].map { small.library.arrivals[$0] } == [12, 11])
    #expect(small.library.sequence == 12)
    small.library.advance(past: [])
    #expect(small.library.sequence == 12)
    small.library.advance(to: 13)
    #expect([added, restored].map { small.library.arrivals[$0] } == [12, 11])
    try small.apply(.albumRemoved(added, was: small.kept(in: "Jazz")))
    #expect(small.library.arrivals[added] == nil)
  }

  @Test("a first scan goes on as long as there is an album of it whose folder is not done")
  func firstScan() throws {
    var small = try SmallLibrary()
    #expect(!small.library.isBeingScanned)
    for number in [UInt64(4), 5] {
      let id = AlbumID(number: number)
      try small.apply(
        .albumAdded(
          id, crate: "Jazz", after: nil, group: GroupKey(family: "\(number)"), isFresh: true,
          seen: 0), SmallLibrary.added(SongID(number: 10 * number), to: id))
    }
    #expect(small.library.isBeingScanned)
    try small.apply(.firstScanEnded(BytePath("/m/4")))
    #expect((4...5).map { small.library.albums[AlbumID(number: $0)]?.isFresh } == [false, true])
    #expect(small.library.isBeingScanned)
    #expect(small.library.isFreshlyPut(AlbumID(number: 5)))
    try small.apply(.firstScanEnded(BytePath("/m")))
    #expect(!small.library.isBeingScanned && small.library.brokenInvariant == nil)
  }

  @Test("an album is present, offline or gone as the nearest of its songs is")
  func presences() throws {
    var small = try SmallLibrary()
    func presence() throws -> Presence {
      small.library.presence(of: try #require(small.library.albums[album]))
    }
    #expect(try presence() == .present)
    small.library.away.places = [BytePath("/m/1/10.flac"), BytePath("/m/1/11.flac")]
    #expect(try presence() == .present)
    small.library.away.places.append(BytePath("/m/1/12.flac"))
    #expect(try presence() == .offline)
    for number in UInt64(10)...12 { try small.apply(.songGone(SongID(number: number), Traits())) }
    #expect(try presence() == .gone)
    // A song that lives elsewhere counts for nothing.
    try small.apply(.slotRestored(SongID(number: 20), in: album, after: nil))
    #expect(try presence() == .gone)
    #expect(!small.library.isListed(album) && small.library.isListed(AlbumID(number: 2)))
    #expect(!small.library.isListed(AlbumID(number: 9)))
    #expect(small.library.crates.allSatisfy { small.library.isListed($0) })
    try small.apply(.songGone(SongID(number: 30), Traits()))
    #expect(small.library.crates.map { small.library.isListed($0) } == [true, false])
  }

  @Test("positions are right, however many albums are hidden", arguments: [63, 64, 65, 66])
  func hidden(count: Int) throws {
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    try library.apply(.crateAdded("Jazz", after: "Music"), by: .folder)
    var listed: [AlbumID] = []
    for number in 0..<(2 * count) {
      let id = AlbumID(number: UInt64(number))
      // Those without songs are hidden; the last ones of them are in another crate.
      let isListed = number % 3 == 1 || number >= 2 * count - 4
      let crate = number % 2 == 0 || isListed ? "Music" : "Jazz"
      let above = library.crate(named: crate)?.albums.last
      try library.apply(
        .albumAdded(
          id, crate: crate, after: above, group: GroupKey(family: "\(number)"), isFresh: false,
          seen: 0), by: .folder)
      if isListed {
        try library.apply(SmallLibrary.added(SongID(number: UInt64(number)), to: id), by: .folder)
        listed.append(id)
      }
    }
    let crates = library.crates
    #expect(library.listedCount(in: crates[0]) == listed.count)
    #expect(library.listedCount(in: crates[1]) == 0)
    #expect(library.position(of: crates[1]) == nil && library.position(of: crates[0]) == 1)
    #expect(listed.map { library.position(of: $0) } == Array(1...listed.count))
    #expect(
      library.albums(at: Array((1...listed.count).reversed()), of: crates[0]) == listed.reversed())
    #expect(library.position(of: AlbumID(number: 0)) == nil)
    for (above, id) in zip(listed, listed.dropFirst()) {
      #expect(library.listedPredecessor(of: id, in: crates[0]) == above)
    }
    #expect(library.listedPredecessor(of: listed[0], in: crates[0]) == nil)
    #expect(library.listedPredecessor(of: listed[0], in: crates[1]) == nil)
  }

  @Test("crates are counted that show something")
  func crates() throws {
    var small = try SmallLibrary()
    #expect(small.library.crates.map { small.library.position(of: $0) } == [1, 2])
    try small.apply(.crateMoved("Jazz", after: nil, wasAfter: nil))
    #expect(small.library.crates.map { small.library.position(of: $0) } == [1, 2])
    try small.apply(.songGone(SongID(number: 30), Traits()))
    #expect(small.library.crates.map { small.library.position(of: $0) } == [nil, 1])
  }

  @Test("things stand in order as the library has them, each once")
  func inOrder() throws {
    var small = try SmallLibrary()
    let albums = [3, 9, 2, 3, 1].map { AlbumID(number: $0) }
    #expect(small.library.inOrder(albums).map(\.number) == [1, 2, 3])
    try small.apply(.slotRestored(SongID(number: 20), in: album, after: nil))
    let songs = [30, 99, 20, 12, 10, 12].map { SongID(number: $0) }
    #expect(small.library.inOrder(songs).map(\.number) == [10, 12, 20, 30])
  }
}
