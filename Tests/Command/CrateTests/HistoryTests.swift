import CratesInterface
import Glibc
import TestSupport
import Testing

@testable import crate

@Suite("The history and the order of trials, as they are shown", .limited)
struct HistoryTests {
  private func change(
    _ sequence: Int, _ time: String, by author: Interface.Author = .person, crates: [String] = []
  ) -> Interface.Change {
    Interface.Change(
      changed: true, sequence: sequence, time: time, author: author, summary: "change \(sequence)",
      crates: crates)
  }

  private func shown(_ changes: [Interface.Change], _ words: String...) throws -> [String] {
    var library = FakeLibrary()
    library.history = changes
    let fixture = try CommandFixture(library)
    let outcome = try CommandFixture.run(["history"] + words + ["--socket", fixture.socket])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.lines.map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("only changes since a day, one's own, or those of a crate are shown, where that is wanted")
  func filters() throws {
    var renamed = change(5, "2026-01-03T10:00:00Z", crates: ["Old", "Jazz"])
    renamed.moves = [Interface.Move(crate: "Jazz", was: "Old")]
    let changes = [
      change(9, "2026-01-04T10:00:00.123Z", crates: ["Jazz"]),
      change(8, "2026-01-04T00:00:00Z", by: .folder, crates: ["Both"]),
      change(7, "2026-01-03T23:59:59.999Z", crates: ["Both", "Jazz"]),
      change(6, "2026-01-03T11:00:00Z", crates: ["Old"]), renamed,
      change(4, "2026-01-02T10:00:00Z", crates: ["old"]),
      change(3, "2026-01-02T09:00:00Z", crates: ["Jazz"]),
    ]
    #expect(try shown(changes) == ["9", "8", "7", "6", "5", "4", "3"])
    #expect(try shown(changes, "--since", "2026-01-04") == ["9", "8"])
    #expect(try shown(changes, "--since", "2026-01-03 11:00") == ["9", "8", "7", "6"])
    #expect(try shown(changes, "--since", "2026-01-03", "--mine", "-n", "2") == ["9", "7"])
    #expect(try shown(changes, "--mine", "--before", "7") == ["6", "5", "4", "3"])
    // The crate's own changes, whatever it was called then.
    #expect(try shown(changes, "--crate", "jazz") == ["9", "7", "5", "4"])
    // One that is gone has a history, too.
    #expect(try shown(changes, "--crate", "OLD") == ["6", "5", "4"])
    #expect(try shown(changes, "--since", "today") == [])
    // With a day all of it is shown, else the newest twenty.
    let many = (1...250).reversed().map { change($0, "2026-01-04T10:00:00Z") }
    #expect(try shown(many).count == 20)
    #expect(try shown(many, "--since", "2026-01-01").count == 250)
    #expect(try shown(many, "--mine").count == 20)
  }

  @Test("days are named as people name them, by the clock on the wall")
  func days() throws {
    // The first of January 2026, at noon in Greenwich.
    let now = 1_767_268_800
    func start(_ text: String) throws -> String { try Day.start(of: text, now: now) }
    #expect(try start("today") == start("2026-01-01"))
    #expect(try start("Yesterday") == start("2025-12-31"))
    #expect(try start("2025-11-28") == start("2025-11-28 00:00"))
    #expect(try start("2025-11-28T17:05:09").hasSuffix(":05:09"))
    #expect(try start("2025-11-28 17:05") < start("2025-11-28 17:06"))
    #expect(try start("14:50") == start("2026-01-01 14:50"))
    #expect(try start("today 14:50:12") == start("2026-01-01 14:50:12"))
    #expect(try start("yesterday 0:05") == start("2025-12-31 00:05"))
    for text in [
      "", "14:60", "24:00", "tomorrow 14:50", "tomorrow", "2025", "2025-11", "2025-13-01",
      "28-11-2025", "2025-11-28 x",
    ] {
      #expect(throws: Failure.self, "\(text)") { try start(text) }
    }
    #expect(try CommandFixture.run(["history", "--since", "never"]).status == 64)
    for (words, meant) in [(["5"], "-n 5"), (["Jazz"], "--crate Jazz")] {
      let outcome = try CommandFixture.run(["history"] + words)
      #expect(outcome.status == 64 && outcome.errors.contains("did you mean \(meant)?"))
    }
  }

  @Test("a sort that is only tried shows the order that it would make")
  func preview() throws {
    var library = FakeLibrary()
    library.moves = [
      Interface.Move(crate: "Jazz", album: "wide2222aaaa", after: nil),
      Interface.Move(crate: "Jazz", album: "kind2222aaaa", after: "tapp2222aaaa"),
    ]
    let fixture = try CommandFixture(library)
    func ids(_ words: String...) throws -> [String] {
      let outcome = try CommandFixture.run(["sort"] + words + ["--socket", fixture.socket])
      #expect(outcome.lines[0] == "move album to top of Jazz")
      return outcome.lines.dropFirst(2).map { String($0.split(separator: "\t")[0]) + $0.suffix(12) }
    }
    let order = ["wide", "bath", "tapp", "kind2222aaaa", "kind3333bbbb"].enumerated().map {
      "\($0 + 1)" + ($1.count == 4 ? "\($1)2222aaaa" : $1)
    }
    #expect(try ids("Jazz", "by", "title", "--dry-run") == order)
    #expect(try ids("Jazz", "by", "title") == [])
    #expect(try ids("Jazz", "shuffled", "--dry-run") == [])
    #expect(try fixture.shown("sort", "Jazz", "by", "title", "--dry-run").contains("1  東京の夜"))
  }

  @Test("undo says how what it took back comes again, and takes back one change alone")
  func undo() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.run("undo", "3").lines.last == "  crate redo 3 does them again")
    #expect(try fixture.run("undo").lines.count == 2)
    #expect(try fixture.run("undo", "--only", "948").lines.last == "  crate undo takes this back")
    #expect(try fixture.run("undo", "3", "--json").lines.count == 1)
    #expect(
      fixture.changes == [
        .undo(count: 3, sequence: nil), .undo(sequence: nil), .undo(only: 948, sequence: nil),
        .undo(count: 3, sequence: nil),
      ])
    for words in [["2", "--only", "9"], ["--to", "3", "--only", "9"], ["--only=-1"]] {
      #expect(try CommandFixture.run(["undo"] + words).status == 64, "\(words)")
    }
    // A number that no change has takes nothing back.
    var library = FakeLibrary()
    library.history = [7, 5, 3].map { change($0, "2026-01-04T10:00:00Z") }
    let other = try CommandFixture(library, refusing: .invalidParameter(parameter: "to"))
    for (number, said) in [
      (9, "there is no change 9 yet; the newest is 7"),
      (4, "there is no change 4; the nearest are 3 and 5; crate history shows all of them"),
      (1, "there is no change 1; the nearest is 3; crate history shows all of them"),
    ] {
      #expect(try other.run("undo", "--to", "\(number)").errors == "crate: \(said)\n")
    }
    for (sentence, steps) in [
      ("Taken back, 24 changes: A is on top of B (1 of 2)", 24), ("Taken back: 1984 is in B", 1),
      ("Done again, 2 changes: nothing had to be moved", 2),
    ] {
      #expect(UndoCommand.steps(in: sentence) == steps)
    }
    let foreign = try CommandFixture(refusing: .invalidParameter(parameter: "only"))
    #expect(
      try foreign.run("undo", "--only", "5").errors
        == "crate: change 5 is none of yours, or too long ago; see: crate history --mine\n")
  }
}
