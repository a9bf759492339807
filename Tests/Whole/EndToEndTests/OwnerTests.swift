import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

@Suite("One owner of a store", .serialized, .limited)
struct OwnerTests {
  @Test("A hundred daemons that start at once leave one, whose process id the others name")
  func hundred() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 1, to: home.music)
    // What one that was killed left behind.
    let killed = try RunningDaemon(home)
    try killed.kill()
    let starts = try start(100, home)
    let owner = try #require(try waitForOwner(home))
    try expectRefused(starts.filter { $0.program.process != owner }, by: owner, 99)

    // Others find no lock file where it was.
    #expect(unlink("\(home.store)/lock") == 0)
    let later = try start(20, home)
    try expectRefused(later, by: owner, 20)
    let client = try CratesClient(home)
    try client.sync()
    #expect(try client.status().pid == Int(owner))
    try #require(starts.first { $0.program.process == owner }).program.signal(SIGTERM)
    #expect(try starts.first { $0.program.process == owner }?.program.end() == 0)
    try RunningDaemon(home).stop()
  }

  private struct Start {
    var program: RunningProgram
    var log: String
  }

  /// All of them wait at the door, which is opened at once.
  private func start(_ count: Int, _ home: Home) throws -> [Start] {
    let crated = try Home.program("crated")
    let starts = try (0..<count).map { number in
      let log = home.folder.path("log.\(number)")
      unlink(log)
      let program = try RunningProgram(
        "sh", ["-c", "read go; exec '\(crated)'"], environment: home.environment, errors: log,
        takesInput: true)
      return Start(program: program, log: log)
    }
    for start in starts { try start.program.tell("go") }
    return starts
  }

  /// The one that answers.
  private func waitForOwner(_ home: Home) throws -> pid_t? {
    // The socket file of the killed one is there until the new one takes its place.
    var client: CratesClient?
    _ = happensInTime {
      client = try? CratesClient(home)
      return client != nil
    }
    return try client.map { pid_t(try $0.status().pid) }
  }

  private func expectRefused(_ starts: [Start], by owner: pid_t, _ count: Int) throws {
    #expect(starts.count == count)
    for start in starts {
      #expect(try start.program.end() == 3)
      let said = String(decoding: try readFile(start.log), as: UTF8.self)
      #expect(said.contains("process id \(owner) owns"), "\(said)")
      #expect(said.split(separator: "\n").count == 1, "\(said)")
    }
  }
}
