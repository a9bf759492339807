/// The parameters of a control sequence, such as `1;5` in `ESC [ 1 ; 5 A`.
struct ControlParameters {
  /// The prefix of private parameters, one of `<=>?`.
  private(set) var mark: UInt8?
  /// An empty parameter is 0.
  private(set) var numbers: [Int] = []
  /// The intermediate bytes.
  private(set) var between: [UInt8] = []

  /// Larger numbers are clamped to this. No valid parameter is as large.
  private static let numberMost = 1 << 24
  private static let most = 32

  /// Returns nil if the bytes are not parameters.
  init?(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    if let first = bytes.first, (0x3C..<0x40).contains(first) {
      mark = first
      bytes.removeFirst()
    }
    var number: Int?
    while let byte = bytes.first, (0x30..<0x3C).contains(byte) {
      bytes.removeFirst()
      if byte < 0x3A {
        number = min((number ?? 0) * 10 + Int(byte - 0x30), Self.numberMost)
      } else {
        guard numbers.count < Self.most else { return nil }
        numbers.append(number ?? 0)
        number = nil
      }
    }
    if number != nil || !numbers.isEmpty { numbers.append(number ?? 0) }
    between = Array(bytes)
    guard between.allSatisfy({ (0x20..<0x30).contains($0) }) else { return nil }
  }

  /// Returns nil for a missing or empty parameter.
  subscript(place: Int) -> Int? {
    numbers.indices.contains(place) && numbers[place] > 0 ? numbers[place] : nil
  }
}

extension Report {
  /// Identifies a report by its private prefix and final byte.
  init(_ parameters: ControlParameters, _ final: UInt8) {
    switch (parameters.mark, final) {
    case (UInt8(ascii: "?"), UInt8(ascii: "c")): self = .attributes(parameters.numbers)
    case (UInt8(ascii: "?"), UInt8(ascii: "S")): self = .graphics(parameters.numbers)
    default: self = .other
    }
  }
}

extension Modifiers {
  /// Decodes modifiers, whose code is their sum plus one.
  init(code: Int) {
    let bits = max(code, 1) - 1
    self.init(rawValue: UInt8(truncatingIfNeeded: bits & 7))
    // Meta is Alt.
    if bits & 8 != 0 { insert(.alt) }
  }
}

extension Mouse {
  /// Decodes a mouse event of `ESC [ < 0 ; 12 ; 3 M` (SGR, 1006).
  init?(_ parameters: ControlParameters, isRelease: Bool) {
    let numbers = parameters.numbers
    guard numbers.count == 3 else { return nil }
    self.init(code: numbers[0], column: numbers[1] - 1, row: numbers[2] - 1, isRelease: isRelease)
  }

  /// Decodes the three bytes behind `ESC [ M`, from terminals without SGR mode.
  init?(old bytes: [UInt8]) {
    guard bytes.count == 3, bytes[0] >= 0x20 else { return nil }
    let code = Int(bytes[0]) - 0x20
    self.init(
      code: code, column: Int(bytes[1]) - 0x21, row: Int(bytes[2]) - 0x21,
      isRelease: code & 0x43 == 3)
  }

  private init?(code: Int, column: Int, row: Int, isRelease: Bool) {
    guard column >= 0, row >= 0, column < Grid.sideMost, row < Grid.sideMost else { return nil }
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let spot = Grid.Spot(row: row, column: column)
    if code & 64 != 0 {
      // Only vertical wheel events are used.
      guard code & 3 < 2, !isRelease else { return nil }
      self.init(.wheel(code & 1 == 0 ? -1 : 1), spot, modifiers)
      return
    }
    if isRelease {
      self.init(.release, spot, modifiers)
      return
    }
    let button: Button
    switch code & 3 {
    case 0: button = .left
    case 1: button = .middle
    case 2: button = .right
    // Motion without a button.
    default: return nil
    }
    self.init(code & 32 != 0 ? .drag(button) : .press(button), spot, modifiers)
  }
}
