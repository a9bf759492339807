import CratesInterface
import Glibc
import Platform
import Testing
import VarlinkServer

@Suite("What clients may cost")
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
    let answer = try waiting.next().answer
    let batch = String(repeating: "x", count: 256 << 10)
    let most = Monitor(0)
    var sent = 0
    while answer.hasRoom {
      answer.reply(.text(batch, sequence: sent), continues: true)
      sent += 1
      most.withLock { $0 = max($0, answer.pendingBytes) }
    }
    #expect(most.withLock { $0 } < (1 << 20) + (300 << 10))
    let drained = Happening()
    answer.whenDrained(drained.happen)
    let total = sent + 40
    let producer = BlockingThread("producer") { [sent] in
      for number in sent..<total {
        guard answer.waitForRoom() else { return }
        answer.reply(.text(batch, sequence: number), continues: number < total - 1)
        most.withLock { $0 = max($0, answer.pendingBytes) }
      }
    }
    for number in 0..<total {
      guard case .message(let message) = client.receive() else {
        Issue.record("reply \(number) is missing")
        break
      }
      #expect(message["parameters"]?["sequence"]?.integer == number)
      #expect(message["continues"]?.bool == (number < total - 1 ? true : nil))
    }
    producer.join()
    #expect(drained.wait())
    #expect(most.withLock { $0 } < (1 << 20) + (600 << 10))
  }

  @Test("a client that takes nothing of its answers is dropped in time")
  func standstill() throws {
    var limits = ServerLimits()
    limits.standstillMilliseconds = 100
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let client = try fixture.connect()
    client.send(RawClient.echo("all", flags: ["more": true]))
    let answer = try waiting.next().answer
    let gone = Happening()
    answer.onAbandon(gone.happen)
    let batch = String(repeating: "x", count: 256 << 10)
    while answer.hasRoom, !answer.isAbandoned {
      answer.reply(.text(batch, sequence: 1), continues: true)
    }
    try #require(gone.wait())
    #expect(!answer.waitForRoom())
    #expect(answer.isAbandoned)
    #expect(answer.pendingBytes == 0)
    answer.reply(.text("too late", sequence: 2))
    withExtendedLifetime(client) {}
  }

  @Test("a subscriber that hears nothing for long is kept")
  func idleSubscriber() throws {
    var limits = ServerLimits()
    limits.standstillMilliseconds = 20
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
    #expect(!answer.waitForRoom())
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
    // Other tests open descriptors at the same time: a leak of ours would be 500.
    #expect(try Self.openDescriptors() < before + 400)
  }

  private static func openDescriptors() throws -> Int {
    let listing = try #require(opendir("/proc/self/fd"))
    defer { closedir(listing) }
    var count = 0
    while readdir(listing) != nil { count += 1 }
    return count
  }
}
