import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("Names without quotes", .limited)
struct UnquotedTests {
  /// The crate `Late night` with albums whose titles are several words, and parts of others.
  private static func library() -> FakeLibrary {
    var library = FakeLibrary(
      crate: "Late night",
      albums: [
        ("wall2222aaaa", "The Wall"), ("anim2222aaaa", "Animals"), ("blue2222aaaa", "Blue Train"),
        ("kind2222aaaa", "Kind of Blue"), ("bblu2222aaaa", "Blue"), ("outb2222aaaa", "Outblues"),
        ("ledz2222aaaa", "Led Zeppelin"), ("ledz4444aaaa", "Led Zeppelin 2"),
        ("lege2222aaaa", "10 000 Hz Legend"), ("welc2222aaaa", "Welcome to the Machine"),
        ("live2222aaaa", "Live"), ("wliv2222aaaa", "Kind of Blue Live"),
      ])
    library.songs[0].title = "Train"
    library.songs[1].title = "Late"
    return library
  }

  private func run(_ line: String) throws -> (changes: [Call], outcome: CommandFixture.Outcome) {
    let fixture = try CommandFixture(Self.library())
    let words = line.split(separator: " ").map { String($0).replacing("_", with: " ") }
    let outcome = try CommandFixture.run(words + ["--socket", fixture.socket])
    return (fixture.changes, outcome)
  }

