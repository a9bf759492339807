import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkServer

@Suite("What one connection sends, and when", .limited)
struct ConnectionTests {
  /// Lets the server's thread go round, so that it has seen what was sent to it before.
  private func passRound(_ fixture: ServerFixture) throws {
    let other = try fixture.connect()
    for _ in 0..<3 {
      other.send(["method": "org.varlink.service.GetInfo"])
      #expect(other.receive().error == nil)
    }
  }

  /// Lets pass the time in which a message has to end: another connection is dropped for it.
  private func passMessageTime(_ fixture: ServerFixture) throws {
    let slow = try fixture.connect()
    slow.send([UInt8(ascii: "{")])
    #expect(slow.receive() == .end)
  }

  @Test("who sends nothing is kept, before the first call and after it")
  func idle() throws {
    var limits = ServerLimits()
    limits.messageMilliseconds = 20
    let fixture = try ServerFixture(limits: limits)
    let (silent, client) = (try fixture.connect(), try fixture.connect())
    client.sendEcho("before")
    #expect(client.receive().text == "before")
    for text in ["one", "two"] {
      try passMessageTime(fixture)
      client.sendEcho(text)
      #expect(client.receive().text == text)
    }
    silent.sendEcho("at last")
    #expect(silent.receive().text == "at last")
  }

  @Test("a call that waits for the one before it does so for as long as that takes")
  func waitsBehind() throws {
    var limits = ServerLimits()
    limits.messageMilliseconds = 20
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let client = try fixture.connect()
    for text in ["one", "two"] { client.sendEcho(text) }
    let first = try waiting.next()
    try passMessageTime(fixture)
    ServerFixture.echo(first)
    #expect(client.receive().text == "one")
    ServerFixture.echo(try waiting.next())
    #expect(client.receive().text == "two")
  }

  @Test("a message that came in parts, but in time, is forgotten; the next one has time of its own")
  func parts() throws {
    let message = RawClient.echo("in parts").message
    // On a machine too slow for the first, the next time is long enough.
    for milliseconds in [50, 500, 5_000, 50_000] as [Int64] {
      var limits = ServerLimits()
      limits.messageMilliseconds = milliseconds
      let fixture = try ServerFixture(limits: limits)
      let client = try fixture.connect()
      client.send(Array(message[..<9]))
      try passRound(fixture)
      client.send(Array(message[9...]))
      guard client.receive().text == "in parts" else { continue }
      try passMessageTime(fixture)
      client.sendEcho("still here")
      #expect(client.receive().text == "still here")
      client.send(Array(message[..<9]))
      #expect(client.receive() == .end)
      return
    }
    Issue.record("no message came in time")
  }

