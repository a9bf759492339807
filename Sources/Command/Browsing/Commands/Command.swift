package import Terminal

/// A command of the lists.
package enum Command: Hashable, Sendable {
  case down, up, halfPageDown, halfPageUp, pageDown, pageUp, first, last
  case outwards, inwards, next, previous, open
  /// The number of a crate, from 1.
  case crate(Int)
  case select, range, deselectingRange, rangeAbove, rangeBelow, selectDown, selectUp
  case all, invert, cancel
  case moveUp, moveDown, moveTop, moveBottom
  case pick, putBelow, putAbove
  case send, sendAgain, sort, undo, redo
  case find, findNext, findPrevious, narrow
  case triage, gallery, play, pause, nextSong, stop, rename, forget
  case help, quit, suspend, redraw
}

extension Command {
  /// Whether the command would give a wrong result while only the first albums are loaded.
  var needsAllAlbums: Bool {
    switch self {
    case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .outwards, .inwards,
      .next, .previous, .open, .crate, .select, .selectDown, .selectUp, .range, .deselectingRange,
      .cancel, .gallery, .pause, .nextSong, .stop, .help, .quit, .suspend, .redraw:
      false
    default: true
    }
  }
}

/// A key with its modifiers.
package struct Stroke: Hashable, Sendable {
  package var key: Key
  package var modifiers: Modifiers

  init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  init(_ character: Unicode.Scalar, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }
}

extension Stroke {
  /// The key as it is written for the user.
  package var name: String {
    var name: String
    switch key {
    case .character(" "): name = "Space"
    case .character(let scalar):
      if modifiers == .control { return "^\(scalar)" }
      name = String(Character(scalar))
    case .enter: name = "Enter"
    case .escape: name = "Esc"
    case .tab: name = "Tab"
    case .backspace: name = "Backspace"
    case .delete: name = "Delete"
    case .insert: name = "Insert"
    case .up: name = "Up"
    case .down: name = "Down"
    case .left: name = "Left"
    case .right: name = "Right"
    case .home: name = "Home"
    case .end: name = "End"
    case .pageUp: name = "PageUp"
    case .pageDown: name = "PageDown"
    case .function(let number): name = "F\(number)"
    }
    if modifiers.contains(.shift) { name = "Shift+\(name)" }
    if modifiers.contains(.alt) { name = "Alt+\(name)" }
    if modifiers.contains(.control) { name = "Ctrl+\(name)" }
    return name
  }
}
