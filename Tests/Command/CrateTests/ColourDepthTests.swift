import Terminal
import TestSupport
import Testing

@testable import crate

@Suite("Colours of terminals", .limited)
struct ColourDepthTests {
  @Test(
    "are known by what they are called",
    arguments: [
      ("xterm", nil, ColorDepth.palette), ("xterm-256color", nil, .palette),
      ("xterm-256color", "truecolor", .mixed), ("xterm-kitty", nil, .mixed), ("foot", nil, .mixed),
      ("tmux", nil, .palette), ("screen", nil, .sixteen), ("rxvt", nil, .sixteen),
      ("linux", nil, .sixteen), ("vt220", nil, .none), ("dumb", "truecolor", .none),
    ] as [(String, String?, ColorDepth)])
  func depths(term: String, colorTerm: String?, expected: ColorDepth) {
    #expect(BrowseCommand.depth(term: term, colorTerm: colorTerm) == expected)
  }
}
