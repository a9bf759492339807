import CratesInterface
import Glibc
import LibraryModel
import LibraryStore
import ProgramSupport
import TestSupport
import Testing

@Suite("Kills under load", .serialized, .limited)
struct KillTests {
  @Test("Kills under load lose nothing that was answered, and invent nothing")
  func kills() throws {
    let most = Effort.runs(40, nightly: 200)
    let lives = try KilledLives(SeededGenerator(usually: 2026))
    while lives.kills.all < most { try lives.live() }
    try lives.expectFiles()
    try lives.daemon.stop()
    let (kills, oracle, moves) = (lives.kills, lives.oracle, lives.spare.moves)
    let comment = Comment(
      """
      \(kills), \(oracle.answered) answered, \(oracle.unansweredFound) found unanswered, \
      \(moves) files, \(lives.story)
      """)
    #expect(kills.underLoad > most * 2 / 5, comment)
    // How many depends on what else the machine has to do.
    #expect(kills.withUnanswered > most * 3 / 20, comment)
    #expect(kills.atStart > most / 10, comment)
    #expect(kills.atStop > Effort.runs(0, nightly: 8), comment)
    #expect(kills.inCheckpoint > most / 10, comment)
    #expect(oracle.unansweredFound > most * 3 / 20, comment)
    #expect(oracle.answered > most * 2, comment)
    #expect(moves > most / 2, comment)
  }
}

/// One life of the daemon after the other: clients change the order at once, and files come and go,
/// until it is killed.
final class KilledLives {
  struct Kills {
    var all = 0
    /// While clients edited, some of them told to stop at the same time.
    var underLoad = 0
    var atStop = 0
    /// Before it was ready, or had written anew what it recovered.
    var atStart = 0
    /// Kills of either kind, with a generation that was not done or had others beside it.
    var inCheckpoint = 0
    /// While somebody waited for an answer.
    var withUnanswered = 0
  }

  private static let albums = 30
  private static let clients = 4
  private let home: Home
  private var chance: SeededGenerator
  private var life = 0
  let oracle: KillOracle
  private(set) var daemon: RunningDaemon
  private(set) var spare: SpareSongs
  private(set) var kills = Kills()

  init(_ chance: SeededGenerator) throws {
    self.chance = chance
    home = try Home()
    try SmallLibrary.write(albums: Self.albums, to: home.music)
    spare = try SpareSongs(home, albums: Self.albums)
    daemon = try RunningDaemon(home)
    oracle = try KillOracle(try CratesClient(home))
    try #require(oracle.things.albums.count == Self.albums)
  }

  /// For the comment of a failure.
  var story: String { "life \(life), \(chance)" }

  private func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &chance) == 0 }

  /// From a start to the next.
  func live() throws {
    life += 1
    let isStopping = oneIn(6)
    let tracer =
      isStopping
      ? try Tracer(daemon, thread: "librarian", home, faults: [kill()], paths: try paths()) : nil
    // The first undo of a life reads what was done in those before it, which takes its time.
    let takesBack = oneIn(3)
    let makers = (0..<Self.clients).map { _ in
      let seed = chance.next()
      return EditMaker(
        things: oracle.things, takesBack: takesBack, chance: SeededGenerator(seed: seed))
    }
    let clients = EditingClients(makers, home.socket, newest: oracle.newest)
    for _ in 0..<Int.random(in: 0...2, using: &chance) { try spare.toggle(using: &chance) }
    #expect(clients.wait(forAnswers: Int.random(in: 0...10, using: &chance)), "\(story)")
    // Anywhere in the work on an edit.
    takeAMoment(calls: Int.random(in: 0..<1_000, using: &chance))
    daemon.program.signal(isStopping ? SIGTERM : SIGKILL)
    let status = try daemon.program.end()
    let sent = clients.end()
    _ = try tracer?.end()
    if status == 128 + SIGKILL {
      kills.underLoad += 1
      if isStopping { kills.atStop += 1 }
      if sent.contains(where: { $0.answer == nil }) { kills.withUnanswered += 1 }
      try noteKill()
    } else {
      #expect(isStopping && status == 0, "\(status), \(story)\n\(daemon.log)")
    }
    try start()
    let client = try CratesClient(home)
    try oracle.check(sent, client, story)
    #expect(try client.status().store == .ready, "\(story)")
    if oneIn(20) { try expectFiles() }
  }

  /// Starts that are killed, and one that is not.
  private func start() throws {
    while oneIn(3) {
      do {
        let tracer = Tracer.inFront(
          home, ofAllThreads: true, paths: try paths(), faults: [kill()])
        daemon = try RunningDaemon(home, behind: tracer)
        if try hasBegun() {
          // The daemon had less to do than that. A thread that is traced can't be traced once more.
          daemon.program.signal(SIGKILL)
          _ = try daemon.program.end()
        } else {
          kills.atStart += 1
          try noteKill()
        }
      } catch let early as RunningDaemon.EndedEarly {
        try #require(early.status == 128 + SIGKILL, "\(early), \(story)")
        kills.atStart += 1
        try noteKill()
      }
    }
    daemon = try RunningDaemon(home)
  }

  /// Whether it lived until what it recovered was written anew, which changes wait for. This asks
  /// what one would come to.
  private func hasBegun() throws -> Bool {
    let call = Call.undo(sequence: nil, dryRun: true)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters,
    ]
    if let client = try? RawClient(socket: home.socket) {
      client.send(message.bytes + [0])
      if (try? client.reply()) != nil { return true }
    }
    let status = try daemon.program.end()
    try #require(status == 128 + SIGKILL, "\(status), \(story)")
    return false
  }

  private func noteKill() throws {
    kills.all += 1
    let files = try generations()
    if files.count > 2 || files.contains(where: { $0.hasSuffix(".new") }) {
      kills.inCheckpoint += 1
    }
  }

  /// The names of snapshots and journals that are not backups.
  private func generations() throws -> [String] {
    try DiskFiles(reading: BytePath(home.store)).names(in: .store).filter {
      $0.hasPrefix("crates.") || $0.hasPrefix("journal.")
    }
  }

  /// At a call of the next checkpoint, as a fault for the tracer.
  private func kill() -> String {
    let calls = ["write", "fdatasync", "fsync", "renameat2"]
    let call = calls[Int.random(in: 0..<calls.count, using: &chance)]
    return "\(call):signal=KILL:when=\(Int.random(in: 1...4, using: &chance))"
  }

  /// What only a checkpoint has to do with.
  private func paths() throws -> [String] {
    let numbers = try generations().compactMap { Int($0.split(separator: ".")[1]) }
    let next = (numbers.max() ?? 0) + 1
    return [
      home.store, "\(home.store)/backups", "\(home.store)/journal.\(next).txt",
      "\(home.store)/crates.\(next).txt.new",
    ]
  }

  /// The songs that are there are those whose files are there.
  func expectFiles() throws {
    let client = try CratesClient(home)
    try client.sync()
    let paths = try client.songs().map(\.path)
    let files = try run("find", [home.music, "-type", "f"]).output.split(separator: "\n")
    #expect(paths.count == files.count, "\(story)")
    #expect(Set(paths) == Set(files.map(String.init)), "\(story)")
  }
}
