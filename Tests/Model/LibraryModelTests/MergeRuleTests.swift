import TestSupport
import Testing

@testable import LibraryModel

@Suite("Merging", .limited)
struct MergeRuleTests {
  @Test("the first crate of an empty library is called Music")
  func firstCrate() {
    var world = World()
    world.putAlbum("Blue", sound: 10, in: nil)
    world.merge()
    world.check()
    #expect(world.library.crates.map(\.name) == ["Music"])
    #expect(world.albums() == ["Blue"])
    #expect(world.songs(of: "Blue") == ["Blue 1", "Blue 2", "Blue 3"])
  }

  @Test("a new album comes on top; of several the ties go by artist, year and title")
  func newAlbums() {
    var world = World()
    world.putAlbum("Old", sound: 10, in: nil)
    world.merge()
    world.putAlbum("Second", by: "B", sound: 20, in: nil)
    world.putAlbum("Ten 10", by: "A", sound: 30, in: nil)
    world.putAlbum("Ten 2", by: "A", sound: 40, in: nil)
    world.merge()
    #expect(world.albums() == ["Ten 2", "Ten 10", "Second", "Old"])
    world.check()
  }

  @Test("new albums go to the crate that is named for them, which is made at the bottom")
  func namedCrate() throws {
    var world = World()
    world.putAlbum("Old", sound: 10, in: nil)
    world.merge()
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

  @Test("where nothing is listed, a new album comes into the first crate")
  func nothingListed() throws {
    var world = World()
    world.putAlbum("Blue", sound: 10, in: nil)
    world.putAlbum("Red", sound: 20, in: nil)
    world.merge()
    try world.edit(.moveAlbums([world.id("Red")], .top, crate: "Reds"))
    world.files = [:]
    world.merge()
    world.putAlbum("New", sound: 30, in: nil)
    world.merge()
    #expect(world.albums() == ["New"])
    world.check()
  }

  @Test("a new song of an untouched album goes to its place, of an arranged one on top")
  func newSongs() throws {
    var world = World()
    world.putAlbum("Blue", tracks: 3, sound: 10, in: nil)
    world.merge()
    world.put(
      "Blue/0.flac", sound: 99, title: "Zero", album: "Blue", artist: "Artist",
      albumArtist: "Artist", track: 2)
    world.merge()
    #expect(world.songs(of: "Blue") == ["Blue 1", "Zero", "Blue 2", "Blue 3"])
    try world.edit(.moveSongs([world.song("Blue 3").id], .top))
    #expect(world.album("Blue")?.isArranged == true)
    world.put(
      "Blue/9.flac", sound: 98, title: "Nine", album: "Blue", artist: "Artist",
      albumArtist: "Artist", track: 9)
    world.merge()
    #expect(world.songs(of: "Blue") == ["Nine", "Blue 3", "Blue 1", "Zero", "Blue 2"])
    world.check()
  }

  @Test("an album is arranged no longer when the person puts it in default order")
  func arrangedNoLonger() throws {
    var world = World()
    world.putAlbum("Blue", tracks: 2, sound: 10, in: nil)
    world.merge()
    try world.edit(.moveSongs([world.song("Blue 1").id], .bottom))
    #expect(world.album("Blue")?.isArranged == true)
    try world.edit(.moveSongs([world.song("Blue 1").id], .top))
    #expect(world.album("Blue")?.isArranged == false)
  }

  @Test("retagged track numbers sort an untouched album anew, and leave an arranged one alone")
  func followsTags() throws {
    var world = World()
    world.putAlbum("Blue", tracks: 3, sound: 10, in: nil)
    world.merge()
    world.retag("Blue/1 Blue 1.flac") { $0.track = 7 }
    world.merge()
    #expect(world.songs(of: "Blue") == ["Blue 2", "Blue 3", "Blue 1"])
    try world.edit(.moveSongs([world.song("Blue 1").id], .top))
    world.retag("Blue/2 Blue 2.flac") { $0.track = 9 }
    world.merge()
    #expect(world.songs(of: "Blue") == ["Blue 1", "Blue 2", "Blue 3"])
    world.check()
  }

  @Test("a song that is gone keeps its place, and has it when the file is back")
  func goneAndBack() throws {
    var world = World()
    world.putAlbum("Blue", tracks: 4, sound: 10, in: nil)
    world.putAlbum("Red", tracks: 2, sound: 20, in: nil)
    world.merge()
    try world.edit(.moveSongs([world.song("Blue 4").id], .top))
    try world.edit(.moveAlbums([world.id("Blue")], .bottom, crate: nil))
    let before = world.shape
    let taken = world.remove("Blue/4 Blue 4.flac")
    world.merge()
    #expect(world.songs(of: "Blue") == ["Blue 1", "Blue 2", "Blue 3"])
    world.restore(taken)
    world.merge()
    #expect(world.shape == before)
    let all = world.remove("Blue")
    world.merge()
    #expect(world.albums() == ["Red"])
    world.restore(all)
    world.merge()
    #expect(world.shape == before)
    world.check()
  }

  @Test("merging the same contents twice changes nothing the second time")
  func idempotent() {
    var world = World()
    world.putAlbum("Blue", sound: 10, in: nil)
    let look = world.look()
    world.merge(look)
    world.known = world.files
    let again = world.merge(look)
    #expect(again.decision.changes.isEmpty)
    world.check()
  }

  @Test("a first scan in pieces ends in the order of a single one")
  func firstScanInPieces() {
    var whole = World()
    for number in 1...12 {
      whole.putAlbum(
        "Album \(number * 7 % 12)", by: "Artist \(number % 3)", sound: number * 100,
        in: "\(number)")
    }
    let pieces = whole.look(firstScan: true)
    var cut = whole
    whole.merge(pieces)
    for start in stride(from: 0, to: pieces.found.count, by: 5) {
      var piece = FolderContents(root: World.root, seen: pieces.seen)
      piece.isFirstScan = true
      piece.found = Array(pieces.found[start..<min(start + 5, pieces.found.count)])
      piece.endsFirstScan = start + 5 >= pieces.found.count
      cut.merge(piece)
    }
    #expect(whole.shape == cut.shape)
    #expect(whole.listed().count == 12)
  }

  @Test("what the person moves during a first scan stays where it was put")
  func movedDuringFirstScan() throws {
    var world = World()
    world.putAlbum("Old", sound: 100, in: "1")
    world.putAlbum("Middle", sound: 200, in: "2")
    world.putAlbum("New", sound: 300, in: "3")
    let look = world.look(firstScan: true)
    var piece = look
    piece.endsFirstScan = false
    piece.found = Array(look.found.prefix(6))
    world.merge(piece)
    #expect(world.albums() == ["Middle", "Old"])
    try world.edit(.moveAlbums([world.id("Old")], .top, crate: nil))
    piece.found = Array(look.found.suffix(3))
    piece.endsFirstScan = true
    world.merge(piece)
    world.known = world.files
    #expect(world.albums() == ["Old", "New", "Middle"])
    world.check()
  }
}
