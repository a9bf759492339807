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
    // A cover is no change of the order.
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

@Suite("Images beside songs", .limited)
struct CoverNamesTests {
  private func rank(_ name: String, isShown: Bool = false) -> Int? {
    CoverNames.rank(Array(name.utf8), isShown: isShown)
  }

  @Test("are known by their names, the best first, in any case of letters")
  func ranks() throws {
    let names = [
      "cover.jpg", "Cover.JPEG", "COVER.png", "cover.webp", "cover.gif", "folder.jpg",
      "Folder.Png", "FOLDER.GIF", "front.jpg", "front.gif",
    ]
    let ranks = names.compactMap { rank($0) }
    #expect(ranks.count == names.count && ranks == ranks.sorted())
    #expect(Set(ranks).count == ranks.count)
    for name in [
      "", ".", "cover", ".jpg", "cover.", "cover.jpg.part", "my cover.jpg", "cover.bmp",
      "cover..jpg",
      "c\u{6F}ver\u{301}.jpg", "back.jpg", "cover.jp\u{27}", "cove\u{12}.jpg",
    ] {
      #expect(rank(name) == nil, "\(name)")
    }
  }

  @Test("Of kinds that no pixels are made of, the others go before")
  func shown() throws {
    #expect(rank("cover.gif", isShown: true) == nil && rank("cover.webp", isShown: true) == nil)
    let folder = try #require(rank("folder.jpg", isShown: true))
    #expect(try #require(rank("cover.png", isShown: true)) < folder)
  }
}
