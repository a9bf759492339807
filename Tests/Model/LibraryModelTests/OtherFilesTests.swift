import TestSupport
import Testing

@testable import LibraryModel

@Suite("Files of songs besides their own", .limited)
struct OtherFilesTests {
  private var small: SmallLibrary
  private let songs = (10...12).map { SongID(number: $0) }

  init() throws { small = try SmallLibrary() }

  private func other(_ path: String) -> OtherFile {
    OtherFile(path: BytePath(path), facts: nil)
  }

  private func files(_ song: SongID) -> [String] {
    small.library.songs[song].map { small.library.files(of: $0).map(\.display) } ?? []
  }

  @Test("are known in byte order behind the song's own, but for what is another song's")
  mutating func attached() throws {
    #expect(small.library.attach([]) == [])
    let foreign = small.library.attach([
      (songs[0], other("/m/z")), (songs[0], other("/m/b")), (songs[0], other("/m/1/10.flac")),
      (songs[0], other("/m/1/11.flac")), (songs[1], other("/m/c")),
      (SongID(number: 99), other("/m/d")),
    ])
    #expect(foreign.map(\.display) == ["/m/1/11.flac"])
    #expect(files(songs[0]) == ["/m/1/10.flac", "/m/b", "/m/z"])
    #expect(files(songs[1]) == ["/m/1/11.flac", "/m/c"])
    #expect(files(songs[2]) == ["/m/1/12.flac"])
    #expect(small.library.otherFileCount == 3)
    var found: [String] = []
    small.library.forEachOtherFile { file, song in
      found.append("\(song.id.number) \(file.path.display)")
    }
    #expect(found.sorted() == ["10 /m/b", "10 /m/z", "11 /m/c"])
    // A gone song has no file of its own, and keeps its others.
    try small.apply(.songGone(songs[0], Traits()))
    #expect(files(songs[0]) == ["/m/b", "/m/z"])
    #expect(small.library.attach([(songs[1], other("/m/1/10.flac"))]) == [])
    #expect(files(songs[1]) == ["/m/1/11.flac", "/m/1/10.flac"])
    #expect(small.library.otherFileCount == 3)
    try small.apply(.songForgotten(songs[0], was: small.kept(1)))
    #expect(small.library.otherFileCount == 1)
  }

  @Test("are no files where they lie in no music folder, and the others stay")
  mutating func outside() {
    _ = small.library.attach([
      (songs[0], other("/x/1")), (songs[0], other("/m/b")), (songs[0], other("/x/2")),
      (songs[1], other("/x/3")), (songs[2], other("/m/c")),
    ])
    small.library.away.folders = [BytePath("/m")]
    small.library.dropOtherFilesOutside()
    #expect(songs.map { files($0).dropFirst() } == [["/m/b"], [], ["/m/c"]])
    #expect(small.library.otherFileCount == 2)
    small.library.dropOtherFilesOutside()
    #expect(small.library.otherFileCount == 2)
  }

  @Test("each say what was read of them")
  mutating func facts() throws {
    let facts = World.facts(World.File(sound: 1))
    _ = small.library.attach([(songs[0], OtherFile(path: BytePath("/m/b"), facts: facts))])
    small.attach(10) { $0.title = "own" }
    let song = try #require(small.library.songs[songs[0]])
    #expect(small.library.facts(of: song, at: BytePath("/m/b")) == facts)
    #expect(small.library.facts(of: song, at: song.path)?.title == "own")
    #expect(small.library.facts(of: song, at: BytePath("/m/c")) == nil)
    #expect(small.library.otherFile(of: songs[0], at: song.path) == nil)
  }
}

@Suite("What merging asks of a library", .limited)
struct LookupsTests {
  private var small: SmallLibrary
  private let roots = [BytePath("/m/1"), BytePath("/m/2 é")]

  init() throws { small = try SmallLibrary() }

