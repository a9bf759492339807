import TestSupport
import Testing

@testable import LibraryModel

@Suite("An album that goes on under a new name", .limited)
struct HandOverTests {
  /// An album of so many songs, which an arranged one may be.
  private func world(_ tracks: Int, isArranged: Bool = false) throws -> (World, AlbumID) {
    var world = World()
    world.putAlbum("A", tracks: tracks, sound: 10, in: nil)
    world.putAlbum("Z", tracks: 1, sound: 90, in: nil)
    world.retag("Z/1 Z 1.flac") { $0.track = 9 }
    world.merge()
    if isArranged { try world.edit(.moveSongs([world.song("A \(tracks)").id], .top)) }
    return (world, try world.id("A"))
  }

  private func retag(_ tracks: some Sequence<Int>, _ title: String, _ world: inout World) {
    for track in tracks { world.retag("A/\(track) A \(track).flac") { $0.album = title } }
  }

  /// Songs that were in no album before.
  private func put(_ count: Int, _ title: String, _ world: inout World) {
    for number in 0..<count {
      world.put(
        "new/\(title) \(number).flac", sound: 500 + number, title: "N \(number)", album: title,
        albumArtist: "Artist", track: 50 + number)
    }
  }

  @Test("is the same where at least half of what stands under that name is from it")
  func half() throws {
    for (count, isSame) in [(0, true), (2, true), (3, false)] {
      // One after the other, with what is new before, between or behind; or all at once.
      for step in 0...3 {
        var (world, id) = try world(2)
        if step == 0 {
          retag(1...2, "New", &world)
          put(count, "New", &world)
          world.merge()
        } else {
          retag(1...1, "New", &world)
          if step == 1 { put(count, "New", &world) }
          world.merge()
          if step == 2 { put(count, "New", &world) }
          world.merge()
          retag(2...2, "New", &world)
          if step == 3 { put(count, "New", &world) }
          world.merge()
        }
        #expect(try (world.id("New") == id) == isSame, "\(count) \(step)")
        #expect(world.songs(of: "New").count == 2 + count)
        world.check()
      }
    }
  }

  @Test("is the one to which more than half of its songs went")
  func majority() throws {
    for (counts, isSame) in [
      ([2, 2], false), ([3, 1], true), ([2, 1], true), ([2, 1, 1], false), ([3, 1, 1], true),
    ] {
      for isAtOnce in [true, false] {
        var (world, id) = try world(counts.reduce(0, +))
        var track = 1
        for (number, count) in counts.enumerated() {
          retag(track..<(track + count), "New \(number)", &world)
          track += count
          if !isAtOnce { world.merge() }
        }
        world.merge()
        #expect(try (world.id("New 0") == id) == isSame, "\(counts) \(isAtOnce)")
        #expect((world.library.album(id) == nil) == !isSame)
        world.check()
      }
    }
  }

  @Test("is not the other one where it is filled again in the same look")
  func filledAgain() throws {
    var (world, id) = try world(2)
    retag(1...2, "New", &world)
    put(1, "A", &world)
    world.merge()
    #expect(try world.id("A") == id && world.id("New") != id)
    #expect(world.songs(of: "A") == ["N 0"] && world.songs(of: "New") == ["A 1", "A 2"])
    world.check()
  }

  @Test("has what is new to it on top, where it was arranged")
  func raised() throws {
    for count in 0...2 {
      for isArranged in [true, false] {
        var (world, id) = try world(4, isArranged: isArranged)
        retag(1...3, "New", &world)
        world.merge()
        put(count, "New", &world)
        world.merge()
        retag(4...4, "New", &world)
        world.merge()
        #expect(try world.id("New") == id && world.album("New")?.isArranged == isArranged)
        let new = (0..<count).map { "N \($0)" }
        #expect(
          world.songs(of: "New")
            == (isArranged
              ? new + ["A 4", "A 1", "A 2", "A 3"] : ["A 1", "A 2", "A 3", "A 4"] + new))
        world.check()
      }
    }
  }

  @Test("is no older album, and none that the person touched")
  func olderOrTouched() throws {
    for isTouched in [false, true] {
      for isOlder in [false, true] {
        var (world, id) = try world(2)
        if isOlder {
          // Another one that was there before takes them in.
          retag(1...2, "Z", &world)
          let other = try world.id("Z")
          world.merge()
          #expect(try world.id("Z") == other)
        } else {
          retag(1...1, "New", &world)
          world.merge()
          let new = try world.id("New")
          if isTouched { try world.edit(.moveAlbums([new], .bottom, crate: nil)) }
          retag(2...2, "New", &world)
          world.merge()
          #expect(try world.id("New") == (isTouched ? new : id))
        }
        world.check()
      }
    }
  }
}
