import TestSupport
import Testing

@testable import LibraryModel

@Suite("Where albums that come are placed", .limited)
struct NewAlbumPlacesTests {
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
    for (fromA, fromB, above) in [
      (1, 2, "B"), (2, 1, "A"), (2, 2, "B"), (1, 1, "B"), (3, 3, "B"), (4, 4, "B"),
    ] {
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

  @Test("an album that is gone for its new name stands in for the first of several")
  func heirs() throws {
    let titles = ["A", "B", "C", "D", "E", "F"]
    for (place, one) in titles.enumerated() {
      for other in titles[(place + 1)...] {
        for (counts, isTouched, isFirst) in [
          ((2, 2), false, true), ((2, 3), false, false), ((3, 2), false, true),
          ((2, 2), true, false), ((3, 2), true, true),
        ] {
          var world = World()
          // The first one stands above the other.
          world.putAlbum(other, tracks: counts.1, sound: 20, in: nil)
          world.putAlbum(one, tracks: counts.0, sound: 10, in: nil)
          world.merge()
          if isTouched {
            let id = try world.id(other)
            try world.edit(.moveAlbums([id], .top, crate: nil))
            try world.edit(.moveAlbums([id], .bottom, crate: nil))
          }
          let ids = try [world.id(one), world.id(other)]
          for path in world.files.keys { world.files[path]?.tags.album = "New" }
          for path in world.files.keys { world.files[path]?.tags.track = nil }
          world.merge()
          #expect(try world.id("New") == (isFirst ? ids[0] : ids[1]))
          #expect(world.albums() == ["New"])
          world.check()
        }
      }
    }
  }

  @Test("new albums go to the first listed crate; one that is named for them is made at the bottom")
  func crates() throws {
    var world = World()
    for (title, sound) in [("A", 10), ("B", 20), ("C", 30)] {
      world.putAlbum(title, sound: sound, in: nil)
    }
    world.merge()
    try world.edit(.moveAlbums([world.id("A")], .top, crate: "One"))
    try world.edit(.moveAlbums([world.id("B")], .top, crate: "Two"))
    var other = world
    other.putAlbum("New", sound: 40, in: nil)
    other.merge()
    #expect(other.albums() == ["New", "C"])
    // The first one that shows something.
    other = world
    _ = other.remove("C")
    other.merge()
    other.putAlbum("New", sound: 40, in: nil)
    other.merge()
    #expect(other.albums(in: "One") == ["New", "A"])
    world.newAlbums = "Inbox"
    world.putAlbum("New", sound: 40, in: nil)
    world.merge()
    #expect(world.library.crates.map(\.name) == ["Music", "One", "Two", "Inbox"])
  }

  @Test("an album is as old as its oldest song")
  func oldestSong() {
    var world = World()
    for (path, added) in [("A/1", 5), ("A/2", 900), ("B/1", 500), ("B/2", 600), ("C/1", 4)] {
      let album = String(path.prefix(1))
      world.put("\(path).flac", sound: added, album: album, albumArtist: "X", track: added)
      world.files[World.path("\(path).flac")]?.birth = 0
    }
    var look = world.look(firstScan: true)
    look.endsFirstScan = false
    world.merge(look)
    #expect(world.albums() == ["B", "A", "C"])
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
