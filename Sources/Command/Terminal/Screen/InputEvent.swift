/// An input from a terminal.
package enum InputEvent: Hashable, Sendable {
  case key(Key, Modifiers = [])
  case mouse(Mouse)
  /// A pasted text of at most 64 KiB; lines end with a line feed.
  case pasted(String)
  case report(Report)
}

package enum Key: Hashable, Sendable {
  case character(Unicode.Scalar)
  case enter, escape, tab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// The number of the key, from 1.
  case function(Int)
}

package struct Modifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let shift = Modifiers(rawValue: 1)
  package static let alt = Modifiers(rawValue: 2)
  package static let control = Modifiers(rawValue: 4)
}

package struct Mouse: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case press(Button), release, drag(Button)
    /// The number of wheel steps; negative is up.
    case wheel(Int)
  }

  package enum Button: Hashable, Sendable { case left, middle, right }

  package var action: Action
  package var spot: Grid.Spot
  package var modifiers: Modifiers
  /// Whether this is the second press of a double click. Terminals don't report that;
  /// `DoubleClicks` sets it by the time of the presses.
  package var isSecond = false

  package init(_ action: Action, _ spot: Grid.Spot, _ modifiers: Modifiers = []) {
    self.action = action
    self.spot = spot
    self.modifiers = modifiers
  }
}

/// A report of a terminal.
package enum Report: Hashable, Sendable {
  /// The terminal's features (DA1).
  case attributes([Int])
  /// Graphics attributes (XTSMGRAPHICS): the attribute, the status (0 is success) and the values.
  case graphics([Int])
  /// A reply of kitty's graphics protocol, without its delimiters.
  case picture(String)
  /// The size of a cell in pixels.
  case cellSize(width: Int, height: Int)
  /// The name and version of the terminal.
  case name(String)
  case focus(Bool)
  /// The terminal has processed all output before the query (DSR).
  case ready
  /// A report that is not used.
  case other
}
