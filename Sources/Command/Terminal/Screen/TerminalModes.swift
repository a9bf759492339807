/// The sequences that set up and restore a terminal.
package enum TerminalModes {
  /// Enters the alternate screen, without wrapping, with reports of clicks and drags, and with
  /// bracketed paste. `leaving` undoes all of it. It first ends a string that may be open.
  package static func entering(mouse: Bool) -> [UInt8] {
    Array(
      "\u{1B}\\\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\(mouse ? "\u{1B}[?1002h\u{1B}[?1006h" : "")"
        .utf8)
  }

  /// Restores the terminal. These bytes work in any state, so that a signal handler can write them.
  ///
  /// They first end a string that may be open.
  package static let leaving = Array(
    "\u{1B}\\\u{1B}[m\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8
  )

  /// Queries whether the terminal has processed its input; it replies with `ready`.
  package static let askingReady = Array("\u{1B}[5n".utf8)

  package static func moving(to spot: Grid.Spot) -> [UInt8] {
    Array("\u{1B}[\(spot.row + 1);\(spot.column + 1)H".utf8)
  }
}
