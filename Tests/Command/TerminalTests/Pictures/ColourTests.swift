import TestSupport
import Testing

@testable import Terminal

@Suite("The colours of a terminal that has 256", .limited)
struct ColourTests {
  @Test("differ by their squares, in green most and in blue least")
  func distances() {
    #expect(RGB(1, 2, 4).distance(to: RGB(3, 1, 9)) == 3 * 4 + 6 * 1 + 25)
    #expect(RGB(3, 1, 9).distance(to: RGB(1, 2, 4)) == 3 * 4 + 6 * 1 + 25)
    #expect(RGB(0, 0, 0).distance(to: RGB(255, 255, 255)) == 10 * 255 * 255)
  }

  /// The colour of a number, as xterm has it.
  private func colour(_ index: Int) -> RGB {
    if index >= 232 {
      let grey = UInt8(8 + 10 * (index - 232))
      return RGB(grey, grey, grey)
    }
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    let place = index - 16
    return RGB(steps[place / 36], steps[place / 6 % 6], steps[place % 6])
  }

  @Test("are the nearest of every grey, and of every red, green and blue")
  func every() {
    let all = (16...255).map { colour($0) }
    for value in UInt8.min ... .max {
      for given in [
        RGB(value, value, value), RGB(value, 0, 0), RGB(0, value, 0), RGB(0, 0, value),
        RGB(255, value, 0), RGB(value, 255, 255),
      ] {
        let index = given.paletteIndex
        #expect((16...255).contains(index))
        let best = all.map { $0.distance(to: given) }.min()
        #expect(colour(min(max(index, 16), 255)).distance(to: given) == best, "\(given)")
      }
    }
  }

  @Test("are the brighter ones between two, and those of the cube before a grey")
  func between() {
    for (step, value) in [(2, 115), (3, 155), (4, 195), (5, 235)] as [(Int, UInt8)] {
      #expect(RGB(value, 0, 0).paletteIndex == 16 + 36 * step)
      #expect(RGB(0, value, 0).paletteIndex == 16 + 6 * step)
      #expect(RGB(0, 0, value).paletteIndex == 16 + step)
    }
    #expect(RGB(4, 4, 4).paletteIndex == 16)
    #expect(RGB(5, 5, 5).paletteIndex == 232)
    for level in 1..<24 {
      let grey = UInt8(3 + 10 * level)
      // Where no colour of the cube is as near.
      if [93, 133, 173, 213].contains(grey) { continue }
      #expect(RGB(grey, grey, grey).paletteIndex == 232 + level, "\(grey)")
    }
  }
}
