import CratesInterface
import TestSupport
import Testing

@Suite("Characters of many marks", .limited) struct JSONMarksTests {
  private static func marked(_ count: Int) -> String {
    "x" + String(repeating: "\u{301}\u{323}", count: count / 2)
  }

  /// A call that has such characters wherever a client may put them.
  private static func call(_ count: Int) -> [UInt8] {
    let text = marked(count)
    let keys = (0..<5).map { "\"\(text)\($0)\":\"\(text)\"" }.joined(separator: ",")
    return Array("{\"method\":\"\(text)\",\"parameters\":{\(keys)}}".utf8)
  }

  /// What a server does with it: it looks for keys, and compares words with those that it knows.
  private static func read(_ bytes: [UInt8]) throws {
    let call = try JSON(parsing: bytes)
    #expect(call["method"]?.string != "org.crated.Crates.Status")
    let parameters = call["parameters"]?.object
    for key in ["query", "crate", "limit"] { #expect(parameters?[key] == nil) }
    let places = ["top", "bottom", "before", "after"]
    for value in parameters?.members ?? [] { #expect(!places.contains(value.value.string ?? "")) }
  }

  @Test("cost in proportion to their length")
  func cost() throws {
    let ratio = try Cost.ratio(8_000, 32_000) { count in
      let bytes = Self.call(count)
      return try Cost.time { try Self.read(bytes) }
    }
    #expect(ratio < Cost.mostOfFourTimes, "\(ratio)")
    // A thousandth of that here.
    let bytes = Self.call(24_000)
    let time = try Cost.time { try Self.read(bytes) }
    #expect(time < 5, "\(time)")
  }

  @Test("keep as many as the name of a file has room for")
  func names() throws {
    for (text, kept) in [
      (Self.marked(126), Self.marked(126)), (Self.marked(24_000), Self.marked(126) + "\u{301}"),
      (Self.marked(200) + "a\u{301}", Self.marked(126) + "\u{301}a\u{301}"),
    ] {
      let parsed = try JSON(parsing: JSON.string(text).bytes).string ?? ""
      #expect(Array(parsed.unicodeScalars) == Array(kept.unicodeScalars))
    }
    for text in [String(repeating: "あ", count: 500), String(repeating: "👩🏽‍❤️‍👨🏿", count: 100)] {
      #expect(try JSON(parsing: JSON.string(text).bytes).string == text)
    }
  }
}
