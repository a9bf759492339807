/// What a terminal is told at the beginning and at the end.
package enum TerminalModes {
  /// A screen of our own, no wrapping, the mouse as it is pressed and dragged, and pasted text as
  /// such. All of it is undone by `leaving`. A string that was not ended ends first.
  package static func entering(mouse: Bool) -> [UInt8] {
    Array(
      "\u{1B}\\\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\(mouse ? "\u{1B}[?1002h\u{1B}[?1006h" : "")"
        .utf8)
  }

  /// Whatever of it was asked for: the same bytes in any state, so that a signal's handler can
  /// write them.
  ///
  /// A string that was not ended ends first.
  package static let leaving = Array(
    "\u{1B}\\\u{1B}[m\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8
  )

  /// Asks whether it has taken what was sent, which it answers with `ready`.
  package static let askingReady = Array("\u{1B}[5n".utf8)

  package static func moving(to spot: Grid.Spot) -> [UInt8] {
    Array("\u{1B}[\(spot.row + 1);\(spot.column + 1)H".utf8)
  }
}
