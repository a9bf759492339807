import CratesInterface
import LibraryModel
import Platform
import TestSupport
import Testing
import VarlinkClient

@testable import DaemonCore

@Suite("News, as they are told", .limited)
struct AnsweredNewsTests {
  private let desk: AnsweringDesk

  init() throws {
    desk = try AnsweringDesk()
    for name in ["A", "B"] { try desk.find(name, by: "X", [(name, 1)]) }
  }

  private func move(_ album: String) throws -> Int {
    let change = try desk.change(
      .moveAlbums(albums: [album], place: Interface.Place(.up), crate: nil, sequence: nil))
    return try #require(change?.sequence)
  }

  @Test("Who watches is told where the library is, what came since a change, and what comes")
  func watch() throws {
    let start = desk.published.library.sequence
    let below = try #require(desk.published.library.crates.first?.albums.last?.description)
    let first = try move(below)
    var seen: [Int] = []
    var client = try desk.connect()
    try client.eachReply(to: .watch(since: start)) { reply in
      let change = reply["change"]
      seen.append(change?["sequence"]?.integer ?? -1)
      switch seen.count {
      case 1:
        #expect(change?["changed"]?.bool == false)
        return true
      case 2:
        #expect(change?["changed"]?.bool == true)
        // Told of below, while it is being watched.
        guard let other = desk.published.library.crates.first?.albums.last?.description else {
          return false
        }
        do { _ = try move(other) } catch { return false }
        return true
      default: return false
      }
    }
    #expect(seen == [first, first, desk.published.library.sequence])
    let all = try desk.replies(.watch(since: nil), most: 1)
    #expect(all.first?["change"]?["sequence"]?.integer == desk.published.library.sequence)
    #expect(all.first?["change"]?["summary"]?.string == "watching")
  }

  @Test("The state is told at once, then when it or the problems differ")
  func status() throws {
    guard case .status(let status) = try desk.reply(.status) else {
      return #expect(Bool(false), "the state is told")
    }
    #expect(status.sequence == 7 && status.songs == 3)
    let problem = Interface.Problem(
      kind: .permission, path: "/a", uri: nil, message: "no", since: "then")
    var seen: [JSON] = []
    var client = try desk.connect()
    try client.eachReply(to: .watchStatus) { reply in
      seen.append(reply)
      switch seen.count {
      case 1: desk.source.state.withLock { $0.problems = [problem] }
      case 2: desk.source.state.withLock { $0.warnings = ["no"] }
      default: return false
      }
      return true
    }
    #expect(seen[0]["problems"]?.array?.isEmpty == true)
    #expect(seen[1]["problems"]?.array?.count == 1)
    #expect(seen[2]["problems"]?.array == nil)
    #expect(seen[2]["status"]?["warnings"]?.array?.count == 1)
    guard case .problems(let problems) = try desk.reply(.problems) else {
      return #expect(Bool(false), "problems are told")
    }
    #expect(problems == [problem])
  }

  @Test("Who waits for the folders is told how far a look is, and when it is over")
  func waiting() throws {
    let sequence = desk.published.library.sequence
    #expect(
      try desk.reply(.sync) == .progress(sequence: sequence, scanned: nil, toScan: nil))
    #expect(
      try desk.replies(.sync).map { $0["scanned"]?.integer } == [nil, nil])
    desk.source.state.withLock { ($0.scanned, $0.toScan) = (2, 3) }
    // Of two folders.
    let replies = try desk.replies(.sync)
    #expect(replies.map { $0["scanned"]?.integer } == [4, nil])
    #expect(replies.map { $0["toScan"]?.integer } == [6, nil])
    #expect(replies.map { $0["sequence"]?.integer } == [sequence, sequence])
    let looks = try desk.replies(.rescan(path: nil))
    #expect(looks.map { $0["scanned"]?.integer } == [4, 5, nil])
    #expect(looks.map { $0["toScan"]?.integer } == [6, 6, nil])
    let below = desk.music.appending("A".utf8)
    #expect(
      try desk.reply(.rescan(path: below.fileURI))
        == .progress(sequence: sequence, scanned: nil, toScan: nil))
    #expect(desk.source.state.withLock { $0.rescanned } == [nil, below])
    #expect(try desk.refusal(.rescan(path: "/else")) == .noSuchPath(path: "/else"))
    #expect(try desk.refusal(.rescan(path: "x")) == .invalidParameter(parameter: "path"))
    desk.source.state.withLock { $0.refusal = "full" }
    #expect(try desk.refusal(.sync) == .changesRefused(reason: "full"))
    #expect(try desk.refusal(.rescan(path: nil)) == .changesRefused(reason: "full"))
  }

  @Test("While the state can't be told, everything else is answered")
  func hangingStatus() throws {
    desk.source.state.withLock { $0.hangs = true }
    defer { desk.source.state.withLock { $0.hangs = false } }
    let asking = BlockingThread("asking") { [desk] in
      for call in [Call.status, .problems, .watchStatus] { _ = try? desk.replies(call, most: 1) }
    }
    let watching = BlockingThread("watching") { [desk] in
      _ = try? desk.replies(.watchStatus, most: 1)
    }
    #expect(desk.source.state.wait(until: Patience.end) { $0.asked > 0 ? () : nil } != nil)
    for call in [Call.listCrates, .sync, .history(limit: nil, before: nil)] {
      for _ in 0..<20 { _ = try desk.reply(call) }
    }
    #expect(try desk.replies(.watch(since: nil), most: 1).count == 1)
    #expect(try desk.find("C", by: "X", [("C", 1)]).isEmpty == false)
    desk.source.state.withLock { $0.hangs = false }
    asking.join()
    watching.join()
  }
}
