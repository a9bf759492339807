import CratesInterface
import Platform
import TestSupport
import Testing
import VarlinkServer

/// Replies are sent by the threads that make them, and by the server's where the kernel is full.
@Suite(.limited) struct SendingTests {
  @Test("an answer arrives though the server's thread is busy")
  func withoutServerThread() throws {
    let waiting = Waiting()
    let (isBusy, mayGoOn) = (Happening(), Happening())
    let fixture = try ServerFixture { request in
      if request.call == .readText(crate: "busy") {
        isBusy.happen()
        _ = mayGoOn.wait()
      }
      waiting.take(request)
    }
    let (client, other) = (try fixture.connect(), try fixture.connect())
    client.sendEcho("one")
    let answer = try waiting.next().answer
    other.sendEcho("busy")
    #expect(isBusy.wait())
    answer.reply(.text("one", sequence: 1))
    #expect(client.receive().text == "one")
    // The server's thread doesn't know yet that the first call is answered.
    client.sendEcho("two")
    mayGoOn.happen()
    for _ in 1...2 { ServerFixture.echo(try waiting.next()) }
    #expect(client.receive().text == "two")
    #expect(other.receive().text == "busy")
  }

  @Test("a reply that was made before is the last one, also for a client that asks for more")
  func prepared() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture { waiting.take($0) }
    let client = try fixture.connect()
    for flags in [[:], ["more": true]] as [JSON.Object] {
      client.send(RawClient.echo("one", flags: flags))
      let send = try waiting.next().answer.prepared(.text("one", sequence: 1))
      send()
      guard case .message(let message) = client.receive() else {
        Issue.record("nothing came")
        return
      }
      #expect(message["continues"] == nil && message["parameters"] != nil)
    }
  }

  @Test(
    "replies of all lengths, from the server's thread and others, stay in order",
    arguments: 1..<5 as Range<UInt64>)
  func mixed(seed: UInt64) throws {
    let waiting = Waiting()
    let fixture = try ServerFixture { request in
      guard case .readText(let crate?, _, _) = request.call else { return }
      if crate.hasSuffix(" here") { reply(to: request) } else { waiting.take(request) }
    }
    let client = try fixture.connect()
    var random = SeededGenerator(seed: seed)
    let calls = (0..<400).map { number in
      let long = random.next() % 20 == 0
      let length = Int(random.next() % (long ? 400_000 : 400))
      let kind = random.next() % 2 == 0 ? "here" : "elsewhere"
      return "\(number) \(length) \(kind)"
    }
    let sender = BlockingThread("sender") {
      for call in calls { client.sendEcho(call) }
      client.endCalls()
    }
    let elsewhere = calls.count { $0.hasSuffix("elsewhere") }
    let answerer = BlockingThread("answerer") {
      for _ in 0..<elsewhere {
        guard let request = try? waiting.next() else { return }
        reply(to: request)
      }
    }
    for call in calls { #expect(client.receive().text?.hasPrefix(call + "x") == true) }
    #expect(client.receive() == .end)
    sender.join()
    answerer.join()
  }
}

/// The text that was sent, and as many bytes more as it says.
private func reply(to request: Request) {
  guard case .readText(let text?, _, _) = request.call,
    let length = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
  else { return request.answer.fail(.nothingToUndo()) }
  request.answer.reply(
    .text(text + String(repeating: "x", count: length + 1), sequence: 1))
}
