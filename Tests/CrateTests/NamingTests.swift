import CratesInterface
import TestSupport
import Testing

@Suite("What the person names", .limited)
struct NamingTests {
  /// The change that `crate move` asks for, and what it says on standard error.
  private func moved(_ words: String..., input: String = "") throws -> (Call?, String) {
    let fixture = try CommandFixture()
    let outcome = try CommandFixture.run(
      ["move"] + words + ["--socket", fixture.socket], input: input)
    return (fixture.changes.first, outcome.errors)
  }

  private static func albums(_ ids: [String], _ place: Interface.Where = .top) -> Call {
    .moveAlbums(albums: ids, place: Interface.Place(place), crate: nil, sequence: nil)
  }

  @Test(
    "ids, names and positions find what they name",
    arguments: [
      (["kind2222aaaa"], ["kind2222aaaa"]), (["kind2"], ["kind2222aaaa"]),
      (["Kind of Blue"], ["kind2222aaaa"]), (["  kind   OF blue"], ["kind2222aaaa"]),
      (["album:top"], ["tapp2222aaaa"]), (["top"], ["tapp2222aaaa"]),
      (["id:bath2222aaaa"], ["bath2222aaaa"]), (["farmer2222aa"], ["bath2222aaaa"]),
      (["Jazz", "2"], ["bath2222aaaa"]), (["jazz", "1,3"], ["kind2222aaaa", "tapp2222aaaa"]),
      (["Jazz", "4-5"], ["kind3333bbbb", "wide2222aaaa"]),
      (["crate:JAZZ", "4-"], ["kind3333bbbb", "wide2222aaaa"]),
      (["Jazz", "3,1-2,1"], ["tapp2222aaaa", "kind2222aaaa", "bath2222aaaa"]),
      (["ROCK\u{A0}Muſic", "2"], ["nine2222aaaa"]),
      (["rock music", "2"], ["nine2222aaaa"]), (["1979"], ["nine2222aaaa"]),
      (["crate:Both", "1"], ["jazz2222aaaa"]), (["Both", "1"], nil),
      (["東京の夜 🎷"], ["wide2222aaaa"]),
      (["kind2", "Jazz", "2", "album:1979"], ["kind2222aaaa", "bath2222aaaa", "nine2222aaaa"]),
      (["kind2", "Kind of Blue"], ["kind2222aaaa"]),
    ] as [([String], [String]?)])
  func found(words: [String], ids: [String]?) throws {
    let fixture = try CommandFixture()
    let outcome = try CommandFixture.run(["move"] + words + ["top", "--socket", fixture.socket])
    #expect(fixture.changes == (ids.map { [Self.albums($0)] } ?? []))
    #expect(outcome.status == (ids == nil ? 1 : 0))
  }

  @Test("a song is named by its album and position, or by its id")
  func songs() throws {
    let expected = Call.moveSongs(
      songs: ["sbath2222as3", "sbath2222as4"], place: Interface.Place(.down), sequence: nil)
    #expect(try moved("Jazz", "2", "2-3", "down").0 == expected)
    #expect(try moved("bath2222aaaa", "2,3", "down").0 == expected)
    #expect(try moved("sbath2222as3", "sbath2222as4", "down").0 == expected)
    #expect(try moved("sbath2222as3", "id:sbath2222as4", "down").0 == expected)
  }

  @Test("ids come on standard input")
  func input() throws {
    let (call, _) = try moved("-", "top", input: "kind2222aaaa\nwide2222aaaa nine2222aaaa\n\n")
    #expect(call == Self.albums(["kind2222aaaa", "wide2222aaaa", "nine2222aaaa"]))
    #expect(try moved("-", "top").1 == "crate: no id came on standard input\n")
    #expect(try moved("-", "1", "top", input: "kind2222aaaa").0 == nil)
  }

