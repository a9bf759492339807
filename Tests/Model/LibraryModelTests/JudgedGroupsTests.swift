import TestSupport
import Testing

@testable import LibraryModel

@Suite("Which files of a folder are judged", .limited) struct JudgedGroupsTests {
  /// One folder with two albums of two songs, and one song more of the first one elsewhere.
  private func world(manyFiles: Int, elsewhere: Bool = false) -> World {
    var world = World()
    world.lookups = Lookups(world.library, roots: [World.root], manyFiles: manyFiles)
    for (number, album) in ["One", "Two"].enumerated() {
      for track in 1...2 {
        world.put(
          "all/\(album) \(track).mp3", sound: 10 * number + track, title: "\(track)", album: album,
          albumArtist: "X", track: track)
      }
    }
    if elsewhere {
      world.put("other/1.mp3", sound: 30, title: "3", album: "One", albumArtist: "X", track: 3)
    }
    world.merge()
    return world
  }

  private func judged(_ world: World) -> Set<String> {
    let observation = Observation(world.look(firstScan: false), world.library, world.lookups)
    let below = "/music/"
    return Set(
      JudgedGroups(observation).groups.keys.map { String($0.display.dropFirst(below.count)) })
  }

  @Test(
    "an album that has no news and lies in this folder alone is left out", arguments: [1, 4, 1_024])
  func alone(manyFiles: Int) {
    var world = world(manyFiles: manyFiles)
    world.put("all/Two 3.mp3", sound: 13, title: "3", album: "Two", albumArtist: "X", track: 3)
    #expect(judged(world) == ["all/Two 1.mp3", "all/Two 2.mp3", "all/Two 3.mp3"])
  }

  @Test(
    "an album that lies elsewhere, too, is judged in all its folders",
    arguments: [1, 4, 1_024])
  func elsewhere(manyFiles: Int) {
    var world = world(manyFiles: manyFiles, elsewhere: true)
    _ = world.remove("all/Two 1.mp3")
    #expect(judged(world) == ["all/One 1.mp3", "all/One 2.mp3", "all/Two 2.mp3", "other/1.mp3"])
  }

  @Test(
    "songs that say too little follow what the others of the folder say", arguments: [1, 4, 1_024])
  func followers(manyFiles: Int) {
    var world = World()
    world.lookups = Lookups(world.library, roots: [World.root], manyFiles: manyFiles)
    for track in 1...2 {
      world.put("all/a\(track).mp3", sound: track, title: "a\(track)", album: "One", track: track)
    }
    world.put("all/b.mp3", sound: 5, title: "b")
    world.merge()
    // The first song that says whose album it is decides for the others, and for what has none.
    world.put("all/c.mp3", sound: 6, title: "c", album: "One", albumArtist: "X", track: 3)
    #expect(judged(world) == ["all/a1.mp3", "all/a2.mp3", "all/b.mp3", "all/c.mp3"])
    world.merge()
    #expect(world.songs(of: "One") == ["a1", "a2", "c", "b"])
    // A second album takes nothing from the first, and what arrives then has two to choose from.
    world.put("all/d.mp3", sound: 7, title: "d", album: "Two", albumArtist: "X", track: 1)
    world.put("all/e.mp3", sound: 8, title: "e")
    #expect(judged(world) == ["all/d.mp3", "all/e.mp3"])
    world.merge()
    #expect(world.songs(of: "One") == ["a1", "a2", "c", "b"])
    #expect(world.songs(of: "all") == ["e"])
    world.check()
  }

  @Test("a folder stays in its edition when its file is made anew, and nothing tells it apart")
  func stays() throws {
    for sound in [1, 9] {
      var world = World()
      for (folder, sound) in [("A", 1), ("B", 3)] {
        world.put(
          "\(folder)/1.mp3", sound: sound, title: "T", album: "X", albumArtist: "P", track: 1)
        world.merge()
      }
      let songs = try ["A", "B"].map { folder in
        let path = World.path("\(folder)/1.mp3")
        return try #require(world.lookups.song(at: path, in: world.library))
      }
      #expect(songs[0].album != songs[1].album && world.listed().count == 2)
      world.put("B/1.mp3", sound: sound, title: "T", album: "X", albumArtist: "P", track: 1)
      let observation = Observation(world.look(), world.library, world.lookups)
      let judged = JudgedGroups(observation)
      #expect(judged[World.path("A/1.mp3")]?.edition == "")
      #expect(judged[World.path("B/1.mp3")]?.edition == " B")
      world.merge()
      #expect(world.library.songs[songs[1].id]?.album == songs[1].album)
      #expect(world.listed().count == 2)
      world.check()
    }
  }

  @Test("the edition of a folder is that of the song that was moved into it")
  func arrived() throws {
    var world = World()
    for (folder, sound) in [("A", 1), ("B", 3)] {
      world.put(
        "\(folder)/1.mp3", sound: sound, title: "T", album: "X", albumArtist: "P", track: 1)
    }
    world.merge()
    // They change their names.
    world.move("A", to: "C")
    world.move("B", to: "A")
    world.move("C", to: "B")
    let observation = Observation(world.look(), world.library, world.lookups)
    let judged = JudgedGroups(observation)
    #expect(judged[World.path("B/1.mp3")]?.edition == "")
    #expect(judged[World.path("A/1.mp3")]?.edition == " B")
    let former = world.library.songs.values.map { ($0.id, $0.album) }
    world.merge()
    for (song, album) in former { #expect(world.library.songs[song]?.album == album) }
    world.check()
  }
}
