import Terminal
import TestSupport
import Testing

@Suite("What terminals say of pictures", .limited)
struct SupportTests {
  @Test(
    "Answers are told from each other and from what is typed",
    arguments: [
      // kitty, foot, xterm as a VT340, tmux, the Linux console.
      ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;52;c", true, false, 256, 18),
      ("\u{1B}[?1;0;1024S\u{1B}[6;17;8t\u{1B}[?62;4;22;28;29c", false, true, 256, 17),
      ("\u{1B}[?1;0;16S\u{1B}[6;13;6t\u{1B}[?63;1;2;4;6;9;15;16;22;28c", false, true, 16, 13),
      ("\u{1B}[?1;2;4c", false, true, 256, nil),
      ("\u{1B}[?6c", false, false, 256, nil),
      // An error is no yes; four as the first number is a terminal's kind.
      ("\u{1B}_Gi=31;ENOENT:no\u{1B}\\\u{1B}[?1;3;0S\u{1B}[?4;6c", false, false, 256, nil),
      ("ab\u{1B}[A\u{1B}OP\u{1B}_Gi=31;OK\u{1B}\\é\u{1B}[6;0;0t\u{1B}[?4c", true, false, 256, nil),
    ])
  func answers(_ text: String, _ kitty: Bool, _ sixels: Bool, _ colours: Int, _ height: Int?) {
    let bytes = Array(text.utf8)
    // In one piece, and cut anywhere.
    for cut in 0..<bytes.count {
      var support = PictureSupport()
      support.take(bytes[..<cut])
      #expect(!support.isComplete)
      support.take(bytes[cut...])
      #expect(support.isComplete)
      #expect(support.hasKitty == kitty && support.hasSixels == sixels)
      #expect(support.sixelColours == colours && support.cell?.height == height)
    }
  }

  @Test("Colours are as many as it says, from 2 to what is usual, and only if it is an answer")
  func colours() {
    let usual = SixelPicture.coloursUsual
    #expect(usual == 256)
    for (numbers, expected) in [
      ([1, 0, 0], usual), ([1, 0, 1], usual), ([1, 0, 2], 2), ([1, 0, 3], 3), ([1, 0, 255], 255),
      ([1, 0, 256], 256), ([1, 0, 257], 256), ([0, 0, 16], usual), ([2, 0, 16], usual),
      ([1, 1, 16], usual), ([1, 3, 16], usual), ([], usual), ([1, 0], usual),
      ([1, 0, 16, 16], usual),
    ] as [([Int], Int)] {
      var support = PictureSupport()
      let words = numbers.map { "\($0)" }.joined(separator: ";")
      support.take("\u{1B}[?\(words)S".utf8)
      #expect(support.sixelColours == expected, "\(numbers)")
      #expect(!support.isComplete && !support.hasKitty && !support.hasSixels)
    }
  }

  @Test("Anything may come: nothing grows, and an answer after it is found")
  func anything() {
    var random = SeededGenerator(seed: 6)
    let pieces = [
      "\u{1B}", "_", "G", "i=31;OK", "[", "?", "4", ";", "c", "t", "S", "\\", "é", "\n",
    ]
    for _ in 0..<3_000 {
      var support = PictureSupport()
      for _ in 0..<20 { support.take((pieces.randomElement(using: &random) ?? "").utf8) }
      support.take(Array(repeating: UInt8(ascii: "7"), count: 1_000))
      support.take("\u{1B}[?62;4c".utf8)
      #expect(support.isComplete && support.hasSixels)
    }
  }

  @Test("The questions end with the one that every terminal answers")
  func questions() {
    let questions = PictureSupport.questions(inside: false)
    #expect(
      questions
        == Array(
          "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[c".utf8))
    #expect(questions.suffix(3).elementsEqual("\u{1B}[c".utf8))
  }

  @Test("tmux and screen get no string that they would take for the title of a window")
  func multiplexers() {
    #expect(
      PictureSupport.questions(inside: true).elementsEqual(
        "\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[c".utf8))
    for (variables, isMultiplexer) in [
      ([:], false), (["TERM": "xterm-kitty"], false), (["TERM": "tmux-256color"], true),
      (["TERM": "screen"], true), (["TERM": "xterm", "TMUX": "/tmp/tmux-0/default,1,0"], true),
      (["TERM": "xterm", "STY": "12.pts-0.host"], true),
    ] {
      #expect(PictureSupport.isMultiplexer { variables[$0] } == isMultiplexer, "\(variables)")
    }
  }
}
