import CratesInterface
import TestSupport
import Testing

@Suite("JSON", .limited)
struct JSONTests {
  @Test(
    "a value is written and read back the same",
    arguments: [
      .null, true, false, 0, -1, .integer(.max), .integer(.min), 0.5, -0.0, 3.0, 1e300,
      .number(.leastNonzeroMagnitude),
      .number(.greatestFiniteMagnitude), 0.1, "", "é 日本 🎷", "\u{0}\u{1f}\u{7f}\"\\/\n\r\t",
      "\u{2028}\u{FFFD}\u{10FFFF}", [], [1, [2, [nil]]], [:], ["": "", "a": ["b": [1, 2.5]]],
    ] as [JSON])
  func roundTrip(value: JSON) throws {
    #expect(try JSON(parsing: value.bytes) == value)
    #expect(!value.bytes.contains(0))
  }

  @Test("the written form is compact and in order")
  func written() {
    let value: JSON = ["b": 1, "a": [true, nil, 2.0], "c": "\u{1}\n"]
    #expect(value.text == #"{"b":1,"a":[true,null,2.0],"c":"\u0001\n"}"#)
  }

  @Test("nothing in it ends a line, by any rule")
  func lines() throws {
    let ends = "a\n\r\u{B}\u{C}\u{1C}\u{1D}\u{1E}\u{85}\u{2028}\u{2029}b"
    let value = JSON.string(ends + " \u{80}\u{2027}\u{202A}é—")
    #expect(value.text.split(whereSeparator: \.isNewline).count == 1)
    #expect(value.text.contains(#"\u001e\u0085\u2028\u2029b"#))
    #expect(try JSON(parsing: value.bytes) == value)
    #expect(JSON.object([ends: .null]).text.split(whereSeparator: \.isNewline).count == 1)
  }

  @Test("what JSON cannot hold is written as 0")
  func notFinite() {
    #expect(JSON.array([.number(.nan), .number(.infinity)]).text == "[0.0,0.0]")
  }

