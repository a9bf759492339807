import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("What the person names", .limited)
struct NamingTests {
  /// The change that `crate move` asks for, and what it says on standard error.
  private func moved(_ words: String..., input: String = "") throws -> (Call?, String) {
    let fixture = try CommandFixture()
    let outcome = try CommandFixture.run(
      ["move"] + words + ["--socket", fixture.socket], input: input)
    return (fixture.changes.first, outcome.errors)
  }

  private static func albums(
    _ ids: [String], _ place: Interface.Where = .top, given: Bool = false
  ) -> Call {
    .moveAlbums(
      albums: ids, place: Interface.Place(place), crate: nil, gather: given ? .given : nil,
      sequence: nil)
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
    let isOneByOne =
      words.contains { $0.contains(",") } || words.contains("album:1979")
      || words == ["kind2", "Kind of Blue"]
    #expect(fixture.changes == (ids.map { [Self.albums($0, given: isOneByOne)] } ?? []))
    #expect(outcome.status == (ids == nil ? 1 : 0))
  }

  @Test("a song is named by its album and position, or by its id")
  func songs() throws {
    func expected(_ gather: Interface.Gathering?) -> Call {
      .moveSongs(
        songs: ["sbath2222as3", "sbath2222as4"], place: Interface.Place(.down), gather: gather,
        sequence: nil)
    }
    #expect(try moved("Jazz", "2", "2-3", "down").0 == expected(nil))
    #expect(try moved("bath2222aaaa", "2,3", "down").0 == expected(.given))
    #expect(try moved("sbath2222as3", "sbath2222as4", "down").0 == expected(.given))
    #expect(try moved("sbath2222as3", "id:sbath2222as4", "down").0 == expected(.given))
  }

  @Test("names and ids come on standard input, one a line, which is their order")
  func input() throws {
    let (call, _) = try moved("-", "top", input: "nine2222aaaa\nKind of Blue\r\n\ntop\n")
    #expect(
      call == Self.albums(["nine2222aaaa", "kind2222aaaa", "tapp2222aaaa"], given: true))
    #expect(try moved("-", "top").1 == "crate: nothing came on standard input\n")
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

