import TestSupport
import Testing

@testable import LibraryModel

@Suite("Which of several files of one sound is nearest", .limited)
struct NearnessTests {
  /// A song whose file is not there any more, and one that has come with its sound.
  private func rank(
    album: String = "A", disc: Int? = nil, track: Int? = 1, path: String
  ) throws -> Int {
    var world = World()
    world.put("A/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
    world.merge()
    let song = try world.song("T")
    _ = world.remove("A/1.flac")
    world.put(
      path, sound: 5, title: "T", album: album, albumArtist: "X", track: track, disc: disc)
    let observation = Observation(world.look(), world.library, world.lookups)
    let clusters = Clusters(observation: observation, groups: JudgedGroups(observation))
    let found = clusters.clusters(of: try #require(song.digest))
    #expect(found.count == 1 && found[0].paths == [World.path(path)])
    return Nearness(song, observation).rank(beside: Nearness.all(found[0], observation))
  }

  @Test("by its group, then by disc and track, then by its name")
  func ranks() throws {
    #expect(try rank(path: "B/1.flac") == 0)
    #expect(try rank(path: "B/2.flac") == 1)
    #expect(try rank(track: 2, path: "B/1.flac") == 2)
    #expect(try rank(track: nil, path: "B/1.flac") == 2)
    #expect(try rank(disc: 2, path: "B/1.flac") == 2)
    #expect(try rank(disc: 1, path: "B/1.flac") == 0)
    #expect(try rank(path: "CD 2/1.flac") == 2)
    #expect(try rank(track: 2, path: "B/2.flac") == 3)
    #expect(try rank(album: "B", path: "B/1.flac") == 4)
    #expect(try rank(album: "B", path: "B/2.flac") == 5)
    #expect(try rank(album: "B", track: 2, path: "B/1.flac") == 6)
    #expect(try rank(album: "B", track: 2, path: "B/2.flac") == 7)
  }

  @Test("beside none it is as far as can be, and of several the nearest counts")
  func several() throws {
    var world = World()
    world.put("A/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
    world.merge()
    let song = try world.song("T")
    let observation = Observation(world.look(), world.library, world.lookups)
    let own = Nearness(song, observation)
    #expect(own.rank(beside: []) == 8)
    #expect(own.rank(beside: [own.cut(to: (false, false, false)), own]) == 0)
    #expect(own.rank(beside: [own.cut(to: (false, true, true))]) == 4)
  }

  @Test("an album that begins with songs of two others stands above the first of these")
  func origins() throws {
    var world = World()
    for title in ["B", "A"] {
      world.putAlbum(title, sound: title == "A" ? 10 : 20, in: nil)
      world.merge()
    }
    #expect(world.albums() == ["A", "B"])
    for title in ["A", "B"] {
      world.retag("\(title)/1 \(title) 1.flac") { ($0.album, $0.track) = ("New", nil) }
    }
    world.merge()
    #expect(world.albums() == ["New", "A", "B"])
    world.check()
  }
}
