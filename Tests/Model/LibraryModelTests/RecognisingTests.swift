import TestSupport
import Testing

@testable import LibraryModel

@Suite("Recognising a song again", .limited)
struct RecognisingTests {
  private func world() throws -> World {
    var world = World()
    world.putAlbum("Blue", tracks: 3, sound: 10, in: nil)
    world.putAlbum("Red", tracks: 3, sound: 20, in: nil)
    world.merge()
    try world.edit(.moveSongs([world.song("Blue 3").id], .top))
    try world.edit(.moveAlbums([world.id("Red")], .top, crate: "Reds"))
    return world
  }

  /// The order without paths: ids and slots.
  private func order(_ world: World) -> [String] {
    world.shape.map { $0.split(separator: " /").first.map(String.init) ?? $0 }
  }

  @Test("a renamed file keeps its place")
  func renamedFile() throws {
    var world = try world()
    let before = order(world)
    world.move("Blue/2 Blue 2.flac", to: "Blue/other.flac")
    world.merge()
    #expect(order(world) == before)
    world.check()
  }

  @Test("a renamed directory keeps every place, whatever its songs were grouped by")
  func renamedDirectory() throws {
    var world = World()
    for track in 1...3 { world.put("Tape/\(track).flac", sound: track) }
    for track in 1...3 {
      world.put("Mix/\(track).flac", sound: 10 + track, album: "Mix", track: track)
    }
    world.merge()
    try world.edit(.moveSongs([world.song("3.flac".title).id], .top))
    let before = order(world).map { $0.replacing("Tape", with: "Reel") }
    world.move("Tape", to: "Reel")
    world.move("Mix", to: "Mixes")
    world.merge()
    #expect(order(world) == before)
    world.check()
  }

  @Test("where nothing else tells two equal sounds apart, the kernel's word for a rename does")
  func toldRenames() throws {
    var world = World()
    for album in ["A", "B"] {
      world.put("\(album)/1.mp3", sound: 5, album: album, albumArtist: "X")
      // As of a file system that keeps no times of birth.
      world.files[World.path("\(album)/1.mp3")]?.birth = 0
    }
    world.merge()
    func songs() -> [BytePath: SongID] {
      var songs: [BytePath: SongID] = [:]
      world.library.songs.forEach { songs[$1.path] = $0 }
      return songs
    }
    let before = songs()
    let moves = [("A/1.mp3", "D/2.mp3"), ("B/1.mp3", "C/2.mp3")]
    for (old, new) in moves {
      world.move(old, to: new)
      world.retag(new) { $0.album = String(new.prefix(1)) }
    }
    var look = world.look()
    look.renames = moves.map { .init(from: World.path($0), to: World.path($1)) }
    world.merge(look)
    let after = songs()
    for (old, new) in moves {
      #expect(after[World.path(new)] == before[World.path(old)] && after[World.path(old)] == nil)
    }
  }

  @Test("of two songs with one sound, that of the same track is it")
  func silentTracks() throws {
    var world = World()
    for track in 1...2 {
      world.put("A/\(track).mp3", sound: 5, album: "A", albumArtist: "X", track: track)
    }
    world.merge()
    let before = order(world)
    for track in 1...2 { world.move("A/\(track).mp3", to: "B/silence \(track).mp3") }
    world.merge()
    #expect(order(world) == before)
    world.check()
  }

  @Test("a file that is moved and retagged at once is the same song")
  func movedAndRetagged() throws {
    var world = try world()
    let id = try world.song("Blue 2").id
    world.move("Blue/2 Blue 2.flac", to: "Elsewhere/x.flac")
    world.retag("Elsewhere/x.flac") { $0.title = "New title" }
    world.merge()
    #expect(try world.song("New title").id == id)
    world.check()
  }

  @Test("two files that swap names swap back")
  func swappedNames() throws {
    var world = try world()
    let before = order(world)
    world.move("Blue/1 Blue 1.flac", to: "Blue/t.flac")
    world.move("Blue/2 Blue 2.flac", to: "Blue/1 Blue 1.flac")
    world.move("Blue/t.flac", to: "Blue/2 Blue 2.flac")
    world.merge()
    #expect(order(world) == before)
    #expect(try world.song("Blue 1").path == World.path("Blue/2 Blue 2.flac"))
    world.check()
  }

  @Test("another sound at the path with the same title is the song, repaired")
  func repaired() throws {
    var world = try world()
    let before = order(world)
    let path = World.path("Blue/1 Blue 1.flac")
    world.files[path]?.sound = 77
    world.merge()
    #expect(order(world) == before)
    #expect(world.library.songs[try world.song("Blue 1").id]?.digest?.low == 77)
    world.check()
  }

  @Test("another sound under another title is another song, and the old one is gone")
  func replaced() throws {
    var world = try world()
    let old = try world.song("Blue 1").id
    world.put(
      "Blue/1 Blue 1.flac", sound: 77, title: "Stranger", album: "Blue", artist: "Artist",
      albumArtist: "Artist", track: 8)
    world.merge()
    #expect(world.library.songs[old]?.isGone == true)
    #expect(try world.song("Stranger").id != old)
    world.check()
  }

