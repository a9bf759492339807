import TestSupport
import Testing

@testable import LibraryModel

@Suite("Where what comes is placed", .limited)
struct PlacingTests {
  // MARK: Songs

  @Test("a new song comes to its place at once, and nothing is moved for it")
  func atOnce() throws {
    var world = World()
    world.putAlbum("A", tracks: 3, sound: 10, in: nil)
    world.merge()
    let ids = try #require(world.album("A")).entries
    for (name, track, above) in [("b", 2, ids[1]), ("z", 3, ids[2]), ("a", 0, nil)] {
      var other = world
      other.put(
        "A/\(name).flac", sound: 50, title: name, album: "A", albumArtist: "Artist", track: track)
      let changes = other.merge().decision.changes
      #expect(changes.count == 1)
      guard case .songAdded(_, _, let after, _, _, _, _) = changes.first else {
        Issue.record("\(changes)")
        continue
      }
      #expect(after == above, "\(name)")
    }
  }

  @Test("two songs of one album, or of two, come into an arranged one in the order they had")
  func twoMovers() throws {
    var start = World()
    for (title, sound) in [("C", 30), ("B", 20), ("A", 10)] {
      start.putAlbum(title, tracks: 4, sound: sound, in: nil)
      start.merge()
    }
    try start.edit(.moveSongs([start.song("A 4").id], .top))
    let all = ["B 2", "B 3", "C 1", "C 4"]
    for (place, one) in all.enumerated() {
      for other in all[(place + 1)...] {
        var world = start
        for (number, name) in [one, other].enumerated() {
          world.retag("\(name.prefix(1))/\(name.suffix(1)) \(name).flac") {
            ($0.album, $0.track) = ("A", 9 - number)
          }
        }
        world.merge()
        // Those of the album that stands below come on top of the others.
        let isOne = one.first == other.first
        let new = isOne ? [one, other] : [other, one]
        #expect(world.songs(of: "A") == new + ["A 4", "A 1", "A 2", "A 3"])
      }
    }
  }

  /// One song after the other is retagged from B into the arranged A.
  @Test("a song stands beside those of its former album that came before it")
  func anchors() throws {
    for order in [[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1], [1, 3, 2], [3, 1, 2]] {
      var world = World()
      world.putAlbum("B", tracks: 5, sound: 20, in: nil)
      world.merge()
      world.putAlbum("A", tracks: 2, sound: 10, in: nil)
      world.merge()
      try world.edit(.moveSongs([world.song("A 2").id], .top))
      for track in order {
        world.retag("B/\(track) B \(track).flac") { ($0.album, $0.track) = ("A", 20 - track) }
        world.merge()
        try world.edit(.moveSongs([world.song("A 1").id], .top))
      }
      #expect(world.songs(of: "A") == ["A 1", "B 1", "B 2", "B 3", "A 2"], "\(order)")
      world.check()
    }
  }

  @Test(
    "in a first scan a song was added when its file came, never later than it is seen",
    arguments: [
      (5, 3, 3), (3, 5, 3), (0, 5, 5), (1, 5, 1), (2_000_000_000_000, 5, 5),
      (5, 2_000_000_000_000, 5), (0, 2_000_000_000_000, nil),
      (2_000_000_000_000, 2_000_000_000_000, nil),
    ] as [(Int64, Int, Int64?)])
  func added(birth: Int64, modified: Int, expected: Int64?) throws {
    for isFirstScan in [true, false] {
      var world = World()
      world.put("A/1.flac", sound: modified, title: "T")
      world.files[World.path("A/1.flac")]?.birth = birth * 1_000_000
      let seen = world.look().seen
      world.merge(firstScan: isFirstScan)
      #expect(try world.song("T").added == (isFirstScan ? expected : nil) ?? seen)
      #expect(try world.song("T").seen == seen)
    }
  }

  // MARK: Albums

