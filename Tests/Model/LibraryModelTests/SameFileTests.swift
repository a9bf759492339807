import TestSupport
import Testing

@testable import LibraryModel

/// Where several songs or files could be meant: links, equal sounds, and files that are offline.
@Suite("Which of several files is the song's", .limited)
struct SameFileTests {
  @Test("where nothing else tells two equal sounds apart, the kernel's word for a rename does")
  func toldRenames() throws {
    var world = World()
    for album in ["A", "B"] {
      world.put("\(album)/1.mp3", sound: 5, album: album, albumArtist: "X")
      // As of a file system that keeps no times of birth.
      world.files[World.path("\(album)/1.mp3")]?.birth = 0
    }
    world.merge()
    let before = world.library.songs.values.map { ($0.path, $0.id) }
    let moves = ["A/1.mp3": "D/2.mp3", "B/1.mp3": "C/2.mp3"]
    for (old, new) in moves {
      world.move(old, to: new)
      world.retag(new) { $0.album = String(new.prefix(1)) }
    }
    var look = world.look()
    look.renames = moves.map { .init(from: World.path($0), to: World.path($1)) }
    world.merge(look)
    for (old, id) in before {
      let new = moves["\(old.display.dropFirst(7))"]
      #expect(world.library.songs[id]?.path == new.map(World.path))
    }
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

  @Test("what was converted and moved at once is known by the songs that are the very same files")
  func convertedBesideLinks() throws {
    var world = World()
    for track in 1...3 {
      // Too short for a sound.
      world.put(
        "Old/\(track).flac", sound: track < 3 ? 0 : 5, title: "T\(track)", album: "A", artist: "X",
        track: track)
    }
    world.merge()
    let songs = world.library.songs.values.map(\.id)
    world.move("Old", to: "New")
    _ = world.remove("New/3.flac")
    world.put("New/3.mp3", sound: 6, title: "T3", album: "A", artist: "X", track: 3)
    world.merge()
    #expect(songs.count == 3 && songs.allSatisfy { world.library.songs[$0]?.isGone == false })
    world.check()
  }

  @Test("a song is back in its slot though its file comes beside a known copy of that sound")
  func backBesideCopy() throws {
    var world = World()
    func put(_ path: String, track: Int, album: String = "A") {
      world.put(path, sound: 5, title: "T\(track)", album: album, albumArtist: "X", track: track)
    }
    for track in 1...2 { put("A/\(track).flac", track: track) }
    world.merge()
    let first = try world.song("T1").id
    let taken = world.remove("A/1.flac")
    world.merge()
    // The one becomes the second track's, since it is in its group; the first is found elsewhere.
    put("Copy/1.flac", track: 1)
    put("B/1.flac", track: 7, album: "B")
    world.merge()
    #expect(world.library.songs[first]?.path == World.path("B/1.flac"))
    world.restore(taken)
    world.merge()
    #expect(world.library.songs[first]?.path == World.path("A/1.flac"))
    #expect(world.album("A")?.id == world.library.songs[first]?.album)
    #expect(world.songs(of: "B").count == 1)
    world.check()
  }

  @Test("two songs whose files were one tell nothing of where that went")
  func linkedSongs() throws {
    var world = World()
    world.put("A/1.flac", sound: 1, title: "A", album: "A", albumArtist: "X", track: 1)
    let file = try #require(world.files[World.path("A/1.flac")])
    world.merge()
    world.put("B/1.flac", sound: 1, title: "B", album: "B", albumArtist: "Y", track: 5)
    world.files[World.path("B/1.flac")]?.inode = file.inode
    world.merge()
    let songs = try ["A", "B"].map { try world.song($0).id }
    for album in ["A", "B"] { _ = world.remove("\(album)/1.flac") }
    world.put("C/2.flac", sound: 2, title: "C", album: "C", albumArtist: "Z", track: 9)
    world.files[World.path("C/2.flac")]?.inode = file.inode
    world.merge()
    #expect(songs.map { world.library.songs[$0]?.isGone != false } == [true, true])
    #expect(try !songs.contains(world.song("C").id))
    world.check()
  }

  @Test(
    "what is offline is found by its sound in its own album alone, or as the very same file",
    arguments: [
      ("A", false, 7, true), ("B", false, 7, false), ("B", true, 7, true), ("B", true, 1, true),
      ("B", true, 0, false), ("A", true, 7, true),
    ] as [(String, Bool, Int64, Bool)])
  func offline(album: String, isSame: Bool, birth: Int64, isFound: Bool) throws {
    var world = World()
    world.put("usb/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
    world.files[World.path("usb/1.flac")]?.birth = birth
    world.put("here/2.flac", sound: 6, title: "U", album: "A", albumArtist: "X", track: 2)
    world.merge()
    let song = try world.song("T")
    let inode = try #require(world.files[song.path]).inode
    world.setAway(["usb"])
    world.put("new/1.flac", sound: 5, title: "T", album: album, albumArtist: "X", track: 1)
    if isSame { world.files[World.path("new/1.flac")]?.inode = inode }
    world.files[World.path("new/1.flac")]?.birth = birth
    world.merge()
    let path = world.library.songs[song.id]?.path
    #expect(path == World.path(isFound ? "new/1.flac" : "usb/1.flac"))
  }

  @Test(
    "of one sound the nearest file is a song's: by its album, then its number, then its name",
    arguments: [false, true])
  func nearest(areLinks: Bool) throws {
    let files: [(path: String, album: String, disc: Int, track: Int)] = [
      ("B/1.flac", "A", 1, 1), ("B/2.flac", "A", 1, 1), ("B/1.flac", "A", 1, 2),
      ("B/2.flac", "A", 1, 2), ("B/1.flac", "B", 1, 1), ("B/2.flac", "B", 1, 1),
      ("B/1.flac", "B", 2, 1), ("B/2.flac", "B", 1, 2),
    ]
    for (place, near) in files.enumerated() {
      // Two files of the song's own album are one song.
      for far in files[(place + 1)...] where far.album != "A" {
        var world = World()
        world.put("A/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
        world.put("A/3.flac", sound: 6, title: "U", album: "A", albumArtist: "X", track: 3)
        world.merge()
        let song = try world.song("T").id
        _ = world.remove("A/1.flac")
        // What is farther comes first in byte order.
        let path = near.path.replacing("B/", with: "Z/")
        world.put(
          path, sound: 5, title: "T", album: near.album, albumArtist: "X", track: near.track,
          disc: near.disc)
        world.put(
          far.path, sound: 5, title: "T", album: "C", albumArtist: "X", track: far.track,
          disc: far.disc)
        for path in areLinks ? [path, far.path] : [] {
          // Both are the very file that the song had.
          world.files[World.path(path)]?.inode = 1
        }
        world.merge()
        #expect(world.library.songs[song]?.path == World.path(path), "\(near) \(far)")
      }
    }
  }
}
