import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Platform
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

    func listProblems() -> [Interface.Problem] { state.withLock { $0.seen } }

    func pastTransactions(before: Int, most: Int) throws(UnreadablePast) -> [Transaction] { [] }

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
    let feed = StatusFeed(
      source: source, clock: Clock(monotonic: { 0 }, wall: Clock.system.wall))
    let server = VarlinkServer(
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { request in feed.subscribe(request.answer) }
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
    feed.stop()
  }
}