  @Test(
    "words that name nothing alone are joined with those that follow",
    arguments: [
      ("The Wall", ["wall2222aaaa"]), ("the wall Animals", ["wall2222aaaa", "anim2222aaaa"]),
      ("Animals The Wall", ["anim2222aaaa", "wall2222aaaa"]),
      ("kind of blue The Wall", ["kind2222aaaa", "wall2222aaaa"]),
      ("10 000 Hz Legend", ["lege2222aaaa"]), ("album:The Wall", ["wall2222aaaa"]),
      ("Late night 3", ["blue2222aaaa"]), ("Late night 3,1", ["blue2222aaaa", "wall2222aaaa"]),
      ("crate:Late night 1", ["wall2222aaaa"]),
      ("wall2 kind of blue", ["wall2222aaaa", "kind2222aaaa"]),
      // An album rather than an album and a song.
      ("Blue Train", ["blue2222aaaa"]),
      ("Welcome to the Machine", ["welc2222aaaa"]),
      ("The Wall, Kind of Blue, Animals", ["wall2222aaaa", "kind2222aaaa", "anim2222aaaa"]),
      ("The Wall , Late night 3,", ["wall2222aaaa", "blue2222aaaa"]),
      ("The Wall, Kind of Blue and Animals", ["wall2222aaaa", "kind2222aaaa", "anim2222aaaa"]),
      // What is quoted is a whole name.
      ("Kind_of_Blue Live", ["kind2222aaaa", "live2222aaaa"]),
    ])
  func joined(what: String, ids: [String]) throws {
    let (changes, outcome) = try run("move \(what) top")
    let isOneByOne = ids.count > 1
    #expect(
      changes == [
        .moveAlbums(
          albums: ids, place: Interface.Place(.top), crate: nil,
          gather: isOneByOne ? .given : nil, sequence: nil)
      ], "\(outcome.errors)")
  }

  @Test("so they are wherever a name may stand")
  func everywhere() throws {
    #expect(
      try run("move Animals after The Wall").changes == [
        .moveAlbums(
          albums: ["anim2222aaaa"], place: Interface.Place(.after, anchor: "wall2222aaaa"),
          crate: nil, sequence: nil)
      ])
    #expect(
      try run("move Animals to Late night bottom").changes == [
        .moveAlbums(
          albums: ["anim2222aaaa"], place: Interface.Place(.bottom), crate: "Late night",
          sequence: nil)
      ])
    #expect(
      try run("move The Wall to Early morning").changes == [
        .moveAlbums(
          albums: ["wall2222aaaa"], place: nil, crate: "Early morning", sequence: nil)
      ])
    #expect(try run("list Late night").outcome.lines.count == 12)
    #expect(try run("paths The Wall").outcome.lines.count == 3)
  }

  @Test("a crate and its new name are told apart by what there is")
  func renaming() throws {
    func renamed(_ line: String, _ library: FakeLibrary = Self.library()) throws -> (Call?, String)
    {
      let fixture = try CommandFixture(library)
      let words = ["rename"] + line.split(separator: " ").map(String.init)
      let outcome = try CommandFixture.run(words + ["--socket", fixture.socket])
      return (fixture.changes.first, outcome.errors)
    }
    for (typed, name) in [
      ("Evening", "Evening"), ("Early morning", "Early morning"), ("to Evening", "Evening"),
      ("to Early morning", "Early morning"), ("to to", "to"), ("to", "to"),
    ] {
      #expect(
        try renamed("late night \(typed)").0
          == .renameCrate(crate: "Late night", name: name, sequence: nil))
    }
    #expect(try renamed("Quite another to Day").1.contains("no crate called “Quite another”"))
    #expect(
      try renamed("Jazz Early morning", FakeLibrary()).0
        == .renameCrate(crate: "Jazz", name: "Early morning", sequence: nil))
    var library = FakeLibrary()
    library.crates[1].name = "Jazz Early"
    let (call, said) = try renamed("Jazz Early morning", library)
    #expect(call == nil)
    #expect(
      said
        == "crate: “Jazz Early morning” may be 'Jazz' 'Early morning' or 'Jazz Early' 'morning';"
        + " write one of these\n")
    #expect(
      try renamed("Quite another name", library).1
        == "crate: there is no crate called “Quite another”; look for it with: crate list\n")
  }

  @Test("what can be read in two ways is refused, and both are offered")
  func ambiguous() throws {
    let (changes, outcome) = try run("move Led Zeppelin 2 top")
    #expect(changes.isEmpty)
    #expect(
      outcome
        == .init(
          status: 1, output: "",
          errors:
            "crate: “Led Zeppelin 2” may be 'Led Zeppelin' 2 or 'Led Zeppelin 2'; write one of"
            + " these\n"))
    #expect(
      try run("move Kind of Blue Live top").outcome.errors
        == "crate: “Kind of Blue Live” may be 'Kind of Blue' album:Live or 'Kind of Blue Live';"
        + " write one of these\n")
  }

  @Test("where a name means nothing, the longer one that is spelt nearly so is offered, or titles")
  func absent() throws {
    func said(_ line: String) throws -> String {
      let (changes, outcome) = try run(line)
      #expect(changes.isEmpty && outcome.status == 1)
      return outcome.errors
    }
    #expect(
      try said("move The Wal top")
        == "crate: nothing is called “The Wal”; did you mean The Wall by Someone?\n")
    #expect(
      try said("move The Wal Animals top")
        == "crate: nothing is called “The Wal”; did you mean The Wall by Someone?\n")
    #expect(
      try said("move legend top")
        == "crate: nothing is called “legend”; did you mean '10 000 Hz Legend'?\n")
    #expect(
      try said("list of")
        == "crate: nothing is called “of”; did you mean 'Kind of Blue' or 'Kind of Blue Live'?\n")
    #expect(
      try said("move in top")
        == "crate: nothing is called “in”; did you mean 'Blue Train', 'Kind of Blue' or"
        + " 'Led Zeppelin'? there are more: crate find in\n")
    #expect(
      try said("move Quite another Animals top")
        == "crate: nothing is called “Quite another”; look for it with: crate find"
        + " 'Quite another'\n"
    )
    #expect(
      try said("list The Wall 9")
        == "crate: there is no “9” in The Wall by Someone, which has 3 songs; see: crate list"
        + " wall2222aaaa\n")
    #expect(
      try said("list Late").contains("“Late” is a song; this command takes crates or albums"))
  }
}