  @Test("an MP3 replaced by a FLAC of the same track is the song in a new format")
  func newFormat() throws {
    var world = try world()
    let id = try world.song("Blue 2").id
    let before = order(world)
    _ = world.remove("Blue/2 Blue 2.flac")
    world.merge()
    world.put(
      "Blue/2.mp3", sound: 88, title: "Blue 2", album: "Blue", artist: "Artist",
      albumArtist: "Artist", track: 2, milliseconds: 61_500)
    world.merge()
    #expect(try world.song("Blue 2").id == id)
    #expect(order(world) == before)
    world.check()
  }

  @Test(
    "an inode with its birth is the same file; without one it may be another file's by now",
    arguments: [Int64(1_700_000_000), 0])
  func inodes(birth: Int64) throws {
    var world = World()
    world.put("Tape/1.flac", sound: 1, title: "Old")
    world.files[World.path("Tape/1.flac")]?.birth = birth
    world.merge()
    let id = try world.song("Old").id
    world.move("Tape/1.flac", to: "Tape/2.flac")
    world.files[World.path("Tape/2.flac")]?.sound = 2
    world.retag("Tape/2.flac") { $0.title = "New" }
    world.merge()
    #expect(try (world.song("New").id == id) == (birth != 0))
    world.check()
  }

