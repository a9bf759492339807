import TestSupport
import Testing

@testable import LibraryModel

@Suite("Files of songs besides their own", .limited)
struct DuplicateFilesTests {
  private var small: SmallLibrary
  private let songs = (10...12).map { SongID(number: $0) }

  init() throws { small = try SmallLibrary() }

  private func other(_ path: String) -> DuplicateFile {
    DuplicateFile(path: BytePath(path), facts: nil)
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
    #expect(small.library.duplicateFileCount == 3)
    var found: [String] = []
    small.library.forEachDuplicateFile { file, song in
      found.append("\(song.id.number) \(file.path.display)")
    }
    #expect(found.sorted() == ["10 /m/b", "10 /m/z", "11 /m/c"])
    // A gone song has no file of its own, and keeps its others.
    try small.apply(.songGone(songs[0], Traits()))
    #expect(files(songs[0]) == ["/m/b", "/m/z"])
    #expect(small.library.attach([(songs[1], other("/m/1/10.flac"))]) == [])
    #expect(files(songs[1]) == ["/m/1/11.flac", "/m/1/10.flac"])
    #expect(small.library.duplicateFileCount == 3)
    try small.apply(.songForgotten(songs[0], was: small.kept(1)))
    #expect(small.library.duplicateFileCount == 1)
  }

  @Test("are no files where they lie in no music folder, and the others stay")
  mutating func outside() {
    _ = small.library.attach([
      (songs[0], other("/x/1")), (songs[0], other("/m/b")), (songs[0], other("/x/2")),
      (songs[1], other("/x/3")), (songs[2], other("/m/c")),
    ])
    small.library.away.folders = [BytePath("/m")]
    small.library.dropDuplicateFilesOutside()
    #expect(songs.map { files($0).dropFirst() } == [["/m/b"], [], ["/m/c"]])
    #expect(small.library.duplicateFileCount == 2)
    small.library.dropDuplicateFilesOutside()
    #expect(small.library.duplicateFileCount == 2)
  }

  @Test("each say what was read of them")
  mutating func facts() throws {
    let facts = World.facts(World.File(sound: 1))
    _ = small.library.attach([(songs[0], DuplicateFile(path: BytePath("/m/b"), facts: facts))])
    small.attach(10) { $0.title = "own" }
    let song = try #require(small.library.songs[songs[0]])
    #expect(small.library.facts(of: song, at: BytePath("/m/b")) == facts)
    #expect(small.library.facts(of: song, at: song.path)?.title == "own")
    #expect(small.library.facts(of: song, at: BytePath("/m/c")) == nil)
    #expect(small.library.duplicateFile(of: songs[0], at: song.path) == nil)
  }
}
