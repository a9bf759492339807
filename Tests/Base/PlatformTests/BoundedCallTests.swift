import TestSupport
import Testing

@testable import Platform

@Suite("Questions to file systems that may hang", .limited)
struct BoundedCallTests {
  private static let soon: Int64 = 1_000_000
  private static let late: Int64 = 1_000_000_000 * Int64(Patience.seconds)

  /// A place that answers when a test lets it.
  private final class Place: Sendable {
    let name: [UInt8]
    let isAnswering = Monitor(false)
    let asked = Monitor(0)

    init(_ name: String) { self.name = Array(name.utf8) }

    func ask(_ places: AskedPlaces, within nanoseconds: Int64) -> Int? {
      places.answer(of: name, within: nanoseconds) { [isAnswering, asked] in
        asked.withLock { $0 += 1 }
        return isAnswering.wait { $0 ? 7 : nil }
      }
    }

    func waitUntilAsked() { asked.wait { $0 > 0 ? () : nil } }
  }

  @Test("A place that doesn't answer keeps one thread, and no other place from its answer")
  func hangs() {
    let places = AskedPlaces(most: 4)
    let (hung, well) = (Place("hung"), Place("well"))
    #expect(answer(of: well.name, within: Self.late) { 8 } == 8)
    well.isAnswering.withLock { $0 = true }
    #expect(hung.ask(places, within: Self.soon) == nil)
    hung.waitUntilAsked()
    for _ in 0..<100 { #expect(hung.ask(places, within: Self.soon) == nil) }
    #expect(hung.asked.withLock(\.self) == 1)
    #expect(well.ask(places, within: Self.late) == 7)
    hung.isAnswering.withLock { $0 = true }
    // Whoever has time waits for the answer to the other question, and asks its own.
    #expect(hung.ask(places, within: Self.late) == 7)
    #expect(hung.asked.withLock(\.self) == 2)
  }

  @Test("Of more places than may be awaited nothing is asked until one answers")
  func bounded() {
    let places = AskedPlaces(most: 2)
    let hung = [Place("a"), Place("b")]
    let other = Place("c")
    other.isAnswering.withLock { $0 = true }
    for place in hung {
      #expect(place.ask(places, within: Self.soon) == nil)
      place.waitUntilAsked()
    }
    #expect(other.ask(places, within: Self.late) == nil)
    #expect(other.asked.withLock(\.self) == 0)
    for place in hung { place.isAnswering.withLock { $0 = true } }
    #expect(hung[0].ask(places, within: Self.late) == 7)
    #expect(other.ask(places, within: Self.late) == 7)
  }
}
