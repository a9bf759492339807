import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// Whatever the daemon is busy with or suffers from, it shows what it knows.
@Suite("Answers in bad times", .serialized, .limited)
struct PromptAnswerTests {
  private static let calls: [Call] = [
    .status, .listCrates, .listAlbums(crate: nil, gone: true, first: nil, count: nil),
    .listSongs(crate: nil, album: nil, gone: true, first: nil, count: nil),
    .search(query: "album", limit: nil), .readText(crate: nil), .history(limit: nil, before: nil),
    .problems,
  ]

  private static let attempts = 5
  /// The time that a slow disk takes, in nanoseconds: longer than all attempts.
  private static let delay: Int64 = 5_000_000_000 * Int64(Patience.factor)

  /// How long the answer to each call takes, in nanoseconds, the shortest first.
  private func times(_ client: CratesClient) throws -> [[Int64]] {
    try Self.calls.map { call in
      try (0..<Self.attempts).map { _ in
        let start = Clock.system.monotonic()
        try client.ask(call)
        return Clock.system.monotonic() - start
      }.sorted()
    }
  }

  /// Half of the attempts within a second, or a few times what is usual: the machine may be busy
  /// with other tests. What could hold an answer up takes several, and would hold up each.
  private func expectPrompt(
    _ times: [[Int64]], usually usual: [[Int64]], _ location: SourceLocation = #_sourceLocation
  ) {
    for (call, (times, usual)) in zip(Self.calls, zip(times, usual)) {
      let (half, usually) = (times[Self.attempts / 2], usual[Self.attempts / 2])
      #expect(
        half <= max(Self.delay / 5, 10 * usually),
        "\(call.method) took \(half / 1000) µs, usually \(usually / 1000) µs",
        sourceLocation: location)
    }
  }

  @Test("While the readers read nothing of a first scan")
  func scanning() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 200, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    let deadline = Patience.end
    var stopped: Set<pid_t> = []
    while stopped.isEmpty, Clock.system.monotonic() < deadline {
      stopped = try daemon.children()
      for child in stopped { Glibc.kill(child, SIGSTOP) }
    }
    for child in try daemon.children() where stopped.insert(child).inserted {
      Glibc.kill(child, SIGSTOP)
    }
    let before = try client.status()
    #expect(!stopped.isEmpty && before.songs < 600)
    let times = try times(client)
    #expect(try client.status().songs < 600)
    for child in stopped { Glibc.kill(child, SIGCONT) }
    try client.sync()
    #expect(try client.status().songs == 600)
    expectPrompt(times, usually: try self.times(client))
    try daemon.stop()
  }

  @Test("While the music folder is away")
  func offline() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 5, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let usual = try times(client)
    try #require(rename(home.music, home.folder.path("Away")) == 0)
    try client.sync()
    #expect(try client.status().folders.first?.state == .offline)
    #expect(try client.albums().map(\.presence) == Array(repeating: .offline, count: 5))
    expectPrompt(try times(client), usually: usual)
    try daemon.stop()
  }

  @Test("While the librarian waits for the disk, and after the disk has failed it")
  func disk() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 5, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let usual = try times(client)
    let journal = try #require(try home.newestJournal())
    let length = try readFile(journal).count
    let tracer = try Tracer(
      daemon, thread: "librarian", home,
      faults: ["fdatasync:error=EIO:delay_enter=\(Self.delay / 1000)"])
    let edit = try RunningProgram(
      Home.program("crate"), ["rename", "Music", "Jazz"], environment: home.environment,
      errors: home.folder.path("edit.log"))
    let deadline = Patience.end
    while try readFile(journal).count == length, Clock.system.monotonic() < deadline {}
    // The change is written, and will be synced for seconds.
    #expect(try client.status().store == .ready)
    expectPrompt(try times(client), usually: usual)
    #expect(try client.status().store == .ready)
    #expect(try edit.end() != 0)
    let calls = try tracer.end()
    #expect(calls.contains { $0.name == "fdatasync" && $0.isInjected })
    #expect(try client.status().store == .readOnly)
    expectPrompt(try times(client), usually: usual)
    try daemon.stop()
  }

  @Test("While the disk is full")
  func full() throws {
    let folder = try TemporaryFolder()
    let space = try MountSpace(folder)
    let home = try Home(folder: folder, prefix: space.prefix)
    try SmallLibrary.write(albums: 5, to: home.music)
    try folder.makeFolder("data/crated")
    try space.mountNew(on: home.store, size: "256k")
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let usual = try times(client)
    try space.fill(space.path("\(home.store)/filler"))
    // There is some room in the journal's last block.
    for _ in 0..<200 where try client.status().store == .ready {
      let last = try #require(try client.albums().last)
      try? client.move(albums: [last.id], .top)
    }
    #expect(try client.status().store == .full)
    expectPrompt(try times(client), usually: usual)
    try daemon.stop()
  }
}
