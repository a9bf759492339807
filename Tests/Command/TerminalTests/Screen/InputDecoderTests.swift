import TestSupport
import Testing

@testable import Terminal

@Suite("What a terminal sends", .limited)
struct InputDecoderTests {
  static let cases: [(bytes: String, events: [InputEvent])] = [
    ("j", [.key(.character("j"))]),
    ("é日👍", [.key(.character("é")), .key(.character("日")), .key(.character("👍"))]),
    ("\r\n\t\u{7F}", [.key(.enter), .key(.enter), .key(.tab), .key(.backspace)]),
    ("\u{4}\u{15}", [.key(.character("d"), .control), .key(.character("u"), .control)]),
    ("\u{1B}j", [.key(.character("j"), .alt)]),
    ("\u{1B}[A\u{1B}OB", [.key(.up), .key(.down)]),
    ("\u{1B}[1;2A\u{1B}[1;3B", [.key(.up, .shift), .key(.down, .alt)]),
    ("\u{1B}[5~\u{1B}[6;5~", [.key(.pageUp), .key(.pageDown, .control)]),
    ("\u{1B}[H\u{1B}[4~\u{1B}[Z", [.key(.home), .key(.end), .key(.tab, .shift)]),
    ("\u{1B}[15~\u{1B}OP\u{1B}[[B", [.key(.function(5)), .key(.function(1)), .key(.function(2))]),
    ("\u{1B}[106;5u", [.key(.character("j"), .control)]),
    (
      "\u{1B}[<0;12;3M\u{1B}[<32;12;4M\u{1B}[<0;12;4m",
      [
        .mouse(Mouse(.press(.left), Grid.Spot(row: 2, column: 11))),
        .mouse(Mouse(.drag(.left), Grid.Spot(row: 3, column: 11))),
        .mouse(Mouse(.release, Grid.Spot(row: 3, column: 11))),
      ]
    ),
    (
      "\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<16;1;1M",
      [
        .mouse(Mouse(.wheel(-1), Grid.Spot(row: 0, column: 0))),
        .mouse(Mouse(.wheel(1), Grid.Spot(row: 0, column: 0))),
        .mouse(Mouse(.press(.left), Grid.Spot(row: 0, column: 0), .control)),
      ]
    ),
    ("\u{1B}[M !\"", [.mouse(Mouse(.press(.left), Grid.Spot(row: 1, column: 0)))]),
    ("\u{1B}[200~a\r\nb\u{1B}[20\u{1B}[201~c", [.pasted("a\nb\u{1B}[20"), .key(.character("c"))]),
    ("\u{1B}[?62;4c", [.report(.attributes([62, 4]))]),
    ("\u{1B}_Gi=31;OK\u{1B}\\", [.report(.picture("i=31;OK"))]),
    ("\u{1B}[6;18;9t", [.report(.cellSize(width: 9, height: 18))]),
    ("\u{1B}P>|foot(1.13)\u{1B}\\q", [.report(.name("foot(1.13)")), .key(.character("q"))]),
    ("\u{1B}]11;rgb:0/0/0\u{7}", [.report(.other)]),
    ("\u{1B}[I\u{1B}[O", [.report(.focus(true)), .report(.focus(false))]),
    ("\u{1B}[1;99999999999999999999A", [.key(.up, [.shift, .alt, .control])]),
    // What is nothing, is nothing.
    ("\u{1B}[<0;0;0M\u{1B}[<M\u{1B}[;;;;x\u{1B}[9999999999~", []),
  ]

