import Glibc
import TestSupport
import Testing

@testable import LibraryModel

/// Stories as texts, each looked at once, after every step, and at random moments. With
/// `CRATED_WRITE_SCENARIOS=1` the plain model writes what it lists into them.
@Suite("Scenarios", .limited)
struct ScenarioTests {
  private static let texts = [
    "tools", "copying", "backups", "drives", "folders", "retitling", "others", "more",
    "editions", "recognising", "giving-way", "grouping", "placing",
  ]

  private static func path(_ name: String) -> String {
    Repository.folder() + "/Texts/\(name).txt"
  }

  private static func scenarios() throws -> [Scenario] {
    try texts.flatMap { try Scenario.read(String(decoding: read(path($0)), as: UTF8.self)) }
  }

  @Test("there are all of them, each with a name of its own and an expectation")
  func complete() throws {
    if getenv("CRATED_WRITE_SCENARIOS") != nil { return try write() }
    let scenarios = try Self.scenarios()
    #expect(scenarios.count >= 190)
    #expect(Set(scenarios.map(\.name)).count == scenarios.count)
    #expect(scenarios.allSatisfy { !$0.atOnce.isEmpty && !$0.inSteps.isEmpty })
  }

  /// Empty if they can't be read, which `complete` reports.
  private static let all = (try? scenarios()) ?? []
  static let names = all.map(\.name)

  @Test("the plain model lists what they say", arguments: names)
  func plain(_ name: String) throws {
    let scenario = try #require(Self.all.first { $0.name == name })
    try check(scenario, PlainKeeper())
  }

  @Test("the library lists what they say", arguments: names)
  func real(_ name: String) throws {
    let scenario = try #require(Self.all.first { $0.name == name })
    try check(scenario, RealKeeper())
  }

  private func check(_ scenario: Scenario, _ keeper: some Keeper) throws {
    try check(scenario, keeper, "looked at once", [scenario.atOnce]) { _ in false }
    try check(scenario, keeper, "in steps", [scenario.inSteps]) { _ in true }
    if !scenario.isSameInAnyCut { return }
    var random = SeededGenerator(usually: 20_261_123)
    for _ in 0..<Effort.runs(1, nightly: 5) {
      try check(scenario, keeper, "\(random)", [scenario.atOnce, scenario.inSteps]) { _ in
        Int.random(in: 0..<5, using: &random) < 2
      }
    }
  }

  private func check(
    _ scenario: Scenario, _ keeper: some Keeper, _ way: String, _ expected: [[String]],
    looksAfter: (Int) -> Bool
  ) throws {
    let (listing, second) = try scenario.play(keeper, looksAfter: looksAfter)
    if !expected.contains(listing) {
      Issue.record("\(scenario.name), \(way): \(listing), not \(expected)")
    }
    if !second.isEmpty {
      Issue.record("\(scenario.name), \(way): merged again it is \(second)")
    }
  }

  private func write() throws {
    for name in Self.texts {
      let text = try String(decoding: read(Self.path(name)), as: UTF8.self)
      let lines = try Scenario.read(text).flatMap { scenario in
        scenario.written(
          atOnce: try scenario.play(PlainKeeper()) { _ in false }.listing,
          inSteps: try scenario.play(PlainKeeper()) { _ in true }.listing)
      }
      let written = Array(lines.dropLast().joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
      try LibraryModelTests.write(written, to: Self.path(name))
    }
  }
}
