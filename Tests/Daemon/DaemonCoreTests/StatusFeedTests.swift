import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Platform
import ProgramSupport
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

@testable import DaemonCore

@Suite("Subscribers of the status", .limited)
struct StatusFeedTests {
  /// A daemon of which nothing is known but its status and its problems.
  private final class Source: AnsweringSource {
    struct State {
      var warnings: [String] = []
      var problems: [Interface.Problem] = []
      /// Those of the last look: nothing changes amid one.
      var seen: [Interface.Problem] = []
      var looks = 0
    }

    let state = Monitor(State())

    func status() -> Interface.LibraryStatus {
      state.withLock { state in
        state.looks += 1
        state.seen = state.problems
        return Interface.LibraryStatus(
          version: "9", pid: 1, started: "", sequence: 7, folders: [], store: .ready,
          storeReason: nil, storePath: "/store", crates: 1, albums: 2, songs: 3, gone: 4,
          problems: 0, warnings: state.warnings)
      }
    }

    func trace() -> [Interface.TraceEntry] { [] }

    func listProblems() -> [Interface.Problem] { state.withLock { $0.seen } }

    var progress: (scanned: Int?, toScan: Int?) { (nil, nil) }

    func pastChanges(before: Int, most: Int) throws(UnreadablePast) -> [Interface.Change] { [] }

    func synchronize(_ done: @escaping MergeWaiters.Completion) { done(nil) }

    func rescan(
      _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void,
      _ done: @escaping MergeWaiters.Completion
    ) -> Bool { false }

    /// Returns when so many looks more were begun, or a while has passed without.
    func wait(forLooks count: Int, most nanoseconds: Int64? = nil) -> Bool {
      let looks = state.withLock { $0.looks } + count
      let until = nanoseconds.map { Clock.system.monotonic() + $0 } ?? Patience.end
      return state.wait(until: until) { $0.looks >= looks ? () : nil } != nil
    }
  }

  @Test("are told each news once, with the problems where those are others, and cost no look later")
  func news() throws {
    let folder = try TemporaryFolder()
    let source = Source()
    // A second has always passed.
    let pool = WorkPool("status", threads: 1)
    let feed = StatusFeed(
      on: pool.lane(), source: source, clock: Clock(monotonic: { 0 }, wall: Clock.system.wall))
    let server = VarlinkServer(
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { request in feed.add(request) }
    try server.start(path: folder.path("socket"))
    func problem(_ path: String) -> Interface.Problem {
      Interface.Problem(kind: .permission, path: path, uri: nil, message: "no", since: "then")
    }
    let changes: [(inout Source.State) -> Void] = [
      { $0.warnings = ["no"] },
      { $0.problems = [problem("/a")] },
      { $0.warnings = [] },
      { ($0.warnings, $0.problems) = (["yes"], []) },
    ]
    var seen: [String] = []
    do {
      var client = try VarlinkClient(path: folder.path("socket"))
      try client.eachReply(to: .watchStatus) { reply in
        let warnings = reply["status"]?["warnings"]?.array?.compactMap(\.string) ?? []
        let paths = reply["problems"]?.array?.compactMap { $0["path"]?.string }
        seen.append("\(warnings) \(paths.map { "\($0)" } ?? "as before")")
        // What is told again comes before what is new.
        #expect(source.wait(forLooks: 3))
        if seen.count > changes.count { return false }
        source.state.withLock { changes[seen.count - 1](&$0) }
        return true
      }
    }
    #expect(
      seen == [
        "[] []", "[\"no\"] as before", "[\"no\"] [\"/a\"]", "[] as before", "[\"yes\"] []",
      ])
    let end = Patience.end
    while source.wait(forLooks: 1, most: 100_000_000), Clock.system.monotonic() < end {}
    #expect(Clock.system.monotonic() < end)
    server.stop()
    pool.stop()
  }

  private static func server(_ feed: StatusFeed, _ folder: TemporaryFolder) throws -> VarlinkServer
  {
    var limits = ServerLimits()
    (limits.queueBytes, limits.drainedBytes) = (1_000, 100)
    let server = VarlinkServer(
      limits: limits,
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { request in feed.add(request) }
    try server.start(path: folder.path("socket"))
    return server
  }

  private final class Client {
    let connection: RawClient
    init(_ folder: TemporaryFolder) throws {
      connection = try RawClient(socket: folder.path("socket"))
      let call: JSON = ["method": .string(Call.watchStatus.method.fullName), "more": true]
      connection.send(call.bytes + [0])
      // It is told of then.
      try connection.take(1)
    }
    private var taken = Array("{".utf8)
    func warnings() throws -> [String?]? {
      var count = 0
      let reply = try connection.reply(behind: taken, counting: &count)
      taken = []
      return reply?["parameters"]?["status"]?["warnings"]?.array?.map(\.string)
    }
  }

  @Test("are looked for a second after the last time, and one that doesn't read keeps none from it")
  func slow() throws {
    let folder = try TemporaryFolder()
    let source = Source()
    let pool = WorkPool("status", threads: 1)
    let feed = StatusFeed(on: pool.lane(), source: source, clock: .system)
    let server = try Self.server(feed, folder)
    // More than the kernel and the queue take.
    let long = String(repeating: "x", count: 2_000_000)
    source.state.withLock { $0.warnings = [long] }
    let begun = Clock.system.monotonic()
    let slow = try (0..<4).map { _ in try Client(folder) }
    source.state.withLock { $0.warnings = ["short"] }
    let quick = try (0..<4).map { _ in try Client(folder) }
    for client in quick { #expect(try client.warnings() == ["short"]) }
    for news in ["one", "two"] {
      source.state.withLock { $0.warnings = [news] }
      for client in quick { #expect(try client.warnings() == [news]) }
    }
    #expect(Clock.system.monotonic() - begun >= 2_000_000_000)
    // In the end they are told the newest.
    for client in slow {
      #expect(try client.warnings() == [long])
      #expect(try client.warnings() == ["two"])
    }
    server.stop()
    pool.stop()
  }
}
