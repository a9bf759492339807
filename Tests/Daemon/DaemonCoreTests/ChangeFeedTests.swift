import CratesInterface
import Platform
import ProgramSupport
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

@testable import DaemonCore

@Suite("Subscribers of changes", .limited)
struct ChangeFeedTests {
  private func change(_ sequence: Int, bytes: Int = 0) -> Interface.Change {
    Interface.Change(
      changed: true, sequence: sequence, time: "", author: .folder,
      summary: String(repeating: "x", count: bytes))
  }

  private func server(
    of feed: ChangeFeed, _ folder: TemporaryFolder, queueBytes: Int = 1_000,
    allQueuesBytes: Int = 24 << 20
  ) throws -> VarlinkServer {
    var limits = ServerLimits()
    (limits.queueBytes, limits.drainedBytes) = (queueBytes, 100)
    limits.allQueuesBytes = allQueuesBytes
    let server = VarlinkServer(
      limits: limits,
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { request in
      guard case .watch(let since) = request.call else { return }
      feed.subscribe(request.answer, since: since)
    }
    try server.start(path: folder.path("socket"))
    return server
  }

  @Test("One that does not read is told once that it missed some, and then what comes")
  func behind() throws {
    let folder = try TemporaryFolder()
    let feed = ChangeFeed(sequence: 0) { "now" }
    let told = Monitor(0)
    feed.onChange { told.withLock { $0 += 1 } }
    let server = try server(of: feed, folder)
    var client = try VarlinkClient(path: folder.path("socket"))
    var seen: [(sequence: Int, isComplete: Bool)] = []
    try client.eachReply(to: .watch(since: nil)) { reply in
      let change = reply["change"]
      seen.append((change?["sequence"]?.integer ?? -1, change?["complete"]?.bool ?? true))
      if seen.count == 1 {
        // More than the kernel and the queue take.
        for sequence in 1...100 { feed.tell([self.change(sequence, bytes: 50_000)]) }
      } else if seen.last?.isComplete == false {
        feed.tell([self.change(101), self.change(102)])
      }
      return seen.last?.sequence != 102
    }
    server.stop()
    #expect(told.withLock { $0 } == 101)
    let sequences = seen.map(\.sequence)
    #expect(sequences.first == 0 && Array(sequences.suffix(3)) == [100, 101, 102])
    #expect(seen.filter { !$0.isComplete }.map(\.sequence) == [100])
    // Those before it, none left out between them.
    #expect(Array(sequences.dropLast(3)) == Array(0..<sequences.count - 3))
    #expect(sequences.count < 90)
  }

  @Test("One that begins with a change hears what came since, or that it can't")
  func since() throws {
    let folder = try TemporaryFolder()
    let feed = ChangeFeed(sequence: 7) { "now" }
    let server = try server(of: feed, folder)
    func told(since: Int?, _ count: Int) throws -> [String] {
      var client = try VarlinkClient(path: folder.path("socket"))
      var seen: [String] = []
      try client.eachReply(to: .watch(since: since)) { reply in
        let change = reply["change"]
        let number = change?["sequence"]?.integer ?? -1
        let isComplete = change?["complete"]?.bool ?? true
        seen.append((change?["changed"]?.bool == true ? "" : "at ") + "\(number)")
        if !isComplete { seen.append("missed") }
        if seen.count == count { feed.tell([self.change(number + 1)]) }
        return seen.count <= count
      }
      return seen
    }
    // One more is told when that many were heard.
    #expect(try told(since: 7, 1) == ["at 7", "8"])
    #expect(try told(since: nil, 1) == ["at 8", "9"])
    #expect(try told(since: 7, 3) == ["at 9", "8", "9", "10"])
    #expect(try told(since: 9, 2) == ["at 10", "10", "11"])
    #expect(try told(since: 6, 3) == ["at 11", "11", "missed", "12"])
    #expect(try told(since: 12, 1) == ["at 12", "13"])
    #expect(try told(since: 50, 1) == ["at 13", "14"])
    server.stop()
  }

  private final class Client {
    private let connection: RawClient
    init(_ folder: TemporaryFolder, since: Int? = nil) throws {
      connection = try RawClient(socket: folder.path("socket"))
      let call: JSON = [
        "method": .string(Call.watch(since: nil).method.fullName),
        "parameters": since.map { ["since": .integer(Int64($0))] } ?? [:], "more": true,
      ]
      connection.send(call.bytes + [0])
    }
    func next() throws -> Int? {
      try connection.reply()?["parameters"]?["change"]?["sequence"]?.integer
    }
  }

  @Test("One that falls behind keeps no other from what comes")
  func several() throws {
    let folder = try TemporaryFolder()
    let feed = ChangeFeed(sequence: 0) { "now" }
    let server = try server(of: feed, folder)
    func begin() throws -> [Client] {
      try (0..<4).map { _ in
        let client = try Client(folder)
        _ = try client.next()
        return client
      }
    }
    let slow = try begin()
    // More than the kernel and the queue take.
    feed.tell([change(1, bytes: 2_000_000)])
    let quick = try begin()
    for sequence in 2...3 { feed.tell([change(sequence)]) }
    for client in quick { #expect(try [client.next(), client.next()] == [2, 3]) }
    for client in slow { #expect(try client.next() == 1) }
    server.stop()
  }

  @Test("Of many that read nothing of a long past some go, and one that reads gets all")
  func unread() throws {
    let folder = try TemporaryFolder()
    let feed = ChangeFeed(sequence: 0) { "now" }
    feed.tell((1...1_000).map { change($0, bytes: 2_000) })
    let server = try server(of: feed, folder, queueBytes: 4 << 20, allQueuesBytes: 4 << 20)
    // Each has 2 MB to read, which is more than the kernel takes.
    let silent = try (0..<12).map { _ in try Client(folder, since: 0) }
    let reader = try Client(folder, since: 0)
    // What it begins with is no change.
    #expect(try reader.next() == 1_000)
    for sequence in 1...1_000 { try #require(try reader.next() == sequence) }
    withExtendedLifetime(silent) {}
    server.stop()
  }

  @Test("Those that begin while changes come miss none, and hear each in its turn")
  func beginning() throws {
    let folder = try TemporaryFolder()
    let feed = ChangeFeed(sequence: 0) { "now" }
    let server = try server(of: feed, folder, queueBytes: 4 << 20)
    let last = 5_000
    let telling = BlockingThread("telling") {
      for sequence in 1...last { feed.tell([self.change(sequence)]) }
    }
    var heard = 0
    for _ in 0..<20 {
      let client = try Client(folder, since: 0)
      let start = try #require(try client.next())
      heard += start
      // What it begins with is no change. The past comes first.
      for sequence in 1...min(start + 100, last) {
        try #require(try client.next() == sequence, "began at \(start)")
      }
    }
    telling.join()
    server.stop()
    #expect(heard > 0)
  }
}
