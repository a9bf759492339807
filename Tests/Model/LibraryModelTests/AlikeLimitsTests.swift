import TestSupport
import Testing

@testable import LibraryModel

/// 64 songs or files of one likeness are looked at, and of 65 none.
@Suite("How many songs are told apart", .limited)
struct AlikeLimitsTests {
  private static let counts = [(2, true), (64, true), (65, false)]

  /// Songs that are gone and alike, of which the first is older than the others.
  private func gone(_ count: Int, recording: String, title: String) throws -> (World, SongID) {
    var world = World()
    for number in 0..<count {
      if number == 1 { world.merge() }
      world.put(
        "A/\(number).mp3", sound: 100 + number, title: title.isEmpty ? "\(number)" : title,
        album: "A", albumArtist: "X", track: title.isEmpty ? number : 1, release: "l",
        recording: recording)
    }
    world.put("A/other.mp3", sound: 99, title: "Other", album: "A", albumArtist: "X", track: 200)
    world.merge()
    let path = World.path("A/0.mp3")
    let oldest = try #require(world.lookups.song(at: path, in: world.library))
    for number in 0..<count { _ = world.remove("A/\(number).mp3") }
    world.merge()
    #expect(world.library.songs[oldest.id]?.isGone == true)
    return (world, oldest.id)
  }

  private func isThere(_ song: SongID, _ path: String, _ world: World) -> Bool {
    world.library.songs[song].map { !$0.isGone && $0.path == World.path(path) } ?? false
  }

  @Test("of those with one recording the oldest is it", arguments: counts)
  func recordings(count: Int, isFound: Bool) throws {
    var (world, oldest) = try gone(count, recording: "r", title: "")
    world.put(
      "B/x.flac", sound: 7, title: "New", album: "B", albumArtist: "Y", track: 9, release: "l",
      recording: "r")
    world.merge()
    #expect(isThere(oldest, "B/x.flac", world) == isFound)
  }

  @Test("of those with the same tags, too", arguments: counts)
  func tags(count: Int, isFound: Bool) throws {
    var (world, oldest) = try gone(count, recording: "", title: "T")
    world.put(
      "A/x.flac", sound: 7, title: "T", album: "A", albumArtist: "X", track: 1, release: "l")
    world.merge()
    #expect(isThere(oldest, "A/x.flac", world) == isFound)
  }

  @Test("and where their album went on under another name", arguments: counts)
  func tagsOfHeir(count: Int, isFound: Bool) throws {
    var (world, oldest) = try gone(count, recording: "", title: "T")
    world.retag("A/other.mp3") { $0.album = "B" }
    world.put(
      "B/x.flac", sound: 7, title: "T", album: "B", albumArtist: "X", track: 1, release: "")
    world.merge()
    #expect(isThere(oldest, "B/x.flac", world) == isFound)
  }

  @Test("of files with its tags, one is as long as the song", arguments: counts)
  func files(count: Int, isFound: Bool) throws {
    var (world, oldest) = try gone(1, recording: "", title: "T")
    world.retag("A/other.mp3") { $0.album = "B" }
    for number in 0..<count {
      world.put(
        "B/\(number).flac", sound: 300 + number, title: "T", album: "B", albumArtist: "X",
        track: 1, milliseconds: number == 1 ? 62_000 : 70_000)
    }
    world.merge()
    #expect(isThere(oldest, "B/1.flac", world) == isFound)
  }

  /// The song itself is one of those that have its tags.
  @Test("of younger songs with its tags, one gives way", arguments: counts)
  func younger(count: Int, isFound: Bool) throws {
    var world = World()
    world.put("A/0.mp3", sound: 100, title: "T", album: "A", albumArtist: "X", track: 1)
    world.merge()
    let old = try world.song("T").id
    for number in 1..<count {
      world.put(
        "A/\(number).flac", sound: 100 + number, title: "T", album: "A", albumArtist: "X",
        track: 1, milliseconds: number == 1 ? 62_000 : 70_000)
    }
    world.merge()
    #expect(world.library.songs.count == count)
    _ = world.remove("A/0.mp3")
    world.merge()
    #expect(isThere(old, "A/1.flac", world) == isFound)
    #expect(world.library.songs[old]?.isGone == !isFound)
  }
}
