import CratesInterface
import LibraryModel
import Platform
import TestSupport
import Testing
import VarlinkClient

@testable import DaemonCore

@Suite("News, as they are told", .limited)
struct AnsweredNewsTests {
  private let fixture: AnsweringFixture

  init() throws {
    fixture = try AnsweringFixture()
    for name in ["A", "B"] { try fixture.find(name, by: "X", [(name, 1)]) }
  }

  private func move(_ album: String) throws -> Int {
    let change = try fixture.change(
      .moveAlbums(albums: [album], place: Interface.Place(.up), crate: nil, sequence: nil))
    return try #require(change?.sequence)
  }

  @Test("Who watches is told where the library is, what came since a change, and what comes")
  func watch() throws {
    let start = fixture.published.library.sequence
    let below = try #require(fixture.published.library.crates.first?.albums.last?.description)
    let first = try move(below)
    var seen: [Int] = []
    var client = try fixture.connect()
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
        guard let other = fixture.published.library.crates.first?.albums.last?.description else {
          return false
        }
        do { _ = try move(other) } catch { return false }
        return true
      default: return false
      }
    }
    #expect(seen == [first, first, fixture.published.library.sequence])
    let all = try fixture.replies(.watch(since: nil), most: 1)
    #expect(all.first?["change"]?["sequence"]?.integer == fixture.published.library.sequence)
    #expect(all.first?["change"]?["summary"]?.string == "watching")
  }

  @Test("The state is told at once, then when it or the problems differ")
  func status() throws {
    guard case .status(let status) = try fixture.reply(.status) else {
      return #expect(Bool(false), "the state is told")
    }
    #expect(status.sequence == 7 && status.songs == 3)
    let problem = Interface.Problem(
      kind: .permission, path: "/a", uri: nil, message: "no", since: "then")
    var seen: [JSON] = []
    var client = try fixture.connect()
    try client.eachReply(to: .watchStatus) { reply in
      seen.append(reply)
      switch seen.count {
      case 1: fixture.source.state.withLock { $0.problems = [problem] }
      case 2: fixture.source.state.withLock { $0.warnings = ["no"] }
      default: return false
      }
      return true
    }
    #expect(seen[0]["problems"]?.array?.isEmpty == true)
    #expect(seen[1]["problems"]?.array?.count == 1)
    #expect(seen[2]["problems"]?.array == nil)
    #expect(seen[2]["status"]?["warnings"]?.array?.count == 1)
    guard case .problems(let problems) = try fixture.reply(.problems) else {
      return #expect(Bool(false), "problems are told")
    }
    #expect(problems == [problem])
  }

  @Test("Who waits for the folders is told how far a look is, and when it is over")
  func waiting() throws {
    let sequence = fixture.published.library.sequence
    #expect(
      try fixture.reply(.sync) == .progress(sequence: sequence, scanned: nil, toScan: nil))
    #expect(
      try fixture.replies(.sync).map { $0["scanned"]?.integer } == [nil, nil])
    fixture.source.state.withLock { ($0.scanned, $0.toScan) = (2, 3) }
    // Of two folders.
    let replies = try fixture.replies(.sync)
    #expect(replies.map { $0["scanned"]?.integer } == [4, nil])
    #expect(replies.map { $0["toScan"]?.integer } == [6, nil])
    #expect(replies.map { $0["sequence"]?.integer } == [sequence, sequence])
    let looks = try fixture.replies(.rescan(path: nil))
    #expect(looks.map { $0["scanned"]?.integer } == [4, 5, nil])
    #expect(looks.map { $0["toScan"]?.integer } == [6, 6, nil])
    let below = fixture.music.appending("A".utf8)
    #expect(
      try fixture.reply(.rescan(path: below.fileURI))
        == .progress(sequence: sequence, scanned: nil, toScan: nil))
    #expect(fixture.source.state.withLock { $0.rescanned } == [nil, below])
    #expect(try fixture.refusal(.rescan(path: "/else")) == .noSuchPath(path: "/else"))
    #expect(try fixture.refusal(.rescan(path: "x")) == .invalidParameter(parameter: "path"))
    fixture.source.state.withLock { $0.refusal = "full" }
    #expect(try fixture.refusal(.sync) == .changesRefused(reason: "full"))
    #expect(try fixture.refusal(.rescan(path: nil)) == .changesRefused(reason: "full"))
  }

  @Test("While the state can't be told, everything else is answered")
  func hangingStatus() throws {
    fixture.source.state.withLock { $0.hangs = true }
    defer { fixture.source.state.withLock { $0.hangs = false } }
    let asking = BlockingThread("asking") { [fixture] in
      for call in [Call.status, .problems, .watchStatus] { _ = try? fixture.replies(call, most: 1) }
    }
    let watching = BlockingThread("watching") { [fixture] in
      _ = try? fixture.replies(.watchStatus, most: 1)
    }
    #expect(fixture.source.state.wait(until: Patience.end) { $0.asked > 0 ? () : nil } != nil)
    for call in [Call.listCrates, .sync, .history(limit: nil, before: nil)] {
      for _ in 0..<20 { _ = try fixture.reply(call) }
    }
    #expect(try fixture.replies(.watch(since: nil), most: 1).count == 1)
    #expect(try fixture.find("C", by: "X", [("C", 1)]).isEmpty == false)
    fixture.source.state.withLock { $0.hangs = false }
    asking.join()
    watching.join()
  }
}
