/// A 24-bit colour.
package struct RGB: Sendable, Hashable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The nearest of the palette colours 16 to 255, which are the same in all terminals with 256
  /// colours. The user may have changed the first sixteen.
  package var paletteIndex: Int {
    let steps = [red, green, blue].map { Self.nearestStep($0) }
    let cube = RGB(
      Self.cubeSteps[steps[0]], Self.cubeSteps[steps[1]], Self.cubeSteps[steps[2]])
    // The weighted mean, with the weights of `distance`.
    let tenfold = 3 * Int(red) + 6 * Int(green) + Int(blue)
    let level = min(max((tenfold - 80 + 50) / 100, 0), Self.greys - 1)
    let grey = UInt8(8 + 10 * level)
    if distance(to: RGB(grey, grey, grey)) < distance(to: cube) { return 232 + level }
    return 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  /// The weighted squared distance. Green counts most and blue least, as in human vision.
  func distance(to other: RGB) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return 3 * red * red + 6 * green * green + blue * blue
  }

  /// The levels of each channel in xterm's cube of 216 colours.
  private static let cubeSteps: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let greys = 24

  private static func nearestStep(_ value: UInt8) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
  }
}
