import TestSupport
import Testing
import Text

@testable import ImportedLists

@Suite("XML", .limited)
struct XMLTests {
  /// What a document consists of, with texts put together.
  static func events(_ bytes: [UInt8]) throws(ListFault) -> [String] {
    var reader = try XMLReader(bytes, CodePages())
    var events: [String] = []
    var text = ""
    while true {
      let event = try reader.next()
      if case .text = event {
        text += try reader.text()
        continue
      }
      if !text.isEmpty { events.append("T\(text)") }
      text = ""
      switch event {
      case .start:
        let attributes = reader.attributes.map { "\u{1E}\($0.name)\u{1E}\($0.value)" }
        events.append("S\(reader.name)\(attributes.joined())")
      case .end: events.append("E\(reader.name)")
      case .finish: return events
      case .text: break
      }
    }
  }

  @Test(
    "What is no document is refused, with its line",
    arguments: [
      ("", 1, "too early"), ("<a>", 1, "too early"), ("<a>\n<b></a>", 2, "<b> ends as </a>"),
      ("<a/>\n<b/>", 2, "follows the document"), ("x<a/>", 1, "outside"), ("<a/>x", 1, "outside"),
      ("<a b='1'\nb='2'/>", 2, "twice"), ("<a b=1/>", 1, "quotes"), ("<a b='<'/>", 1, "<"),
      ("<a>\n\n&unknown;</a>", 3, "&"), ("<a>&#0;</a>", 1, "&"), ("<a>& b</a>", 1, "&"),
      ("<a>\u{1}</a>", 1, "control"), ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", 1, "rules"),
      ("<!DOCTYPE a SYSTEM \"x\"\n", 1, "end"), ("<a/><!DOCTYPE a>", 1, "no place"),
      ("<a><!-- -- --></a>", 1, "dashes"), ("<a><![CDATA[x]]</a>", 1, "end"),
      ("<?xml version='1.0' encoding='EBCDIC'?><a/>", 1, "ebcdic"), ("<a>]]></a>", 1, "]]>"),
      ("\n<?xml version='1.0'?><a/>", 2, "beginning"), ("<1a/>", 1, "begins nothing"),
      ("<a>\u{FFFE}</a>", 1, "none"), ("<a>\u{FFFF}</a>", 1, "none"),
      ("<a>\n<![CDATA[\u{FFFE}]]></a>", 2, "control"),
      ("<a><![CDATA[\u{FFFF}]]></a>", 1, "control"),
      ("<a><![CDATA[\u{1F}]]></a>", 1, "control"), ("<a \u{2028}b='c'></a>", 1, ""),
    ])
  func refusals(text: String, line: Int, words: String) throws {
    let bytes = Array(text.utf8)
    if words.isEmpty {
      _ = try? Self.events(bytes)
      return
    }
    let fault = try #require(throws: ListFault.self) { try Self.events(bytes) }
    #expect(fault.place == .line(line), "\(fault)")
    #expect(fault.reason.contains(words), "\(fault)")
  }

