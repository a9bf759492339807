import CratesInterface
import Platform
import TestSupport
import Testing

@testable import VarlinkServer

@Suite("One call as it came", .limited)
struct CallMessageTests {
  private func read(_ text: String, values: Int? = nil) -> CallMessage? {
    var limits = ServerLimits()
    if let values { limits.messageValues = values }
    return CallMessage(Array(text.utf8), limits: limits)
  }

  @Test("each flag is read by its name, null is false, and a oneway call takes no replies")
  func flags() throws {
    for (text, expected) in [
      ("", [false, false, false]), (#","more":true"#, [true, false, false]),
      (#","oneway":true"#, [false, true, false]), (#","upgrade":true"#, [false, false, true]),
      (#","more":true,"oneway":true"#, [false, true, false]),
      (#","more":true,"oneway":false,"upgrade":true"#, [true, false, true]),
      (#","more":null,"oneway":null,"upgrade":null"#, [false, false, false]),
      (#","more":false,"oneway":false,"upgrade":false"#, [false, false, false]),
    ] {
      let message = try #require(read(#"{"method":"a.B""# + text + "}"))
      #expect([message.more, message.oneway, message.upgrade] == expected, "\(text)")
      #expect(message.method == "a.B" && message.parameters == nil)
    }
    #expect(read(#"{"method":"a.B","parameters":{"x":1}}"#)?.parameters == ["x": 1])
    for name in ["more", "oneway", "upgrade"] {
      for value in ["1", "\"true\"", "[]"] {
        #expect(read("{\"method\":\"a.B\",\"\(name)\":\(value)}") == nil)
      }
    }
  }

  @Test("a message has as many values as the limit says, and no more")
  func values() {
    // The object, its method, the parameters, and what is in them.
    let text = #"{"method":"a.B","parameters":[1,2]}"#
    #expect(read(text, values: 5) != nil && read(text, values: 4) == nil)
    let most = 200_000
    func long(_ count: Int) -> String {
      #"{"method":"a.B","parameters":[0"# + String(repeating: ",0", count: count - 4) + "]}"
    }
    #expect(read(long(most)) != nil && read(long(most + 1)) == nil)
  }

  @Test("an answer tells what its client has taken, and closes the connection where it is dropped")
  func answer() {
    let (wire, limits) = (NotedWire(), ServerLimits())
    let outlet = Outlet(wire: wire, limits: limits, clock: .system)
    let answer = Answer(outlet: outlet, more: true, oneway: false)
    #expect(answer.singleReplyBytes == 8 << 20)
    #expect(answer.isDrained && answer.hasRoom && answer.standstill == 0)
    answer.reply(.string(String(repeating: "x", count: limits.drainedBytes)), continues: true)
    #expect(!answer.isDrained && answer.hasRoom && answer.standstill > 0)
    #expect(answer.pendingBytes == outlet.pendingBytes && !answer.isAbandoned)
    answer.reply(.string(String(repeating: "x", count: limits.queueBytes)), continues: true)
    #expect(!answer.hasRoom)
    #expect(!wire.done.contains(.closed))
    answer.drop()
    #expect(wire.done.contains(.closed))
    outlet.abandon()
    #expect(answer.isAbandoned && answer.isDrained && answer.hasRoom)
    answer.reply([:])
  }
}
