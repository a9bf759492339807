import TestSupport
import Testing

@testable import LibraryModel

@Suite("What an index of names remembers", .limited)
struct NameIndexTests {
  private var small: SmallLibrary
  private let album = AlbumID(number: 1)
  private let song = SongID(number: 10)

  init() throws { small = try SmallLibrary() }

  private func names(_ index: NameIndex, _ name: String) -> [SongID] {
    index.songs(called: name, in: small.library).map(\.id)
  }

  private mutating func rename(_ title: String, _ index: inout NameIndex) {
    small.attach(10) { ($0.title, $0.album) = (title, title) }
    index.follow(albums: [album], songs: [song], in: small.library)
  }

  @Test("names that are out of date are let go of: twice as many as things, and 4,096, are kept")
  mutating func bound() {
    var index = NameIndex(small.library)
    #expect(!index.hasSongs && index.songs(called: "10", in: small.library).isEmpty)
    index.readSongs(small.library)
    rename("new", &index)
    var (songs, albums) = (0, 0)
    for _ in 0..<10_000 {
      index.follow(albums: [album], songs: [song], in: small.library)
      songs = max(songs, index.songs?.ids.count ?? 0)
      albums = max(albums, index.albumHints.count)
    }
    #expect(songs == 2 * 6 + 4_096 && albums == 2 * 3 + 4_096)
    #expect(names(index, "new") == [song] && names(index, "10") == [])
    #expect(index.albums(called: "new", in: small.library).map(\.id) == [album])
    #expect(index.albums(called: "1", in: small.library).isEmpty)
    rename("newer", &index)
    #expect(names(index, "new") == [] && names(index, "newer") == [song])
  }

  @Test("what is not there any more is not found, and nothing is found twice")
  mutating func gone() throws {
    var index = NameIndex(small.library)
    index.readSongs(small.library)
    index.readSongNumbers(small.library)
    for _ in 0..<3 { rename("same", &index) }
    #expect(names(index, "same") == [song])
    #expect(index.albums(called: "same", in: small.library).map(\.id) == [album])
    #expect(index.albums(beginning: "sa", in: small.library).map(\.id) == [album])
    #expect(
      index.songs(of: 0...99, in: small.library).map(\.id.number) == [10, 11, 12, 20, 21, 30])
    #expect(index.songs(of: 11...20, in: small.library).map(\.id.number) == [11, 12, 20])
    let path = try #require(small.library.songs[song]).path
    #expect(index.songs(at: path, in: small.library).map(\.id) == [song])
    try small.apply(
      .songForgotten(song, was: small.kept(1)), .aliasRestored(AlbumID(number: 77), of: album))
    index.follow(albums: [album], songs: [song], in: small.library)
    #expect(names(index, "same") == [] && index.songs(at: path, in: small.library).isEmpty)
    #expect(index.songs(of: 0...99, in: small.library).map(\.id.number) == [11, 12, 20, 21, 30])
    // An id that was taken over leads to the album that did.
    #expect(index.albums(of: 70...80, in: small.library).map(\.id) == [album])
    #expect(index.albums(of: 76...76, in: small.library).isEmpty)
    #expect(
      Set(index.albums(of: 0...99, in: small.library).map(\.id.number)) == [1, 2, 3])
  }

  @Test("ids of songs that came before they were read are known, and of later ones, too")
  mutating func numbers() throws {
    var index = NameIndex(small.library)
    #expect(index.songs(of: 0...99, in: small.library).isEmpty)
    try small.apply(SmallLibrary.added(SongID(number: 50), to: album))
    index.follow(albums: [album], songs: [SongID(number: 50)], in: small.library)
    index.readSongNumbers(small.library)
    #expect(index.songs(of: 40...60, in: small.library).map(\.id.number) == [50])
    try small.apply(SmallLibrary.added(SongID(number: 55), to: album))
    index.follow(
      albums: [], songs: [SongID(number: 55), SongID(number: 56)], in: small.library)
    #expect(index.songs(of: 40...60, in: small.library).map(\.id.number) == [50, 55])
    index.readSongNumbers(small.library)
    #expect(index.songs(of: 40...60, in: small.library).map(\.id.number) == [50, 55])
  }
}