  @Test("paths lie in a music folder, or in their own directory; other folders have an edition")
  func rooted() {
    let lookups = Lookups(small.library, roots: roots)
    #expect(lookups.root(of: BytePath("/m/1/a/b")) == roots[0])
    #expect(lookups.root(of: BytePath("/m/2 é/b")) == roots[1])
    #expect(lookups.root(of: BytePath("/m/3/b")) == BytePath("/m/3"))
    #expect(lookups.edition(of: roots[0]) == "")
    #expect(lookups.edition(of: roots[1]) == "/m/2 %C3%A9")
    #expect(lookups.edition(of: BytePath("/m/3")) == "")
  }

  @Test("files outside are counted as they come and go")
  mutating func outside() throws {
    #expect(!Lookups(small.library, roots: []).hasFilesOutside)
    #expect(!Lookups(small.library, roots: [BytePath("/m")]).hasFilesOutside)
    // Album 1 lies inside; the songs of 2 and 3 do not.
    var lookups = Lookups(small.library, roots: [BytePath("/m/1")])
    #expect(lookups.filesOutside == 3 && lookups.hasFilesOutside)
    #expect(!lookups.hasGoneSongs)
    for (number, count) in [(20, 2), (21, 1), (30, 0)] {
      let before = small.library
      let id = SongID(number: UInt64(number))
      try small.apply(.songGone(id, Traits()))
      lookups.follow(from: before, to: small.library, songs: [id], albums: [])
      #expect(lookups.filesOutside == count && lookups.hasFilesOutside == (count > 0))
    }
    #expect(!lookups.hasFilesOutside && lookups.hasGoneSongs)
    for number in [20, 21, 30] {
      let before = small.library
      let id = SongID(number: UInt64(number))
      try small.apply(.songForgotten(id, was: small.kept(1)))
      lookups.follow(from: before, to: small.library, songs: [id], albums: [])
    }
    #expect(!lookups.hasGoneSongs)
  }

  @Test("a song whose own file is offline while another one is there has turned")
  mutating func turned() {
    let other = BytePath("/n/10.flac")
    _ = small.library.attach([
      (SongID(number: 10), OtherFile(path: other, facts: nil)),
      (SongID(number: 11), OtherFile(path: BytePath("/m/1/11b.flac"), facts: nil)),
    ])
    let lookups = Lookups(small.library, roots: [])
    #expect(lookups.turned(in: small.library) == [])
    small.library.away.places = [BytePath("/m/1")]
    #expect(lookups.turned(in: small.library).map(\.display) == ["/m/1/10.flac", "/n/10.flac"])
    small.library.away.places = [BytePath("/n")]
    #expect(lookups.turned(in: small.library) == [])
  }

  @Test("a folder is large from so many files on, and no longer when there are fewer")
  mutating func large() throws {
    let folder = AlbumFolder(of: BytePath("/m/1/10.flac"), root: BytePath("/m"))
    for (many, isLarge) in [(3, true), (4, false)] {
      let lookups = Lookups(small.library, roots: [BytePath("/m")], manyFiles: many)
      #expect((lookups.largeFolders[folder] != nil) == isLarge)
      #expect(lookups.kinds(in: folder, small.library).alike.values.map(\.count) == [3])
    }
    var lookups = Lookups(small.library, roots: [BytePath("/m")], manyFiles: 3)
    #expect(lookups.largeFolders.count == 1)
    func follow(_ id: SongID, _ change: Change) throws {
      let before = small.library
      try small.apply(change)
      lookups.follow(from: before, to: small.library, songs: [id], albums: [])
    }
    let more = SongID(number: 13)
    try follow(more, SmallLibrary.added(more, to: AlbumID(number: 1)))
    #expect(lookups.largeFolders[folder]?.alike.values.map(\.count) == [4])
    for (number, left) in [(13, 3), (12, nil), (11, nil)] {
      let id = SongID(number: UInt64(number))
      try follow(id, .songForgotten(id, was: small.kept(1)))
      #expect(lookups.largeFolders[folder]?.alike.values.map(\.count) == left.map { [$0] })
      #expect(lookups.folders[folder]?.count == number - 10)
    }
    let last = SongID(number: 10)
    try follow(last, .songForgotten(last, was: small.kept(1)))
    #expect(lookups.folders[folder] == nil && lookups.families["by\tx\t1"] == nil)
  }
}
