import TestSupport
import Testing
import Text

@testable import ImportedLists

@Suite("XML", .limited)
struct XMLTests {
  /// What a document consists of, behind the start of its root: `Sname`, `Ttext` and `E`.
  private func events(_ bytes: [UInt8]) throws(ListFault) -> [String] {
    let reader = try XMLReader(bytes, CodePages())
    var events = [start(reader)]
    while let event = try reader.next() {
      switch event {
      case .start: events.append(start(reader))
      case .text(let range): events.append("T\(reader.text(range))")
      case .end: events.append("E")
      }
    }
    return events
  }

  private func start(_ reader: XMLReader) -> String {
    "S\(reader.name)" + reader.attributes.map { " \($0.name)=\($0.value)" }.joined()
  }

  private func events(_ text: String) throws(ListFault) -> [String] { try events(Array(text.utf8)) }

  @Test(
    "What is no document is refused, with its line",
    arguments: [
      ("", 1, "too early"), ("<a>\n\n<b", 3, "too early"),
      ("<a>\n<![CDATA[x]]</a>", 2, "too early"), ("<a>\n<!-- ", 2, "too early"),
      ("<a>\n<b></a>", 2, "mismatched tag"), ("<a/>\n<b/>", 2, "junk after"),
      ("x<a/>", 1, "not well-formed"), ("<a>\n\n&unknown;</a>", 3, "undefined entity"),
      ("<?xml version='1.0' encoding='EBCDIC'?><a/>", 1, "EBCDIC"),
      ("<?xml version = \"1.0\"\nencoding = \"EBCDIC\" ?><a/>", 1, "EBCDIC"),
      ("\n<?xml version='1.0'?><a/>", 2, "not at start"),
    ])
  func refusals(text: String, line: Int, words: String) throws {
    let fault = try #require(throws: ListFault.self) { try events(text) }
    #expect(fault.place == .line(line), "\(fault)")
    #expect(fault.reason.contains(words), "\(fault)")
  }

  @Test("A text is one, whatever references, ends of lines and comments are in it")
  func texts() throws {
    for (text, expected) in [
      ("a\r\nb &lt;&#xE9; c", "a\nb <\u{E9} c"), ("<![CDATA[<&\r\n]]>", "<&\n"),
      ("a<!-- - x -->b<?go on?>c", "abc"),
    ] { #expect(try events("<a>\(text)</a>") == ["Sa", "T\(expected)", "E"], "\(text)") }
    #expect(try events("<a:b c='1 &amp;\n2' d=\"'\"/>") == ["Sb c=1 & 2 d='", "E"])
  }

  @Test("A document type may name Apple's rules, and bring none itself")
  func documentTypes() throws {
    for type in ["html", "plist", "plist SYSTEM \"x>[y\"", "plist PUBLIC \"-//x\" '[]'"] {
      #expect(try events("<!DOCTYPE \(type)><plist/>") == ["Splist", "E"], "\(type)")
    }
    let laughs = "<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
    for type in [
      "plist [\(laughs)]", "plist []", "plist [<!ENTITY b SYSTEM \"file:///etc/passwd\">]",
      "plist SYSTEM \"x\" [\(laughs)]", "a SYSTEM \"file:///etc/passwd\"",
    ] {
      let fault = try #require(throws: ListFault.self) {
        try events("\n<!DOCTYPE \(type)><plist>&b;</plist>")
      }
      #expect(fault.place == .line(2) && fault.reason.contains("rules"), "\(fault)")
    }
    // Expat would leave it out: Apple's rules might know it.
    let fault = try #require(throws: ListFault.self) {
      try events("<!DOCTYPE plist SYSTEM 'x'>\n<plist>\n&b;</plist>")
    }
    #expect(fault.place == .line(3) && fault.reason.contains("&"), "\(fault)")
  }

  @Test("Depth and attributes have a bound")
  func bounds() throws {
    let deep = String(repeating: "<a>", count: ListLimits.depth)
    #expect(
      try events(deep + String(repeating: "</a>", count: ListLimits.depth)).count
        == 2 * ListLimits.depth)
    for more in ["<a>", "<a/>"] {
      let fault = try #require(throws: ListFault.self) { try events(deep + "\n" + more) }
      #expect(fault == ListFault(.line(2), "more than 64 elements inside one another"))
    }
    let attributes = (1...ListLimits.attributes).map { " a\($0)=''" }.joined()
    #expect(try events("<a\(attributes)/>").count == 2)
    let many = try #require(throws: ListFault.self) { try events("<a\(attributes) b=''/>") }
    #expect(many.reason.contains("256 attributes"))
  }

  @Test("A tag or comment of many megabytes is refused, where text of as many is read")
  func longTags() throws {
    let long = String(repeating: "x", count: 6 << 20)
    for text in [long, "<![CDATA[\(long)]]>"] {
      let reader = try XMLReader(Array("<a>\(text)</a>".utf8), CodePages())
      #expect(try reader.content() == long)
    }
    for text in ["<!--\(long)-->", "<b c='\(long)'/>", "<?\(long)?>"] {
      let fault = try #require(throws: ListFault.self) { try events("<a>\n\(text)</a>") }
      #expect(fault == ListFault(.line(2), "a tag or comment of more than 4 MiB"))
    }
  }

  @Test("Encodings that are named are read")
  func encodings() throws {
    for (name, bytes, expected) in [
      ("ISO-8859-1", [0xE9, 0x80], "é€"), ("windows-1252", [0xE9, 0x80], "é€"),
      ("cp1250", [0xE9, 0x80], "é€"), ("Shift_JIS", [0x96, 0xE9], "夜"),
      ("utf-8", [0xC3, 0xA9], "é"),
    ] as [(String, [UInt8], String)] {
      let text = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><a>".utf8) + bytes
      #expect(try events(text + Array("</a>".utf8)) == ["Sa", "T\(expected)", "E"], "\(name)")
    }
    let fault = try #require(throws: ListFault.self) {
      try events(Array("<a>\n".utf8) + [0xE9] + Array("</a>".utf8))
    }
    #expect(fault.place == .line(2))
  }

  @Test("A document of several megabytes is read as one of a few bytes")
  func pieces() throws {
    let count = 300_000
    let songs = (0..<count).map { "<s n='\($0)'>é &amp; \($0)</s>\n" }.joined()
    let bytes = Array("<r>\n\(songs)<!--\(String(repeating: "x", count: 3 << 20))--></r>".utf8)
    let reader = try XMLReader(bytes, CodePages())
    var read = 0
    while try reader.nextElement(in: 1) {
      if reader.attribute("n") != "\(read)" { break }
      // Every second text is left for the reader to pass over.
      if read.isMultiple(of: 2), try reader.content() != "é & \(read)" { break }
      read += 1
    }
    #expect(read == count)
    try reader.finish()
    let cut = try XMLReader(Array(bytes.dropLast(2)), CodePages())
    let fault = try #require(throws: ListFault.self) { try cut.finish() }
    #expect(fault == ListFault(.line(count + 2), "the file ends too early"))
  }
}
