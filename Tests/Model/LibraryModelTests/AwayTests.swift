import TestSupport
import Testing

@testable import LibraryModel

@Suite("What is away", .limited)
struct AwayTests {
  @Test("many places cover what each of them covers")
  func many() {
    let parts = ["a", "ab", "b", "a b"]
    var paths: [BytePath] = []
    for one in parts {
      for two in parts {
        paths.append(BytePath("/m/\(one)/\(two)"))
        for three in parts { paths.append(BytePath("/m/\(one)/\(two)/\(three)")) }
      }
    }
    for count in [0, 1, 15, 16, 17, 40] {
      // Some are inside others.
      let places = (0..<count).map { paths[$0 * 29 % paths.count] }
      var away = Away()
      away.places = places
      for path in paths {
        #expect(away.covers(path) == places.contains { path.isInside($0) }, "\(count): \(path)")
      }
      #expect(!away.covers(BytePath("/m")))
    }
  }

  @Test("what lies in no music folder is outside, once the folders are known")
  func outside() {
    var away = Away()
    #expect(!away.isOutside(BytePath("/a/1")))
    away.folders = [BytePath("/a"), BytePath("/b")]
    #expect(!away.isOutside(BytePath("/b/1")) && !away.covers(BytePath("/b/1")))
    #expect(away.isOutside(BytePath("/ab/1")) && away.covers(BytePath("/ab/1")))
  }

  @Test("a file stays that of its song, which is away, where another song has its sound by now")
  func exchanged() throws {
    var world = World()
    world.put("here/1.mp3", sound: 5, title: "Here", album: "A", albumArtist: "X", track: 1)
    world.put("usb/1.mp3", sound: 5, title: "There", album: "B", albumArtist: "X", track: 1)
    world.merge()
    let away = try world.song("There").id
    let (own, other) = (World.path("here/1.mp3"), World.path("usb/1.mp3"))
    // They exchanged their names, and only one can be looked at.
    (world.files[own], world.files[other]) = (world.files[other], world.files[own])
    world.known[other] = world.files[other]
    world.setAway(["usb"])
    world.merge()
    let song = try #require(world.library.songs[away])
    #expect(song.path == other && world.library.presence(of: song) == .offline)
    #expect(world.library.files(of: song) == [other])
    let here = try #require(world.lookups.song(at: own, in: world.library))
    #expect(here.id != away && world.library.files(of: here) == [own])
    #expect(world.lookups.song(at: other, in: world.library)?.id == away)
    #expect(world.library.brokenInvariant == nil)
  }
}