  @Test(
    "everything the grammar allows is read",
    arguments: [
      (" \t\r\n[ 1 , 2 ] ", [1, 2]), ("-0", 0), ("1e2", 100.0), ("1E+2", 100.0),
      ("12.5e-1", 1.25), (#""\u0041\ud83c\udfb7\/\b\f""#, "A🎷/\u{8}\u{c}"),
      (#""\u0000""#, "\u{0}"), ("9223372036854775807", .integer(.max)),
      (#"{"a":{"b":[]}}"#, ["a": ["b": []]]),
    ] as [(String, JSON)])
  func read(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  @Test(
    "what is not JSON is refused with the reason",
    arguments: [
      ("", .unexpectedEnd), ("[", .unexpectedEnd), ("{\"a\":", .unexpectedEnd),
      ("\"abc", .unexpectedEnd), ("\"\\", .unexpectedEnd), ("\"\\u12", .unexpectedEnd),
      ("nul", .unexpectedEnd), ("-", .unexpectedEnd), ("1.", .unexpectedEnd),
      ("1e", .unexpectedEnd), ("[1,]", .unexpectedByte), ("[1 2]", .unexpectedByte),
      ("{1:2}", .unexpectedByte), ("{\"a\":1,}", .unexpectedByte), ("nulL", .unexpectedByte),
      ("+1", .unexpectedByte), (".5", .unexpectedByte), ("\"a\nb\"", .unexpectedByte),
      ("\"\\x\"", .badString), ("01", .trailingBytes), ("1 2", .trailingBytes),
      ("{} x", .trailingBytes), ("1\u{0}", .trailingBytes), ("\u{FEFF}1", .unexpectedByte),
      ("{\"a\":1,\"a\":2}", .duplicateKey), ("1e999", .numberRange), ("-1e999", .numberRange),
      ("9223372036854775808", .numberRange), ("\"\\ud800\"", .badString),
      ("\"\\ud800\\u0041\"", .badString), ("\"\\udc00\\ud800\"", .badString),
      ("\"\\ud800x\"", .badString), ("NaN", .unexpectedByte), ("'a'", .unexpectedByte),
    ] as [(String, JSON.ParseError.Reason)])
  func refused(text: String, reason: JSON.ParseError.Reason) {
    #expect(Self.refusal(of: Array(text.utf8)) == reason)
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]])
  func notUnicode(bytes: [UInt8]) {
    #expect(Self.refusal(of: [34] + bytes + [34]) == .badString)
    #expect(Self.refusal(of: Array("\"\\n".utf8) + bytes + [34]) == .badString)
  }

  @Test("depth and the number of values are bounded")
  func bounds() throws {
    let deep = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSON(parsing: deep(32))
    #expect(Self.refusal(of: Array(deep(33).utf8)) == .tooDeep)
    #expect(Self.refusal(of: Array(String(repeating: "[", count: 100_000).utf8)) == .tooDeep)
    // What is closed counts no more, and that alone.
    for text in ["[[],[],[0]]", "{\"a\":{},\"b\":{},\"c\":[0]}"] {
      _ = try JSON(parsing: text, limits: JSON.Limits(depth: 2))
    }
    for text in ["[[],[],[[]]]", "{\"a\":{},\"b\":{},\"c\":[[]]}"] {
      #expect(throws: JSON.ParseError.self, "\(text)") {
        try JSON(parsing: text, limits: JSON.Limits(depth: 2))
      }
    }
    let limits = JSON.Limits(values: 3)
    _ = try JSON(parsing: "[1,2]", limits: limits)
    #expect(throws: JSON.ParseError.self) { try JSON(parsing: "[1,2,3]", limits: limits) }
    #expect(Self.refusal(of: Array(String(repeating: "1", count: 100_000).utf8)) == .numberRange)
    let long = Array("0.\(String(repeating: "5", count: 510))".utf8)
    #expect(Self.refusal(of: long) == nil && Self.refusal(of: long + [0x35]) == .numberRange)
  }

  @Test("an object of many keys is read in good time, and a double among them is found")
  func manyKeys() throws {
    let members = (0..<20_000).map { "\"key\($0)\":\($0)" }
    let object = try JSON(parsing: "{" + members.joined(separator: ",") + "}").object
    #expect(object?.count == 20_000)
    #expect(object?["key19999"] == 19_999)
    let double = "{" + (members + ["\"key7\":1"]).joined(separator: ",") + "}"
    #expect(Self.refusal(of: Array(double.utf8)) == .duplicateKey)
  }

  @Test("keys can be set, changed and taken away, few or many", arguments: [3, 40])
  func objectKeys(count: Int) {
    var object = JSON.Object()
    for number in 0..<count { object["\(number)"] = .integer(Int64(number)) }
    object["0"] = "changed"
    object["1"] = nil
    #expect(object.count == count - 1)
    #expect(object["0"] == "changed")
    #expect(object["1"] == nil)
    #expect(object["\(count - 1)"] == .integer(Int64(count - 1)))
    #expect(object.keys == ["0"] + (2..<count).map { "\($0)" })
  }

  @Test("mutated texts are read or refused, and what is read can be written", arguments: 0..<20)
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = #"{"method":"a.B","parameters":{"é\u00e9":[1,-2.5e3,true,null,"\ud83c\udfb7"]}}"#
    let original = Array(text.utf8)
    for _ in 0..<2_000 {
      var bytes = original
      for _ in 0...(random.next() % 4) {
        let position = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[position] = UInt8(random.next() % 256)
        case 1: bytes.remove(at: position)
        default: bytes.insert(original[Int(random.next() % UInt64(original.count))], at: position)
        }
      }
      if let value = try? JSON(parsing: bytes) {
        #expect(try JSON(parsing: value.bytes) == value)
      }
    }
  }

  private static func refusal(of bytes: [UInt8]) -> JSON.ParseError.Reason? {
    do throws(JSON.ParseError) {
      _ = try JSON(parsing: bytes)
      return nil
    } catch {
      return error.reason
    }
  }
}
