import Ordering
import TestSupport
import Testing

@Suite("Where things shall go", .limited)
struct OrderingPlaceTests {
  private let all: [Place<Int>] = [.top, .bottom, .up, .down, .before(1), .after(1)]

  @Test("a step goes from where things stand, and no other place does")
  func steps() {
    #expect(all.filter(\.isStep) == [.up, .down])
  }

  @Test("another anchor changes nothing else, and none where it fails")
  func mapped() throws {
    #expect(
      all.map { $0.mapped { "\($0)" } }
        == [.top, .bottom, .up, .down, .before("1"), .after("1")])
    struct Unknown: Error {}
    for place in all {
      let changed = Result { () throws(Unknown) in
        try place.mapped { (_: Int) throws(Unknown) -> Int in throw Unknown() }
      }
      #expect((try? changed.get()) == (place.normalized == .before(1) ? nil : place))
    }
  }

  @Test("above and below an anchor are asked for in one way")
  func normalized() {
    #expect(all.map(\.normalized) == [.top, .bottom, .up, .down, .before(1), .before(1)])
  }
}
