import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("What can be done is said, and what can't", .limited)
struct FooterTests {
  private func session(_ keys: String = "", columns: Int = 120) -> Session {
    var session = Session(
      [(name: "Music", albums: ["A", "B", "C"]), (name: "Jazz", albums: ["D"])], columns: columns)
    session.press(keys)
    return session
  }

  private func last(_ session: Session) -> String { session.screen.last ?? "" }

  @Test("Four to six keys of the moment are in the last line, and each does what it says")
  func keys() {
    for keys in ["", "h", "l", "/", "/b"] {
      let session = session(keys)
      let shown = session.browser.footerKeys
      #expect((4...6).contains(shown.count), "\(keys)")
      for key in shown { #expect(last(session).contains(key.words), "\(keys): \(last(session))") }
    }
    for (pane, browser) in [("", session().browser), ("h", session("h").browser)] {
      for key in browser.footerKeys {
        let known = key.key.split(separator: " ").allSatisfy { word in
          Bindings.commands.keys.contains { $0.name == word }
        }
        #expect(known, "\(pane): \(key.key)")
      }
    }
  }

  @Test("Where there is less room there are fewer, each whole")
  func narrow() {
    for columns in 40...120 {
      let session = session(columns: columns)
      let words = session.browser.footerKeys.map(\.words)
      let line = last(session)
      let shown = words.prefix { line.contains($0) }
      // No part of the next one is seen.
      #expect(line == " " + shown.joined(separator: "  "), "\(columns): \(line)")
      #expect(last(session).hasPrefix(" m to a crate"), "\(columns)")
      #expect(!last(session).contains("…"))
    }
  }

  @Test("A key that does nothing says so")
  func nothing() {
    for (keys, words) in [
      ("#", "# does nothing here; ? shows the keys"),
      ("Q", "Q does nothing here; ? shows the keys"),
      ("9", "9: there are 2 crates; ? shows the keys"),
      ("+ 9", "No crate has the key 9; Enter asks for one, n is for later"),
      ("+ #", "# does nothing here; ? shows the keys"),
    ] {
      let session = session(keys)
      #expect(session.browser.notice?.text == words, "\(keys)")
      #expect(session.lists == session.keptLists && session.keeper.sequence == 1)
    }
  }

  @Test("Songs that are selected stay in their album, and that is said")
  func songs() {
    for key in ["m", "M"] {
      let session = session("l Space \(key)")
      #expect(
        session.browser.notice
          == Notice(
            text: "Songs stay in their album; Esc selects none, and m moves the album",
            isFault: true))
      #expect(session.browser.mode == .lists && session.keeper.sequence == 1)
    }
    if case .picking = session("l Space Esc m").browser.mode { return }
    Issue.record("no crate is asked for")
  }

  @Test("The cursor is one bar, also on a row that is selected, or new")
  func bar() {
    for keys in ["j", "Space k", "l Space k", "w j", "w Space k"] {
      var session = session(keys)
      session.happens(session.keeper.add("N", to: "Music"))
      session.settle()
      session.press("g")
      let grid = session.browser.grid()
      for row in 0..<grid.rows {
        let styles = (0..<grid.columns).map { grid.style(row: row, column: $0) }
        let reversed = Set(styles.filter { $0.attributes.contains(.reversed) })
        #expect(reversed.count <= 1, "\(keys) \(row): \(reversed.count)")
      }
    }
  }

  @Test("The crate that something is dragged over is a bar of its own")
  func dragged() throws {
    var session = session("Space")
    func mouse(_ action: Mouse.Action, _ row: Int, _ column: Int) {
      session.take(.input(.mouse(Mouse(action, Grid.Spot(row: row, column: column)))))
    }
    let albums = session.browser.layout.albums
    let crates = session.browser.layout.crates
    mouse(.press(.left), albums.row, albums.column + 4)
    mouse(.drag(.left), albums.row + 1, albums.column + 4)
    mouse(.drag(.left), crates.row + 1, 4)
    let grid = session.browser.grid()
    let style = grid.style(row: crates.row + 1, column: 4)
    #expect(style.attributes.contains(.reversed))
    #expect(grid.style(row: crates.row, column: 4).attributes.contains(.reversed) == false)
  }

  @Test("One colour marks the pane in front, and never alone")
  func accent() {
    for keys in ["", "h", "l"] {
      let grid = session(keys).browser.grid()
      var accented: Set<String> = []
      for row in 0..<grid.rows - 1 {
        for column in 0..<grid.columns {
          let style = grid.style(row: row, column: column)
          if style.ink == Pencil.accent {
            accented.insert("\(row)")
            #expect(style.attributes.contains(.bold), "\(keys) \(row) \(column)")
          }
        }
      }
      // The heading of the pane, and its cursor.
      #expect(accented.count >= 1 && accented.count <= 2, "\(keys): \(accented)")
    }
  }

  @Test("Nothing touches the right edge, and headings stand over the columns")
  func margins() {
    for columns in [45, 60, 80, 100, 120, 200] {
      for keys in ["", "h", "l", "w", "/b", "m"] {
        let screen = session(keys, columns: columns).screen
        let isSheet = keys == "m"
        #expect(
          screen.allSatisfy { isSheet || Widths.of($0) < columns || $0.last == " " },
          "\(columns) \(keys)")
      }
      if columns >= 60 {
        let heading = session(columns: columns).screen[1]
        for word in ["Albums", "Album ", "Artist", "Year", "Songs", "Length"]
        where columns != 60 && (columns != 100 || word != "Songs") {
          #expect(heading.contains(word), "\(columns): \(heading)")
        }
      }
    }
  }
}
