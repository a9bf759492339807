import TestSupport
import Testing

@testable import LibraryModel

@Suite("Several music folders, and parts that are away", .limited)
struct SeveralFoldersTests {
  private let first = World.path("a")
  private let second = World.path("b")

  @Test("folders of one name in two music folders are two albums, whichever is seen first")
  func sameName() throws {
    func seen(_ folders: [String]) throws -> (World, ids: [String: AlbumID]) {
      var world = World(roots: [first, second])
      for folder in folders {
        world.put("\(folder)/Unsorted/1.mp3", sound: folder == "a" ? 1 : 2, title: folder)
        world.put(
          "\(folder)/Live/1.mp3", sound: folder == "a" ? 3 : 4, title: "live \(folder)",
          album: "Live")
        world.merge()
        world.check()
      }
      #expect(world.listed().count == 4)
      var ids: [String: AlbumID] = [:]
      for title in ["a", "b", "live a", "live b"] { ids[title] = try world.song(title).album }
      return (world, ids)
    }
    let (world, forth) = try seen(["a", "b"])
    let (_, back) = try seen(["b", "a"])
    // The group is the same whatever came first; of equal names the first seen has the plain id.
    #expect(forth["a"] != forth["b"])
    #expect(Set(forth.values) == Set(back.values))
    #expect(
      try world.library.albums[world.song("a").album]?.group.edition == "")
  }

  @Test("an album that moves house, from one music folder to another, stays what it is")
  func movingHouse() throws {
    var world = World(roots: [first])
    for track in 1...3 {
      world.put("a/Unsorted/\(track).mp3", sound: track, title: "T\(track)")
    }
    world.putAlbum("Other", sound: 50, in: "a/Other")
    world.merge()
    try world.edit(.moveAlbums([world.song("T1").album], .bottom, crate: nil))
    try world.edit(.moveSongs([world.song("T3").id], .top))
    let shape = world.shape.map { $0.split(separator: " /").first.map(String.init) }
    // The old folder leaves the settings, a new one comes.
    world.library.away.folders = [second]
    world.library.dropOtherFilesOutside()
    world.lookups = Lookups(world.library, roots: [second])
    for track in 1...3 {
      world.put("b/Unsorted/\(track).mp3", sound: track, title: "T\(track)")
    }
    var contents = FolderContents(root: second, seen: world.now)
    contents.found = world.look().found
    world.merge(contents)
    #expect(world.shape.map { $0.split(separator: " /").first.map(String.init) } == shape)
    #expect(try world.song("T2").path == World.path("b/Unsorted/2.mp3"))
  }

  @Test("a duplicate takes over when the first goes offline, and stays the song's file")
  func duplicates() throws {
    var world = World()
    for folder in ["m", "n"] {
      world.put("\(folder)/1.mp3", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1)
      world.put("\(folder)/2.mp3", sound: 2, title: "U", album: "A", albumArtist: "X", track: 2)
    }
    world.merge()
    #expect(world.library.otherFileCount == 2)
    #expect(try world.song("T").path == World.path("m/1.mp3"))
    let outcome = world.setAway(["m"])
    #expect(try world.song("T").path == World.path("n/1.mp3"))
    #expect(try world.library.presence(of: world.song("U")) == .present)
    #expect(
      outcome.decision.changes.allSatisfy {
        if case .songFollowed(_, _, _, by: .duplicate) = $0 { true } else { false }
      })
    world.check()
    #expect(world.setAway(["m"]).decision.changes.isEmpty)
    #expect(world.setAway([]).decision.changes.isEmpty)
    #expect(try world.song("T").path == World.path("n/1.mp3"))
    // Both away: neither is better than the other.
    #expect(world.setAway(["m", "n"]).decision.changes.isEmpty)
    world.check()
  }

  @Test("what the person placed during a first scan stays at its end, moved or made room for")
  func firstScan() throws {
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
    var last = world.look(firstScan: true)
    last.endsFirstScan = true
    world.merge(last)
    world.known = world.files
    #expect(world.albums() == wanted)
    world.check()
  }

  @Test("an offline song is found elsewhere by its sound alone, and keeps the drive's file besides")
  func recognisedWhileAway() throws {
    var world = World()
    world.put("usb/1.mp3", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1)
    world.merge()
    let id = try world.song("T").id
    let kept = world.remove("usb")
    world.known = [:]
    world.setAway(["usb"])
    // Another sound is no reason to take it for what only can't be seen.
    world.put("c/1.flac", sound: 2, title: "T", album: "B", albumArtist: "X", track: 1)
    world.merge()
    #expect(world.library.songs[id]?.path == World.path("usb/1.mp3"))
    world.put("e/1.flac", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1)
    let outcome = world.merge()
    #expect(world.library.songs[id]?.path == World.path("e/1.flac"))
    // The drive's file is a duplicate by now, and the song's again where the other one goes.
    #expect(outcome.strangers(in: world.library.away).isEmpty)
    _ = world.remove("e")
    world.merge()
    #expect(world.library.songs[id]?.path == World.path("usb/1.mp3"))
    #expect(try world.library.presence(of: #require(world.library.songs[id])) == .offline)
    world.restore(kept)
    world.setAway([])
    world.merge()
    #expect(try world.library.presence(of: #require(world.library.songs[id])) == .present)
    #expect(world.library.songs.count == 2)
    world.check()
  }
}
