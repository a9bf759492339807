import TestSupport
import Testing

@testable import Terminal

@Suite("Colours and styles as terminals are told them", .limited) struct ColorTests {
  /// What comes before a letter in that style, and ends after it.
  private func styled(_ style: Style, _ depth: ColorDepth = .mixed) -> String {
    var grid = Grid(columns: 1, rows: 1)
    grid.put("x", row: 0, column: 0, style)
    var painter = Painter(depth: depth)
    let text = String(decoding: painter.paint(grid), as: UTF8.self)
    let codes = text.firstMatch(of: /\u{1B}\[1;1H\u{1B}\[([0-9;]*)mx\u{1B}\[m$/)
    return codes.map { String($0.1) } ?? "none"
  }

  @Test("Each attribute is a bit of its own, and has a number")
  func attributes() {
    let all: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.reversed, "7"),
    ]
    for (attribute, code) in all {
      #expect(styled(Style(attribute)) == code)
      for (other, _) in all where other != attribute {
        #expect(attribute.isDisjoint(with: other))
        let both = Style(attribute).adding(other)
        #expect(both.attributes == attribute.union(other) && both == Style([other, attribute]))
      }
    }
    #expect(styled(Style([.bold, .reversed], ink: .palette(1))) == "1;7;31")
  }

  @Test("The person's sixteen have numbers of their own, and the others five in front of theirs")
  func palette() {
    for (number, ink, paper) in [
      (0, "30", "40"), (7, "37", "47"), (8, "90", "100"), (15, "97", "107"),
      (16, "38;5;16", "48;5;16"),
      (255, "38;5;255", "48;5;255"),
    ] as [(UInt8, String, String)] {
      #expect(styled(Style(ink: .palette(number))) == ink)
      #expect(styled(Style(paper: .palette(number))) == paper)
      #expect(styled(Style(ink: .palette(number), paper: .palette(number))) == "\(ink);\(paper)")
      #expect(styled(Style(ink: .palette(number)), .palette) == ink)
    }
    let mixed = Style(
      ink: .mixed(red: 0, green: 9, blue: 255), paper: .mixed(red: 10, green: 99, blue: 100))
    #expect(styled(mixed) == "38;2;0;9;255;48;2;10;99;100")
    #expect(styled(mixed, .none) == "none" && Color.palette(3).inPalette == .palette(3))
  }

  /// Red, green and blue of the 240 that are the same everywhere, from 16 on.
  private static let fixed: [[Int]] = {
    let steps = [0, 95, 135, 175, 215, 255]
    let cube = steps.flatMap { red in
      steps.flatMap { green in steps.map { [red, green, $0] } }
    }
    return cube + (0..<24).map { Array(repeating: 8 + 10 * $0, count: 3) }
  }()

  private func fault(_ one: [Int], _ other: [Int]) -> Int {
    zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }

  @Test("In the palette the nearest is found")
  func nearest() throws {
    var random = SeededGenerator(usually: 11)
    var mixes = Self.fixed + [[47, 48, 115], [114, 115, 154], [155, 195, 235], [2, 3, 4]]
    mixes += (0..<256).map { Array(repeating: $0, count: 3) }
    for _ in 0..<2_000 {
      mixes.append((0..<3).map { _ in Int.random(in: 0...255, using: &random) })
    }
    for mix in mixes {
      let color = Color.mixed(red: UInt8(mix[0]), green: UInt8(mix[1]), blue: UInt8(mix[2]))
      guard case .palette(let number) = color.inPalette.kind, number >= 16 else {
        Issue.record("\(mix) is none of the palette")
        continue
      }
      let least = Self.fixed.map { fault($0, mix) }.min()
      #expect(fault(Self.fixed[Int(number) - 16], mix) == least, "\(mix): \(number)")
    }
  }

  /// The sixteen, as xterm has them.
  private static let sixteen: [[Int]] = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205],
    [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255],
    [255, 0, 255], [0, 255, 255], [255, 255, 255],
  ]

  @Test("Of sixteen the nearest is found, of a mix and of one of the palette alike")
  func nearestOfSixteen() {
    for number in 0..<16 {
      #expect(Color.palette(UInt8(number)).inSixteen == .palette(UInt8(number)))
      let mix = Self.sixteen[number]
      let color = Color.mixed(red: UInt8(mix[0]), green: UInt8(mix[1]), blue: UInt8(mix[2]))
      #expect(color.inSixteen == .palette(UInt8(number)), "\(number)")
    }
    for (place, mix) in Self.fixed.enumerated() {
      guard case .palette(let number) = Color.palette(UInt8(16 + place)).inSixteen.kind,
        number < 16
      else {
        Issue.record("\(mix) is none of sixteen")
        continue
      }
      let least = Self.sixteen.map { fault($0, mix) }.min()
      #expect(fault(Self.sixteen[Int(number)], mix) == least, "\(mix): \(number)")
    }
    // Each number of each of the sixteen is a border somewhere.
    var random = SeededGenerator(usually: 12)
    for _ in 0..<6_000 {
      let mix = (0..<3).map { _ in Int.random(in: 0...255, using: &random) }
      let color = Color.mixed(red: UInt8(mix[0]), green: UInt8(mix[1]), blue: UInt8(mix[2]))
      let least = Self.sixteen.map { fault($0, mix) }.min()
      let nearest = Self.sixteen.indices.filter { fault(Self.sixteen[$0], mix) == least }
      #expect(nearest.map { Color.palette(UInt8($0)) }.contains(color.inSixteen), "\(mix)")
    }
    #expect(Color.usual.inSixteen == .usual)
  }
}
