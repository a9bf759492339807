import TestSupport
import Testing

@testable import LibraryModel

@Suite("Covers of albums", .limited)
struct CoverTests {
  private func cover(_ world: World) throws -> UInt64? {
    let album = try #require(world.library.albums[world.id("A")])
    return world.library.summary(of: album).cover?.number
  }

  private func path(_ track: Int) -> String { "A/\(track) A \(track).flac" }

  private func setCover(_ cover: UInt64, _ track: Int, _ world: inout World) throws {
    try #require(world.files[World.path(path(track))] != nil)
    world.files[World.path(path(track))]?.cover = cover
  }

  @Test("is that of the first listed song that has one, whatever becomes of files and order")
  func first() throws {
    var world = World()
    world.putAlbum("A", tracks: 3, sound: 10, in: nil)
    world.merge()
    #expect(try cover(world) == nil)
    let sequence = world.library.sequence
    try setCover(7, 3, &world)
    world.merge()
    #expect(try cover(world) == 7)
    try setCover(5, 2, &world)
    world.merge()
    #expect(try cover(world) == 5)
    // It is no change of the order.
    #expect(world.library.sequence == sequence)
    try world.edit(.moveSongs([world.song("A 3").id], .top))
    #expect(try cover(world) == 7)
    world.check()
    let taken = world.remove(path(3))
    world.merge()
    #expect(try cover(world) == 5)
    world.restore(taken)
    world.merge()
    #expect(try cover(world) == 7)
    try setCover(0, 3, &world)
    try setCover(0, 2, &world)
    world.merge()
    #expect(try cover(world) == nil)
    world.check()
  }

  @Test("Digests are told as 16 digits, and 0 is none")
  func digits() {
    #expect(CoverDigest(number: 0) == nil)
    #expect(CoverDigest(number: 255)?.description == "00000000000000ff")
    #expect(CoverDigest(number: .max)?.description == "ffffffffffffffff")
  }
}
