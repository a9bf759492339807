import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("What is piped into crate, and queries in place of names", .limited)
struct PipedTests {
  private func moved(_ words: String..., input: String = "") throws -> (Call?, String) {
    let fixture = try CommandFixture()
    let outcome = try CommandFixture.run(
      ["move"] + words + ["--socket", fixture.socket], input: input)
    return (fixture.changes.first, outcome.errors)
  }

  private func toBoth(_ ids: [String], given: Bool = true) -> Call {
    .moveAlbums(
      albums: ids, place: nil, crate: "Both", gather: given ? .given : nil, sequence: nil)
  }

  @Test(
    "a line of list or find is its id, wherever that stands, and a crate its name",
    arguments: [
      ("1\tJazz\t\t\t15\t1:01:40\t", "crate:Jazz"),
      ("3\ttop\tSomeone\t1959\t3\t3:05\ttapp2222aaaa", "id:tapp2222aaaa"),
      ("3\ttop\tSomeone\t1959\t3\t3:05\ttapp2222aaaa\t\tJazz", "id:tapp2222aaaa"),
      ("1\tSong 1\tA\t\t\t1:02\tskind2222as2\tKind of Blue\tJazz", "id:skind2222as2"),
      ("top\ttapp2222aaaa", "tapp2222aaaa"), ("Kind of Blue", "Kind of Blue"),
      ("/music/a\tb.flac", "/music/a\tb.flac"), ("tapp2222aaaa", "tapp2222aaaa"),
    ])
  func lines(line: String, name: String) {
    #expect(PipedLine.name(line) == name)
  }

  @Test("what list and find print can be piped back")
  func back() throws {
    let fixture = try CommandFixture()
    let listed = try fixture.run("list", "Rock Music").output
    #expect(
      try moved("-", "to", "Both", input: listed).0 == toBoth(["hits2222aaaa", "nine2222aaaa"]))
    let crates = try fixture.run("list").lines[1]
    #expect(
      try moved("-", "to", "Both", input: crates).0
        == toBoth(["hits2222aaaa", "nine2222aaaa"], given: false))
    let found = try fixture.run("find", "kind").output
    #expect(try moved("-", "to", "Both", input: found).0 == toBoth(["kind2222aaaa"]))
    #expect(
      try moved("-", "top", input: "nine2222aaaa\nJazz Club\r\n").0
        == .moveAlbums(
          albums: ["nine2222aaaa", "jazz2222aaaa"], place: Interface.Place(.top), crate: nil,
          gather: .given, sequence: nil))
  }

  @Test("songs that make up whole albums stand for these where albums are wanted")
  func wholeAlbums() throws {
    let songs = try CommandFixture().run("list", "Jazz", "2").output
    #expect(try moved("-", "to", "Both", input: songs).0 == toBoth(["bath2222aaaa"]))
    // Songs of an album that is named itself go with it.
    #expect(
      try moved("-", "to", "Both", input: "Jazz Club\nsjazz2222as3\n").0
        == toBoth(["jazz2222aaaa"]))
    #expect(
      try moved("Jazz", "1", "2", "to", "Both").1
        == "crate: Song 2 is a song of Kind of Blue, and songs stay in their album; to move that:"
        + " crate move 'Kind of Blue' to Both\n")
    // Beside albums, as `find` prints them, single songs are left out, as they are in a query.
    let found = "Jazz Club\nsbath2222as3\nsjazz2222as2\n"
    #expect(try moved("-", "to", "Both", input: found).0 == toBoth(["jazz2222aaaa"]))
    let (call, said) = try moved("Jazz", "1", "1-2", "to", "Both")
    #expect(call == nil)
    #expect(
      said
        == "crate: songs stay in their album, and only 2 of the 3 songs of Kind of Blue are named\n"
    )
  }

  @Test("a query stands for all albums that it finds, in the order of the library")
  func queries() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.run("move", "find:album:hits", "to", "Both").status == 0)
    #expect(
      fixture.searches == [.search(query: "album:hits", crate: nil, limit: Finder.foundMost)])
    #expect(fixture.changes == [toBoth(["kind3333bbbb", "hits2222aaaa"], given: false)])
    #expect(try fixture.run("paths", "find:kind").lines.count == 3)
    #expect(
      try fixture.run("move", "find:nosuch", "top")
        == .init(status: 1, output: "", errors: "crate: nothing was found for “nosuch”\n"))
    #expect(try fixture.run("list", "find:hits", "3").status == 64)
    #expect(
      try fixture.run("move", "artist:someone", "top").errors
        == "crate: nothing is called “artist:someone”; a query is written as"
        + " find:artist:someone\n")
  }
}
