/// A colour of a screen.
package struct RGB: Sendable, Hashable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The nearest of the 240 colours that terminals with 256 agree on: 16 to 255. The first sixteen
  /// are whatever the person made of them.
  package var paletteIndex: Int {
    let steps = [red, green, blue].map { Self.nearestStep($0) }
    let cube = RGB(
      Self.cubeSteps[steps[0]], Self.cubeSteps[steps[1]], Self.cubeSteps[steps[2]])
    // The mean by which distances are measured.
    let tenfold = 3 * Int(red) + 6 * Int(green) + Int(blue)
    let level = min(max((tenfold - 80 + 50) / 100, 0), Self.greys - 1)
    let grey = UInt8(8 + 10 * level)
    if distance(to: RGB(grey, grey, grey)) < distance(to: cube) { return 232 + level }
    return 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  /// The squares of the differences, green counting most and blue least, as eyes have it.
  func distance(to other: RGB) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return 3 * red * red + 6 * green * green + blue * blue
  }

  /// What each of the three may be in the cube of 216 colours, as xterm has it.
  private static let cubeSteps: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let greys = 24

  private static func nearestStep(_ value: UInt8) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
  }
}
