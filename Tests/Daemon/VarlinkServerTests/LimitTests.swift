import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkServer

@Suite("What clients may cost", .limited)
struct LimitTests {
  @Test("the 65th client is told so, and costs the others nothing")
  func tooManyClients() throws {
    let fixture = try ServerFixture()
    let clients = try (0..<64).map { number in
      let client = try fixture.connect()
      client.sendEcho("\(number)")
      #expect(client.receive().text == "\(number)")
      return client
    }
    let refused = try fixture.connect()
    refused.sendEcho("me too")
    #expect(
      refused.receive()
        == .message(["error": "org.crated.Crates.TooManyClients", "parameters": ["limit": 64]]))
    #expect(refused.receive() == .end)
    for client in clients {
      client.sendEcho("again")
      #expect(client.receive().text == "again")
    }
  }

  @Test("one that goes makes room")
  func room() throws {
    var limits = ServerLimits()
    limits.clients = 1
    let fixture = try ServerFixture(limits: limits)
    for number in 0..<50 {
      var client = try fixture.connect()
      client.sendEcho("\(number)")
      var received = client.receive()
      // The server may see the new one before it sees that the old one went.
      for _ in 0..<1_000 where received.error != nil {
        client = try fixture.connect()
        client.sendEcho("\(number)")
        received = client.receive()
      }
      #expect(received.text == "\(number)")
    }
  }

  @Test("connections that say nothing keep nobody out")
  func silent() throws {
    var limits = ServerLimits()
    limits.clients = 2
    limits.silentConnections = 8
    let fixture = try ServerFixture(limits: limits)
    let silent = try (0..<50).map { _ in try fixture.connect() }
    let client = try fixture.connect()
    client.sendEcho("heard")
    #expect(client.receive().text == "heard")
    #expect(silent[0].receive().error == "org.crated.Crates.TooManyClients")
    #expect(silent[0].receive() == .end)
  }

  @Test("a message of the longest kind is taken, and a longer one ends the connection")
  func longMessages() throws {
    var limits = ServerLimits()
    limits.messageBytes = 1 << 20
    let fixture = try ServerFixture(limits: limits)
    let client = try fixture.connect()
    let shortest = RawClient.echo("").bytes.count
    let longest = String(repeating: "x", count: (1 << 20) - shortest)
    client.sendEcho(longest)
    #expect(client.receive().text == longest)
    client.send(RawClient.echo(longest + "x").message)
    #expect(client.receive() == .end)
    let endless = try fixture.connect()
    endless.send([UInt8](repeating: 32, count: (1 << 20) + 200_000))
    #expect(endless.receive() == .end)
  }

  @Test("what a reply of 8 MiB holds can be sent back")
  func textThere() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let shortest = RawClient.echo("").bytes.count
    let longest = String(repeating: "x", count: Interface.messageBytesMost - shortest)
    #expect(longest.utf8.count > ServerLimits().singleReplyBytes)
    client.sendEcho(longest)
    #expect(client.receive().error == "org.varlink.service.ExpectedMore")
    client.sendEcho(longest + "x")
    #expect(client.receive() == .end)
  }

  @Test("where messages take too much room together, long ones are dropped and short ones served")
  func allMessages() throws {
    var limits = ServerLimits()
    limits.allMessagesBytes = 100_000
    let fixture = try ServerFixture(limits: limits)
    let long = try fixture.connect()
    // Without the NUL that would end it.
    long.send(RawClient.echo(String(repeating: "x", count: 200_000)).bytes)
    let outcome = long.receive()
    #expect(outcome == .end)
    let short = try fixture.connect()
    let text = String(repeating: "x", count: 60_000)
    short.sendEcho(text)
    #expect(short.receive().text == text)
  }

  @Test("a message that is not finished in time ends the connection")
  func slowSender() throws {
    var limits = ServerLimits()
    limits.messageMilliseconds = 50
    let fixture = try ServerFixture(limits: limits)
    let client = try fixture.connect()
    client.sendEcho("in time")
    #expect(client.receive().text == "in time")
    client.send(Array("{\"method\":".utf8))
    #expect(client.receive() == .end)
  }

  @Test("a stream to a client that does not read stops at the queue's limit, and goes on later")
  func slowReader() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    client.send(RawClient.echo("all", flags: ["more": true]))
    let stream = Stream(try waiting.next().answer, replies: 40)
    stream.goOn()
    #expect(stream.isPaused)
    #expect(stream.mostPending < ServerLimits().drainedBytes + (300 << 10))
    for number in 0..<40 {
      guard case .message(let message) = client.receive() else {
        Issue.record("reply \(number) is missing")
        break
      }
      #expect(message["parameters"]?["sequence"]?.integer == number)
      #expect(message["continues"]?.bool == (number < 39 ? true : nil))
    }
    #expect(stream.mostPending < ServerLimits().drainedBytes + (300 << 10))
  }

  @Test("a client that takes nothing for a day gets the rest afterwards, as others do meanwhile")
  func pausingReader() throws {
    let time = Monitor<Int64>(0)
    let clock = Clock(monotonic: { time.withLock { $0 } }, wall: Clock.system.wall)
    let waiting = Waiting()
    let fixture = try ServerFixture(clock: clock, answering: waiting.take)
    let client = try fixture.connect()
    client.send(RawClient.echo("all", flags: ["more": true]))
    let stream = Stream(try waiting.next().answer, replies: 20)
    stream.goOn()
    #expect(stream.isPaused)
    let other = try fixture.connect()
    for hour in 1...24 {
      time.withLock { $0 += 3_600_000_000_000 }
      other.send(RawClient.echo("\(hour)", flags: ["more": true]))
      let otherStream = Stream(try waiting.next().answer, replies: 2)
      otherStream.goOn()
      for number in 0..<2 { #expect(other.receive().sequence == number) }
    }
    for number in 0..<20 { #expect(client.receive().sequence == number) }
  }

  @Test("a subscriber that hears nothing for long is kept")
  func idleSubscriber() throws {
    var limits = ServerLimits()
    limits.messageMilliseconds = 20
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let subscriber = try fixture.connect()
    subscriber.send(["method": "org.crated.Crates.Watch", "more": true])
    let answer = try waiting.next().answer
    answer.reply([:], continues: true)
    #expect(subscriber.receive() == .message(["parameters": [:], "continues": true]))
    // Another connection is dropped meanwhile, so time has passed for this one too.
    let slow = try fixture.connect()
    slow.send([UInt8(ascii: "{")])
    #expect(slow.receive() == .end)
    #expect(!answer.isAbandoned)
    answer.reply([:])
    #expect(subscriber.receive() == .message(["parameters": [:]]))
  }

  @Test("of queues that are too long together the one furthest behind goes")
  func allQueues() throws {
    var limits = ServerLimits()
    limits.allQueuesBytes = 3 << 20
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let batch = String(repeating: "x", count: 2 << 20)
    let clients = try (0..<4).map { _ in try fixture.connect() }
    var answers: [Answer] = []
    for client in clients {
      client.send(RawClient.echo("all", flags: ["more": true]))
      let answer = try waiting.next().answer
      answer.reply(.text(batch, sequence: 1), continues: true)
      answers.append(answer)
    }
    // The first cannot be known to have gone before the server's thread has looked.
    let gone = Happening()
    answers[0].onAbandon(gone.happen)
    #expect(gone.wait())
    clients[3].sendEcho("x")
    #expect(clients[3].receive().text == batch)
  }

  @Test("as many go as have to, the most stuck first, and no more")
  func severalQueues() throws {
    var limits = ServerLimits()
    limits.allQueuesBytes = 4 << 20
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    // Answers of 1.5, 1.5 and 2.5 MiB at least; what the kernel takes comes on top.
    let texts = [2 << 20, 2 << 20, 3 << 20].map { String(repeating: "x", count: $0) }
    let clients = try texts.map { _ in try fixture.connect() }
    var answers: [Answer] = []
    for (client, text) in zip(clients, texts) {
      client.send(RawClient.echo("all", flags: ["more": true]))
      let answer = try waiting.next().answer
      answer.reply(.text(text, sequence: 1), continues: true)
      answers.append(answer)
    }
    for answer in answers[..<2] {
      let gone = Happening()
      answer.onAbandon(gone.happen)
      #expect(gone.wait())
    }
    #expect(clients[2].receive().text == texts[2])
    #expect(!answers[2].isAbandoned)
  }

  @Test("what clients had sent of messages is forgotten with them")
  func brokenOff() throws {
    var limits = ServerLimits()
    limits.allMessagesBytes = 1 << 20
    let fixture = try ServerFixture(limits: limits)
    let unfinished = RawClient.echo(String(repeating: "x", count: 200_000)).bytes
    for _ in 0..<20 { try fixture.connect().send(unfinished) }
    let text = String(repeating: "x", count: 500_000)
    var received = RawClient.Received.end
    // The server may see the new one before it sees that the old ones went.
    for _ in 0..<1_000 where received.text == nil {
      let client = try fixture.connect()
      client.sendEcho(text)
      received = client.receive()
    }
    #expect(received.text == text)
  }

  @Test("a client that goes abandons its answer")
  func abandoned() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let gone = Happening()
    var client: RawClient? = try fixture.connect()
    client?.send(["method": "org.crated.Crates.Watch", "more": true])
    let answer = try waiting.next().answer
    #expect(!answer.isAbandoned)
    answer.onAbandon(gone.happen)
    client = nil
    #expect(gone.wait())
    #expect(answer.isAbandoned)
    #expect(answer.pendingBytes == 0)
    let late = Happening()
    answer.onAbandon(late.happen)
    answer.whenDrained(late.happen)
    #expect(late.wait())
  }

  @Test("a single reply over the limit becomes ExpectedMore")
  func longReply() throws {
    var limits = ServerLimits()
    limits.singleReplyBytes = 1000
    let fixture = try ServerFixture(limits: limits)
    let client = try fixture.connect()
    client.sendEcho(String(repeating: "x", count: 2000))
    #expect(client.receive().error == "org.varlink.service.ExpectedMore")
    client.send(RawClient.echo(String(repeating: "x", count: 2000), flags: ["more": true]))
    #expect(client.receive().text?.count == 2000)
  }

  @Test("a call without more that gets a reply that continues is told to ask for more")
  func streamWithoutMore() throws {
    let fixture = try ServerFixture(answering: { request in
      request.answer.reply([:], continues: true)
      request.answer.reply([:])
    })
    let client = try fixture.connect()
    client.sendEcho("all")
    #expect(client.receive().error == "org.varlink.service.ExpectedMore")
    client.send(["method": "org.varlink.service.GetInfo"])
    #expect(client.receive().error == nil)
  }

  @Test("another user is refused")
  func otherUser() throws {
    let fixture = try ServerFixture(user: geteuid() + 1)
    let client = try fixture.connect()
    client.sendEcho("hello?")
    #expect(client.receive() == .end)
  }

  @Test("clients that are killed with calls in flight leave nothing behind")
  func killed() throws {
    let fixture = try ServerFixture()
    let before = try Self.openDescriptors()
    let bytes = (0..<100).flatMap { RawClient.echo("\($0)").message }
    for _ in 0..<500 { try fixture.connect().send(bytes) }
    let client = try fixture.connect()
    client.sendEcho("alive")
    #expect(client.receive().text == "alive")
    // Other tests open descriptors at the same time: a leak of ours would be 500, and stay.
    #expect(try happensInTime { try Self.openDescriptors() < before + 400 })
  }

  private static func openDescriptors() throws -> Int {
    let listing = try #require(opendir("/proc/self/fd"))
    defer { closedir(listing) }
    var count = 0
    while readdir(listing) != nil { count += 1 }
    return count
  }
}

/// A long answer that goes on whenever its client has room.
private final class Stream: Sendable {
  private static let text = String(repeating: "x", count: 256 << 10)
  private let answer: Answer
  private let replies: Int
  private let state = Monitor((sent: 0, mostPending: 0))

  init(_ answer: Answer, replies: Int) {
    self.answer = answer
    self.replies = replies
  }

  var mostPending: Int { state.withLock(\.mostPending) }
  var isPaused: Bool { state.withLock(\.sent) < replies && !answer.isDrained }

  func goOn() {
    while true {
      let number = state.withLock { state in
        state.sent += 1
        return state.sent - 1
      }
      let isLast = number == replies - 1
      answer.reply(.text(Self.text, sequence: number), continues: !isLast)
      let pending = answer.pendingBytes
      state.withLock { $0.mostPending = max($0.mostPending, pending) }
      if isLast { return }
      if !answer.isDrained { return answer.whenDrained { self.goOn() } }
    }
  }
}
