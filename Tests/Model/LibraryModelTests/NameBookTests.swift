import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a book of names remembers", .limited)
struct NameBookTests {
  private var small: SmallLibrary
  private let album = AlbumID(number: 1)
  private let song = SongID(number: 10)

  init() throws { small = try SmallLibrary() }

  private func names(_ book: NameBook, _ name: String) -> [SongID] {
    book.songs(called: name, in: small.library).map(\.id)
  }

  private mutating func rename(_ title: String, _ book: inout NameBook) {
    small.attach(10) { ($0.title, $0.album) = (title, title) }
    book.follow(albums: [album], songs: [song], in: small.library)
  }

  @Test("names that are out of date are let go of: twice as many as things, and 4,096, are kept")
  mutating func bound() {
    var book = NameBook(small.library)
    #expect(!book.hasSongs && book.songs(called: "10", in: small.library).isEmpty)
    book.readSongs(small.library)
    rename("new", &book)
    var (songs, albums) = (0, 0)
    for _ in 0..<10_000 {
      book.follow(albums: [album], songs: [song], in: small.library)
      (songs, albums) = (max(songs, book.songs?.ids.count ?? 0), max(albums, book.albumHints.count))
    }
    #expect(songs == 2 * 6 + 4_096 && albums == 2 * 3 + 4_096)
    #expect(names(book, "new") == [song] && names(book, "10") == [])
    #expect(book.albums(called: "new", in: small.library).map(\.id) == [album])
    #expect(book.albums(called: "1", in: small.library).isEmpty)
    rename("newer", &book)
    #expect(names(book, "new") == [] && names(book, "newer") == [song])
  }

  @Test("what is not there any more is not found, and nothing is found twice")
  mutating func gone() throws {
    var book = NameBook(small.library)
    book.readSongs(small.library)
    book.readSongNumbers(small.library)
    for _ in 0..<3 { rename("same", &book) }
    #expect(names(book, "same") == [song])
    #expect(book.albums(called: "same", in: small.library).map(\.id) == [album])
    #expect(book.albums(beginning: "sa", in: small.library).map(\.id) == [album])
    #expect(book.songs(of: 0...99, in: small.library).map(\.id.number) == [10, 11, 12, 20, 21, 30])
    #expect(book.songs(of: 11...20, in: small.library).map(\.id.number) == [11, 12, 20])
    let path = try #require(small.library.songs[song]).path
    #expect(book.songs(at: path, in: small.library).map(\.id) == [song])
    try small.apply(
      .songForgotten(song, was: small.kept(1)), .aliasRestored(AlbumID(number: 77), of: album))
    book.follow(albums: [album], songs: [song], in: small.library)
    #expect(names(book, "same") == [] && book.songs(at: path, in: small.library).isEmpty)
    #expect(book.songs(of: 0...99, in: small.library).map(\.id.number) == [11, 12, 20, 21, 30])
    // An id that was taken over leads to the album that did.
    #expect(book.albums(of: 70...80, in: small.library).map(\.id) == [album])
    #expect(book.albums(of: 76...76, in: small.library).isEmpty)
    #expect(
      Set(book.albums(of: 0...99, in: small.library).map(\.id.number)) == [1, 2, 3])
  }

  @Test("ids of songs that came before they were read are known, and of later ones, too")
  mutating func numbers() throws {
    var book = NameBook(small.library)
    #expect(book.songs(of: 0...99, in: small.library).isEmpty)
    try small.apply(SmallLibrary.added(SongID(number: 50), to: album))
    book.follow(albums: [album], songs: [SongID(number: 50)], in: small.library)
    book.readSongNumbers(small.library)
    #expect(book.songs(of: 40...60, in: small.library).map(\.id.number) == [50])
    try small.apply(SmallLibrary.added(SongID(number: 55), to: album))
    book.follow(
      albums: [], songs: [SongID(number: 55), SongID(number: 56)], in: small.library)
    #expect(book.songs(of: 40...60, in: small.library).map(\.id.number) == [50, 55])
    book.readSongNumbers(small.library)
    #expect(book.songs(of: 40...60, in: small.library).map(\.id.number) == [50, 55])
  }
}
