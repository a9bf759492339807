import Browsing
import CratesInterface
import Terminal
import TestSupport
import Testing

@testable import crate

@Suite("Between the browser and what is around it", .limited)
struct BrowserInputTests {
  private func press(
    _ column: Int, _ button: Mouse.Button = .left, _ modifiers: Modifiers = []
  ) -> InputEvent {
    .mouse(Mouse(.press(button), Grid.Spot(row: 1, column: column), modifiers))
  }

  @Test("A second press within 400 ms at the same place, and nothing between, is a double click")
  func doubleClicks() {
    let release = InputEvent.mouse(Mouse(.release, Grid.Spot(row: 1, column: 1)))
    let ms: Int64 = 1_000_000
    let cases: [(events: [(InputEvent, Int64)], marked: [Bool])] = [
      ([(press(1), 0), (release, 50), (press(1), 400)], [false, false, true]),
      ([(press(1), 0), (press(1), 401)], [false, false]),
      ([(press(1), 0), (press(2), 100)], [false, false]),
      ([(press(1), 0), (.key(.up), 50), (press(1), 100)], [false, false, false]),
      ([(press(1), 0), (press(1, .right), 50), (press(1), 100)], [false, false, false]),
      ([(press(1), 0), (press(1, .left, .control), 50), (press(1), 90)], [false, false, false]),
      // A third one is none.
      (
        [(press(1), 0), (press(1), 100), (press(1), 200), (press(1), 300)],
        [false, true, false, true]
      ),
    ]
    for (events, expected) in cases {
      var clicks = DoubleClicks()
      let marked = events.map { event, at in
        if case .mouse(let mouse) = clicks.marked(event, at: at * ms) {
          mouse.isSecond
        } else {
          false
        }
      }
      #expect(marked == expected)
    }
  }

  @Test("Songs beside each other are asked for at once, a hundred at most")
  func songs() {
    func count(_ things: [PlayedThing]) -> [Int] {
      DaemonCalls.calls(for: things).map { call in
        if case .listSongs(_, _, let songs, _, _, _) = call { songs?.count ?? 0 } else { -1 }
      }
    }
    let many = (0..<250).map { PlayedThing.song("\($0)") }
    #expect(count(many) == [100, 100, 50] && count([]) == [])
    #expect(count([.song("a"), .song("b"), .album("c"), .song("d"), .crate("e")]) == [2, 0, 1, 0])
  }
}
