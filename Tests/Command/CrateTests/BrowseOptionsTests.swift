import Arguments
import Browsing
import Terminal
import TestSupport
import Testing

@testable import crate

@Suite("What the environment says of a browser's terminal", .limited)
struct BrowseOptionsTests {
  private func options(
    _ words: [String] = [], isPlain: Bool = false, _ variables: [String: String]
  ) throws -> BrowserOptions {
    try BrowseCommand.parse(words).options(isPlain: isPlain) { variables[$0] }
  }

  @Test("There are colours where the terminal has them and nobody wants to do without")
  func colours() throws {
    for (variables, isPlain, depth) in [
      ([:], false, .none), (["TERM": "xterm"], false, .palette), (["TERM": "xterm"], true, .none),
      (["TERM": "xterm", "NO_COLOR": "1"], false, .none),
      (["TERM": "xterm", "COLORTERM": "truecolor"], false, .mixed),
      (["TERM": "vt100"], false, .none),
      (["TERM": "linux"], false, .sixteen),
    ] as [([String: String], Bool, ColorDepth)] {
      #expect(try options(isPlain: isPlain, variables).depth == depth, "\(variables)")
    }
  }

  @Test("A terminal that may show covers is asked, unless none are wanted")
  func asking() throws {
    for (words, term, isPlain, covers, asks) in [
      ([], "xterm", false, nil, true), ([], "xterm", true, CoverWay.none, false),
      ([], "dumb", false, nil, false), ([], "linux", false, nil, false),
      ([], "vt220", false, nil, false), ([], nil, false, nil, false),
      (["--covers", "none"], "xterm", false, CoverWay.none, false),
      (["--covers", "blocks"], "xterm", false, .blocks, true),
      (["--covers", "sixel"], "xterm", false, .sixel, true),
      (["--covers", "kitty"], "linux", false, .kitty, false),
      (["--covers", "kitty"], "xterm", true, CoverWay.none, false),
    ] as [([String], String?, Bool, CoverWay?, Bool)] {
      let options = try options(words, isPlain: isPlain, term.map { ["TERM": $0] } ?? [:])
      #expect(options.covers == covers, "\(words) \(term ?? "")")
      #expect(options.asksForPictures == asks, "\(words) \(term ?? "")")
    }
    #expect(throws: (any Error).self) { try BrowseCommand.parse(["--covers", "gif"]) }
  }

  @Test("Texts are UTF-8 where the locale says so, of whose variables the strongest counts")
  func locales() {
    for (variables, hasUTF8) in [
      ([:], false), (["LANG": "de_DE.UTF-8"], true), (["LANG": "C"], false),
      (["LANG": "en_US.utf8"], true), (["LC_CTYPE": "C", "LANG": "C.UTF-8"], false),
      (["LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
      (["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"], false),
      (["LC_ALL": "C.utf-8", "LC_CTYPE": "C"], true), (["LANG": "de_DE.ISO-8859-1"], false),
    ] {
      #expect(BrowseCommand.hasUTF8 { variables[$0] } == hasUTF8, "\(variables)")
    }
  }
}
