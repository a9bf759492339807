import TestSupport
import Testing

@testable import WebServer

@Suite("The door", .limited)
struct DoorTests {
  private static let second: Int64 = 1_000_000_000

  @Test("A link lets in once, and for a minute")
  func links() throws {
    var door = Door()
    let code = door.link(at: 0)
    #expect(try door.enter(withCode: "another", name: "x", at: 1, date: 5) == nil)
    let key = try #require(try door.enter(withCode: code, name: "Phone", at: 1, date: 5))
    #expect(try door.enter(withCode: code, name: "Phone", at: 2, date: 5) == nil)
    #expect(door.device(withKey: key)?.name == "Phone" && door.device(withKey: key)?.since == 5)
    #expect(door.device(withKey: "") == nil && door.device(withKey: code) == nil)
    let late = door.link(at: 0)
    #expect(try door.enter(withCode: late, name: "x", at: 60 * Self.second, date: 5) == nil)
    // 256 and 128 bits.
    #expect(key.utf8.count == 43 && code.utf8.count == 22)
  }

  @Test("Of more links than are kept the oldest ends")
  func manyLinks() throws {
    var door = Door()
    let codes = (0...WebLimits().links).map { _ in door.link(at: 0) }
    #expect(try door.enter(withCode: codes[0], name: "", at: 1, date: 0) == nil)
    #expect(try door.enter(withCode: codes[1], name: "", at: 1, date: 0) != nil)
  }

  @Test("Digits that are typed let in the device that shows them, which asks with a secret, once")
  func digits() throws {
    var door = Door()
    let (request, digits) = try door.wait(
      name: "Phone", address: "10.0.0.7", isLocal: false, at: 0)
    #expect(digits.utf8.count == 6 && digits.utf8.allSatisfy { (48...57).contains($0) })
    #expect(try door.collect(request, at: 1) == nil)
    // The digits alone give nothing.
    #expect(throws: DoorError.noSuchRequest) { try door.collect(digits, at: 1) }
    let wrong = digits == "000000" ? "000001" : "000000"
    #expect(try door.allow(wrong, at: 2, date: 9) == nil)
    let typed = " \(digits.prefix(3))-\(digits.suffix(3)) "
    #expect(try door.allow(typed, at: 2, date: 9) == "Phone")
    #expect(try door.allow(digits, at: 2, date: 9) == nil)
    let key = try #require(try door.collect(request, at: 3))
    #expect(door.device(withKey: key)?.since == 9)
    #expect(throws: DoorError.noSuchRequest) { try door.collect(request, at: 4) }
  }

  @Test("A device waits for ten minutes")
  func waitingEnds() throws {
    var door = Door()
    let (request, digits) = try door.wait(name: "", address: "a", isLocal: false, at: 0)
    #expect(try door.allow(digits, at: 600 * Self.second, date: 0) == nil)
    #expect(throws: DoorError.noSuchRequest) {
      try door.collect(request, at: 600 * Self.second)
    }
  }

  @Test("Eight wait; one that asks again takes its own place")
  func crowd() throws {
    var door = Door()
    for number in 0..<8 {
      _ = try door.wait(name: "", address: "10.0.0.\(number)", isLocal: false, at: 0)
    }
    #expect(throws: DoorError.tooManyWait) {
      try door.wait(name: "", address: "10.0.0.8", isLocal: false, at: 1)
    }
    _ = try door.wait(name: "", address: "10.0.0.3", isLocal: false, at: 1)
    #expect(throws: DoorError.tooManyWait) {
      try door.wait(name: "", address: "127.0.0.1", isLocal: true, at: 1)
    }
  }

  @Test("No more devices come in than are kept, and what they came with stays good")
  func manyDevices() throws {
    var limits = WebLimits()
    limits.devices = 1
    var door = Door(limits: limits)
    let codes = [door.link(at: 0), door.link(at: 0)]
    _ = try door.enter(withCode: codes[0], name: "first", at: 1, date: 0)
    #expect(throws: DoorError.tooManyDevices(most: 1)) {
      try door.enter(withCode: codes[1], name: "second", at: 1, date: 0)
    }
    #expect(door.forget { $0.name == "first" }.count == 1)
    #expect(try door.enter(withCode: codes[1], name: "second", at: 2, date: 0) != nil)
  }

  @Test("A forgotten device is out, its pictures too; others stay")
  func forgetting() throws {
    var door = Door()
    let keys = try ["one", "two"].map { name in
      let code = door.link(at: 0)
      return try #require(try door.enter(withCode: code, name: name, at: 1, date: 0))
    }
    let one = try #require(door.device(withKey: keys[0]))
    #expect(door.device(withCovers: one.covers) == one)
    #expect(door.device(withKey: one.covers) == nil)
    #expect(door.forget { $0.id == one.id } == [one])
    #expect(door.device(withKey: keys[0]) == nil && door.device(withCovers: one.covers) == nil)
    #expect(door.device(withKey: keys[1])?.name == "two")
  }

  @Test(
    "Names are one line of some characters",
    arguments: [
      ("Phone", "Phone"), ("  My\n\tphone ", "My phone"), ("", "a browser"), ("\u{0}", "a browser"),
      ("a\u{202E}b", "a b"), ("all", "“all”"),
      (String(repeating: "é", count: 1_000), String(repeating: "é", count: 80)),
    ])
  func names(given: String, kept: String) throws {
    var door = Door()
    let code = door.link(at: 0)
    _ = try door.enter(withCode: code, name: given, at: 1, date: 0)
    #expect(door.devices.map(\.name) == [kept])
  }

  @Test("Twenty wrong keys a second come from one address; others have their own twenty")
  func failures() {
    var door = Door()
    let first = (0..<20).map { _ in door.refuse("a", at: 5) }
    #expect(first == Array(repeating: false, count: 20))
    let then = [
      door.refuse("a", at: 6), door.refuse("b", at: 6), door.refuse("a", at: Self.second + 5),
    ]
    #expect(then == [true, false, false])
  }

  @Test("An attack from more addresses than are counted is refused, and others come in after it")
  func manyAddresses() {
    var door = Door()
    let counted = (0..<1_024).map { door.refuse("\($0)", at: 0) }
    #expect(!counted.contains(true))
    let then = [
      door.refuse("more", at: 1), door.refuse("7", at: 1), door.refuse("more", at: Self.second),
    ]
    #expect(then == [true, false, false])
  }

  @Test("Devices are stored and read again; keys are not stored; damage is noticed")
  func text() throws {
    var door = Door()
    let code = door.link(at: 0)
    let key = try #require(try door.enter(withCode: code, name: "Zoë’s “phone”", at: 1, date: 7))
    let text = DeviceText.text(of: door.devices)
    #expect(DeviceText.devices(in: text) == door.devices)
    #expect(!String(decoding: text, as: UTF8.self).contains(key))
    for damaged in ["", "{}", "{\"devices\": [{}]}", "{\"devices\": [{\"digest\": \"AAAA\"}]}"] {
      #expect(DeviceText.devices(in: Array(damaged.utf8)) == nil, "\(damaged)")
    }
    for end in 0..<text.count - 2 { #expect(DeviceText.devices(in: Array(text[..<end])) == nil) }
  }
}
