import CratesInterface
import TestSupport
import Testing

@testable import crate

/// The real `crate find` against a small library.
@Suite("What is searched for", .limited)
struct FindingTests {
  /// A library in which a song of `Both` is found as those of `Kind of Blue` are.
  private func fixture() throws -> CommandFixture {
    var library = FakeLibrary()
    library.songs[4].albumTitle = "kindred"
    return try CommandFixture(library)
  }

  private func limits(_ fixture: CommandFixture) -> [Int?] {
    fixture.searches.compactMap { call -> Int?? in
      if case .search("kind", _, let limit) = call { .some(limit) } else { nil }
    }
  }

  @Test("A person sees twenty of each kind, and a program five thousand, who asks for more or not")
  func limits() throws {
    let fixture = try fixture()
    for (words, limit) in [
      ([], 5_000), (["-n", "3"], 3), (["-n", "5000"], 5_000), (["-n", "5001"], 5_000),
      (["--limit", "99999"], 5_000), (["-n", "0"], 0), (["--json"], 5_000), (["-p"], 5_000),
    ] {
      let outcome = try CommandFixture.run(
        ["find", "kind"] + words + ["--socket", fixture.socket])
      #expect(outcome.status == 0 && limits(fixture).last == limit, "\(words)")
    }
    _ = try fixture.shown("find", "kind")
    #expect(limits(fixture).last == 20)
    for word in ["--json", "-p"] {
      _ = try fixture.shown("find", "kind", word)
      #expect(limits(fixture).last == 5_000, "\(word)")
    }
  }

  @Test("The files are those of the albums and of the songs that were found, in library order")
  func files() throws {
    let fixture = try fixture()
    let files = (["kind2222aaaa/1", "kind2222aaaa/2", "kind2222aaaa/3", "bath2222aaaa/2"])
    #expect(
      try fixture.run("find", "-p", "kind").lines
        == files.map { "/music/\($0)\u{FFFD} x.flac" })
    let songs = FakeLibrary().songs
    let found = [songs[0], songs[1], songs[2], songs[4]].map(\.id)
    let objects = try fixture.run("find", "-p", "--json", "kind").lines.map { line in
      try JSON(parsing: line)["id"]?.string
    }
    #expect(objects == found)
    #expect(
      try fixture.run("find", "--json", "kind").lines.map { try JSON(parsing: $0)["id"]?.string }
        == ["kind2222aaaa"] + found)
    #expect(
      try fixture.run("find", "nosuch")
        == .init(status: 1, output: "", errors: "crate: nothing was found\n"))
  }

  @Test("A song whose path can't be read is a reason to end, and says which")
  func unreadable() throws {
    var library = FakeLibrary()
    library.songs[0].uri = "http://x/a"
    let outcome = try CommandFixture(library).run("find", "-p", "kind")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "crate: the path of Song 1 can't be read: http://x/a\n")
  }
}
