@testable import Terminal

/// A small terminal that does what it is told, written for the tests alone. How wide it thinks a
/// character is may differ from what we think.
struct PlainTerminal {
  struct Cell: Equatable {
    var scalars: [Unicode.Scalar] = [" "]
    /// The SGR parameters that are in force, by what they set.
    var pen = Pen()
    var isRightHalf = false
  }

  struct Pen: Equatable {
    var attributes: Set<Int> = []
    var ink: [Int] = []
    var paper: [Int] = []
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var isCursorShown = true
  private(set) var faults: [String] = []
  private var pen = Pen()
  private let width: (Unicode.Scalar) -> Int

  init(columns: Int, rows: Int, width: @escaping (Unicode.Scalar) -> Int = Widths.of) {
    self.columns = columns
    self.rows = rows
    self.width = width
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  func text(row: Int) -> String {
    var text = String.UnicodeScalarView()
    for cell in cells[row * columns..<(row + 1) * columns] where !cell.isRightHalf {
      text.append(contentsOf: cell.scalars)
    }
    return String(text)
  }

  mutating func feed(_ bytes: [UInt8]) {
    var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        guard rest.popFirst() == "[" else { return faults.append("not CSI") }
        let parameters = rest.prefix { !(0x40..<0x7F).contains($0.value) }
        rest = rest[parameters.endIndex...]
        guard let final = rest.popFirst() else { return faults.append("no end") }
        control(String(parameters), final)
      } else if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        faults.append("control character \(scalar.value)")
      } else {
        show(scalar)
      }
    }
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    let width = width(scalar)
    if width == 0 {
      var place = row * columns + column - 1
      if place >= row * columns, cells[place].isRightHalf { place -= 1 }
      if place >= row * columns { cells[place].scalars.append(scalar) }
      return
    }
    guard column + width <= columns else { return faults.append("beyond the edge") }
    for half in 0..<width { loosen(row * columns + column + half) }
    cells[row * columns + column] = Cell(scalars: [scalar], pen: pen)
    if width == 2 {
      cells[row * columns + column + 1] = Cell(scalars: [], pen: pen, isRightHalf: true)
    }
    column += width
  }

  /// Half of a wide one that is written over leaves a blank.
  private mutating func loosen(_ place: Int) {
    if cells[place].isRightHalf { cells[place - 1].scalars = [" "] }
    if place + 1 < cells.count, cells[place + 1].isRightHalf {
      cells[place + 1].scalars = [" "]
      cells[place + 1].isRightHalf = false
    }
    cells[place].isRightHalf = false
  }

  private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    switch (parameters, final) {
    case ("?25", "l"): isCursorShown = false
    case ("?25", "h"): isCursorShown = true
    case (_, "H"):
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
      if !(0..<rows).contains(row) || !(0..<columns).contains(column) {
        faults.append("cursor outside")
      }
    case ("2", "J"): cells = Array(repeating: Cell(pen: pen), count: columns * rows)
    case (_, "X"):
      for place in column..<min(column + numbers[0], columns) {
        loosen(row * columns + place)
        cells[row * columns + place] = Cell(pen: pen)
      }
    case (_, "m"): style(numbers[...])
    default: faults.append("unknown: \(parameters)\(final)")
    }
  }

  private mutating func style(_ numbers: ArraySlice<Int>) {
    var rest = numbers
    while let number = rest.popFirst() {
      switch number {
      case 0: pen = Pen()
      case 1...4, 7: pen.attributes.insert(number)
      case 30...37, 90...97: pen.ink = [number]
      case 40...47, 100...107: pen.paper = [number]
      case 38, 48:
        let color = [rest.popFirst() ?? 0]
        let values = color + rest.prefix(color == [5] ? 1 : 3)
        rest = rest.dropFirst(values.count - 1)
        if number == 38 { pen.ink = values } else { pen.paper = values }
      default: faults.append("unknown style \(number)")
      }
    }
  }
}
