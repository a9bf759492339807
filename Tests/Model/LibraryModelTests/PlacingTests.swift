import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Where songs that come are placed", .limited)
struct PlacingTests {
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
      guard case .songAdded(_, let record) = changes.first else {
        Issue.record("\(changes)")
        continue
      }
      #expect(record.after == above, "\(name)")
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

  @Test("a song that comes back to its slot under another number goes to its place")
  func backUnderAnotherNumber() {
    var world = World()
    world.putAlbum("A", tracks: 3, sound: 10, in: nil)
    world.putAlbum("B", tracks: 1, sound: 20, in: nil)
    world.merge()
    world.retag("A/1 A 1.flac") { ($0.album, $0.track) = ("B", 2) }
    world.merge()
    world.retag("A/1 A 1.flac") { ($0.album, $0.track) = ("A", 9) }
    world.merge()
    #expect(world.songs(of: "A") == ["A 2", "A 3", "A 1"])
    world.check()
  }

  @Test("ids of songs are made of their sound or path, and of their album's names")
  func ids() {
    var world = World()
    world.put("É/1 a.flac", sound: 0, title: "a", album: "A", albumArtist: "X")
    world.put("B/1.flac", sound: 0x0123_4567_89AB_CDEF, title: "b", album: "B", albumArtist: "X")
    world.put("C/1.flac", sound: 0, title: "c")
    world.merge()
    let ids = world.library.songs.values.sorted { $0.title < $1.title }.map(\.id.description)
    #expect(ids == ["bsjjyhymmvmi", "riwwr9asfnjj", "c9kkdsbtx7e9"])
  }
}
