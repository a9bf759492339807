import Arguments
import CratesInterface
import Players
import TestSupport
import Testing

@testable import crate

/// The real `crate` against a small library: what is said at the edges of commands.
@Suite("Commands as a whole", .limited)
struct WholeCommandsTests {
  @Test("Without a command a program reads the help, and a person too who asks for objects")
  func help() throws {
    let fixture = try CommandFixture()
    let help = try fixture.run().output
    #expect(help.contains("Your music in crates, in the order you chose."))
    #expect(help == (try CommandFixture.run(["--help"]).output))
    #expect(help.hasSuffix("\n") && !help.hasSuffix("\n\n"))
    #expect(try fixture.shown("--json", rows: 0) == help)
  }

  @Test("A refusal is one line, whatever is in the names that it tells")
  func lines() throws {
    let outcome = try CommandFixture.run(["edit", "--from", "/nowhere/a\nb\u{1B}"])
    #expect(
      outcome
        == .init(
          status: 1, output: "",
          errors: "crate: /nowhere/a b␛ cannot be read: No such file or directory\n"))
  }

  @Test("What shells ask for has to be whole")
  func completions() throws {
    for words in [
      ["--complete"], ["--complete", "fish"], ["--generate-completion-script"],
      ["--generate-completion-script", ""], ["--generate-completion-script=fish2"],
    ] {
      let outcome = try CommandFixture.run(words)
      #expect(outcome.status == 64 && outcome.output == "", "\(words)")
    }
    let fixture = try CommandFixture()
    let line = "crate list --socket \(fixture.socket) Kind"
    #expect(try CommandFixture.completed("bash", [line]).lines == ["Kind\\ of\\ Blue"])
    let zsh = ["list", "--socket", fixture.socket, "Kind"]
    #expect(
      try CommandFixture.completed("zsh", zsh).lines == ["Kind of Blue\tSomeone"])
  }

  @Test("Where nobody answers, nothing is offered, and whoever types is not kept waiting")
  func unanswered() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("socket")
    // It takes connections, and nobody takes them from it.
    let listener = try RunningProgram(
      "/usr/bin/python3",
      [
        "-c",
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen();"
          + " print('listening', flush=True); sys.stdin.read()", path,
      ], environment: ["PATH": "/usr/bin:/bin"], errors: folder.path("errors"), takesInput: true)
    try #require(try listener.nextLine() == "listening")
    let line = "crate list --socket \(path) Kind"
    #expect(
      try CommandFixture.run(["--complete", "fish", line])
        == .init(status: 0, output: "", errors: ""))
  }

  @Test("So many are listed as are asked for, as objects and as lines")
  func counted() throws {
    let fixture = try CommandFixture()
    for (count, expected) in [("0", 0), ("1", 1), ("3", 3), ("9", 3)] {
      #expect(try fixture.run("list", "-n", count).lines.count == expected)
      #expect(try fixture.run("list", "-n", count, "--json").lines.count == expected)
    }
  }

  @Test("Of 8 MiB and more of names on standard input none are taken")
  func manyNames() throws {
    let input = String(repeating: "a", count: 8 << 20) + "b"
    let outcome = try CommandFixture().run("move", "-", "top", input: input)
    #expect(
      outcome
        == .init(
          status: 1, output: "",
          errors: "crate: too much came on standard input; at most 8 MiB of names are read\n"))
  }

  @Test("Of names that are spelt nearly so three are named")
  func near() throws {
    for (count, said) in [(1, "Jazz1"), (3, "Jazz1, Jazz2 or Jazz3"), (4, "Jazz1, Jazz2 or Jazz3")]
    {
      var library = FakeLibrary()
      library.crates = (1...count).map {
        Interface.Crate(name: "Jazz\($0)", position: $0, albums: 1, songs: 1, seconds: 1)
      }
      let outcome = try CommandFixture(library).run("move", "crate:Jazzy", "top")
      #expect(
        outcome.errors == "crate: there is no crate called “Jazzy”; did you mean \(said)?\n")
    }
  }

  @Test("What is gone is neither listed nor played nor sorted, unless kept places are asked for")
  func gone() throws {
    var library = FakeLibrary()
    library.albums[6].presence = .gone
    library.player = "true"
    let fixture = try CommandFixture(library)
    for words in ["list 1979", "paths 1979", "play 1979", "sort 1979 by title"] {
      let outcome = try CommandFixture.run(
        words.split(separator: " ").map(String.init) + ["--socket", fixture.socket])
      #expect(outcome.status == 1 && outcome.output == "", "\(words)")
      #expect(outcome.errors.hasPrefix("crate: 1979 by Someone is gone: "), "\(words)")
    }
    #expect(fixture.changes.isEmpty)
    #expect(try fixture.run("list", "1979", "--gone").lines.count == 3)
  }

  @Test("A trial of an import and a yes to it exclude each other")
  func trial() throws {
    let outcome = try CommandFixture().run("import", "/nowhere", "--dry-run", "--yes")
    #expect(outcome.status == 64 && outcome.errors.contains("so there is no --yes to it"))
  }

  // MARK: Asking

  private func daemon(_ fixture: CommandFixture) throws -> DaemonConnection {
    try DaemonConnection(try CommonOptions.parse(["--socket", fixture.socket]))
  }

  @Test("What isn't there is an empty crate, no album, and a song that is refused")
  func absent() throws {
    let library = FakeLibrary()
    let fixture = try CommandFixture(library)
    let daemon = try daemon(fixture)
    #expect(try daemon.crate("Both") == library.crates[2])
    #expect(
      try daemon.crate("None")
        == Interface.Crate(name: "None", position: nil, albums: 0, songs: 0, seconds: 0))
    #expect(try daemon.album("nine2222aaaa") == library.albums[6])
    #expect(try daemon.album("none") == nil)
    #expect(try daemon.song("shits2222as2").album == "hits2222aaaa")
    #expect(
      message { () throws(Failure) in _ = try daemon.song("none") }
        == InterfaceError.noSuchSong(id: "none").message)
    #expect(fixture.listings.count == 6)
  }

  @Test("Names that begin so are crates and albums, and where there are no albums none are listed")
  func beginnings() throws {
    let fixture = try CommandFixture()
    let daemon = try daemon(fixture)
    let found = try daemon.names(beginning: "Jaz", [.crate, .album])
    #expect(found.crates == ["Jazz"] && found.albums.map(\.title) == ["Jazz Club"])
    #expect(fixture.listings.count == 1)
    #expect(try daemon.names(beginning: "Jaz", [.crate]) == KnownNames(crates: ["Jazz"]))
    #expect(try daemon.names(beginning: "x", [.crate, .album]) == KnownNames())
    #expect(fixture.listings.count == 1)
  }

  // MARK: Playing

  private func play(
    _ library: FakeLibrary, _ words: String...
  ) throws -> CommandFixture.Outcome {
    var library = library
    library.player = "true"
    let (fixture, folder) = (try CommandFixture(library), try TemporaryFolder())
    return try CommandFixture.run(
      ["play"] + words + ["--socket", fixture.socket],
      environment: ["XDG_RUNTIME_DIR=\(folder.path)"])
  }

  @Test("It is told how many songs a player has, how long they are, and which it doesn't know")
  func playing() throws {
    var library = FakeLibrary()
    #expect(
      try play(library, "1979")
        == .init(status: 0, output: "true plays 3 songs (3:05)\n", errors: ""))
    let object = try JSON(parsing: try play(library, "1979", "--json").output)
    #expect(
      object == [
        "player": "true", "added": false, "songs": 3, "seconds": .number(184.5), "unknown": [],
      ])
    let added = try play(library, "1979", "--add")
    #expect(added.status == 64 && added.output == "")
    #expect(added.errors.hasPrefix("crate: true is started anew each time, so that nothing can"))
    for place in 18..<21 { library.songs[place].seconds = 0 }
    #expect(try play(library, "1979").output == "true plays 3 songs\n")
    library.songs[18].uri = "file:///a%0Ab"
    #expect(
      try play(library, "1979")
        == .init(
          status: 0, output: "true plays 2 songs\n",
          errors: "crate: true doesn't know 1 song: /a␊b\n"))
    for place in 19..<21 { library.songs[place].uri = "file:///a%0Ab" }
    let none = try play(library, "1979")
    #expect(none.status == 1 && none.output == "")
    #expect(
      none.errors == "crate: no list can have these songs: their paths have line breaks\n")
  }
}