  @Test("an album stands above another where at least half of its songs come from known ones")
  func origins() throws {
    for (new, isAbove) in [(0, true), (1, true), (2, false)] {
      var world = World()
      world.putAlbum("A", tracks: 3, sound: 10, in: nil)
      world.merge()
      world.putAlbum("B", tracks: 1, sound: 20, in: nil)
      world.merge()
      #expect(world.albums() == ["B", "A"])
      world.retag("A/1 A 1.flac") { $0.album = "New" }
      for number in 0..<new {
        world.put(
          "New/\(number).flac", sound: 50 + number, album: "New", albumArtist: "Artist",
          track: 5 + number)
      }
      world.merge()
      #expect(world.albums() == (isAbove ? ["B", "New", "A"] : ["New", "B", "A"]))
      world.check()
    }
  }

  @Test("an album stands above the one that gave most of its songs")
  func mostGiven() throws {
    for (fromA, fromB, above) in [(1, 2, "B"), (2, 1, "A"), (2, 2, "B"), (1, 1, "B")] {
      var world = World()
      for (title, sound) in [("A", 10), ("B", 20), ("C", 30)] {
        world.putAlbum(title, tracks: 5, sound: sound, in: nil)
        world.merge()
      }
      #expect(world.albums() == ["C", "B", "A"])
      for (title, count) in [("A", fromA), ("B", fromB)] {
        for track in 1...count {
          world.retag("\(title)/\(track) \(title) \(track).flac") {
            ($0.album, $0.track) = ("New", nil)
          }
        }
      }
      world.merge()
      #expect(world.albums() == (above == "A" ? ["C", "B", "New", "A"] : ["C", "New", "B", "A"]))
    }
  }

  @Test("during a first scan each album comes to its place at once")
  func amongFresh() {
    var whole = World()
    for number in 1...9 {
      whole.putAlbum(
        "Album \(number * 7 % 10)", by: "Artist \(number % 3)", tracks: 1, sound: 7, in: "\(number)"
      )
    }
    let all = whole.look(firstScan: true)
    var pieces = World()
    for count in 1...all.found.count {
      var piece = FolderContents(root: World.root, seen: all.seen)
      piece.isFirstScan = true
      piece.found = [all.found[count - 1]]
      pieces.merge(piece)
      var once = World()
      piece.found = Array(all.found.prefix(count))
      once.merge(piece)
      #expect(pieces.shape == once.shape && pieces.albums().count == count)
    }
  }

  @Test("what is retagged during a first scan is as new as all else, but where it was touched")
  func retaggedInFirstScan() throws {
    for isTouched in [false, true] {
      var world = World()
      world.putAlbum("M", by: "M", tracks: 3, sound: 10, in: nil)
      world.putAlbum("T", by: "T", tracks: 1, sound: 20, in: nil)
      var look = world.look(firstScan: true)
      look.endsFirstScan = false
      world.merge(look)
      world.known = world.files
      #expect(world.albums() == ["T", "M"])
      if isTouched { try world.edit(.moveAlbums([world.id("M")], .top, crate: nil)) }
      world.retag("M/1 M 1.flac") { ($0.album, $0.albumArtist) = ("Z", "Z") }
      let seen = look.seen
      look = world.look(firstScan: true)
      look.seen = seen
      look.endsFirstScan = false
      world.merge(look)
      #expect(world.albums() == (isTouched ? ["Z", "M", "T"] : ["T", "M", "Z"]))
    }
  }

  @Test("new albums go by their time, then by artist, year, title and id")
  func newcomers() {
    func newcomer(
      _ added: Int64, _ artist: String, _ year: Int?, _ title: String, _ id: UInt64
    ) -> Newcomer {
      Newcomer(
        id: AlbumID(number: id), group: GroupKey(family: "x"),
        face: AlbumFace(title: title, artist: artist, year: year), added: added)
    }
    let order = [
      newcomer(2, "Z", 9, "z", 9), newcomer(1, "a 2", 9, "z", 9), newcomer(1, "A 10", 1, "z", 9),
      newcomer(1, "B", 1, "z", 9), newcomer(1, "B", 2, "a 2", 9), newcomer(1, "B", 2, "A 10", 8),
      newcomer(1, "B", nil, "A", 1), newcomer(1, "B", nil, "A", 2),
    ]
    for (place, left) in order.enumerated() {
      for (other, right) in order.enumerated() { #expect((left < right) == (place < other)) }
    }
  }
}
