import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkServer

@Suite("Messages between a client and the server", .limited)
struct MessageTests {
  @Test("the service says who it is and describes its interfaces")
  func service() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    client.send(["method": "org.varlink.service.GetInfo", "parameters": nil])
    client.send([
      "method": "org.varlink.service.GetInterfaceDescription",
      "parameters": ["interface": "org.crated.Crates"],
    ])
    client.send([
      "method": "org.varlink.service.GetInterfaceDescription",
      "parameters": ["interface": "org.example.Other"],
    ])
    let identity: JSON = [
      "vendor": "Crated", "product": "crated", "version": "0.0", "url": "https://crated.example",
      "interfaces": ["org.varlink.service", "org.crated.Crates"],
    ]
    #expect(client.receive() == .message(["parameters": identity]))
    #expect(
      client.receive()
        == .message(["parameters": ["description": .string(Interface.description)]]))
    #expect(client.receive().error == "org.varlink.service.InterfaceNotFound")
  }

  @Test("messages are found however the bytes are cut", arguments: 0..<20)
  func splits(seed: Int) throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    var random = SeededGenerator(seed: UInt64(seed))
    let texts = (0..<30).map { "\($0) é \(String(repeating: "x", count: Int(random.next() % 90)))" }
    var bytes = texts.flatMap { RawClient.echo($0).message }
    while !bytes.isEmpty {
      let count = seed == 0 ? 1 : min(bytes.count, Int(random.next() % 200) + 1)
      #expect(client.send(Array(bytes.prefix(count))))
      bytes.removeFirst(count)
    }
    #expect(texts.map { _ in client.receive().text } == texts)
  }

  @Test("ten thousand pipelined calls are answered in order")
  func pipelined() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let bytes = (0..<10_000).flatMap { RawClient.echo("\($0)").message }
    let sender = BlockingThread("sender") { client.send(bytes) }
    var replies: [String?] = []
    for _ in 0..<10_000 { replies.append(client.receive().text) }
    sender.join()
    #expect(replies == (0..<10_000).map { "\($0)" })
  }

  @Test("a call waits until the one before it is answered")
  func oneAtATime() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    let calls = [RawClient.echo("first", flags: ["more": true]), RawClient.echo("second")]
    client.send(calls.flatMap(\.message))
    let first = try waiting.next()
    #expect(first.call == .readText(crate: "first"))
    #expect(first.more)
    first.answer.reply(.text("1", sequence: 1), continues: true)
    first.answer.reply(.text("2", sequence: 1), continues: true)
    #expect(client.receive() == .message(Self.reply("1", continues: true)))
    #expect(client.receive() == .message(Self.reply("2", continues: true)))
    #expect(waiting.isEmpty)
    first.answer.reply(.text("3", sequence: 1))
    #expect(client.receive() == .message(Self.reply("3", continues: false)))
    let second = try waiting.next()
    #expect(second.call == .readText(crate: "second"))
    #expect(!second.more)
    second.answer.fail(.nothingToUndo())
    #expect(client.receive().error == "org.crated.Crates.NothingToUndo")
  }

  private static func reply(_ text: String, continues: Bool) -> JSON {
    var message: JSON.Object = ["parameters": ["text": .string(text), "sequence": 1]]
    if continues { message["continues"] = true }
    return .object(message)
  }

  @Test("a oneway call is answered by nothing, right or wrong")
  func oneway() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    client.send(RawClient.echo("nobody hears", flags: ["oneway": true]))
    client.send(["method": "org.crated.Crates.NoSuch", "oneway": true])
    client.send(["method": "org.varlink.service.GetInfo", "oneway": true])
    client.sendEcho("heard")
    #expect(client.receive().text == "heard")
  }

  @Test("oneway calls of a client that goes at once are carried out")
  func onewayAndGone() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: { request in
      waiting.take(request)
      request.answer.reply([:])
    })
    do {
      let client = try fixture.connect()
      client.send((0..<3).flatMap { RawClient.echo("\($0)", flags: ["oneway": true]).message })
    }
    for number in 0..<3 {
      #expect(try waiting.next().call == .readText(crate: "\(number)"))
    }
  }

  @Test("long oneway calls of a client that goes are carried out, and so is what is behind them")
  func longOnewayAndGone() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: { request in
      waiting.take(request)
      request.answer.reply([:])
    })
    let long = String(repeating: "x", count: 500_000)
    for _ in 0..<10 {
      do {
        let client = try fixture.connect()
        let texts = ["1", long, "2", long, "3"]
        client.send(texts.flatMap { RawClient.echo($0, flags: ["oneway": true]).message })
      }
      for text in ["1", long, "2", long, "3"] {
        #expect(try waiting.next().call == .readText(crate: text))
      }
    }
  }

  @Test("a oneway call behind one that is not answered yet is carried out when its client goes")
  func onewayBehind() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    var client: RawClient? = try fixture.connect()
    let calls = [RawClient.echo("first"), RawClient.echo("second", flags: ["oneway": true])]
    client?.send(calls.flatMap(\.message))
    let first = try waiting.next()
    #expect(waiting.isEmpty)
    client = nil
    let second = try waiting.next()
    #expect(second.call == .readText(crate: "second"))
    #expect(second.oneway && !second.more)
    first.answer.reply([:])
  }

  @Test(
    "a call that cannot be is refused with the error that says why",
    arguments: [
      (["method": "org.crated.Crates.Fly"], "org.varlink.service.MethodNotFound"),
      (["method": "org.example.Other.Do"], "org.varlink.service.InterfaceNotFound"),
      (["method": "Status"], "org.varlink.service.MethodNotFound"),
      (["method": "org.varlink.service.Fly"], "org.varlink.service.MethodNotFound"),
      (["method": "org.crated.Crates.Watch"], "org.varlink.service.ExpectedMore"),
      (
        ["method": "org.crated.Crates.Search", "parameters": ["query": 1]],
        "org.varlink.service.InvalidParameter"
      ),
      (
        ["method": "org.crated.Crates.Status", "parameters": ["x": 1]],
        "org.varlink.service.InvalidParameter"
      ),
      (
        ["method": "org.crated.Crates.Status", "upgrade": true],
        "org.varlink.service.MethodNotImplemented"
      ),
    ] as [(JSON, String)])
  func refusals(message: JSON, error: String) throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    client.send(message)
    #expect(client.receive().error == error)
    client.sendEcho("still served")
    #expect(client.receive().text == "still served")
  }

  @Test(
    "what is no Varlink call ends the connection",
    arguments: [
      "", "{", "[]", "null", "{}", "{\"method\":1}", "{\"method\":\"a.B\",\"more\":1}",
      "{\"method\":\"a.B\",\"method\":\"a.B\"}", "{\"method\":\"\\ud800\"}", "\u{1}",
      "{\"method\":\"a.B\",\"parameters\":{\"a\":1e999}}",
      String(repeating: "[", count: 100_000),
    ])
  func malformed(text: String) throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    client.sendEcho("before")
    client.send(Array(text.utf8) + [0])
    #expect(client.receive().text == "before")
    #expect(client.receive() == .end)
  }

  @Test("mutated calls never stop the server", arguments: 0..<8)
  func mutations(seed: Int) throws {
    let fixture = try ServerFixture()
    var random = SeededGenerator(seed: UInt64(seed))
    let original = RawClient.echo("Jazz \u{e9}", flags: ["more": true]).message
    for _ in 0..<60 {
      let client = try fixture.connect()
      var bytes = original + original
      for _ in 0...(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256)
      }
      client.send(bytes)
      client.endCalls()
      var replies = 0
      while case .message = client.receive() { replies += 1 }
      #expect(replies <= 6)
    }
    let client = try fixture.connect()
    client.sendEcho("alive")
    #expect(client.receive().text == "alive")
  }

  @Test("a client that has said all it wants still gets its answers")
  func halfClose() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(answering: waiting.take)
    let client = try fixture.connect()
    client.sendEcho("one")
    client.sendEcho("two")
    client.endCalls()
    for text in ["one", "two"] {
      let request = try waiting.next()
      request.answer.reply(.text(text, sequence: 1))
    }
    #expect(client.receive().text == "one")
    #expect(client.receive().text == "two")
    #expect(client.receive() == .end)
  }

  @Test("an answer that is let go of closes the connection")
  func unanswered() throws {
    let fixture = try ServerFixture(answering: { _ in })
    let client = try fixture.connect()
    client.sendEcho("anyone?")
    #expect(client.receive() == .end)
  }
}
