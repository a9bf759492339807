import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The real `crate watch`, whose daemon ends each watching after a change.
@Suite("Watching changes", .limited)
struct WatchingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The changes that were asked for first and next, when it was ended in between.
  private func asked(_ fixture: CommandFixture, _ words: String...) throws -> [Call] {
    let program = try RunningProgram(
      try CommandFixture.program, ["watch", "--follow", "--socket", fixture.socket] + words,
      environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC"], errors: folder.path("errors"))
    try #require(happensInTime { fixture.changes.count >= 2 })
    program.signal(SIGKILL)
    _ = try program.end()
    let errors = String(decoding: try readFile(folder.path("errors")), as: UTF8.self)
    #expect(withoutWaiting(errors) == "")
    return Array(fixture.changes.prefix(2))
  }

  @Test("Whoever follows goes on behind the last change that was seen, or that was asked for")
  func follow() throws {
    for (words, first, next) in [
      ([], nil, 8), (["--since", "3"], 3, 8), (["--since", "20"], 20, 20),
    ] as [([String], Int?, Int)] {
      let fixture = try CommandFixture()
      let calls =
        words.isEmpty ? try asked(fixture) : try asked(fixture, words[0], words[1])
      #expect(calls == [.watch(since: first), .watch(since: next)])
    }
  }

  @Test("What passes is waited out, and what doesn't is told")
  func refused() throws {
    let crowded = try CommandFixture(refusing: .tooManyClients(limit: 4))
    #expect(try asked(crowded) == [.watch(since: nil), .watch(since: nil)])
    let error = InterfaceError.invalidPlace(reason: "x")
    let refusing = try CommandFixture(refusing: error)
    #expect(
      try refusing.run("watch", "--follow")
        == .init(status: 1, output: "", errors: "crate: \(error.message)\n"))
    #expect(
      try crowded.run("watch").status == 75 && refusing.changes == [.watch(since: nil)])
  }
}
