import Terminal

/// The table of all commands and their keys, from which the key map, the help and the manual page
/// are made.
package enum Bindings {
  /// A row of the table: what a command group does, with its keys.
  package struct Row: Sendable {
    package let does: String
    /// The keys as they are shown.
    package let keys: String
    /// Other ways to do the same.
    package let also: String
    let strokes: [(Stroke, Command)]
  }

  /// The rows under their headings.
  static let groups: [(name: String, rows: [Row])] = [
    ("Go", moving), ("Select", selecting), ("Move", arranging), ("More", other),
  ]

  package static let rows: [Row] = groups.flatMap(\.rows)

  /// The key map of the lists. Digits, which go to a crate, are handled elsewhere.
  static let commands: [Stroke: Command] = {
    var commands: [Stroke: Command] = [:]
    for row in rows {
      for (stroke, command) in row.strokes { commands[stroke] = command }
    }
    return commands
  }()

  private static let moving: [Row] = [
    Row(
      does: "move the cursor", keys: "j k", also: "arrows; the wheel moves the view alone",
      strokes: [
        (Stroke("j"), .down), (Stroke("k"), .up), (Stroke(.down), .down), (Stroke(.up), .up),
      ]),
    Row(
      does: "half a page down, up; a page", keys: "^d ^u", also: "PageDown PageUp",
      strokes: [
        (Stroke("d", .control), .halfPageDown), (Stroke("u", .control), .halfPageUp),
        (Stroke(.pageDown), .pageDown), (Stroke(.pageUp), .pageUp),
        (Stroke("f", .control), .pageDown), (Stroke("b", .control), .pageUp),
      ]),
    Row(
      does: "to the top, to the bottom", keys: "g G", also: "Home End",
      strokes: [
        (Stroke("g"), .first), (Stroke("G"), .last), (Stroke(.home), .first),
        (Stroke(.end), .last),
      ]),
    Row(
      does: "crates, albums, songs", keys: "h l Tab Enter", also: "Left Right, a click",
      strokes: [
        (Stroke("h"), .outwards), (Stroke("l"), .inwards), (Stroke(.left), .outwards),
        (Stroke(.right), .inwards), (Stroke(.tab), .next), (Stroke(.tab, .shift), .previous),
        (Stroke(.enter), .open),
      ]),
    Row(
      does: "to a crate by its number", keys: "1 ... 9", also: "a click",
      strokes: (1...9).map { (Stroke(Unicode.Scalar(UInt8(0x30 + $0))), .crate($0)) }),
    Row(
      does: "find in this list and in the whole library; next, previous", keys: "/ n N",
      also: "Enter goes there, ^p plays it; Alt+m, Alt+arrows, Alt+Home, Alt+End move it",
      strokes: [
        (Stroke("/"), .find), (Stroke("n"), .findNext), (Stroke("N"), .findPrevious),
      ]),
    Row(
      does: "narrow the list to what you type", keys: "f", also: "",
      strokes: [(Stroke("f"), .narrow)]),
  ]

  private static let selecting: [Row] = [
    Row(
      does: "select one and go on", keys: "Space", also: "Ctrl+click",
      strokes: [(Stroke(" "), .select)]),
    Row(
      does: "select a range (V: deselect one); again to end it", keys: "v V",
      also: "Shift+arrows, a drag from an unselected row, a right click",
      strokes: [
        (Stroke("v"), .range), (Stroke("V"), .deselectingRange),
        (Stroke(.down, .shift), .selectDown), (Stroke(.up, .shift), .selectUp),
      ]),
    Row(
      does: "select all above, below up to the next selected one", keys: "{ }",
      also: "deselects from a selected one on",
      strokes: [(Stroke("{"), .rangeAbove), (Stroke("}"), .rangeBelow)]),
    Row(
      does: "select all, the others, none", keys: "a i Esc", also: "",
      strokes: [
        (Stroke("a"), .all), (Stroke("i"), .invert), (Stroke(.escape), .cancel),
      ]),
  ]

  private static let arranging: [Row] = [
    Row(
      does: "move up, down; scattered ones come together", keys: "K J", also: "Alt+arrows",
      strokes: [
        (Stroke("K"), .moveUp), (Stroke("J"), .moveDown), (Stroke(.up, .alt), .moveUp),
        (Stroke(.down, .alt), .moveDown),
      ]),
    Row(
      does: "move to the top, to the bottom", keys: "t b", also: "Alt+Home Alt+End",
      strokes: [
        (Stroke("t"), .moveTop), (Stroke("b"), .moveBottom), (Stroke(.home, .alt), .moveTop),
        (Stroke(.end, .alt), .moveBottom),
      ]),
    Row(
      does: "pick up; put below, above the cursor, in any crate", keys: "x p P",
      also: "drag selected rows; onto a crate: on top of it",
      strokes: [
        (Stroke("x"), .pick), (Stroke("p"), .putBelow), (Stroke("P"), .putAbove),
      ]),
    Row(
      does: "to a crate: type its name, a new name makes one; the same again", keys: "m M",
      also: "",
      strokes: [(Stroke("m"), .send), (Stroke("M"), .sendAgain)]),
    Row(
      does: "sort what is selected, or all, within the places they have", keys: "s", also: "",
      strokes: [(Stroke("s"), .sort)]),
    Row(
      does: "undo, redo", keys: "u U", also: "^r",
      strokes: [
        (Stroke("u"), .undo), (Stroke("U"), .redo), (Stroke("r", .control), .redo),
      ]),
  ]

  private static let other: [Row] = [
    Row(
      does: "new arrivals, one at a time", keys: "+", also: "",
      strokes: [(Stroke("+"), .triage)]),
    Row(
      does: "covers as a gallery", keys: "w", also: "", strokes: [(Stroke("w"), .gallery)]),
    Row(
      does: "play", keys: "!", also: "^p; Enter on a song: the album from there on",
      strokes: [(Stroke("!"), .play), (Stroke("p", .control), .play)]),
    Row(
      does: "pause or go on; next song; stop", keys: ", > .", also: "",
      strokes: [(Stroke(","), .pause), (Stroke(">"), .nextSong), (Stroke("."), .stop)]),
    Row(
      does: "rename the crate", keys: "r", also: "", strokes: [(Stroke("r"), .rename)]),
    Row(
      does: "forget songs that are gone (asks first)", keys: "F", also: "",
      strokes: [(Stroke("F"), .forget)]),
    Row(
      does: "help", keys: "?", also: "F1",
      strokes: [
        (Stroke("?"), .help), (Stroke(.function(1)), .help),
      ]),
    Row(
      does: "quit", keys: "q", also: "^c, which closes prompts and menus first",
      strokes: [
        (Stroke("q"), .quit), (Stroke("c", .control), .quit),
      ]),
    Row(
      does: "redraw; suspend", keys: "^l ^z", also: "",
      strokes: [
        (Stroke("l", .control), .redraw), (Stroke("z", .control), .suspend),
      ]),
  ]
}
