/// The graphics support of a terminal, detected from its replies.
package struct PictureSupport: Sendable {
  /// Whether it supports kitty's graphics protocol.
  package private(set) var hasKitty = false
  package private(set) var hasSixels = false
  /// The number of colours of a sixel picture.
  package private(set) var sixelColours = SixelPicture.coloursUsual
  /// Nil if the terminal doesn't report it.
  package private(set) var cell: CellSize?
  /// Whether it has answered the last query, so that no further reply can come.
  package private(set) var isComplete = false

  /// Queries for kitty's protocol, the colours of sixels (xterm's XTSMGRAPHICS), the size of a
  /// cell, and the attributes (DA1), of which 4 means sixels. DA1 comes last, since every terminal
  /// answers it.
  ///
  /// - Parameter multiplexer: Whether the terminal is tmux or screen, which mistake kitty's query
  ///   for a window title.
  package static func questions(inside multiplexer: Bool) -> [UInt8] {
    (multiplexer ? [] : KittyPicture.question) + Array("\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[c".utf8)
  }

  /// Whether the terminal is tmux or screen, according to the environment.
  package static func isMultiplexer(_ variable: (String) -> String?) -> Bool {
    let term = variable("TERM") ?? ""
    return variable("TMUX") != nil || variable("STY") != nil
      || term.hasPrefix("tmux") || term.hasPrefix("screen")
  }

  private var decoder = InputDecoder()

  package init() {}

  /// Parses the next bytes from the terminal, which may be anything and split anywhere.
  package mutating func take(_ bytes: some Sequence<UInt8>) {
    for event in decoder.feed(bytes) {
      if case .report(let report) = event { take(report) }
    }
  }

  package mutating func take(_ report: Report) {
    switch report {
    case .picture("i=31;OK"): hasKitty = true
    case .attributes(let numbers):
      // The first number is the terminal's class.
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
