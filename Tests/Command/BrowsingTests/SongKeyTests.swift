import Terminal
import TestSupport
import Testing

@testable import Browsing

/// Keys in, songs out. The album in front has four of them: 1 to 4.
@Suite("Keys in the list of songs", .limited)
struct SongKeyTests {
  private static let cases: [(keys: String, result: String)] = [
    ("", "[1] 2 3 4"), ("j", "1 [2] 3 4"), ("G k", "1 2 [3] 4"), ("End Home", "[1] 2 3 4"),
    // Moving.
    ("J", "2 [1] 3 4"), ("j K", "[2] 1 3 4"), ("K", "[1] 2 3 4"), ("j t", "[2] 1 3 4"),
    ("b", "2 3 4 [1]"), ("J J J J", "2 3 4 [1]"), ("v j J", "3 *1 [*2] 4"),
    ("Space j Space J", "2 *1 *3 [4]"), ("v j J j", "3 *1 *2 [4]"), ("J u", "[1] 2 3 4"),
    // Selecting.
    ("Space", "*1 [2] 3 4"), ("Space k Space", "1 [2] 3 4"), ("a", "[*1] *2 *3 *4"),
    ("Space i", "1 [*2] *3 *4"), ("a V j", "1 [2] *3 *4"), ("v j Esc", "1 [2] 3 4"),
    ("v j v j", "*1 *2 [3] 4"), ("a Esc", "[1] 2 3 4"), ("j {", "*1 [*2] 3 4"),
    ("j j }", "1 2 [*3] *4"), ("S-Down S-Down S-Up j", "*1 *2 [3] 4"),
    ("S-Down j S-Down", "*1 *2 *3 [*4]"), ("v S-Down j", "*1 *2 [*3] 4"),
    ("v j Space", "*1 2 [3] 4"),
    // Picking up.
    ("x j j p", "2 [3] 1 4"), ("x j j P", "2 1 [3] 4"), ("v j x G p", "3 [4] *1 *2"),
    ("G x g P", "4 [1] 2 3"), ("x Esc G p", "1 2 3 [4]"), ("x p", "[1] 2 3 4"),
    ("j j v j x p", "1 2 *3 [*4]"), ("x G p g p", "[2] 3 4 1"),
    // The keeper turns them around, whatever is asked.
    ("s n", "4 3 2 [1]"), ("Space Space s n", "*2 *1 [3] 4"), ("Space s n", "4 3 [2] *1"),
  ]

  @Test("do what the table says", arguments: cases)
  func table(_ one: (keys: String, result: String)) {
    var session = Session([(name: "Music", albums: ["A", "B"])], songs: 4)
    let album = "\(Keeper.id("A"))"
    session.press("l")
    let first = session.browser.songs
    session.press(one.keys)
    let (browser, cursor) = (session.browser, session.browser.songList.cursor)
    let seen = browser.songs.map { song in
      let number = "\((first.firstIndex(of: song) ?? 8) + 1)"
      let text = browser.songList.selected.contains(song) ? "*\(number)" : number
      return song == cursor ? "[\(text)]" : text
    }.joined(separator: " ")
    #expect(seen == one.result, "\(one.keys)")
    #expect(browser.songs == session.keeper.songs(of: album).map(\.id))
    #expect(browser.pane == .songs)
  }

  @Test("A view that was scrolled away comes back to what is moved, among albums and songs")
  func views() {
    for (keys, way) in [("J", 3), ("b", 5), ("K", 3)] {
      var session = Session([(name: "Music", albums: (0..<200).map { "A\($0)" })])
      session.press("j j")
      for _ in 0..<way {
        session.take(
          .input(.mouse(Mouse(.wheel(1), Grid.Spot(row: 5, column: 40)))))
      }
      #expect(session.browser.albumList.topPlace(in: session.browser.items) == 3 * way)
      session.press(keys)
      let place = session.browser.albumList.place(in: session.browser.items)
      let top = session.browser.albumList.topPlace(in: session.browser.items)
      #expect((top..<top + 28).contains(place), "\(keys): \(place) \(top)")
    }
  }
}