  @Test("What looks much like that is one")
  func nearlyRefused() throws {
    #expect(try Self.events(Array("<a><?x?><?x y?></a>".utf8)) == ["Sa", "Ea"])
    // Bytes as those of the two characters that no document has, and others around them.
    let text = "\u{FFFD}\u{F03F}\u{F03E}\u{FFBF}\u{EFFF}\u{1FFFE}"
    #expect(try Self.events(Array("<a>\(text)</a>".utf8)) == ["Sa", "T\(text)", "Ea"])
    let literal = "\t\(text)\n<&"
    #expect(
      try Self.events(Array("<a><![CDATA[\(literal)]]></a>".utf8)) == ["Sa", "T\(literal)", "Ea"])
  }

  @Test("Each end of a line is one line feed, at the end of a text too")
  func lineEnds() throws {
    for (text, read) in [
      ("a\r\nb\r\n", "a\nb\n"), ("a\rb\r", "a\nb\n"), ("\r\r\n\n", "\n\n\n"), ("\r", "\n"),
    ] {
      #expect(try Self.events(Array("<a>\(text)</a>".utf8)) == ["Sa", "T\(read)", "Ea"])
      #expect(
        try Self.events(Array("<a><![CDATA[\(text)]]></a>".utf8)) == ["Sa", "T\(read)", "Ea"])
    }
  }

  @Test("A text is as strict where nobody asks for it")
  func unasked() throws {
    for text in ["&unknown;", "&#0;", "& b"] {
      var reader = try XMLReader(Array("<a>\n\(text)</a>".utf8), CodePages())
      _ = try reader.next()
      let fault = try #require(throws: ListFault.self) { _ = try reader.next() }
      #expect(fault.place == .line(2), "\(text)")
    }
  }

  @Test("Depth and attributes have a bound")
  func bounds() throws {
    let deep = String(repeating: "<a>", count: ListLimits.depth)
    let closed = deep + String(repeating: "</a>", count: ListLimits.depth)
    #expect(try Self.events(Array(closed.utf8)).count == 2 * ListLimits.depth)
    let fault = try #require(throws: ListFault.self) { try Self.events(Array((deep + "<a>").utf8)) }
    #expect(fault.reason.contains("64 elements"))
    let attributes = (0...ListLimits.attributes).map { " a\($0)=''" }.joined()
    let many = try #require(throws: ListFault.self) {
      try Self.events(Array("<a\(attributes)/>".utf8))
    }
    #expect(many.reason.contains("256 attributes"))
  }

  @Test("Encodings that are named are read")
  func encodings() throws {
    for (name, expected) in [("ISO-8859-1", "é€"), ("windows-1252", "é€"), ("cp1250", "é€")] {
      let bytes =
        Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><a>".utf8) + [0xE9, 0x80]
        + Array("</a>".utf8)
      #expect(try Self.events(bytes) == ["Sa", "T\(expected)", "Ea"])
    }
    let fault = try #require(throws: ListFault.self) {
      try Self.events(Array("<a>\n".utf8) + [0xE9] + Array("</a>".utf8))
    }
    #expect(fault.place == .line(2))
  }

  @Test("It is what expat reads, of thousands of documents and what is nearly one")
  func expat() throws {
    var random = SeededGenerator(usually: 8_001)
    let documents = (0..<4_000).map { _ in Self.document(&random) }
    let folder = try TemporaryFolder()
    try folder.write(documents.map { Self.hex($0) + "\n" }.joined(), to: "documents")
    try folder.write(Self.script, to: "read.py")
    let python = try run(
      "python3", ["-X", "utf8", folder.path("read.py"), folder.path("documents")])
    #expect(python.status == 0, "\(python.errors)")
    let theirs = python.output.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    try #require(theirs.count == documents.count + 1)
    var accepted = 0
    for (document, expected) in zip(documents, theirs) {
      var ours = "refused"
      if let events = try? Self.events(document) {
        ours = Self.hex(Array(events.joined(separator: "\u{1F}").utf8))
        accepted += 1
      }
      #expect(ours == expected, "\(random) \(String(decoding: document, as: UTF8.self))")
    }
    #expect((500...3_500).contains(accepted), "\(random) accepts \(accepted)")
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let script = """
    import sys, xml.parsers.expat as expat
    for line in open(sys.argv[1]):
        events, text = [], []
        def end_text():
            if text: events.append("T" + "".join(text))
            text.clear()
        def start(name, attributes):
            end_text()
            events.append("S" + name + "".join("\\x1e" + a for a in attributes))
        def end(name):
            end_text()
            events.append("E" + name)
        parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = text.append
        try:
            parser.Parse(bytes.fromhex(line.strip()), True)
            print("\\x1f".join(events).encode().hex())
        except expat.ExpatError:
            print("refused")
    """

  /// A document, of which two in three have a few bytes changed.
  private static func document(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(element(&random, depth: 0).utf8)
    let pieces = [
      "<", ">", "/", "&", ";", "#", "x", "\"", "'", "=", " ", "a", "\n", "\r", "]]>", "<![CDATA[",
      "<!--", "-->", "<?", "?>", "&#", "é", "<a>", "</a>", "\u{0}", "\t", "&lt;", "\u{FFFF}",
    ]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      if Bool.random(using: &random), place < bytes.count {
        bytes.remove(at: place)
      } else {
        bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      }
    }
    return bytes
  }

  private static func element(_ random: inout SeededGenerator, depth: Int) -> String {
    let name = ["a", "b:c", "d-1", "é"].randomElement(using: &random) ?? "a"
    let values = ["", "1 &amp; 2", "&#x41;&#66;", "a\r\nb\tc", "\"", "&quot;é", "]]>"]
    var text = "<\(name)"
    for key in ["k", "l", "m"].prefix(Int.random(in: 0...3, using: &random)) {
      let value = values.randomElement(using: &random) ?? ""
      text += value.contains("\"") ? " \(key)='\(value)'" : "\n\(key) = \"\(value)\""
    }
    if Int.random(in: 0..<4, using: &random) == 0 { return text + "/>" }
    text += " >"
    let parts = [
      "text", "&lt;&amp;&gt;", " \r\n\r ", "<!-- - x -->", "<?go on?>", "<![CDATA[<&]]\r\n]]>",
      "<![CDATA[]]>", "é", "&#10;&#13;", "]]", "-->",
    ]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      if depth < 4, Bool.random(using: &random) {
        text += element(&random, depth: depth + 1)
      } else {
        text += parts.randomElement(using: &random) ?? ""
      }
    }
    return text + "</\(name)\n>"
  }
}
