import TestSupport
import Testing

@testable import LibraryModel

@Suite("Retagging", .limited)
struct RetaggingTests {
  /// Four albums, the second one arranged and moved by the person.
  private func world() throws -> World {
    var world = World()
    for number in 1...4 { world.putAlbum("A\(number)", tracks: 4, sound: number * 10, in: nil) }
    world.merge()
    try world.edit(.moveAlbums([world.id("A4")], .top, crate: nil))
    try world.edit(.moveSongs([world.song("A2 4").id], .top))
    return world
  }

  private func paths(_ album: String) -> [String] {
    (1...4).map { "\(album)/\($0) \(album) \($0).flac" }
  }

  @Test("an album that is retitled at once stays where it is, as it is")
  func retitledAtOnce() throws {
    var world = try world()
    let before = world.shape
    for path in paths("A2") { world.retag(path) { $0.album = "New" } }
    world.merge()
    #expect(
      world.shape
        == before.map { $0.replacing(" A2", with: " New", maxReplacements: 1) }
        .enumerated().map { $1.contains("/music") ? before[$0] : $1 })
    world.check()
    for path in paths("A2") { world.retag(path) { $0.album = "A2" } }
    world.merge()
    #expect(world.shape == before)
    world.check()
  }

  /// What tools do that put a file aside, write a new one in its place and delete the old one; both
  /// are seen together, and before that the one aside may be seen alone.
  private func putAside(
    _ path: String, _ world: inout World, isSeenAlone: Bool, _ change: (inout SongTags) -> Void
  ) throws {
    let aside = path.replacing("/", with: "/orig ")
    var new = try #require(world.files[World.path(path)])
    change(&new.tags)
    new.inode = world.nextInode
    world.nextInode += 1
    world.move(path, to: aside)
    if isSeenAlone { world.merge() }
    world.files[World.path(path)] = new
    world.merge()
    world.check()
    _ = world.remove(aside)
    world.merge()
    world.check()
  }

  @Test(
    "an album whose files are seen aside, one by one, keeps its id when it is retitled",
    arguments: [true, false])
  func retitledFromAside(isSeenAlone: Bool) throws {
    var world = try world()
    let id = try world.id("A2")
    for path in paths("A2") {
      try putAside(path, &world, isSeenAlone: isSeenAlone) { $0.album = "New" }
    }
    #expect(try world.id("New") == id)
    #expect(world.songs(of: "New") == ["A2 4", "A2 1", "A2 2", "A2 3"])
    #expect(world.albums() == ["A4", "A1", "New", "A3"])
    #expect(world.library.songs.count == 16)
  }

  @Test(
    "a song that is seen aside when it goes back to its album keeps the slot that it leaves",
    arguments: [true, false])
  func slotLeftFromAside(isSeenAlone: Bool) throws {
    var world = try world()
    for path in paths("A2").dropFirst() { world.retag(path) { $0.album = "New" } }
    world.merge()
    try world.edit(.moveSongs([world.song("A2 3").id], .top))
    let order = world.songs(of: "New")
    #expect(order == ["A2 3", "A2 4", "A2 2"])
    for number in [3, 2] {
      let path = paths("A2")[number - 1]
      try putAside(path, &world, isSeenAlone: isSeenAlone) { $0.album = "A2" }
      #expect(world.songs(of: "New") == order.filter { $0 != "A2 \(number)" })
      #expect(world.songs(of: "A2") == ["A2 1", "A2 \(number)"])
      #expect(world.library.songs.count == 16)
      world.retag(path) { $0.album = "New" }
      world.merge()
      #expect(world.songs(of: "New") == order)
      world.check()
    }
  }

  @Test("an album that is retitled file by file stays where it is, as it is")
  func retitledOneByOne() throws {
    var world = try world()
    let before = world.shape
    let id = try world.id("A2")
    for (count, path) in paths("A2").enumerated() {
      world.retag(path) { $0.album = "New" }
      let library = world.library
      world.merge()
      world.checkOrderKept(since: library)
      world.check()
      guard count < 3 else { continue }
      // Directly above the one it comes from, arranged as that one is.
      let albums = world.albums()
      let place = try #require(albums.firstIndex(of: "New"))
      #expect(albums[place + 1] == "A2")
      #expect(world.album("New")?.isArranged == true)
    }
    #expect(try world.id("New") == id)
    #expect(world.songs(of: "New") == ["A2 4", "A2 1", "A2 2", "A2 3"])
    for path in paths("A2") {
      world.retag(path) { $0.album = "A2" }
      world.merge()
      world.check()
    }
    #expect(world.shape == before)
  }

  @Test("the id of an album that was taken over goes on resolving")
  func alias() throws {
    var world = try world()
    let id = try world.id("A3")
    for path in paths("A3").dropLast() { world.retag(path) { $0.album = "New" } }
    world.merge()
    let other = try world.id("New")
    world.retag(paths("A3")[3]) { $0.album = "New" }
    world.merge()
    #expect(try world.id("New") == id)
    #expect(world.library.album(other)?.id == id)
  }

  @Test("a song that joins another album leaves a slot, and returns to it")
  func slot() throws {
    var world = try world()
    let before = world.shape
    world.retag(paths("A2")[0]) { tags in
      tags.album = "A3"
      tags.track = 20
    }
    world.merge()
    #expect(world.songs(of: "A3").contains("A2 1"))
    #expect(world.songs(of: "A2") == ["A2 4", "A2 2", "A2 3"])
    world.check()
    world.retag(paths("A2")[0]) { tags in
      tags.album = "A2"
      tags.track = 1
    }
    world.merge()
    #expect(world.songs(of: "A2") == ["A2 4", "A2 1", "A2 2", "A2 3"])
    #expect(world.shape.filter { !$0.contains("slot") } == before)
    world.check()
  }

  @Test(
    "songs that enter an arranged album from several others stand on top, each album's in order")
  func enterArranged() throws {
    var world = try world()
    for (number, path) in [paths("A4")[2], paths("A3")[1], paths("A3")[0]].enumerated() {
      world.retag(path) { tags in
        tags.album = "A2"
        tags.track = 20 - number
      }
    }
    world.merge()
    #expect(
      world.songs(of: "A2")
        == ["A3 1", "A3 2", "A4 3", "A2 4", "A2 1", "A2 2", "A2 3"])
    world.check()
  }

  @Test("an album the person has moved does not take over another's place")
  func movedHeir() throws {
    var world = try world()
    for path in paths("A3").dropLast() { world.retag(path) { $0.album = "New" } }
    world.merge()
    let heir = try world.id("New")
    try world.edit(.moveAlbums([heir], .bottom, crate: nil))
    world.retag(paths("A3")[3]) { $0.album = "New" }
    world.merge()
    #expect(try world.id("New") == heir)
    #expect(world.albums().last == "New")
    world.check()
  }

  @Test("the artist corrected on the whole album leaves it where it is")
  func artistCorrected() throws {
    var world = try world()
    let ids = world.listed().map(\.id)
    for path in paths("A3") { world.retag(path) { $0.albumArtist = "Other" } }
    world.merge()
    #expect(world.listed().map(\.id) == ids)
    world.check()
  }

  @Test(
    "a song deleted while the others are retitled changes nothing, in whatever order it is seen")
  func deletedMeanwhile() throws {
    var listings: [[String]] = []
    for order in [["delete", "retag"], ["retag", "delete"], ["both"]] {
      var world = try world()
      for step in order {
        if step != "retag" { _ = world.remove(paths("A3")[0]) }
        if step != "delete" {
          for path in paths("A3")[1...] { world.retag(path) { $0.album = "New" } }
        }
        world.merge()
      }
      world.check()
      listings.append(
        world.albums().map { "\($0): \(world.songs(of: $0).joined(separator: ", "))" })
    }
    // Deleting never hands an album over: its id may differ, what is listed doesn't.
    #expect(listings[0] == listings[1])
    #expect(listings[0] == listings[2])
    #expect(listings[0].contains("New: A3 2, A3 3, A3 4"))
  }

  @Test("an album goes on under its new name in the look in which another file is missing")
  func missingMeanwhile() throws {
    var world = try world()
    let album = try world.id("A3")
    let gone = paths("A3")[0]
    _ = world.remove(gone)
    for path in paths("A3")[1...] { world.retag(path) { $0.album = "New" } }
    // The wait for the missing file is not over when the others are merged.
    var contents = world.look()
    (contents.absent, contents.vanished) = (contents.vanished, [])
    world.merge(contents)
    let meanwhile = try world.id("New")
    world.merge()
    #expect(try world.id("New") == album)
    #expect(world.library.album(meanwhile)?.id == album)
    #expect(world.album("New")?.entries.count == 4)
    world.check()
  }

  @Test("an album that most songs leave while its folder moves keeps its id, however it is seen")
  func splitAndMoved() throws {
    var worlds: [World] = []
    for isInPieces in [false, true] {
      var world = try world()
      for path in paths("A3")[..<3] { world.retag(path) { $0.album = "New" } }
      world.move("A3", to: "Elsewhere")
      let contents = world.look()
      if isInPieces {
        // One file is there already, the others are on their way.
        var piece = contents
        piece.found = [contents.found[0]]
        (piece.absent, piece.vanished) = (contents.vanished, [])
        world.merge(piece)
        piece.found = Array(contents.found[1...])
        world.merge(piece)
      } else {
        world.merge(contents)
      }
      world.known = world.files
      world.check()
      worlds.append(world)
    }
    #expect(worlds[0].songs(of: "New").count == 3)
    #expect(worlds[0].songs(of: "A3") == ["A3 4"])
    #expect(worlds[0].shape == worlds[1].shape)
  }

  @Test(
    "a song goes back to the album that keeps its slot, whatever edition that is",
    arguments: [false, true])
  func backToEdition(isInPieces: Bool) throws {
    var world = World()
    for number in 1...2 {
      // Two songs of one number lie in one folder, and for a moment in two.
      world.put(
        "A/\(number).mp3", sound: number, title: "T\(number)", album: "X", albumArtist: "P",
        track: 1)
    }
    world.merge()
    for number in 1...2 {
      world.move("A/\(number).mp3", to: "B/\(number).mp3")
      if isInPieces { world.merge() }
    }
    world.merge()
    let album = try world.id("X")
    world.retag("B/1.mp3") { $0.album = "Y" }
    world.merge()
    _ = world.remove("B/2.mp3")
    world.merge()
    world.move("B", to: "C")
    world.merge()
    world.retag("C/1.mp3") { $0.album = "X" }
    world.merge()
    #expect(try world.id("X") == album)
    world.check()
  }

  @Test("an album whose other songs are deleted after one was retagged away keeps their places")
  func mostGone() throws {
    var world = try world()
    let album = try #require(world.album("A3"))
    world.retag(paths("A3")[0]) { $0.album = "New" }
    world.merge()
    let shape = world.shape
    let taken = paths("A3")[1...].reduce(into: [:]) { taken, path in
      taken.merge(world.remove(path)) { $1 }
    }
    world.merge()
    #expect(world.library.albums[album.id] != nil)
    world.restore(taken)
    world.merge()
    #expect(world.shape == shape)
    world.check()
  }

  @Test("an album that gives a song back does not take over the one it came from")
  func takenBackInParts() throws {
    var world = try world()
    let before = world.shape
    func retag(_ track: Int, _ album: String) {
      world.retag(paths("A2")[track - 1]) { $0.album = album }
      world.merge()
      world.check()
    }
    retag(3, "New")
    for track in [1, 2, 4] { retag(track, "A1") }
    for track in [3, 1, 2, 4] { retag(track, "A2") }
    #expect(world.shape.filter { !$0.contains(" slot ") && !$0.hasSuffix(" new") } == before)
  }
}
