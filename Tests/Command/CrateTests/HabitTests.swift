import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("What people type from habit", .limited)
struct HabitTests {
  @Test("ls and search are done, and a crate's name lists it")
  func done() throws {
    let fixture = try CommandFixture()
    for (typed, meant) in [
      (["ls"], ["list"]), (["ls", "Jazz"], ["list", "Jazz"]),
      (["search", "kind"], ["find", "kind"]),
      (["--json", "ls"], ["list", "--json"]), (["Jazz"], ["list", "Jazz"]),
      (["rock", "music", "-n", "1"], ["list", "Rock Music", "-n", "1"]),
      (["Jazz", "2"], ["list", "Jazz", "2"]), (["help", "ls"], ["help", "list"]),
    ] {
      let socket = ["--socket", fixture.socket]
      let outcome = try CommandFixture.run(typed + socket)
      #expect(
        outcome == (try CommandFixture.run(meant + socket)) && outcome.status == 0, "\(typed)")
    }
  }

  @Test(
    "what would change something is answered with the command that is meant",
    arguments: [
      ("mv", "crate move ALBUM to CRATE"), ("rm", "crate forget"), ("delete", "crate forget"),
      ("new", "crate move ALBUM to NAME"), ("add", "crate move ALBUM to CRATE"),
      ("merge", "crate move A to B"), ("restore", "crated restore"), ("stop", "play --stop"),
    ])
  func answered(verb: String, advice: String) throws {
    let outcome = try CommandFixture.run([verb, "Jazz"])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("crate: there is no command “\(verb)”; "))
    #expect(outcome.errors.contains(advice))
  }

  @Test("other words are no commands, with a daemon or without")
  func unknown() throws {
    let message =
      "crate: there is no command “lisst”; did you mean list? (`crate --help` tells more)\n"
    #expect(try CommandFixture().run("lisst") == .init(status: 64, output: "", errors: message))
    #expect(try CommandFixture.run(["lisst"]) == .init(status: 64, output: "", errors: message))
    #expect(try CommandFixture().run("Kind of Blue").status == 64)
  }
}
