import TestSupport
import Testing

@testable import LibraryModel

@Suite("A library put together line by line", .limited)
struct LibraryBuilderTests {
  private let group = GroupKey(family: "by\tx\ty")

  private func album(_ number: UInt64) -> AlbumID { AlbumID(number: number) }
  private func song(_ number: UInt64) -> SongID { SongID(number: number) }

  private func addSong(
    _ number: UInt64, isGone: Bool = false, _ builder: inout LibraryBuilder
  ) throws {
    try builder.addSong(
      song(number), group: nil, path: BytePath("/m/\(number).flac"), digest: nil, added: 7,
      seen: 8, isGone: isGone, isTouched: number == 11, evidence: number == 10 ? .tags : nil,
      traits: nil)
  }

  private func addAlbum(
    _ number: UInt64, touch: Touch? = nil, _ builder: inout LibraryBuilder
  ) throws {
    try builder.addAlbum(
      album(number), group: group, isArranged: number == 1, touch: touch, isFresh: number == 2,
      seen: Int64(number), came: number == 1 ? 5 : nil)
  }

  @Test("has what each line says, and no more")
  func built() throws {
    var builder = LibraryBuilder()
    try builder.addCrate("Music")
    try builder.addCrate("Jazz")
    try addAlbum(1, touch: .some, &builder)
    try builder.addAlias(album(8))
    try builder.addAlias(album(9))
    try addSong(10, &builder)
    try addSong(11, isGone: true, &builder)
    try builder.addSlot(song(20))
    try addAlbum(2, touch: .all, &builder)
    try addSong(20, &builder)
    try addAlbum(3, &builder)
    let library = try builder.finish(sequence: 12)
    #expect(library.brokenInvariant == nil)
    #expect(library.sequence == 12)
    #expect(library.crates.map(\.name) == ["Music", "Jazz"])
    #expect(library.crates.map { Array($0.albums) } == [[], [album(1), album(2), album(3)]])
    #expect(library.albums[album(1)]?.entries == [song(10), song(11), song(20)])
    #expect(library.albums[album(2)]?.entries == [song(20)])
    #expect(library.albums[album(1)]?.aliases == [album(8), album(9)])
    #expect(library.albums[album(2)]?.aliases == [])
    #expect(library.album(album(9))?.id == album(1))
    #expect((1...3).map { library.listedCount(of: album($0)) } == [1, 1, 0])
    #expect((1...3).map { library.touches[album($0)] } == [.some, .all, nil] as [Touch?])
    #expect((1...3).map { library.arrivals[album($0)] } == [5, nil, nil])
    #expect((1...3).map { library.albums[album($0)]?.isArranged } == [true, false, false])
    #expect((1...3).map { library.albums[album($0)]?.isFresh } == [false, true, false])
    #expect((1...3).map { library.albums[album($0)]?.seen } == [1, 2, 3])
    #expect([10, 11, 20].map { library.songs[song($0)]?.isGone } == [false, true, false])
    #expect([10, 11, 20].map { library.songs[song($0)]?.isTouched } == [false, true, false])
    #expect([10, 11, 20].map { library.evidence[song($0)] } == [.tags, nil, nil])
    #expect(library.songs[song(10)]?.added == 7 && library.songs[song(10)]?.seen == 8)
    #expect(library.wanderers[song(20)] == [album(1)] && library.wanderers.count == 1)
    #expect(library.isBeingScanned)
  }

  @Test("asks for what is known of each song that is there, which goes before what a line says")
  func facts() throws {
    var small = try SmallLibrary()
    small.attach(10) { $0.title = "Known" }
    let known = try #require(small.library.songs[song(10)]?.facts)
    var builder = LibraryBuilder { id, path, digest in
      #expect(path == BytePath("/m/\(id.number).flac") && digest == nil)
      return id.number == 10 ? known : nil
    }
    try builder.addCrate("Music")
    try addAlbum(1, &builder)
    var traits = Traits()
    traits.title = "Said"
    for (number, isGone) in [(10, false), (11, false), (12, true)] {
      try builder.addSong(
        song(UInt64(number)), group: nil, path: BytePath("/m/\(number).flac"), digest: nil,
        added: 7, isGone: isGone, isTouched: false, traits: traits)
    }
    let library = try builder.finish(sequence: 0)
    #expect((10...12).map { library.songs[song($0)]?.title } == ["Known", "Said", "Said"])
    #expect((10...12).map { library.songs[song($0)]?.traits == nil } == [true, false, false])
    #expect(library.songs[song(10)]?.seen == 7)
  }

  private func fault(_ lines: (inout LibraryBuilder) throws -> Void) -> String? {
    var builder = LibraryBuilder()
    do {
      try lines(&builder)
      _ = try builder.finish(sequence: 0)
      return nil
    } catch { return (error as? Misfit)?.description ?? "\(error)" }
  }

  @Test("refuses what stands above the first crate or album")
  func order() {
    #expect(fault { try addAlbum(1, &$0) } == "an album above the first crate")
    #expect(
      fault {
        try $0.addCrate("A")
        try $0.addAlias(album(1))
      } == "another id above the first album")
    #expect(
      fault {
        try $0.addCrate("A")
        try addAlbum(1, &$0)
        try $0.addCrate("B")
        try addSong(10, &$0)
      } == "a song above the first album")
    #expect(fault { try $0.addSlot(song(1)) } == "a slot above the first album")
  }

  @Test("refuses what is there twice, and slots of songs that are not elsewhere")
  func twice() {
    func start(_ builder: inout LibraryBuilder) throws {
      try builder.addCrate("A")
      try addAlbum(1, &builder)
      try builder.addAlias(album(9))
      try addSong(10, &builder)
    }
    func fault(_ more: (inout LibraryBuilder) throws -> Void) -> String? {
      self.fault { builder in
        try start(&builder)
        try more(&builder)
      }
    }
    #expect(fault { _ in } == nil)
    #expect(fault { try $0.addCrate("a") } == "crate a is there already")
    #expect(fault { try $0.addCrate("") } == "a crate's name can't be empty")
    #expect(fault { try addAlbum(1, &$0) } == "album \(album(1)) is there twice")
    #expect(fault { try addAlbum(9, &$0) } == "album \(album(9)) is there twice")
    for number in UInt64(1)...2 {
      #expect(
        fault {
          try addAlbum(2, &$0)
          try $0.addAlias(album(number))
        } == "album \(album(number)) is there twice")
    }
    #expect(fault { try $0.addAlias(album(9)) } == "album \(album(9)) is there twice")
    #expect(fault { try addSong(10, &$0) } == "song \(song(10)) is there twice")
    let without = "has no song elsewhere"
    #expect(fault { try $0.addSlot(song(11)) } == "the slot of song \(song(11)) \(without)")
    #expect(fault { try $0.addSlot(song(10)) } == "the slot of song \(song(10)) \(without)")
    #expect(
      fault {
        try $0.addSlot(song(20))
        try $0.addSlot(song(20))
      } == "the slot of song \(song(20)) is there twice")
    #expect(
      fault {
        try $0.addSlot(song(20))
        try addAlbum(2, &$0)
        try addSong(20, &$0)
        try addAlbum(3, &$0)
        try $0.addSlot(song(20))
      } == nil)
  }
}
