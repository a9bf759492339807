import TestSupport
import Testing

@testable import Settings

/// The reader of settings beside Python's of TOML, on texts that are nearly right.
@Suite("What is read of TOML", .limited)
struct TOMLAgreementTests {
  @Test("is what Python's tomllib reads, and nothing is read that it refuses")
  func agreement() throws {
    var writer = TOMLWriter(SeededGenerator(usually: 17_001))
    let texts = (0..<10_000).map { _ in writer.text() }
    let folder = try TemporaryFolder()
    let lines = texts.map { hexadecimal($0) }.joined(separator: "\n")
    let list = try folder.write(Array((lines + "\n").utf8), to: "texts")
    let program = try folder.write(Array(Self.python.utf8), to: "read.py")
    let result = try run("python3", [program, list])
    try #require(result.status == 0, "tomllib came with Python 3.11: \(result.errors)")
    let expected = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(expected.count == texts.count)
    var (same, refused) = (0, 0)
    for (text, expected) in zip(texts, expected) {
      let read = Result { () throws(TOMLReader.Fault) in try TOMLReader.entries(of: text) }
      switch read {
      case .success(let entries):
        // What is a table is refused by who asks for settings, whatever is in it.
        if entries.contains(where: { $0.value == .table }) { continue }
        same += 1
        let shown = entries.map { "\(hexadecimal($0.name))=\(Self.shown($0.value))" }
        #expect(shown.joined(separator: ";") == expected, "\(writer.generator): \(text)")
      case .failure(let fault):
        refused += 1
        #expect(fault.line <= text.utf8.count { $0 == UInt8(ascii: "\n") } + 1)
        // TOML has both, and no setting has.
        if fault.reason.contains("table") || fault.reason.contains("escaped NUL") { continue }
        #expect(expected == "refused", "\(writer.generator): \(fault.reason) in \(text)")
      }
    }
    #expect(same > 1_000)
    #expect(refused > 1_000)
  }

  private static func shown(_ value: TOMLReader.Value) -> String {
    switch value {
    case .text(let text): "text \(hexadecimal(text))"
    case .list(let items): "[\(items.map(shown).joined(separator: ","))]"
    case .other(let kind): kind
    }
  }

  private static let python = """
    import sys, tomllib

    def shown(value, inner=False):
        if isinstance(value, str): return 'text ' + value.encode().hex()
        if isinstance(value, list):
            return 'a list' if inner else '[' + ','.join(shown(item, True) for item in value) + ']'
        if isinstance(value, bool): return 'true or false'
        if isinstance(value, int): return 'a whole number'
        if isinstance(value, float): return 'a number'
        return 'a table' if isinstance(value, dict) else 'a date or time'

    for line in open(sys.argv[1]):
        try:
            table = tomllib.loads(bytes.fromhex(line).decode())
            print(';'.join(name.encode().hex() + '=' + shown(table[name]) for name in table))
        except tomllib.TOMLDecodeError:
            print('refused')
    """
}

private func hexadecimal(_ text: String) -> String {
  text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// Texts of a few lines, of which every other one is TOML.
private struct TOMLWriter {
  private(set) var generator: SeededGenerator

  init(_ generator: SeededGenerator) {
    self.generator = generator
  }

  private static let pieces = [
    "a", "é", "🎵", " ", "\t", "\\n", "\\\"", "\\\\", "\\u00e9", "\\U0001F3B5", "\\q", "\\u12",
    "\\ud800", "\\u0000", "\\e", "\n", "\r\n", "\r", "\u{1}", "\u{7F}", "'", "\"", "\"\"", "''",
    "\"\"\"", "'''", "\\\n  ", "\\ \n\n x", "#", "{", "}", "[", "]", "=", ",", "\\b\\f\\r\\t",
    "\u{85}", "\u{2028}", "\\", "\\x41",
  ]
  private static let plain = ["a", "é", " ", "🎵", "x-y", "/", "~"]
  private static let words = [
    "1", "0", "-0", "+1", "01", "1_000", "1__0", "_1", "1_", "0x1f", "0xg", "0o7", "0o8", "0b1",
    "0b2", "1.5", "1.", ".5", "1e5", "1.5e-3", "1e", "inf", "-nan", "+inf", "true", "false",
    "True", "1979-05-27", "1979-02-30", "2000-02-29", "1900-02-29", "07:32:00", "07:32",
    "24:00:00", "07:32:00.5", "07:32:00.", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00",
    "1979-05-27t07:32:00.999-07:00", "1979-05-27T07:32:00+24:00", "1979-05-27 ", "1979-05-27 x",
    "0000-01-01", "0x_1", "0xa_b", "1e1_0", "1_0.0_1", "-0x1", "00.1", "1.e1", "-", "+", "abc",
    "1979-05-27T", "07:32:60", "1979-05-27T07:32:00.1234567891z", "0o", "0b1_1", "1.2.3",
  ]
  private static let names = [
    "ignore", "playlists", "music_folders", "new_albums", "a", "b-c", "1", "\"q k\"", "'l'",
    "\"\"", "a.b", "a . \"b\"", "é", "\"x\\ty\"",
  ]

  private mutating func any(_ choices: [String]) -> String {
    choices.randomElement(using: &generator) ?? ""
  }

  private mutating func several(_ choices: [String], most: Int) -> String {
    (0..<Int.random(in: 0...most, using: &generator)).map { _ in any(choices) }.joined()
  }

  /// How often, of a hundred.
  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func value() -> String {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: "\"\(several(Self.plain, most: 3))\""
    case 1: "'\(several(Self.plain, most: 3))'"
    case 2: "\"\(several(Self.pieces, most: 4))\""
    case 3: "'\(several(Self.pieces, most: 4))'"
    case 4: "\"\"\"\(several(Self.pieces, most: 8))\"\"\""
    default: "'''\(several(Self.pieces, most: 8))'''"
    }
  }

  private mutating func list(depth: Int = 0) -> String {
    var text = "["
    let count = Int.random(in: 0...3, using: &generator)
    for place in 0..<count {
      text += any(["", " ", "\n", "\r\n", "# c\n"])
      let kind = Int.random(in: 0..<20, using: &generator)
      text +=
        kind < 15
        ? value() : kind < 17 ? any(Self.words) : depth < 3 ? list(depth: depth + 1) : "{a=1}"
      text += any(["", " ", "\n"])
      if place < count - 1 || chance(30) { text += chance(97) ? "," : any([",,", "", ";"]) }
    }
    return text + any(["", " ", "\n"]) + (chance(98) ? "]" : "")
  }

  private mutating func line() -> String {
    if chance(5) { return any(["[t]", "[[t]]", "[ a . b ]", "[", "[]", "[t", "x", "# c"]) + "\n" }
    let start = any(["", "", " ", "\t"]) + any(Self.names) + any(["", " "])
    let sign = chance(98) ? "=" : any(["", "==", ":"])
    let kind = Int.random(in: 0..<10, using: &generator)
    let value = kind < 4 ? value() : kind < 8 ? list() : any(Self.words)
    return start + sign + any(["", " "]) + value + any(["", " "]) + any(["\n", "\r\n", " # c\n"])
  }

  mutating func text() -> String {
    var text = (0..<Int.random(in: 1...3, using: &generator)).map { _ in line() }.joined()
    if chance(30), let place = text.indices.randomElement(using: &generator) {
      text.insert(contentsOf: any(Self.pieces), at: place)
    }
    if chance(10), let place = text.indices.randomElement(using: &generator) {
      text = String(text[..<place])
    }
    return text
  }
}