  @Test(
    "what is ambiguous is refused with its candidates",
    arguments: [
      ("Greatest Hits", ["kind3333bbbb", "hits2222aaaa"]),
      ("Both", ["crate:Both", "bath2222aaaa"]), ("kind", ["kind2222aaaa", "kind3333bbbb"]),
      ("wide2", ["wide2222aaaa", "wide2222aas2"]), ("sjazz2", ["sjazz2222as2", "sjazz2222as4"]),
    ])
  func ambiguous(word: String, candidates: [String]) throws {
    let fixture = try CommandFixture()
    let outcome = try fixture.run("move", word, "up")
    #expect(outcome.status == 1)
    #expect(fixture.changes.isEmpty)
    for candidate in candidates { #expect(outcome.errors.contains(candidate)) }
    #expect(outcome.errors.hasPrefix("crate: "))
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "what is not there is refused",
    arguments: ["Blues", "kin", "zzzz", "id:top", "crate:top", "album:Jazz", "id:kind"])
  func absent(word: String) throws {
    let outcome = try CommandFixture().run("move", word, "up")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
  }

  @Test(
    "positions that are not there are refused, and what is no list is wrong use",
    arguments: [
      ("6", 1), ("1-6", 1), ("6-", 1), ("1,9", 1), ("0", 64), ("3-1", 64), ("1-2-3", 64),
      ("1,,2", 64), ("99999999999999999999", 64),
    ])
  func positions(word: String, status: Int32) throws {
    let fixture = try CommandFixture()
    #expect(try fixture.run("move", "Jazz", word, "up").status == status)
    #expect(fixture.changes.isEmpty)
  }

  @Test("the last keyword is the verb's")
  func keywords() throws {
    #expect(
      try moved("Jazz", "1", "before", "top").0 == nil, "`top` is the verb's here, with nothing")
    #expect(
      try moved("Jazz", "1", "before", "album:top").0
        == .moveAlbums(
          albums: ["kind2222aaaa"],
          place: Interface.Place(.before, anchor: "tapp2222aaaa"), crate: nil, sequence: nil))
    #expect(try moved("top", "down").0 == Self.albums(["tapp2222aaaa"], .down))
    #expect(
      try moved("Jazz", "1", "to", "New  One").0
        == .moveAlbums(albums: ["kind2222aaaa"], place: nil, crate: "New  One", sequence: nil))
    #expect(
      try moved("Jazz", "1", "to", "crate:top").0
        == .moveAlbums(albums: ["kind2222aaaa"], place: nil, crate: "top", sequence: nil))
    #expect(
      try moved("Jazz", "1", "to", "Rock Music", "after", "nine2222aaaa").0
        == .moveAlbums(
          albums: ["kind2222aaaa"],
          place: Interface.Place(.after, anchor: "nine2222aaaa"), crate: "Rock Music",
          sequence: nil))
    #expect(
      try moved("Jazz", "1", "after", "Rock Music", "2").0
        == .moveAlbums(
          albums: ["kind2222aaaa"],
          place: Interface.Place(.after, anchor: "nine2222aaaa"), crate: nil, sequence: nil))
  }

  @Test("a crate is moved by itself, and stands for its albums where it goes to a crate")
  func crates() throws {
    #expect(
      try moved("Rock Music", "top").0
        == .moveCrate(crate: "Rock  Music", place: Interface.Place(.top), sequence: nil))
    #expect(
      try moved("Rock Music", "before", "Jazz").0
        == .moveCrate(
          crate: "Rock  Music", place: Interface.Place(.before, anchor: "Jazz"), sequence: nil))
    #expect(
      try moved("crate:Both", "before", "Both").0
        == .moveCrate(
          crate: "Both", place: Interface.Place(.before, anchor: "Both"), sequence: nil))
    #expect(
      try moved("Rock Music", "kind2", "to", "Jazz", "bottom").0
        == .moveAlbums(
          albums: ["hits2222aaaa", "nine2222aaaa", "kind2222aaaa"],
          place: Interface.Place(.bottom), crate: "Jazz", sequence: nil))
  }

  @Test(
    "a move that cannot be meant is wrong use",
    arguments: [
      ["Jazz"], ["top"], ["Jazz", "top", "1"], ["Jazz", "to"], ["Jazz", "to", "a", "b"],
      ["Jazz", "before"], ["Jazz", "1", "to", "Both", "up"], ["Jazz", "crate:Both", "top"],
      ["Jazz", "kind2", "top"], ["Jazz", "1", "2", "3", "top"], ["Jazz", "1", "1", "to", "Both"],
      ["kind2", "sbath2222as3", "top"], ["", "top"], [],
    ])
  func wrongUse(words: [String]) throws {
    let fixture = try CommandFixture()
    let outcome = try CommandFixture.run(["move"] + words + ["--socket", fixture.socket])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("crate: "))
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    #expect(fixture.changes.isEmpty)
  }
}
