import CratesInterface
import TestSupport
import Testing

@Suite("Characters that steer", .limited)
struct SteeringTests {
  private static let all = (0...UInt32(0x10FFFF)).compactMap { Unicode.Scalar($0) }

  @Test("They are the controls of terminals, lines and directions, and no letter or picture")
  func which() {
    let steering = Self.all.filter(\.isSteering)
    #expect(steering.count == 32 + 33 + 1 + 2 + 5 + 10 + 2 + 1 + 3 + 256)
    for scalar in steering {
      let category = scalar.properties.generalCategory
      let kinds: [Unicode.GeneralCategory] = [
        .control, .format, .lineSeparator, .paragraphSeparator, .unassigned,
      ]
      #expect(kinds.contains(category), "\(String(scalar.value, radix: 16))")
    }
    let others = Self.all.filter { !$0.isSteering }
    #expect(!others.contains { $0.properties.generalCategory == .control })
    #expect(!others.contains { $0.properties.isBidiControl })
  }

  @Test("In JSON they are escaped, nothing else is, and they are read back")
  func json() throws {
    for scalar in Self.all where scalar.isSteering {
      let value = JSON.string("a\(Character(scalar))b")
      #expect(!value.text.unicodeScalars.contains(scalar))
      #expect(value.text.utf8.allSatisfy { $0 < 0x7F })
      #expect(try JSON(parsing: value.bytes) == value)
    }
    #expect(JSON.string("\u{7F}\u{202E}\u{E0041}").text == #""\u007f\u202e\udb40\udc41""#)
    var others = String.UnicodeScalarView()
    others.append(contentsOf: Self.all.filter { !$0.isSteering && $0 != "\"" && $0 != "\\" })
    let text = String(others)
    #expect(JSON.string(text).bytes == Array("\"\(text)\"".utf8))
  }

  @Test("Made harmless, they are seen")
  func harmless() {
    for scalar in Self.all where scalar.isSteering {
      let shown = "a\(Character(scalar))b".harmless
      #expect(shown.unicodeScalars.count == 3)
      #expect(!shown.unicodeScalars.contains { $0.isSteering })
      let alone = String(Character(scalar)).harmless
      #expect(alone.unicodeScalars.count == 1 && "a\(alone)b" == shown)
    }
    #expect("\u{1B}[2J\r\n\u{7F}\u{9B}\u{202E}".harmless == "␛[2J␍␊␡\u{FFFD}\u{FFFD}")
    for text in ["Kind of Blue", "後で聴く", "e\u{301}", "👩‍🎤", "می‌خواهم"] {
      #expect(text.harmless == text)
    }
  }
}
