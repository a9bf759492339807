import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("Crates that aren't there", .limited)
struct NewCrateTests {
  @Test("A number is no new crate where a crate or an album has that place, unless it is wanted")
  func numbers() throws {
    let fixture = try CommandFixture()
    func said(_ words: String...) throws -> String {
      let outcome = try CommandFixture.run(
        ["move", "1979"] + words + ["--socket", fixture.socket])
      #expect(outcome.status == 1)
      return outcome.errors
    }
    #expect(
      try said("to", "3")
        == "crate: no crate is called “3”; did you mean crate 3, Both? --new makes a"
        + " crate called “3”\n"
    )
    #expect(
      try said("to", "5")
        == "crate: no crate is called “5”; for a place write before or after an album; --new makes"
        + " a crate called “5”\n")
    #expect(
      try said("to", "Jazz", "3")
        == "crate: no crate is called “Jazz 3”; for a place write: to Jazz before Jazz 3; --new"
        + " makes a crate called “Jazz 3”\n")
    for words in [["Jazz", "at", "3"], ["Jazz", "at", "position", "3"], ["position", "3"]] {
      let outcome = try CommandFixture.run(
        ["move", "1979", "to"] + words + ["--socket", fixture.socket])
      #expect(outcome.status == 1 && outcome.errors.contains(" --new makes a crate called"))
    }
    #expect(fixture.changes.isEmpty)
    for words in [["to", "3", "--new"], ["to", "6"], ["to", "Top", "40"]] {
      let outcome = try CommandFixture.run(
        ["move", "1979"] + words + ["--socket", fixture.socket])
      #expect(outcome.status == 0, "\(words)")
    }
    #expect(fixture.changes.count == 3)
  }

  @Test("A former name of a crate is answered with its present one")
  func formerNames() throws {
    func renamed(_ sequence: Int, _ old: String, _ new: String) -> Interface.Change {
      var change = Interface.Change(
        changed: true, sequence: sequence, time: "", author: .person, summary: "")
      change.moves = [Interface.Move(crate: new, was: old)]
      return change
    }
    var library = FakeLibrary()
    library.history = [
      renamed(9, "Evening", "Jazz"), renamed(8, "Nowhere", "Gone"), renamed(7, "Slow", "Evening"),
    ]
    let fixture = try CommandFixture(library)
    for name in ["slow", "Evening"] {
      #expect(
        try fixture.run("list", name).errors
          == "crate: nothing is called “\(name)”; the crate that had this name is now called Jazz\n"
      )
    }
    #expect(try fixture.run("list", "Nowhere").errors.contains("look for it"))
    let moved = try fixture.run("move", "1979", "to", "Slow")
    #expect(moved.status == 0)
    #expect(
      moved.errors
        == "crate: Slow is a new crate; the one that had this name is now called Jazz; crate undo"
        + " takes it back\n")
  }
}
