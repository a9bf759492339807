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
    // Enter on a song plays the album from it on.
    var session = Session(CrateKeyTests.crates)
    session.press("l j Enter")
    let songs = session.browser.songs.dropFirst().map { PlayedThing.song($0) }
    #expect(session.played == [.play(songs, adding: false)])
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

  @Test("Where there is no room for a gallery that is said")
  func noRoom() {
    for (columns, rows) in [(60, 20), (60, 9), (80, 9)] {
      for keys in ["w", "h w", "l w"] {
        var session = Session(
          [(name: "Music", albums: ["A"])], columns: columns, rows: rows,
          look: Look(covers: .blocks))
        session.press(keys)
        #expect(
          session.browser.notice?.text == "There is no room for covers beside each other",
          "\(columns) \(keys)")
        #expect(!session.browser.isGallery)
      }
    }
    var session = Session([(name: "Music", albums: ["A"])], columns: 80, rows: 24)
    session.press("l w")
    #expect(session.browser.isGallery && session.browser.notice == nil)
  }

  @Test("What is typed has as many bytes as a name may have")
  func lines() {
    var line = LineInput()
    line.type(String(repeating: "x", count: 254) + "é")
    #expect(line.text.utf8.count == 254)
    line.type("yz")
    #expect(line.text.utf8.count == 255 && line.text.hasSuffix("xy"))
  }

  @Test("What is typed is edited as lines are elsewhere")
  func edited() {
    for (keys, expected) in [
      ("", "so what|"), ("Left Left", "so wh|at"), ("Home", "|so what"), ("C-a Right", "s|o what"),
      ("Left Home End", "so what|"), ("C-a C-e", "so what|"), ("Bs", "so wha|"),
      ("Home Bs", "|so what"), ("Home Del", "|o what"), ("Del", "so what|"), ("C-w", "so |"),
      ("C-w C-w", "|"), ("Left C-w", "so |t"), ("Left Left C-u", "|at"), ("C-u C-w Bs", "|"),
      ("Home x", "x|so what"), ("Left Right Right", "so what|"), ("Home Left", "|so what"),
    ] {
      var line = LineInput(text: "so what")
      for stroke in Session.strokes(keys) { _ = line.take(stroke) }
      #expect("\(line.before)|\(line.after)" == expected, "\(keys)")
    }
    var session = Session([(name: "Musik", albums: ["A"])])
    session.press("r Left Bs s C-e e Enter")
    #expect(session.lists == "Musske: A" && session.keptLists == session.lists)
    // The cursor is seen where it is.
    session.press("r Home Right")
    let label = " rename Musske to: "
    #expect(session.screen.last?.hasPrefix("\(label)Musske") == true)
    #expect(session.browser.grid().cursor == Grid.Spot(row: 29, column: label.count + 1))
  }

  @Test("A name that is refused stays in the prompt, and blanks around one are left out")
  func refusedNames() {
    var session = Session(CrateKeyTests.crates)
    for (keys, text, notice) in [
      ("r C-u Jazz Space Enter", "Jazz ", "Jazz exists already"),
      ("C-u Space Enter", " ", "A crate needs a name"),
    ] {
      session.press(keys)
      #expect(session.browser.typedLine?.1.text == text)
      #expect(session.browser.notice == Notice(text: notice, isFault: true))
      #expect(session.screen.last?.hasSuffix(notice) == true)
    }
    session.press("C-u Space Other Space Enter")
    #expect(
      session.keptLists == "Other: A B C; Jazz: D E; Late: F" && session.browser.mode == .lists)
    // What only the daemon knows to be wrong.
    session.rush("r Bs Enter")
    session.take(.answered(session.browser.lastEdit, .refused("no")))
    #expect(session.browser.typedLine?.1.text == "Othe" && session.browser.notice?.isFault == true)
  }

  @Test("^c closes a prompt, a menu and help, and then the browser")
  func interrupted() {
    for keys in ["m", "r", "/", "/d", "f", "s", "?", "+", "+ Enter", "F"] {
      var session = Session(CrateKeyTests.crates)
      session.take(.status(StatusFacts(gone: 1)))
      session.press("\(keys) C-c")
      #expect(!session.hasQuit, "\(keys)")
      session.press("C-c C-c")
      #expect(session.hasQuit && session.keeper.sequence == 1, "\(keys)")
    }
  }
}
