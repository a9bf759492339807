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
    fixture.changes.reduce(0) { $0 + ($1.historyLimit ?? 0) }
  }

  @Test("changes that name a thousand songs each are looked through only until there were as many")
  func large() throws {
    let fixture = try CommandFixture(library(naming: [1, 1] + Array(repeating: 1_000, count: 90)))
    let lines = try fixture.run("show", "skind2222as2").lines
    #expect(lines.filter { $0.contains("what happened") }.count == 1)
    #expect(sent(fixture) == 4)
    let newest = try CommandFixture(library(naming: Array(repeating: 1_000, count: 90)))
    #expect(try newest.run("show", "skind2222as2").status == 0)
    #expect(sent(newest) == 1)
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
