/// What a terminal says of the pictures that it can show, found in what comes from it.
package struct PictureSupport: Sendable {
  /// Whether it knows kitty's graphics protocol.
  package private(set) var hasKitty = false
  package private(set) var hasSixels = false
  /// How many colours a sixel picture may have.
  package private(set) var sixelColours = SixelPicture.coloursUsual
  /// Nil where it doesn't say.
  package private(set) var cell: CellSize?
  /// Whether it has answered the last of the questions: no answer to another one is to come.
  package private(set) var isComplete = false

  /// For kitty's protocol, the colours of sixels (xterm's XTSMGRAPHICS), the size of a cell, and,
  /// last, since every terminal answers it, for its attributes (DA1), of which 4 are sixels.
  ///
  /// - Parameter multiplexer: whether the terminal is tmux or screen, which take kitty's question
  ///   for the title of the window.
  package static func questions(inside multiplexer: Bool) -> [UInt8] {
    (multiplexer ? [] : KittyPicture.question) + Array("\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[c".utf8)
  }

  /// Whether the terminal is tmux or screen, as the environment says.
  package static func isMultiplexer(_ variable: (String) -> String?) -> Bool {
    let term = variable("TERM") ?? ""
    return variable("TMUX") != nil || variable("STY") != nil
      || term.hasPrefix("tmux") || term.hasPrefix("screen")
  }

  private var decoder = InputDecoder()

  package init() {}

  /// Takes the next bytes from the terminal, which may be anything, in pieces of any size.
  package mutating func take(_ bytes: some Sequence<UInt8>) {
    for event in decoder.feed(bytes) {
      if case .report(let report) = event { take(report) }
    }
  }

  package mutating func take(_ report: Report) {
    switch report {
    case .picture("i=31;OK"): hasKitty = true
    case .attributes(let numbers):
      // The first is the terminal's kind.
      hasSixels = numbers.dropFirst().contains(4)
      isComplete = true
    case .graphics(let numbers):
      guard numbers.count == 3, numbers[0] == 1, numbers[1] == 0, numbers[2] >= 2 else { return }
      sixelColours = min(numbers[2], SixelPicture.coloursUsual)
    case .cellSize(let width, let height): cell = CellSize(width: width, height: height)
    default: break
    }
  }
}