  @Test("where only a crate can be meant, the crates are what to look at")
  func absentCrate() throws {
    let fixture = try CommandFixture()
    #expect(
      try fixture.run("rename", "Quite another", "Day").errors
        == "crate: there is no crate called “Quite another”; look for it with: crate list\n")
    #expect(
      try fixture.run("rename", "Jaz", "Day").errors
        == "crate: there is no crate called “Jaz”; did you mean Jazz?\n")
  }

  @Test("names that may be paths are asked for in one call, however many there are")
  func perhapsPaths() throws {
    let fixture = try CommandFixture()
    let outcome = try fixture.run("move", "a/b", "kind2", "c/d", "e/f", "top")
    #expect(outcome.status == 1)
    #expect(fixture.resolved.prefix(2).map(\.count) == [4, 3])
    #expect(fixture.resolved[1].allSatisfy { $0[0].hasPrefix("/") })
  }

  @Test(
    "positions that are not there are refused, and what is no list is wrong use",
    arguments: [
      ("6", 1), ("1-6", 1), ("6-", 1), ("1,9", 1), ("0", 64), ("3-1", 64), ("1-2-3", 64),
      ("1,,2", 64), ("99999999999999999999", 64), ("0-last", 64), ("-2-0", 64),
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

  @Test(
    "places are understood as people say them, and make no crate",
    arguments: [
      ("1979 to top", nil, .top), ("1979 to the top", nil, .top), ("1979 to Start", nil, .top),
      ("1979 to the end", nil, .bottom), ("1979 to bottom", nil, .bottom),
      ("1979 to Jazz at the end", "Jazz", .bottom), ("1979 to Jazz at top", "Jazz", .top),
      ("1979 to Jazz end", "Jazz", .bottom), ("1979 to the top of rock music", "rock music", .top),
      ("1979 to bottom of Jazz", "Jazz", .bottom), ("1979 to New at the end", "New", .bottom),
      ("1979 to End of Time", "End of Time", nil), ("1979 to Dead end", "Dead end", nil),
      ("1979 to end --new", "end", nil), ("1979 to crate:end", "end", nil),
    ] as [(String, String?, Interface.Where?)])
  func spokenPlaces(line: String, crate: String?, place: Interface.Where?) throws {
    let fixture = try CommandFixture()
    let words = ["move"] + line.split(separator: " ").map(String.init)
    let outcome = try CommandFixture.run(words + ["--socket", fixture.socket])
    #expect(outcome.status == 0)
    #expect(
      fixture.changes == [
        .moveAlbums(
          albums: ["nine2222aaaa"], place: place.map { Interface.Place($0) }, crate: crate,
          sequence: nil)
      ])
  }

  @Test("a crate moves to the end itself, and one that is called so is a crate")
  func spokenOfCrates() throws {
    #expect(
      try moved("Jazz", "to", "the", "end").0
        == .moveCrate(crate: "Jazz", place: Interface.Place(.bottom), sequence: nil))
    var library = FakeLibrary()
    library.crates[2].name = "The End"
    let fixture = try CommandFixture(library)
    #expect(try fixture.run("move", "1979", "to", "the", "end").status == 0)
    #expect(
      fixture.changes == [
        .moveAlbums(albums: ["nine2222aaaa"], place: nil, crate: "the end", sequence: nil)
      ])
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
          place: Interface.Place(.bottom), crate: "Jazz", gather: .given, sequence: nil))
  }

  @Test(
    "a move that cannot be meant is wrong use",
    arguments: [
      ["Jazz"], ["top"], ["Jazz", "top", "1"], ["Jazz", "to"],
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

  @Test(
    "what is not understood is told with what to do",
    arguments: [
      (["Jaz"], "nothing is called “Jaz”; did you mean Jazz?"),
      (["Knid of Blue"], "nothing is called “Knid of Blue”; did you mean Kind of Blue by Someone?"),
      (["2"], "nothing is called “2”; crate 2 is called Rock  Music"),
      (["someone"], "“someone” is an artist; find:artist:someone names all 8 albums"),
      (["Some"], "nothing is called “Some”; find:artist:Some names all 8 albums by Someone"),
      (
        ["find:kind", "club"],
        "“club” is no part of the query before it; quote all of that: 'find:kind club'"
      ),
      (["crate:Jaz"], "there is no crate called “Jaz”; did you mean Jazz?"),
      (
        ["Quite another"],
        "nothing is called “Quite another”; look for it with: crate find 'Quite another'"
      ),
      (["album:Quite"], "there is no album called “Quite”; look for it with: crate find Quite"),
      (
        ["id:kin"],
        "there is no id that begins with “kin”; give the first four letters of one, or more"
      ),
      (
        ["id:zzzz"],
        "there is no id that begins with “zzzz”; look for it with: crate find zzzz"
      ),
      (["song:Zzz"], "there is no song called “Zzz”; look for it with: crate find Zzz"),
      (["crate:Zzz"], "there is no crate called “Zzz”; look for it with: crate list"),
      (["Jazz", "7"], "there is no “7” in Jazz, which has 5 albums; see: crate list Jazz"),
      (
        ["Jazz", "2", "7-8"],
        "there is no “7-8” in Both by Someone, which has 3 songs; see: crate list bath2222aaaa"
      ),
      (["Jaz", "7"], "nothing is called “Jaz”; did you mean Jazz?"),
      (
        ["Jazz", "0"], "“0” is not a position; write 3, 3-7 or 3,5,9- (counting from 1), -1 or last"
      ),
      (["Jazz", "7-2"], "“7-2” runs backwards; write 2-7"),
      (["sbath2222as3", "1"], "Song 2 of Both is a song, which has nothing inside it"),
      (["/music/none"], "there is no song of yours at /music/none; crate status shows the folders"),
      (["Both"], "“Both” may be crate:Both or bath2222aaaa (Both by Someone); write one of these"),
    ])
  func misunderstood(words: [String], message: String) throws {
    let fixture = try CommandFixture()
    let outcome = try CommandFixture.run(["move"] + words + ["up", "--socket", fixture.socket])
    #expect(outcome.errors == "crate: \(message)\n")
    #expect(
      outcome.status == 1 || message.contains("position") || message.contains("backwards")
        || message.contains("inside"))
  }

  @Test("what a command doesn't take is said to be what it is")
  func otherKinds() throws {
    let fixture = try CommandFixture()
    #expect(
      try fixture.run("list", "song:Song 1", "--gone").errors
        == "crate: “song:Song 1” is a song; this command takes crates or albums\n")
    #expect(
      try fixture.run("rename", "Kind of Blue", "X").errors
        == "crate: “Kind of Blue” is an album; this command takes crates\n")
    #expect(
      try fixture.run("move", "Jazz", "1", "before", "Rock Music").errors
        == "crate: “Rock Music” is a crate; name an album, such as its first one: Rock  Music 1\n")
    #expect(
      try fixture.run("list", "Jazz", "1", "1").errors
        == "crate: Song 1 of Kind of Blue is a song; this command takes crates or albums\n")
  }

  @Test("no listing is asked for to name one thing")
  func listings() throws {
    for words in [
      ["move", "Kind of Blue", "top"], ["rename", "Jazz", "Cool"], ["art", "Jazz", "2"],
    ] {
      let fixture = try CommandFixture()
      _ = try CommandFixture.run(words + ["--socket", fixture.socket])
      #expect(fixture.listings.isEmpty, "\(words): \(fixture.listings)")
    }
    for words in [["list", "Kind of Blue"], ["show", "skind2222as2"], ["paths", "skind2222as2"]] {
      let fixture = try CommandFixture()
      _ = try CommandFixture.run(words + ["--socket", fixture.socket])
      for call in fixture.listings {
        switch call {
        case .listAlbums(nil, nil, _, _, _), .listSongs(nil, nil, nil, _, _, _):
          Issue.record("\(words): \(call)")
        default: continue
        }
      }
    }
  }

  @Test("a misspelt crate to move to is made, and remarked on")
  func newCrate() throws {
    let fixture = try CommandFixture()
    let outcome = try fixture.run("move", "1979", "to", "Jaz")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == "crate: Jaz is a new crate; did you mean Jazz? crate undo takes it back\n")
    #expect(try fixture.run("move", "1979", "to", "Evening").errors.isEmpty)
    #expect(try fixture.run("move", "1979", "to", "jazz").errors.isEmpty)
  }

  @Test("a path is absolute where it is asked for, and keeps its bytes")
  func paths() {
    #expect(FileAddress.absolute("/a/./b/../c//") == "/a/c")
    #expect(FileAddress.absolute("file:///a%FF") == "file:///a%FF")
    #expect(FileAddress.word(Array("/Café/a b".utf8)) == "/Café/a b")
    #expect(FileAddress.word(Array("/a b/".utf8) + [0xFF]) == "file:///a%20b/%FF")
    #expect(FileAddress.word(Array("/x/../".utf8) + [0xE9, 0x25]) == "file:///%E9%25")
    #expect(FileAddress.word(Array("name".utf8) + [0xFF]) == "name\u{FFFD}")
    #expect(FileAddress.word(Array("./".utf8) + [0xFF]).hasSuffix("/%FF"))
  }
}
