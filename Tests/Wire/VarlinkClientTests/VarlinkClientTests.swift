import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkClient

/// What our own client does with a server that isn't as it should be.
@Suite("The client", .limited)
struct VarlinkClientTests {
  private let call = Call.readText(crate: nil)

  /// Answers the first message with this.
  private func server(_ answer: String) throws -> ScriptedServer {
    try ScriptedServer { client in
      _ = ScriptedServer.message(client)
      ScriptedServer.say(answer, client)
    }
  }

  private func failure(_ body: () throws -> Void) throws -> String {
    "\(try #require(#expect(throws: ClientError.self, performing: body)))"
  }

  @Test("A call goes as Varlink wants it, and its reply is read from whatever pieces it comes in")
  func calls() throws {
    let told = Monitor<[String]>([])
    let server = try ScriptedServer { client in
      for answer in [
        #"{"parameters":{"text":"é","sequence":7}}"#,
        #"{"continues":true,"parameters":{"text":"1"}}"#,
        #"{}"#,
      ] {
        let message = ScriptedServer.message(client)
        told.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
        for byte in Array(answer.utf8) + [0] { ScriptedServer.say([byte], client) }
        if answer.contains("continues") {
          ScriptedServer.say("{\"parameters\":{\"text\":\"2\"}}\u{0}", client)
        }
      }
      told.withLock { $0.append(String(decoding: ScriptedServer.message(client), as: UTF8.self)) }
      told.withLock { $0.append("\(ScriptedServer.message(client).count)") }
    }
    var client = try VarlinkClient(path: server.path)
    guard case .text(let text, let sequence) = try client.reply(to: call) else {
      Issue.record("no text")
      return
    }
    #expect(text == "é" && sequence == 7)
    var texts: [String?] = []
    try client.eachReply(to: call) { reply in
      texts.append(reply["text"]?.string)
      return true
    }
    #expect(texts == ["1", "2"])
    #expect(try client.parameters(toMethod: "org.example.Do", ["x": 1]) == [:])
    try client.callOneway(.sync)
    client.endCalls()
    let heard = try #require(told.wait(until: Patience.end) { $0.count == 5 ? $0 : nil })
    let messages = try heard.dropLast().map { try JSON(parsing: Array($0.utf8)) }
    #expect(messages[0]["method"]?.string == "org.crated.Crates.ReadText")
    #expect(messages[0]["more"] == nil && messages[0]["oneway"] == nil)
    #expect(messages[1]["more"]?.bool == true)
    #expect(
      messages[2]["method"]?.string == "org.example.Do" && messages[2]["parameters"]?["x"] == 1)
    #expect(messages[3]["oneway"]?.bool == true && messages[3]["more"] == nil)
    // No further call follows.
    #expect(heard[4] == "0")
  }

  @Test("Replies are taken as long as they are wanted")
  func enough() throws {
    let server = try server(
      (1...3).map { "{\"continues\":true,\"parameters\":{\"number\":\($0)}}\u{0}" }.joined())
    var client = try VarlinkClient(path: server.path)
    var numbers: [Int?] = []
    try client.eachReply(to: call) { reply in
      numbers.append(reply["number"]?.integer)
      return numbers.count < 2
    }
    #expect(numbers == [1, 2])
    let third = try client.receive()
    #expect(third.parameters["number"]?.integer == 3 && third.continues)
  }

  @Test(
    "What is no answer is told as what it is",
    arguments: [
      (
        "{\"error\":\"org.crated.Crates.NoSuchCrate\",\"parameters\":{\"name\":\"x\"}}\u{0}",
        "there is no crate called “x”; crate list shows the crates"
      ),
      ("[1]\u{0}", "the daemon's answer cannot be read: not an object"),
      (
        "{\"parameters\":{\"text\":1}}\u{0}",
        "the daemon's answer cannot be read: the field text is missing or of another type"
      ),
      ("", "crated closed the connection before its answer was complete"),
      ("{\"parameters\":{}", "crated closed the connection before its answer was complete"),
    ])
  func refused(answer: String, message: String) throws {
    let server = try server(answer)
    var client = try VarlinkClient(path: server.path)
    #expect(try failure { _ = try client.reply(to: call) } == message)
  }

  @Test("What is no JSON is told, with where it ceases to be")
  func nonsense() throws {
    let server = try server("{nonsense}\u{0}")
    var client = try VarlinkClient(path: server.path)
    #expect(
      try failure { _ = try client.reply(to: call) }.hasPrefix("the daemon's answer cannot be"))
  }

  @Test(
    "An answer that never ends is given up, and does not fill the memory",
    arguments: [
      (0, "crated closed the connection before its answer was complete"),
      (1, "the daemon's answer cannot be read: too long"),
    ])
  func endless(over: Int, message: String) throws {
    let server = try ScriptedServer { client in
      _ = ScriptedServer.message(client)
      let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
      for _ in 0..<64 { ScriptedServer.say(spaces, client) }
      ScriptedServer.say([UInt8](repeating: 0x20, count: over), client)
    }
    var client = try VarlinkClient(path: server.path)
    #expect(try failure { _ = try client.reply(to: call) } == message)
  }

  @Test("A server that closes before it has read what it was asked has closed, however often asked")
  func unread() throws {
    let server = try ScriptedServer { client in _ = isReady(client, for: POLLIN, within: -1) }
    var client = try VarlinkClient(path: server.path)
    try client.begin(call)
    for _ in 1...2 {
      #expect(
        try failure { _ = try client.receive() }
          == "crated closed the connection before its answer was complete")
    }
  }

  @Test("A long answer is read whole, and what follows it")
  func long() throws {
    let text = String(repeating: "x", count: 3 << 20)
    let server = try server(
      "{\"parameters\":{\"text\":\"\(text)\"}}\u{0}{\"parameters\":{\"text\":\"y\"}}\u{0}")
    var client = try VarlinkClient(path: server.path)
    try client.begin(call)
    #expect(try client.receive().parameters["text"]?.string == text)
    #expect(try client.receive().parameters["text"]?.string == "y")
    #expect(throws: ClientError.self) { try client.receive() }
  }

  @Test("A call that the server would not take is not sent")
  func tooLong() throws {
    let server = try ScriptedServer { client in
      // Whoever takes its time is sent to nevertheless. Nothing comes out of band.
      _ = isReady(client, for: POLLPRI, within: 20)
      let bytes = ScriptedServer.message(client).count
      ScriptedServer.say("{\"parameters\":{\"bytes\":\(bytes)}}\u{0}", client)
    }
    var client = try VarlinkClient(path: server.path)
    let frame = JSON.object(["method": "m", "parameters": ["x": ""]]).bytes.count
    let most = Interface.messageBytesMost
    let long = String(repeating: "x", count: most - frame + 1)
    #expect(
      try failure { _ = try client.parameters(toMethod: "m", ["x": .string(long)]) }
        == "the call would be longer than \(most >> 20) MiB")
    let longest = JSON.string(String(long.dropLast()))
    #expect(try client.parameters(toMethod: "m", ["x": longest])["bytes"]?.integer == most)
  }

  @Test("Nobody, a stranger's path and one that is too long are told apart")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none")
    #expect(try failure { _ = try VarlinkClient(path: path) } == "nobody listens at \(path)")
    try folder.write("", to: "file")
    #expect(
      try failure { _ = try VarlinkClient(path: folder.path("file")) }
        == "nobody listens at \(folder.path("file"))")
    #expect(
      try failure { _ = try VarlinkClient(path: folder.path("file/x")) }.contains("connect"))
    for long in ["/" + String(repeating: "x", count: 107), "/a\u{0}b"] {
      #expect(
        try failure { _ = try VarlinkClient(path: long) }
          == "the path of the socket is too long: \(long)")
    }
    #expect(
      try failure { _ = try VarlinkClient(path: "/" + String(repeating: "x", count: 106)) }
        .hasPrefix("nobody listens"))
  }

  @Test("Where no connection more can wait it says so, in time")
  func crowded() throws {
    let server = try ScriptedServer(backlog: 0)
    let first = try VarlinkClient(path: server.path)
    let began = Clock.system.monotonic()
    #expect(
      try failure { _ = try VarlinkClient(path: server.path, connectMilliseconds: 1_020) }
        == "too many connections wait for crated")
    // As long as that, and not for ever; nor in no time.
    let took = Clock.system.monotonic() - began
    #expect(took >= 1_000_000_000)
    _ = consume first
  }

  @Test("Whoever waits for the beginning of an answer is told once, and gets the answer")
  func late() throws {
    let (told, goesOn) = (Monitor(0), Monitor(0))
    let server = try ScriptedServer { client in
      for number in 1...2 {
        _ = ScriptedServer.message(client)
        goesOn.wait { $0 >= number ? () : nil }
        ScriptedServer.say("{\"continues\":true,\"parameters\":{}}\u{0}", client)
        goesOn.wait { $0 >= 2 ? () : nil }
        ScriptedServer.say("{\"parameters\":{}}\u{0}", client)
      }
    }
    let lateness = VarlinkClient.Lateness(milliseconds: 10) {
      told.withLock { $0 += 1 }
      goesOn.withLock { $0 = 1 }
    }
    var client = try VarlinkClient(path: server.path, lateness: lateness)
    var count = 0
    try client.eachReply(to: call) { _ in
      count += 1
      // One batch has come, so the next may take its time.
      if count == 1 { goesOn.withLock { $0 = 2 } }
      return true
    }
    #expect(count == 2 && told.withLock { $0 } == 1)
  }

  @Test("So is who asks for one answer, at once or later", arguments: [false, true])
  func lateOnce(later: Bool) throws {
    let told = Monitor(0)
    let server = try ScriptedServer { client in
      for number in 1...2 {
        _ = ScriptedServer.message(client)
        told.wait { $0 == number ? () : nil }
        let answer = "{\"parameters\":{\"text\":\"\(number)\"}}\u{0}"
        // What has begun is late no more, though now and then nothing is there.
        for byte in Array(answer.utf8) {
          ScriptedServer.say([byte], client)
          sched_yield()
        }
      }
    }
    let lateness = VarlinkClient.Lateness(milliseconds: 0) { told.withLock { $0 += 1 } }
    var client = try VarlinkClient(path: server.path, lateness: lateness)
    for number in 1...2 {
      if later { try client.begin(call) }
      let answer = later ? try client.receive().parameters : try client.parameters(to: call)
      #expect(answer["text"]?.string == "\(number)")
    }
    #expect(told.withLock { $0 } == 2)
  }

  @Test("What is there at once is late for nobody")
  func atOnce() throws {
    let patient = VarlinkClient.Lateness(milliseconds: 60_000) { Issue.record("it was not late") }
    let quick = try server("{}\u{0}")
    var other = try VarlinkClient(path: quick.path, lateness: patient)
    #expect(try other.parameters(to: call) == [:])
  }

  @Test("What a server said before it hung up is heard, though it took no call")
  func hungUp() throws {
    let isGone = Monitor(false)
    let server = try ScriptedServer { client in
      ScriptedServer.say(
        "{\"error\":\"org.crated.Crates.TooManyClients\",\"parameters\":{\"limit\":3}}\u{0}", client
      )
      shutdown(client, Int32(SHUT_RD))
      isGone.withLock { $0 = true }
    }
    var client = try VarlinkClient(path: server.path)
    isGone.wait { $0 ? () : nil }
    #expect(
      try failure { _ = try client.reply(to: call) }
        == "crated serves 3 clients already; close one, or try again later")
  }
}
