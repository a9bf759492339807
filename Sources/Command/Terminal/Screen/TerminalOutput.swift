/// Output for a terminal, made of a few sequences that all terminals support (ECMA-48).
struct TerminalOutput {
  private(set) var bytes: [UInt8] = []
  private let depth: ColorDepth
  private var style: Style = .plain
  private var isStyled = false
  /// Whether the cursor's position is known, which depends on the widths of the characters before
  /// it.
  private(set) var isPlaced = false

  init(depth: ColorDepth) {
    self.depth = depth
    bytes.reserveCapacity(1 << 10)
  }

  private mutating func control(_ text: StaticString) {
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func number(_ number: Int) {
    if number >= 10 { self.number(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func hideCursor() { control("?25l") }
  mutating func showCursor() { control("?25h") }

  mutating func clear() { control("m\u{1B}[2J") }

  mutating func move(to spot: Grid.Spot) {
    control("")
    number(spot.row + 1)
    bytes.append(UInt8(ascii: ";"))
    number(spot.column + 1)
    bytes.append(UInt8(ascii: "H"))
    isPlaced = true
  }

  /// Erases cells from the cursor on.
  mutating func erase(_ count: Int) {
    endStyle()
    control("")
    number(count)
    bytes.append(UInt8(ascii: "X"))
  }

  mutating func write(ascii: UInt8) { bytes.append(ascii) }

  mutating func write(_ scalars: [Unicode.Scalar]) {
    for scalar in scalars { bytes.append(contentsOf: scalar.utf8) }
    isPlaced = false
  }

  mutating func endStyle() {
    if isStyled { style(.plain) }
  }

  mutating func style(_ new: Style) {
    let new = shown(new)
    guard new != style else { return }
    control("")
    // Resets the former style first.
    if isStyled, new != .plain { more("0") }
    style = new
    isStyled = new != .plain
    let attributes = new.attributes
    if attributes.contains(.bold) { more("1") }
    if attributes.contains(.dim) { more("2") }
    if attributes.contains(.italic) { more("3") }
    if attributes.contains(.underlined) { more("4") }
    if attributes.contains(.reversed) { more("7") }
    color(new.ink, dark: 30, light: 90, "38")
    color(new.paper, dark: 40, light: 100, "48")
    bytes.append(UInt8(ascii: "m"))
  }

  private mutating func separate() {
    if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ";")) }
  }

  private mutating func more(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func more(_ number: UInt8) {
    separate()
    self.number(Int(number))
  }

  private mutating func color(_ color: Color, dark: Int, light: Int, _ code: StaticString) {
    switch color.kind {
    case .usual: break
    case .palette(let number) where number < 16:
      separate()
      self.number((number < 8 ? dark : light - 8) + Int(number))
    case .palette(let number):
      more(code)
      more("5")
      more(number)
    case .mixed(let red, let green, let blue):
      more(code)
      more("2")
      more(red)
      more(green)
      more(blue)
    }
  }

  /// Returns the nearest style that the terminal supports.
  private func shown(_ style: Style) -> Style {
    switch depth {
    case .mixed: style
    case .none: Style(style.attributes)
    case .palette:
      Style(style.attributes, ink: style.ink.inPalette, paper: style.paper.inPalette)
    case .sixteen:
      Style(style.attributes, ink: style.ink.inSixteen, paper: style.paper.inSixteen)
    }
  }
}

extension Color {
  /// The nearest of the 240 palette colours that are the same in all terminals.
  var inPalette: Color {
    guard case .mixed(let red, let green, let blue) = kind else { return self }
    // The levels of the cube are 0, 95, 135 ... 255.
    let levels = [red, green, blue].map { (level: UInt8) -> Int in
      level < 48 ? 0 : level < 115 ? 1 : (Int(level) - 35) / 40
    }
    let cube = 16 + 36 * levels[0] + 6 * levels[1] + levels[2]
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let gray = min(max((mean - 3) / 10, 0), 23)
    let shades = levels.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    let cubeFault = fault(shades[0], shades[1], shades[2])
    let grayFault = fault(8 + 10 * gray, 8 + 10 * gray, 8 + 10 * gray)
    return .palette(UInt8(grayFault < cubeFault ? 232 + gray : cube))
  }

  /// The nearest of the 16 colours that the user may have configured, by their defaults.
  var inSixteen: Color {
    switch kind {
    case .usual: return self
    case .palette(let number):
      if number < 16 { return self }
      let (red, green, blue) = Self.mix(of: number)
      return Color.mixed(red: red, green: green, blue: blue).inSixteen
    case .mixed:
      let nearest = Self.sixteen.indices.min { fault(Self.sixteen[$0]) < fault(Self.sixteen[$1]) }
      return .palette(UInt8(nearest ?? 0))
    }
  }

  private func fault(_ mix: (UInt8, UInt8, UInt8)) -> Int {
    fault(Int(mix.0), Int(mix.1), Int(mix.2))
  }

  private func fault(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    guard case .mixed(let ownRed, let ownGreen, let ownBlue) = kind else { return 0 }
    let faults = (Int(ownRed) - red, Int(ownGreen) - green, Int(ownBlue) - blue)
    return faults.0 * faults.0 + faults.1 * faults.1 + faults.2 * faults.2
  }

  private static func mix(of number: UInt8) -> (UInt8, UInt8, UInt8) {
    if number >= 232 {
      let shade = 8 + 10 * (number - 232)
      return (shade, shade, shade)
    }
    let cube = Int(number) - 16
    let levels = [cube / 36, cube / 6 % 6, cube % 6].map { UInt8($0 == 0 ? 0 : 55 + 40 * $0) }
    return (levels[0], levels[1], levels[2])
  }

  /// The sixteen colours with xterm's values.
  private static let sixteen: [(UInt8, UInt8, UInt8)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]
}
