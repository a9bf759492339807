import TestSupport
import Testing

@testable import LibraryModel

@Suite("How far a list may go", .limited)
struct TakingBoundsTests {
  private func lines(_ songs: [SongID]) -> [EditedList.Line] { songs.map { .song($0) } }

  /// A list in which so many albums have their first song at the very end.
  private func verdict(albums: [Int], astray: Int) throws -> ListVerdict {
    let music = try ListedMusic([("Jazz", albums)])
    let first = music.albums("Jazz").prefix(astray).map { music.songs(of: $0)[0] }
    let list = music.list("Jazz").filter { !first.contains($0) } + first
    return try music.verdict(lines(list), "Jazz")
  }

  @Test("half of the albums may be split, and no more")
  func split() throws {
    #expect(try verdict(albums: [9, 9, 9, 9], astray: 2).refusal == nil)
    #expect(
      try verdict(albums: [9, 9, 9, 9], astray: 3).refusal == "it mixes the songs of 3 albums")
  }

  @Test("one song may be dragged into the midst of another album, in however small a crate")
  func drag() throws {
    for sizes in [[10, 10], [10, 10, 10]] {
      var music = try ListedMusic([("Jazz", sizes)])
      let albums = music.albums("Jazz")
      let song = music.songs(of: albums[0])[0]
      var list = music.list("Jazz")
      list.move(0, to: 14)
      let decision = try #require(try music.take(list, "Jazz"))
      #expect(music.albums("Jazz") == albums)
      #expect(music.songs(of: albums[0]).last == song)
      #expect(decision.changes.count { if case .songMoved = $0 { true } else { false } } == 1)
      // Two such are a mixture.
      var other = music.list("Jazz")
      other.move(0, to: 14)
      other.move(0, to: 16)
      #expect(try music.verdict(lines(other), "Jazz").refusal != nil)
    }
  }

  @Test("ten songs may stand apart in any list, and a fifth of a long one")
  func astray() throws {
    func verdict(_ astray: Int, of total: Int) throws -> String? {
      // One album in two halves, the larger one first, around one of a single song.
      let music = try ListedMusic([("Jazz", [astray * 2 + 1, 1] + [total - astray * 2 - 2])])
      let albums = music.albums("Jazz")
      let songs = music.songs(of: albums[0])
      let (most, rest) = (Array(songs.dropLast(astray)), Array(songs.suffix(astray)))
      let list = most + music.songs(of: albums[1]) + rest + music.songs(of: albums[2])
      return try music.verdict(lines(list), "Jazz").refusal
    }
    #expect(try verdict(10, of: 30) == nil)
    #expect(try verdict(11, of: 30) == "it mixes the songs of 1 album")
    #expect(try verdict(11, of: 54) == "it mixes the songs of 1 album")
    #expect(try verdict(11, of: 55) == nil)
  }

  @Test(
    "up to three strangers are told, and of more how many",
    arguments: [
      (1, "a"), (3, "a, b, c"), (4, "a, b, c and 1 more"), (5, "a, b, c and 2 more"),
    ])
  func strangers(count: Int, told: String) throws {
    let music = try ListedMusic([("Jazz", [2, 2])])
    let strange = Array("abcde".prefix(count)).map { EditedList.Line.unknown(String($0)) }
    let decision = try #require(
      try music.verdict(lines(music.list("Jazz")) + strange, "Jazz").decision)
    #expect(
      decision.transaction.notes == ["left out what is no song in a music folder: \(told)"])
  }

  @Test("each thing that was not taken is told, and nothing else")
  func notes() throws {
    var music = try ListedMusic([("Jazz", [3, 3, 3]), ("Rock", [3])])
    let rock = music.albums("Rock")[0]
    var list = music.list("Jazz")
    let (first, missing) = (list[0], list[4])
    list.removeAll { $0 == missing }
    let other = music.songs(of: rock).prefix(2)
    let decision = try #require(
      try music.verdict(lines(list + other + [first, first]), "Jazz").decision)
    #expect(
      decision.transaction.notes == [
        "left out 2 songs of Album \(rock.number), which is in crate Rock: add all its songs to"
          + " move it",
        "put back 1 song: the music folder decides what is there",
        "left out 2 songs that the list has twice",
      ])
    // A list of earlier, saved again.
    let old = music.list("Jazz")
    try music.edit(.moveAlbums([music.albums("Jazz")[2]], .top, crate: nil))
    music.write("Jazz")
    let copy = try #require(try music.verdict(lines(old), "Jazz").decision)
    #expect(copy.changes.isEmpty)
    #expect(copy.transaction.notes == [EditedList.oldCopy])
    let newest = try #require(try music.verdict(lines(music.list("Jazz")), "Jazz").decision)
    #expect(newest.transaction.notes == [])
  }

  @Test("plain songs are all that the lines are, each once")
  func plain() {
    func plain(_ lines: [EditedList.Line]) -> [SongID]? {
      EditedList(name: "", crate: CrateID(number: 0), lines: lines, bases: []).plainSongs
    }
    let songs = [SongID(number: 2), SongID(number: 1)]
    #expect(plain(lines(songs)) == songs)
    #expect(plain(lines(songs + [songs[0]])) == nil)
    #expect(plain(lines(songs) + [.unknown("x")]) == nil)
    #expect(plain([]) == [])
  }

  @Test("what the edit moved counts as touched, and what came stays as the person had it")
  func touched() throws {
    var music = try ListedMusic([("Jazz", [2, 2, 2, 2])])
    let albums = music.albums("Jazz")
    let songs = music.songs(of: albums[3])
    try music.take(songs + music.list("Jazz").filter { !songs.contains($0) }, "Jazz")
    #expect(albums.map { music.library.isTouched($0) } == [false, false, false, true])
  }

  @Test("a crate that is not there any more takes no list")
  func noCrate() throws {
    let music = try ListedMusic([("Jazz", [2])])
    let list = EditedList(
      name: "x", crate: CrateID(number: 99), lines: [], bases: [music.list("Jazz")])
    #expect(music.library.decide(list, newAlbums: nil).refusal == "its crate is not there any more")
  }
}