  static func events(_ bytes: [UInt8]) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.feed(bytes) + decoder.rest()
  }

  @Test("Bytes are events", arguments: cases)
  func table(_ one: (bytes: String, events: [InputEvent])) {
    #expect(Self.events(Array(one.bytes.utf8)) == one.events)
  }

  @Test("Ctrl-C gets out of a string that doesn't end", arguments: ["P", "]", "_", "^", "X"])
  func leaving(kind: String) {
    let bytes = "\u{1B}\(kind)abc\u{3}q"
    #expect(
      Self.events(Array(bytes.utf8)) == [
        .key(.character("c"), .control), .key(.character("q")),
      ])
  }

  @Test("Ctrl-C gets out of a pasted text that doesn't end, after a while and by nothing else")
  func leavingPaste() {
    var decoder = InputDecoder()
    #expect(decoder.feed("\u{1B}[200~ab\u{3}".utf8) == [])
    #expect(decoder.patience == InputDecoder.pasteMilliseconds)
    #expect(decoder.rest() == [])
    #expect(decoder.patience == nil)
    #expect(decoder.feed("c\u{3}q".utf8) == [], "a slow line pastes on")
    #expect(decoder.rest() == [])
    var other = decoder
    #expect(other.feed("\u{1B}[201~".utf8) == [.pasted("ab\u{3}c\u{3}q")])
    #expect(
      decoder.feed("\u{3}q".utf8) == [.key(.character("c"), .control), .key(.character("q"))])
  }

  @Test("However the bytes are cut, the events are the same")
  func cut() {
    let bytes = Array(Self.cases.map(\.bytes).joined().utf8)
    var whole = InputDecoder()
    let expected = whole.feed(bytes)
    for end in bytes.indices {
      var decoder = InputDecoder()
      let events = decoder.feed(bytes[..<end]) + decoder.feed(bytes[end...])
      if events != expected { Issue.record("cut at \(end)") }
    }
    var decoder = InputDecoder()
    #expect(bytes.flatMap { decoder.feed([$0]) } == expected)
  }

  @Test(
    "What silence follows is a key",
    arguments: [
      ("\u{1B}", [InputEvent.key(.escape)]), ("\u{1B}[", [.key(.character("["), .alt)]),
      ("\u{1B}O", [.key(.character("O"), .alt)]), ("\u{1B}]", [.key(.character("]"), .alt)]),
      ("\u{1B}\u{1B}", [.key(.escape), .key(.escape)]), ("\u{1B}Pabc\u{1B}", [.key(.escape)]),
    ])
  func silence(bytes: String, events: [InputEvent]) {
    var decoder = InputDecoder()
    let first = decoder.feed(bytes.utf8)
    #expect(decoder.patience == InputDecoder.escapeMilliseconds)
    #expect(first + decoder.rest() == events)
    #expect(decoder.patience == nil)
    #expect(decoder.feed("j".utf8) == [.key(.character("j"))])
  }

  @Test("No bytes trap, none are kept without end, and Esc always gets out of a sequence")
  func random() {
    var random = SeededGenerator(usually: 9)
    let pieces = Self.cases.map { Array($0.bytes.utf8) }
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        var piece = pieces.randomElement(using: &random) ?? []
        if Bool.random(using: &random), !piece.isEmpty {
          piece[Int.random(in: piece.indices, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        bytes += piece
      }
      var decoder = InputDecoder()
      var one = InputDecoder()
      #expect(decoder.feed(bytes) == bytes.flatMap { one.feed([$0]) })
      // The end of what may be pasted.
      _ = decoder.feed("\u{1B}[201~\u{1B}".utf8) + decoder.rest()
      #expect(decoder.feed("j".utf8) == [.key(.character("j"))], "\(random)")
    }
  }

  @Test("A pasted text and a sequence have an end")
  func bounds() {
    var decoder = InputDecoder()
    _ = decoder.feed("\u{1B}[200~".utf8)
    _ = decoder.feed([UInt8](repeating: 0x61, count: 1 << 20))
    let events = decoder.feed("\u{1B}[201~".utf8)
    guard case .pasted(let text)? = events.first else {
      Issue.record("nothing was pasted")
      return
    }
    #expect(text.utf8.count == 64 << 10)
    _ = decoder.feed("\u{1B}[".utf8)
    #expect(decoder.feed([UInt8](repeating: 0x31, count: 1 << 20) + Array("Aj".utf8)).count == 1)
  }
}
