import TestSupport
import Testing

@testable import LibraryModel

@Suite("Tables of a look-up", .limited)
struct SongTableTests {
  @Test("the numbers of a key, ascending, and not more than tell something")
  func numbers() {
    let table = SongTable([(3, 9), (1, 4), (3, 2), (2, 7), (3, 5)])
    #expect(table[3] == [2, 5, 9])
    #expect(table[1] == [4])
    #expect(table[2] == [7])
    #expect(table[0] == [] && table[4] == [])
    #expect(SongTable([])[0] == [])
    let many = SongTable((0..<100).map { (1, UInt32(99 - $0)) })
    #expect(many[1] == Array(0...64))
  }

  @Test("keys differ by their texts, in their order")
  func keys() {
    let keys = [
      SongTable.key("a"), SongTable.key("b"), SongTable.key("a", "b"), SongTable.key("b", "a"),
      SongTable.key("ab"), SongTable.key("", "ab"), SongTable.key(),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(SongTable.key("a", "b") == SongTable.key("a", "b"))
  }

  private func keys(_ path: String) -> [UInt64] { EndingKeys(Array(path.utf8)).keys }

  @Test("the ends of a path have two to eight parts, and no kind of file")
  func ends() {
    #expect(keys("a.mp3").isEmpty)
    #expect(keys("/a.mp3").isEmpty)
    #expect(keys("").isEmpty && keys("a/").isEmpty)
    #expect(keys("b/a.mp3").count == 1)
    #expect(keys("/c/b/a.mp3").count == 2)
    #expect(keys("/i/h/g/f/e/d/c/b/a.mp3").count == 7)
    #expect(keys("/h/g/f/e/d/c/b/a.mp3").count == 7)
    #expect(keys("/g/f/e/d/c/b/a.mp3").count == 6)
    #expect(keys("/c/b/a.mp3") == keys("/C/B/A.flac"))
    #expect(keys("/c/b/a.mp3").first == keys("/x/b/a.ogg").first)
    #expect(keys("/c/b/a.mp3").last != keys("/x/b/a.ogg").last)
    #expect(keys("/b/a.txt") != keys("/b/a.mp3"))
    #expect(keys("/b/a.b.mp3") == keys("/b/A.B.ogg"))
  }

  private func library(_ count: Int) throws -> (MatchingLibrary, [SongID]) {
    var music = try MatchingLibrary()
    let songs = try music.add(
      (1...count).map {
        .init(
          "/home/ada/Music/\($0)/A/01.flac", "T", by: "X", on: "A", track: $0, seconds: $0 * 10,
          recording: "r")
      })
    return (music, songs)
  }

  @Test("names of more than 64 songs tell nothing, whatever else would")
  func crowds() throws {
    for count in [64, 65] {
      let (music, songs) = try library(count)
      let matching = ListMatching(SongLookup(music.library))
      let isFew = count == 64
      let byTrack = matching.matches(of: [Wanted("", "T", by: "X", on: "A", track: 7)])
      #expect(
        byTrack == [
          isFew
            ? .found(songs[6], .tags)
            : .missing(
              "no song has this artist, album and title")
        ])
      let byLength = matching.matches(of: [Wanted("", "T", by: "X", seconds: 71)])
      #expect((byLength[0] == .found(songs[6], .title)) == isFew)
      let recording = matching.matches(of: [Wanted(seconds: 70, recording: "r")])
      #expect((recording[0].song == songs[6]) == isFew)
      let end = matching.matches(of: [Wanted("/x/A/01.mp3", seconds: 70)])
      #expect((end[0] == .found(songs[6], .ending)) == isFew)
      if !isFew {
        #expect(end == [.missing("more than 64 songs have a path that ends so")])
      }
    }
  }

  @Test("of more than 64 files with the end of a path the kind of file tells none apart")
  func crowdedEnds() throws {
    for count in [63, 64] {
      var (music, _) = try library(count)
      let other = try music.add([.init("/home/ada/Music/x/A/01.mp3", seconds: 70)])
      let found = ListMatching(SongLookup(music.library)).matches(
        of: [Wanted("/y/A/01.mp3", seconds: 70)])
      #expect((found[0].song == other[0]) == (count == 63))
    }
  }

  @Test("up to three things that came in the way are told, each once")
  func notes() {
    var attempt = MatchAttempt(Wanted(), path: WantedPath([], lists: [], folders: [], roots: []))
    for word in ["a", "b", "a", "c", "d"] { attempt.note(word) }
    #expect(attempt.tried == "a; b; c")
  }

  @Test("what was tried is told by what the list says")
  func tried() {
    func tried(_ wanted: Wanted) -> String {
      MatchAttempt(wanted, path: WantedPath(wanted.path, lists: [], folders: [], roots: [])).tried
    }
    #expect(tried(Wanted("a")) == "no song has this path, or one that ends so")
    #expect(tried(Wanted(recording: "r")) == "no song has this recording")
    #expect(tried(Wanted("", "T", by: "A")) == "no song has this artist and title")
    #expect(tried(Wanted("", "T", albumArtist: "A")) == "no song has this artist and title")
    #expect(tried(Wanted("", "T", by: "A", on: "B")) == "no song has this artist, album and title")
    #expect(tried(Wanted("", "T", on: "B")) == "the list says too little of it")
    #expect(tried(Wanted("", by: "A")) == "the list says too little of it")
    #expect(tried(Wanted("http://a/b")) == "it is an address, no file")
  }
}
