import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

@Suite("Clients that don't behave", .serialized, .limited)
struct ClientTests {
  let home: Home
  let daemon: RunningDaemon

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.mp3, .flac]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    try daemon.sync()
  }

  @Test("What is no call ends its connection, and disturbs nobody")
  func garbage() throws {
    let changes = try ChangeStream(home)
    let good = try RawClient(home)
    var dice = SeededGenerator(usually: 31)
    let noise = (0..<(256 << 10)).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    let messages: [[UInt8]] = [
      noise, [0], [0, 0, 0], Array("{}\0".utf8), Array("[]\0".utf8), Array("null\0".utf8),
      Array("{\"method\":3}\0".utf8), Array("{\"method\":\"\"}\0".utf8),
      Array("{\"method\":\"a.b\"}trailing\0".utf8), Array("{\"method\":\"\u{FFFD}\"\0".utf8),
      [UInt8](repeating: UInt8(ascii: "["), count: 500_000) + [0],
      Array("{\"method\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 3 << 20)
        + Array("\"}\0".utf8),
      Array("{\"method\":\"org.crated.Crates.Status\",\"parameters\":[1]}\0".utf8),
    ]
    for (index, message) in messages.enumerated() {
      let bad = try RawClient(home)
      bad.send(message)
      // An error or the end, never a result.
      if let reply = try bad.reply() {
        #expect(reply["error"]?.string != nil, "\(index): \(reply.text), \(dice)")
      }
      good.call("org.crated.Crates.Status")
      #expect(try good.reply()?["parameters"]?["status"]?["songs"]?.integer == 6)
    }
    // One that stops in the middle of a message, and one that reads nothing.
    let half = try RawClient(home)
    half.send(Array("{\"method\":\"org.crated.Cra".utf8))
    let deaf = try RawClient(home)
    for _ in 1...100 { deaf.call("org.crated.Crates.ListSongs") }
    // A change is told while they are there.
    try home.crate("move", "Music", "2", "top")
    #expect(try changes.next()?.author == .person)
    try daemon.stop()
    #expect(try changes.end() == 69)
    #expect(try half.reply() == nil)
  }

  @Test("Of 70 clients 64 are served and go on, and the others are told why not")
  func many() throws {
    // A client counts from its first call on.
    var clients: [Box] = []
    for number in 1...70 {
      let client = Box(try RawClient(home))
      client.value.call("org.crated.Crates.Status")
      let reply = try client.value.reply()
      if number <= 64 {
        #expect(reply?["parameters"]?["status"]?["songs"]?.integer == 6, "\(number)")
      } else {
        #expect(reply?["error"]?.string == "org.crated.Crates.TooManyClients", "\(number)")
        #expect(reply?["parameters"]?["limit"]?.integer == 64)
      }
      clients.append(client)
    }
    let refused = try home.crate("list", status: 75)
    #expect(refused.errors.hasPrefix("crate: crated serves 64 clients"))
    for client in clients.prefix(64) {
      client.value.call("org.crated.Crates.ListCrates")
      #expect(try client.value.reply()?["parameters"]?["crates"]?.array?.count == 1)
    }
    clients.removeAll()
    // The daemon hears of those that left before it answers the next.
    #expect(try home.status().songs == 6)
    try daemon.stop()
  }

  /// An array holds no value that can't be copied.
  private final class Box {
    let value: RawClient
    init(_ value: consuming RawClient) { self.value = value }
  }
}
