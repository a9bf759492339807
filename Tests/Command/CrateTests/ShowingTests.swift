import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("Showing one thing of many", .limited)
struct ShowingTests {
  /// A library whose newest changes name so many songs each, the newest first.
  private func library(naming counts: [Int]) -> FakeLibrary {
    var library = FakeLibrary()
    library.history = counts.enumerated().map { place, count in
      Interface.Change(
        changed: true, sequence: 1_000 - place, time: "2026-01-02T03:04:05Z", author: .folder,
        summary: "what happened in place \(place)",
        songs: (0..<count).map { "\(place)-\($0)" } + (place % 3 == 1 ? ["skind2222as2"] : []))
    }
    return library
  }

  /// How many changes it was sent.
  private func sent(_ fixture: CommandFixture) -> Int {
    fixture.lookedBack.reduce(0) { $0 + ($1.historyLimit ?? 0) }
  }

  @Test("of changes that name many songs each no more is sent than the first that names so many")
  func large() throws {
    let song = "skind2222as2"
    // A first scan's last change is a smaller one.
    for (newest, expected) in [([], 1), ([12], 2), ([12, 600], 2), ([1, 1, 1, 1, 1, 1, 1], 8)] {
      let counts = newest + Array(repeating: 1_000, count: 90)
      let fixture = try CommandFixture(library(naming: counts))
      let lines = try fixture.run("show", song).lines
      #expect(sent(fixture) == expected, "\(newest)")
      let told = lines.filter { $0.contains("what happened") }
      #expect(told.count == (expected + 1) / 3, "\(newest)")
    }
  }

  @Test("of a long history a step is a quarter of what was looked through before")
  func steps() throws {
    let fixture = try CommandFixture(library(naming: Array(repeating: 2, count: 200)))
    _ = try fixture.run("show", "skind3333bs2")
    var looked = 0
    for step in fixture.lookedBack.compactMap(\.historyLimit) {
      #expect(step <= max(looked / 4, 1))
      looked += step
    }
    #expect(looked == 100)
    // Each step is a wait.
    #expect(fixture.lookedBack.count <= 33)
  }

  @Test("nothing from before an album came is asked for")
  func since() throws {
    for (came, expected) in [(1_000, 1), (997, 4), (995, 6)] {
      var library = library(naming: Array(repeating: 2, count: 200))
      library.albums[0].came = came
      let fixture = try CommandFixture(library)
      #expect(try fixture.run("show", library.albums[0].id).status == 0)
      #expect(sent(fixture) == expected)
    }
  }

  @Test("a hundred small changes are looked through, and the last ten that name it are shown")
  func small() throws {
    let fixture = try CommandFixture(library(naming: Array(repeating: 2, count: 200)))
    let lines = try fixture.run("show", "skind2222as2").lines
    let told = lines.filter { $0.contains("what happened") }
    #expect(told.count == 10)
    #expect(told.first?.hasSuffix("in place 1") == true)
    #expect(told.last?.hasSuffix("in place 28") == true)
    #expect(sent(fixture) <= 40)
    let none = try CommandFixture(library(naming: Array(repeating: 2, count: 200)))
    #expect(try none.run("show", "skind3333bs2").lines.allSatisfy { !$0.contains("history") })
    #expect(sent(none) == 100)
  }
}

extension Call {
  fileprivate var historyLimit: Int? {
    if case .history(let limit, _) = self { limit } else { nil }
  }
}
