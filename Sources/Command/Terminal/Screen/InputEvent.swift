/// What a terminal sends.
package enum InputEvent: Hashable, Sendable {
  case key(Key, Modifiers = [])
  case mouse(Mouse)
  /// What was pasted, 64 KiB at most; lines end with a line feed.
  case pasted(String)
  case report(Report)
}

package enum Key: Hashable, Sendable {
  case character(Unicode.Scalar)
  case enter, escape, tab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// From 1.
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
    /// Rows of the wheel; below 0 upwards.
    case wheel(Int)
  }

  package enum Button: Hashable, Sendable { case left, middle, right }

  package var action: Action
  package var spot: Grid.Spot
  package var modifiers: Modifiers
  /// The second press of a double click. Terminals don't tell; who has a clock does.
  package var isSecond = false

  package init(_ action: Action, _ spot: Grid.Spot, _ modifiers: Modifiers = []) {
    self.action = action
    self.spot = spot
    self.modifiers = modifiers
  }
}

/// What a terminal answers, or tells of itself.
package enum Report: Hashable, Sendable {
  /// What it can do (DA1).
  case attributes([Int])
  /// What it can draw (XTSMGRAPHICS): which thing was asked for, 0 where it says, and what it says.
  case graphics([Int])
  /// An answer of kitty's protocol of pictures, without its frame.
  case picture(String)
  /// Pixels of a cell.
  case cellSize(width: Int, height: Int)
  /// What the terminal calls itself.
  case name(String)
  case focus(Bool)
  /// The terminal has taken everything that was sent before the question (DSR).
  case ready
  /// Another one, which nobody asks for.
  case other
}
