import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Windows that change, and keys that mean the same everywhere", .limited)
struct WindowTests {
  private func many(_ columns: Int = 100, _ rows: Int = 30) -> Session {
    let crates = (1...60).map { number in
      (name: "C\(number)", albums: (0..<(number == 60 ? 60 : 1)).map { "A\(number).\($0)" })
    }
    var session = Session(crates, columns: columns, rows: rows, songs: 60)
    session.press("h G l G l G")
    return session
  }

  @Test("In a lower window the cursors of all lists are in sight")
  func lower() {
    var session = many()
    for rows in [30, 12, 8, 29, 9, 60, 10] {
      session.take(.resized(columns: 100, rows: rows))
      session.settle()
      let (browser, seen) = (session.browser, rows - 3)
      let tops = [
        browser.crateList.topPlace(in: browser.shown.crates),
        browser.albumList.topPlace(in: browser.items), browser.songList.topPlace(in: browser.songs),
      ]
      #expect(tops == Array(repeating: max(60 - seen, 0), count: 3), "\(rows)")
      #expect(browser.place == 59 && browser.rows == rows && browser.columns == 100)
    }
  }

  @Test("A window of another size is drawn anew, and asks for what is seen in it")
  func wider() {
    var session = Session(CrateKeyTests.crates, columns: 60, rows: 24)
    #expect(session.browser.update(.resized(columns: 61, rows: 24)) == [.redraw])
    let songs = Effect.songs(album: "\(Keeper.id("A"))")
    #expect(session.browser.update(.resized(columns: 120, rows: 24)) == [.redraw, songs])
    // In one that is too small nothing is done but to quit.
    for keys in ["J", "2", "?", "m"] {
      var small = Session(CrateKeyTests.crates, columns: 39, rows: 24)
      small.rush(keys)
      #expect(small.effects.isEmpty && small.browser.mode == .lists, "\(keys)")
      #expect(small.browser.currentCrate == small.browser.shown.crates[0])
    }
    var small = Session(CrateKeyTests.crates, columns: 39, rows: 24)
    small.press("q")
    #expect(small.hasQuit)
  }

  @Test("Drawing anew and stopping mean the same whatever is typed, and q is a letter")
  func everywhere() {
    for keys in ["", "m", "/", "f", "r", "+", "+ Enter", "?", "s", "!", "l"] {
      func effects(_ stroke: Stroke) -> [Effect] {
        var session = Session(CrateKeyTests.crates)
        session.press(keys)
        let mode = session.browser.mode
        let effects = session.browser.update(.input(.key(stroke.key, stroke.modifiers)))
        #expect(session.browser.mode == mode, "\(keys)")
        return effects
      }
      #expect(
        effects(Stroke("l", .control)) == [.redraw] && effects(Stroke("z", .control)) == [.suspend])
    }
    for (keys, text) in [("m q", "q"), ("/ q", "q"), ("f q", "q"), ("r q", "Musicq")] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      #expect(session.browser.typedLine?.1.text == text && !session.hasQuit)
    }
    var session = Session(CrateKeyTests.crates)
    session.press("q")
    #expect(session.hasQuit)
  }

  /// The first albums of a crate are there, and all others are still to come.
  private func early() -> Session {
    var session = Session("A B C D")
    session.browser = Browser(columns: 100, rows: 30)
    session.take(.began(crates: ["Music"], sequence: session.keeper.sequence))
    let first = ["A", "B"].compactMap { session.keeper.facts("\(Keeper.id($0))") }
    session.take(.window(crate: "Music", first))
    return session
  }

  @Test("Where the first albums are there, keys are kept that need to know all of them")
  func keptKeys() {
    let atOnce =
      "j k Down Up C-d C-u PgDn PgUp g Home h l Left Right Tab S-Tab Enter 1 9 Space S-Down S-Up"
      + " v V Esc w ? q C-c , > ."
    let kept = "G End / n N f { } a i K J t b M-Up M-Home x p P m M s u U C-r + ! r F"
    for (keys, isKept) in [(atOnce, false), (kept, true)] {
      for stroke in Session.strokes(keys) {
        var session = early()
        session.press(stroke)
        #expect(session.browser.typedAhead == (isKept ? [stroke] : []), "\(stroke.name)")
        // There is one crate.
        let isSaid = stroke == Stroke("9")
        #expect(session.browser.pending.isEmpty && (session.browser.notice == nil) != isSaid)
      }
    }
    // Behind one that is kept all are, but for the second q.
    var session = early()
    session.rush("j J j q")
    #expect(session.browser.typedAhead.count == 3 && session.titleAtCursor == "B")
    #expect(!session.effects.contains(.quit))
    session.rush("q")
    #expect(session.effects.contains(.quit))
    // Where it is known that nobody answers, none is.
    session = early()
    session.take(.lost("has stopped"))
    session.press("G J")
    #expect(session.browser.typedAhead.isEmpty && session.titleAtCursor == "B")
  }

  @Test("A key without a meaning leaves all as it is, and says so")
  func meaningless() {
    var session = Session(CrateKeyTests.crates)
    session.take(.told("it plays", isFault: false))
    session.press(Stroke("#"))
    #expect(session.effects.isEmpty)
    #expect(session.browser.notice?.text == "# does nothing here; ? shows the keys")
    session.take(.told("it plays", isFault: false))
    session.take(.input(.report(.ready)))
    #expect(session.browser.notice == Notice(text: "it plays"))
  }

  @Test("Crates are chosen by ^N and ^P as by the arrows, and by what else is typed not")
  func choosing() {
    let (next, previous) = (Stroke("n", .control), Stroke("p", .control))
    for (strokes, place) in [
      ([next], 1), ([next, next, previous], 1), ([previous], 0), ([next, next, next, next], 2),
      ([next, Stroke("x", .alt)], 1), ([next, Stroke("N", .control)], 1),
      ([Stroke(.tab), Stroke(.tab), Stroke(.tab, .shift)], 1), ([Stroke(.tab, .alt)], 0),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press("m")
      for stroke in strokes { session.press(stroke) }
      guard case .picking(let picker) = session.browser.mode else { continue }
      #expect(session.browser.place(of: picker) == place, "\(strokes)")
    }
    // Blanks alone are no name: the first crate of all is chosen, where it is already.
    var session = Session(CrateKeyTests.crates)
    session.press("m Space Space Enter")
    #expect(session.lists == "Music: A B C; Jazz: D E; Late: F")
    #expect(session.browser.mode == .lists)
  }

  @Test("A new crate has the name that was typed, without blanks around it")
  func newCrates() {
    for (keys, name) in [
      ("New", "New"), ("Space New", "New"), ("New Space Space", "New"),
      ("Space Space New Space Space Name Space", "New  Name"), ("N", "N"),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press("m \(keys) Enter")
      #expect(session.lists == "Music: B C; Jazz: D E; Late: F; \(name): A", "\(keys)")
      #expect(session.keptLists == session.lists)
    }
  }
}
