import TestSupport
import Testing

@testable import LibraryModel

@Suite("Where what comes is placed", .limited)
struct PlacingTests {
  // MARK: Albums

  @Test("new albums go to the crate that is named for them, which is made at the bottom")
  func namedCrate() throws {
    var world = World()
    world.putAlbum("Old", sound: 10, in: nil)
    world.merge()
    #expect(world.library.crates.map(\.name) == ["Music"])
    world.newAlbums = "Inbox"
    world.putAlbum("New", sound: 20, in: nil)
    world.merge()
    #expect(world.library.crates.map(\.name) == ["Music", "Inbox"])
    #expect(world.albums(in: "Inbox") == ["New"])
    // The crate keeps its place while it is empty.
    try world.edit(.moveAlbums([world.id("New")], .top, crate: "Music"))
    #expect(world.library.crates.map(\.name) == ["Music", "Inbox"])
    try world.edit(.moveCrate("Inbox", .top))
    world.putAlbum("Newer", sound: 30, in: nil)
    world.merge()
    #expect(world.library.crates.map(\.name) == ["Inbox", "Music"])
    #expect(world.albums(in: "Inbox") == ["Newer"])
  }

  @Test("new albums come most recent first, then by artist, year, title and id")
  func newcomers() {
    func newcomer(
      _ number: UInt64, added: Int64 = 1, _ artist: String = "A", _ year: Int? = 2000,
      _ title: String = "T"
    ) -> Newcomer {
      Newcomer(
        id: AlbumID(number: number), group: GroupKey(family: "x"),
        face: AlbumFace(title: title, artist: artist, year: year), added: added)
    }
    let order = [
      newcomer(9, added: 3, "Z"), newcomer(8, added: 2, "Y"), newcomer(7, "A", 1999, "Z"),
      newcomer(6, "A", 2000, "S"), newcomer(4), newcomer(5), newcomer(3, "A", 2000, "t"),
      newcomer(2, "A", nil), newcomer(1, "a", 1990), newcomer(0, "B", 1990),
    ]
    for (place, left) in order.enumerated() {
      for (other, right) in order.enumerated() { #expect((left < right) == (place < other)) }
    }
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

  // MARK: First scans

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

  @Test("what the person placed during a first scan stays at its end, moved or made room for")
  func movedInFirstScan() throws {
    var world = World()
    for number in 1...4 {
      world.putAlbum("A\(number)", tracks: 1, sound: number * 10, in: nil)
    }
    var contents = world.look(firstScan: true)
    contents.endsFirstScan = false
    world.merge(contents)
    world.known = world.files
    let order = world.albums()
    // Two go up one step: the fewest moves bring the one above them down.
    let pair = try [world.id(order[2]), world.id(order[3])]
    try world.edit(.moveAlbums(pair, .up, crate: nil))
    let wanted = [order[0], order[2], order[3], order[1]]
    #expect(world.albums() == wanted)
    // An older file, of an album that comes in pieces, would sort it below the other.
    world.put(
      "\(order[2])/2.flac", sound: 1, album: order[2], artist: "Artist", albumArtist: "Artist")
    world.merge(firstScan: true)
    #expect(world.albums() == wanted)
    world.check()
  }

  // MARK: Songs

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

  @Test("the file of an offline song that is found elsewhere is known, and none that is new")
  func offline() throws {
    var world = World()
    world.put("usb/1.mp3", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1)
    world.merge()
    world.setAway(["usb"])
    world.put("e/1.flac", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1)
    let outcome = world.merge()
    #expect(try world.song("T").path == World.path("e/1.flac"))
    #expect(outcome.strangers(in: world.library.away).isEmpty)
    #expect(world.setAway(["usb", "e"]).decision.changes.isEmpty)
  }

  @Test("a duplicate takes over when the first goes offline, and stays the song's file")
  func duplicates() throws {
    var world = World()
    for folder in ["m", "n"] {
      world.put("\(folder)/1.mp3", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1)
      world.put("\(folder)/2.mp3", sound: 2, title: "U", album: "A", albumArtist: "X", track: 2)
    }
    world.merge()
    let changes = world.setAway(["m"]).decision.changes
    #expect(try world.song("T").path == World.path("n/1.mp3"))
    #expect(
      changes.count == 2
        && changes.allSatisfy {
          if case .songFollowed(_, _, _, by: .duplicate) = $0 { true } else { false }
        })
    for places in [["m"], [], ["m", "n"]] {
      #expect(world.setAway(places).decision.changes.isEmpty)
    }
    world.check()
  }
}
