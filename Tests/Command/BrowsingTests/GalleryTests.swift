import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Going about among covers", .limited) struct GalleryTests {
  private func session() throws -> (Session, across: Int) {
    let albums = (0..<40).map { "Album \($0)" }
    var session = Session(
      [(name: "Music", albums: albums)], columns: 240, rows: 58,
      look: Look(covers: .kitty, cell: CellSize(width: 16, height: 32)))
    session.press("w")
    let across = session.browser.layout.across
    try #require(across > 2 && session.browser.pane == .albums)
    return (session, across)
  }

  @Test("Up and down go by rows, to the sides by one, and out of the first column to the crates")
  func keys() throws {
    let across = try session().across
    for (keys, place, pane) in [
      ("l", 1, Pane.albums), ("l l h", 1, .albums), ("j", across, .albums),
      ("j j k", across, .albums), ("j l k", 1, .albums), ("h", 0, .crates),
      ("j h", nil, .crates), ("l h h", nil, .crates), ("j l h", across, .albums),
    ] as [(String, Int?, Pane)] {
      var (session, _) = try session()
      session.press(keys)
      #expect(session.browser.pane == pane, "\(keys)")
      if let place { #expect(session.browser.place == place, "\(keys)") }
    }
  }

  @Test("Of two covers beside each other the right one is to the right of the left one")
  func two() throws {
    let sessions = (60..<240).lazy.map { columns in
      var session = Session(
        [(name: "Music", albums: ["A", "B", "C"])], columns: columns, rows: 58,
        look: Look(covers: .kitty, cell: CellSize(width: 16, height: 32)))
      session.press("w")
      return session
    }
    var session = try #require(sessions.first { $0.browser.layout.across == 2 })
    session.press("l")
    #expect(session.browser.pane == .albums && session.browser.place == 1)
    session.press("h")
    #expect(session.browser.pane == .albums && session.browser.place == 0)
    session.press("h")
    #expect(session.browser.pane == .crates)
  }

  @Test("Tab goes around the panes, and Left, Right and Enter from one to the next")
  func panes() {
    for (keys, pane) in [
      ("Tab", Pane.songs), ("Tab Tab", .crates), ("Tab Tab Tab", .albums), ("S-Tab", .crates),
      ("S-Tab S-Tab", .songs), ("S-Tab S-Tab S-Tab", .albums), ("Left", .crates),
      ("Left Left", .crates), ("Right", .songs), ("Right Right", .songs), ("Left Enter", .albums),
      ("Enter", .songs), ("Right h", .albums),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      #expect(session.browser.pane == pane, "\(keys)")
      #expect(session.played.isEmpty)
    }
    var empty = Session([])
    empty.press("l")
    #expect(empty.browser.pane == .albums)
    // Enter on a song plays it.
    var session = Session(CrateKeyTests.crates)
    session.press("l j Enter")
    #expect(session.played == [.play([.song(session.browser.songs[1])], adding: false)])
  }

  @Test("A digit goes to the albums of a crate, wherever one is")
  func digits() {
    for (keys, pane) in [
      ("2", Pane.albums), ("h 2", .albums), ("l 2", .albums), ("h 4", .crates), ("h j", .crates),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      #expect(session.browser.pane == pane, "\(keys)")
      #expect(session.list == (keys.hasSuffix("4") ? "[A] B C" : "[D] E"), "\(keys)")
    }
  }

  @Test("What is typed has as many bytes as a name may have")
  func lines() {
    var line = LineInput()
    line.type(String(repeating: "x", count: 254) + "é")
    #expect(line.text.utf8.count == 254)
    line.type("yz")
    #expect(line.text.utf8.count == 255 && line.text.hasSuffix("xy"))
    line.text = "so what  "
    line.deleteWord()
    #expect(line.text == "so ")
    line.deleteBackwards()
    #expect(line.text == "so")
    for _ in 0..<3 { line.deleteBackwards() }
    line.deleteWord()
    #expect(line.text.isEmpty)
  }
}
