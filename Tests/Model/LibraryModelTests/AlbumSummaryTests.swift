import TestSupport
import Testing

@testable import LibraryModel

@Suite("What listings say of an album", .limited)
struct AlbumSummaryTests {
  private let album = AlbumID(number: 1)

  private func summary(
    title: String = "T", artist: String = "A", year: Int? = 1959, songs: Int = 1,
    milliseconds: Int = 2, added: Int64 = 3, members: Int = 4, cover: UInt64 = 5
  ) -> AlbumSummary {
    AlbumSummary(
      face: AlbumFace(title: title, artist: artist, year: year), songs: songs,
      milliseconds: milliseconds, added: added, members: members,
      cover: CoverDigest(number: cover))
  }

  @Test("comes back as it was put in, and two are equal where all of it is")
  func values() {
    let one = summary()
    #expect(one == summary())
    #expect(one.face == AlbumFace(title: "T", artist: "A", year: 1959))
    #expect(one.songs == 1 && one.milliseconds == 2 && one.added == 3 && one.members == 4)
    #expect(one.cover?.number == 5)
    for other in [
      summary(title: "t"), summary(artist: "a"), summary(title: "TA", artist: ""),
      summary(year: nil), summary(songs: 2), summary(milliseconds: 1), summary(added: 4),
      summary(members: 5), summary(cover: 0),
    ] {
      #expect(one != other && other != one)
    }
    for (title, artist) in [("", ""), ("", "A"), ("Été", ""), ("後で", "聴く")] {
      let face = AlbumFace(title: title, artist: artist, year: nil)
      #expect(summary(title: title, artist: artist, year: nil).face == face)
    }
  }

  @Test("songs and their time are of those that are listed, members and the arrival of all")
  func listed() throws {
    var small = try SmallLibrary()
    for number in UInt64(10)...12 {
      small.attach(number, milliseconds: Int(number), cover: [7, 0, 9][Int(number - 10)]) { _ in }
    }
    func summary() throws -> AlbumSummary {
      small.library.summary(of: try #require(small.library.albums[album]))
    }
    #expect(try summary().songs == 3 && summary().members == 3)
    #expect(try summary().milliseconds == 33 && summary().added == 10)
    #expect(try summary().cover?.number == 7)
    try small.apply(.songGone(SongID(number: 10), Traits()))
    #expect(try summary().songs == 2 && summary().members == 3)
    #expect(try summary().milliseconds == 23 && summary().added == 10)
    #expect(try summary().cover?.number == 9)
    for number in UInt64(11)...12 { try small.apply(.songGone(SongID(number: number), Traits())) }
    #expect(try summary().songs == 0 && summary().members == 3 && summary().cover == nil)
    try small.apply(.albumMoved(album, crate: "Jazz", after: nil, wasCrate: "", wasAfter: nil))
    #expect(small.library.listedCount(in: small.library.crates[1]) == 1)
    let empty = AlbumSummary(
      of: Album(id: album, crate: CrateID(number: 0), group: GroupKey(family: "by\tx\ty")),
      in: Library())
    #expect(
      empty
        == self.summary(
          title: "y", artist: "", year: nil, songs: 0, milliseconds: 0, added: 0, members: 0,
          cover: 0))
  }

  @Test("is kept by the very value that the library has of the album, and by no other one")
  func kept() throws {
    var small = try SmallLibrary()
    let former = try #require(small.library.albums[album])
    let old = small.library
    small.attach(10) { $0.album = "New" }
    let now = try #require(small.library.albums[album])
    #expect(now !== former)
    #expect(small.library.passingSummary(of: now).face.title == "New")
    #expect(small.library.passingFace(of: now).title == "New" && now.knownSummary == nil)
    #expect(small.library.summary(of: former).face.title == "New" && former.knownSummary == nil)
    let summary = small.library.summary(of: now)
    #expect(now.knownSummary === summary && small.library.summary(of: now) === summary)
    #expect(small.library.passingSummary(of: now) === summary)
    // What is known of it is true of another library only where that has the same value.
    #expect(old.passingSummary(of: now).face.title == "1")
    #expect(old.summary(of: former).face.title == "1")
  }

  /// The short way, where all songs say the same, comes to what counting comes to.
  @Test("its face is what counting the spellings of its listed songs comes to")
  func faces() throws {
    var generator = SeededGenerator(usually: 9_201)
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
    for _ in 0..<400 {
      let start = "\(generator)"
      var small = try SmallLibrary()
      let variety = Int.random(in: 0...3, using: &generator)
      for number in UInt64(10)...12 {
        let tags = (0..<4).map { place in
          let texts = [
            ["T", "t", ""], ["", "A", "B"], ["X", "Y", "", "X feat. Y"], ["1959", "1970", ""],
          ]
          return place < variety ? pick(texts[place]) : texts[place][0]
        }
        small.attach(number) { found in
          (found.album, found.albumArtist, found.artist, found.date) =
            (tags[0], tags[1], tags[2], tags[3])
        }
        if Int.random(in: 0..<6, using: &generator) == 0,
          let song = small.library.songs[SongID(number: number)]
        {
          try small.apply(.songGone(song.id, song.lasting))
        }
      }
      let value = try #require(small.library.albums[album])
      let counted = AlbumFace(of: small.library.songsOfFace(value), group: value.group)
      #expect(small.library.face(of: value) == counted, "\(start)")
    }
  }

  @Test("is worked out anew where songs get what is known of their files, but for gone ones")
  func knownFacts() throws {
    var small = try SmallLibrary()
    small.attach(10) { $0.album = "New" }
    let facts = try #require(small.library.songs[SongID(number: 10)]?.facts)
    small = try SmallLibrary()
    try small.apply(.songGone(SongID(number: 11), Traits()))
    let former = small.library
    for album in SmallLibrary.albums {
      #expect(former.face(of: try #require(former.albums[album])).title == "\(album.number)")
    }
    var asked: Set<UInt64> = []
    small.library.attach { (id: SongID, path: BytePath, digest: AudioDigest?) in
      asked.insert(id.number)
      #expect(path == former.songs[id]?.path && digest == nil)
      return id.number < 20 ? facts : nil
    }
    #expect(asked == [10, 12, 20, 21, 30])
    let known = small.library.songs.values.filter { $0.facts != nil }.map(\.id.number)
    #expect(known.sorted() == [10, 12])
    let titles = try SmallLibrary.albums.map {
      small.library.face(of: try #require(small.library.albums[$0])).title
    }
    #expect(titles == ["New", "2", "3"] && small.library.brokenInvariant == nil)
    #expect(former.songs[SongID(number: 10)]?.facts == nil)
  }

  @Test("of spellings that are equally frequent the first in default order is shown")
  func defaultOrder() throws {
    var small = try SmallLibrary()
    for (number, title) in [(10, "A"), (11, "B"), (12, "C")] {
      small.attach(UInt64(number)) { ($0.album, $0.track) = (title, number) }
    }
    func title() throws -> String {
      let value = try #require(small.library.albums[album])
      return small.library.face(of: value).title
    }
    #expect(try title() == "A")
    let last = SongID(number: 12)
    try small.apply(
      .songMoved(last, in: album, after: nil, wasAfter: nil), .albumArranged(album, true))
    #expect(try title() == "A")
    try small.apply(.songGone(SongID(number: 10), Traits()))
    #expect(try title() == "B")
    for number in UInt64(11)...12 {
      let song = try #require(small.library.songs[SongID(number: number)])
      try small.apply(.songGone(song.id, song.lasting))
    }
    // Where none is listed, all of them tell.
    #expect(try title() == "A")
  }
}