  @Test("a hard link that is renamed is known by its inode, whichever link it is")
  func hardLinks() throws {
    for renamed in ["A/1.flac", "B/1.flac"] {
      var world = World()
      world.put("A/1.flac", sound: 1, title: "Old")
      world.files[World.path("B/1.flac")] = world.files[World.path("A/1.flac")]
      world.merge()
      let id = try #require(world.lookups.song(at: World.path(renamed), in: world.library)?.id)
      world.move(renamed, to: "C/2.flac")
      for path in world.files.keys {
        world.files[path]?.sound = 2
        world.files[path]?.tags.title = "New"
      }
      world.merge()
      #expect(
        world.lookups.song(at: World.path("C/2.flac"), in: world.library)?.id == id, "\(renamed)")
      world.check()
    }
  }

  @Test("the same sound twice in an album is one song, and the other file takes over")
  func duplicates() throws {
    var world = try world()
    let id = try world.song("Blue 1").id
    var file = try #require(world.files[World.path("Blue/1 Blue 1.flac")])
    file.inode = 99
    world.files[World.path("Copies/1.flac")] = file
    world.merge()
    #expect(world.songs(of: "Blue").count == 3)
    #expect(world.library.otherFiles[id]?.map(\.path) == [World.path("Copies/1.flac")])
    world.check()
    _ = world.remove("Blue/1 Blue 1.flac")
    world.merge()
    #expect(world.library.songs[id]?.isGone == false)
    #expect(world.library.songs[id]?.path == World.path("Copies/1.flac"))
    world.check()
  }

  @Test("a duplicate whose folder turns out to be another edition is a song of its own")
  func duplicateOfAnotherEdition() throws {
    var world = World()
    world.putAlbum("Blue", tracks: 2, sound: 10, in: "A")
    world.putAlbum("Blue", tracks: 1, sound: 10, in: "B")
    world.merge()
    let id = try #require(
      world.lookups.song(at: World.path("B/1 Blue 1.flac"), in: world.library)?.id)
    #expect(world.library.songs.count == 2)
    world.putAlbum("Blue", tracks: 2, sound: 10, in: "B")
    world.files[World.path("B/2 Blue 2.flac")]?.sound = 99
    world.merge()
    #expect(world.library.songs.count == 4)
    #expect(world.library.songs[id]?.path == World.path("A/1 Blue 1.flac"))
    world.check()
  }

  @Test("the same sound in two albums is two songs")
  func twoAlbums() throws {
    var world = try world()
    world.put(
      "Best/1.flac", sound: 11, title: "Blue 1", album: "Best", artist: "Artist",
      albumArtist: "Artist", track: 1)
    world.merge()
    #expect(world.songs(of: "Best") == ["Blue 1"])
    #expect(world.songs(of: "Blue").count == 3)
    world.check()
  }

  @Test("disappearance and appearance are matched hours apart, in either order")
  func hoursApart() throws {
    var world = try world()
    let before = order(world)
    let taken = world.remove("Blue")
    world.merge()
    world.now += 7_200_000
    for (path, file) in taken {
      world.files[World.path("Moved").appending(path.name)] = file
    }
    world.merge()
    #expect(order(world) == before)
    world.check()
  }

  @Test("a file that is absent for the moment is recognised where it appears")
  func absentForNow() throws {
    var world = try world()
    let before = order(world)
    world.move("Blue", to: "Moved")
    var look = world.look()
    look.absent = look.vanished
    look.vanished = []
    world.merge(look)
    #expect(order(world) == before)
    world.known = world.files
    world.check()
  }

  @Test("a song is found by the sound of a copy that is waited for longer than its own file")
  func absentCopy() throws {
    var world = World()
    func put(_ path: String) {
      world.put(
        path, sound: 11, title: "Blue 1", album: "Blue", artist: "Artist", albumArtist: "Artist",
        track: 1)
    }
    put("Blue/1.flac")
    put("Blue/2.flac")
    world.merge()
    put("Copy/1.flac")
    world.merge()
    let song = try #require(world.lookups.song(at: World.path("Blue/1.flac"), in: world.library))
    _ = world.remove("Blue")
    _ = world.remove("Copy")
    func merge(vanished: [String] = [], absent: [String] = []) {
      var look = world.look()
      look.vanished = vanished.map(World.path)
      look.absent = absent.map(World.path)
      world.merge(look)
      for file in look.found { world.known[file.path] = world.files[file.path] }
    }
    merge(vanished: ["Blue/1.flac", "Blue/2.flac"], absent: ["Copy/1.flac"])
    #expect(world.library.songs[song.id]?.path == World.path("Copy/1.flac"))
    put("Other/1.flac")
    merge(absent: ["Copy/1.flac"])
    #expect(world.library.songs[song.id]?.path == World.path("Other/1.flac"))
    merge(vanished: ["Copy/1.flac"])
    #expect(world.library.songs.count == 1)
    world.known = world.files
    world.check()
  }

  @Test("a file that was put over one without tags leaves no place, also where the folder moves")
  func putOver() throws {
    for isMoved in [false, true] {
      var world = try world()
      world.put("Blue/4.flac", sound: 77)
      world.put(
        "Blue/4.tmp.flac", sound: 77, title: "Blue 4", album: "Blue", artist: "Artist",
        albumArtist: "Artist", track: 4)
      world.merge()
      #expect(world.library.songs.count == 8)
      _ = world.remove("Blue/4.flac")
      world.move("Blue/4.tmp.flac", to: "Blue/4.flac")
      if isMoved { world.move("Blue", to: "Moved") }
      world.merge()
      #expect(world.library.songs.count == 7)
      world.check()
    }
  }

  @Test("what a converter put aside keeps no later file from the song")
  func putAside() throws {
    var world = try world()
    let song = try world.song("Blue 1")
    func convert(to path: String, sound: Int) throws {
      let here = try #require(world.library.songs[song.id]?.path)
      world.files[here] = nil
      world.put(
        path, sound: sound, title: song.title, album: "Blue", artist: "Artist",
        albumArtist: "Artist", track: 1)
    }
    let former = try #require(world.files[World.path("Blue/1 Blue 1.flac")])
    try convert(to: "Blue/1 Blue 1.flac", sound: 91)
    world.files[World.path("Blue/orig_1.flac")] = former
    world.merge()
    #expect(world.library.songs[song.id]?.path == World.path("Blue/1 Blue 1.flac"))
    _ = world.remove("Blue/orig_1.flac")
    world.merge()
    #expect(world.library.songs.count == 7, "its place is kept, as that of any other")
    try convert(to: "Blue/a.flac", sound: 92)
    world.merge()
    #expect(world.library.songs[song.id]?.path == World.path("Blue/a.flac"))
    world.check()
  }

  /// What a look at a folder comes to while the wait for what is missing is not over.
  private func mergeWaiting(_ world: inout World) {
    var look = world.look()
    (look.absent, look.vanished) = (look.vanished, [])
    world.merge(look)
    look = FolderContents(root: World.root, seen: world.now)
    look.vanished = world.known.keys.filter { world.files[$0] == nil }.sorted()
    world.known = world.files
    world.merge(look)
  }

  @Test(
    "a moved album is the same where its next track has the number of one that was deleted",
    arguments: [("Moved", false), ("Moved", true), ("Blue/More", false)])
  func nextTrack(to folder: String, isConverted: Bool) throws {
    var world = World()
    world.putAlbum("Blue", tracks: 5, sound: 10, in: nil)
    world.merge()
    let id = try world.id("Blue")
    func name(_ folder: String, _ track: Int) -> String {
      "\(folder)/\(track) Blue \(track).flac"
    }
    _ = world.remove(name("Blue", 2))
    world.retag(name("Blue", 3)) { $0.track = 2 }
    if folder == "Moved" {
      world.move("Blue", to: folder)
    } else {
      world.move(name("Blue", 3), to: name(folder, 3))
    }
    if isConverted {
      for path in world.files.keys { world.files[path]?.sound += 100 }
    }
    mergeWaiting(&world)
    #expect(world.albums() == ["Blue"])
    #expect(try world.id("Blue") == id)
    #expect(world.songs(of: "Blue") == ["Blue 1", "Blue 3", "Blue 4", "Blue 5"])
    world.check()
  }
}

extension String {
  /// The title that a file of this name has without tags.
  fileprivate var title: String { shownTitle("", path: BytePath(self)) }
}