  @Test("what follows a message that is no call is not carried out")
  func afterNonsense() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    for _ in 0..<10 {
      let client = try fixture.connect()
      let oneway = RawClient.echo("too late", flags: ["oneway": true]).message
      client.send([UInt8(ascii: "{"), 0] + oneway)
      #expect(client.receive() == .end)
    }
    try passRound(fixture)
    #expect(waiting.isEmpty)
  }

  @Test("who is turned away is told once, and nothing is carried out")
  func turnedAway() throws {
    var limits = ServerLimits()
    limits.clients = 1
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let first = try fixture.connect()
    first.send(["method": "org.varlink.service.GetInfo"])
    #expect(first.receive().error == nil)
    for _ in 0..<10 {
      let client = try fixture.connect()
      let calls = [RawClient.echo("one"), RawClient.echo("two", flags: ["oneway": true])]
      client.send(calls.flatMap(\.message))
      #expect(client.receive().error == "org.crated.Crates.TooManyClients")
      #expect(client.receive() == .end)
    }
    #expect(waiting.isEmpty)
    first.sendEcho("still here")
    #expect(try waiting.next().call == .readText(crate: "still here"))
  }

  @Test("a message may be as long as the limit says before its end has come, and no longer")
  func longest() throws {
    let message = RawClient.echo("as long as may be").message
    var limits = ServerLimits()
    limits.messageBytes = message.count - 1
    limits.messageMilliseconds = 600_000
    let fixture = try ServerFixture(limits: limits)
    let client = try fixture.connect()
    client.send(message.dropLast())
    try passRound(fixture)
    client.send([0])
    #expect(client.receive().text == "as long as may be")
    client.send([UInt8](repeating: UInt8(ascii: " "), count: message.count))
    #expect(client.receive() == .end)
  }

  @Test("messages of all that came in part may have so many bytes together, and no more")
  func held() throws {
    var limits = ServerLimits()
    limits.readAheadBytes = 100
    limits.allMessagesBytes = 1_000
    limits.messageMilliseconds = 600_000
    let fixture = try ServerFixture(limits: limits)
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 250)
    let message = RawClient.echo("blanks before").message
    for _ in 0..<3 {
      let client = try fixture.connect()
      for _ in 0..<4 {
        client.send(blanks)
        try passRound(fixture)
      }
      client.send([UInt8(ascii: " ")])
      #expect(client.receive() == .end)
      let taken = try fixture.connect()
      for _ in 0..<3 { taken.send(blanks) }
      try passRound(fixture)
      taken.send(message)
      #expect(taken.receive().text == "blanks before")
    }
  }

  @Test("a client that is dropped as it ends its side is dropped, and the others are served")
  func droppedAtEnd() throws {
    var limits = ServerLimits()
    limits.readAheadBytes = 100
    limits.allMessagesBytes = 300
    let fixture = try ServerFixture(limits: limits)
    func blanks(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: " "), count: count) }
    let client = try fixture.connect()
    client.send(blanks(250))
    try passRound(fixture)
    // What another sends is short, and together it is too much, which is seen at the next news.
    let other = try fixture.connect()
    other.send(blanks(90))
    try passRound(fixture)
    client.endCalls()
    #expect(client.receive() == .end)
    other.send(RawClient.echo("blanks before").message)
    #expect(other.receive().text == "blanks before")
  }

  @Test("the first byte of a message may come with the one before")
  func firstByte() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let message = RawClient.echo("next").message
    for _ in 0..<20 {
      client.send(RawClient.echo("one").message + message[..<1])
      #expect(client.receive().text == "one")
      client.send(Array(message[1...]))
      #expect(client.receive().text == "next")
    }
  }

  @Test("a single byte that waits behind an answer from elsewhere is looked at")
  func singleByte() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    client.send(RawClient.echo("one").message + [0])
    let request = try waiting.next()
    try passRound(fixture)
    ServerFixture.echo(request)
    #expect(client.receive().text == "one")
    #expect(client.receive() == .end)
  }

  @Test("what the server itself answers leaves nothing behind for the next call")
  func afterService() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    client.send(
      [
        ["method": "org.varlink.service.GetInfo"], RawClient.echo("one"), RawClient.echo("two"),
      ].flatMap(\.message))
    #expect(client.receive().error == nil)
    let first = try waiting.next()
    try passRound(fixture)
    #expect(waiting.isEmpty)
    ServerFixture.echo(first)
    #expect(client.receive().text == "one")
    ServerFixture.echo(try waiting.next())
    #expect(client.receive().text == "two")
  }

  @Test("of what follows a call that is being answered little is read")
  func readAhead() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    client.sendEcho("one")
    let request = try waiting.next()
    let part = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 10)
    var (sent, fruitless) = (0, 0)
    while sent < 16 << 20, fruitless < 10 {
      let count = send(client.descriptor, part, part.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      sent += max(count, 0)
      fruitless = count > 0 ? 0 : fruitless + 1
      if count <= 0 { try passRound(fixture) }
    }
    // What the kernel holds comes on top.
    #expect(sent < 4 << 20)
    ServerFixture.echo(request)
    #expect(client.receive().text == "one")
  }

  @Test("the calls of all clients begin on one thread")
  func oneThread() throws {
    let threads = Monitor<Set<UInt>>([])
    let fixture = try ServerFixture { request in
      threads.withLock { _ = $0.insert(UInt(pthread_self())) }
      ServerFixture.echo(request)
    }
    for _ in 0..<8 {
      let client = try fixture.connect()
      client.sendEcho("where?")
      #expect(client.receive().text == "where?")
    }
    #expect(threads.withLock { $0.count } == 1)
  }

  @Test("nothing is sent after the last reply")
  func afterLast() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    for flags in [["more": true], ["oneway": true, "more": true]] as [JSON.Object] {
      client.send(RawClient.echo("one", flags: flags))
      let answer = try waiting.next().answer
      answer.reply(.text("first", sequence: 1), continues: true)
      answer.reply(.text("last", sequence: 1))
      answer.reply(.text("late", sequence: 1), continues: true)
      answer.reply(.text("late", sequence: 1))
      answer.fail(.nothingToUndo())
    }
    #expect(client.receive().text == "first")
    #expect(client.receive().text == "last")
    client.sendEcho("two")
    ServerFixture.echo(try waiting.next())
    #expect(client.receive().text == "two")
  }
}
