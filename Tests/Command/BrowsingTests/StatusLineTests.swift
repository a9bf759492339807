import CratesInterface
import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("The first and the last line", .limited)
struct StatusLineTests {
  private func session(_ columns: Int = 60, crate: String = "Music") -> Session {
    Session([(name: crate, albums: ["A", "B", "C"])], columns: columns, rows: 12)
  }

  private func last(_ session: Session) -> String { session.screen[11] }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
  private func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test("A sentence with no room for its names still says what became of them")
  func fitted() {
    let long = "A title that is as long as some titles are"
    for (titles, columns, expected) in [
      (["Head Hunters", "Blue Train"], 60, "Head Hunters and Blue Train are on top of Jazz"),
      (["Head Hunters", "Blue Train"], 44, "2 albums are on top of Jazz"),
      ([long], 60, "A title that is as long as some titles… is on top of Jazz"),
      ([long], 44, "A title that is as long… is on top of Jazz"),
    ] {
      var session = Session(
        [(name: "Music", albums: titles + ["Other"]), (name: "Jazz", albums: ["X"])],
        columns: columns, rows: 12)
      let verb = titles.count > 1 ? "are" : "is"
      session.take(
        .changed(
          Interface.Change(
            sequence: 2, summary: "\(titles.joined(separator: " and ")) \(verb) on top of Jazz",
            moves: titles.map { Interface.Move(crate: "Jazz", album: "\(Keeper.id($0))") })))
      #expect(last(session) == " " + expected, "\(columns)")
    }
  }

  @Test("Names are counted only where the sentence begins with all of them")
  func counted() {
    let titles = ["Head Hunters", "Blue Train"]
    for summary in [
      "From m1: Night is now called Late, and Head Hunters and Blue Train are on top of Jazz",
      "Head Hunters is on top of Jazz (1 of 9), and Blue Train is at the bottom of Jazz (9 of 9)",
    ] {
      var session = Session(
        [(name: "Music", albums: titles + ["Other"]), (name: "Jazz", albums: ["X"])], columns: 44,
        rows: 12)
      session.take(
        .changed(
          Interface.Change(
            sequence: 2, summary: summary,
            moves: titles.map { Interface.Move(crate: "Jazz", album: "\(Keeper.id($0))") })))
      #expect(!session.screen.joined().contains("2 albums"), "\(session.screen)")
      #expect(session.screen.joined().contains(summary.prefix(12)), "\(session.screen)")
    }
  }

  @Test("A sentence that has no names and no room has several lines, and is whole")
  func severalLines() {
    var session = session()
    let words = "There is a crate called Rock already; to join the two, move all albums of one"
    session.take(.told(words, isFault: true))
    #expect(session.screen[10] == " There is a crate called Rock already; to join the two,")
    #expect(last(session) == " move all albums of one")
    session.press("j")
    #expect(!session.screen[10].contains("There"))
  }

  @Test("New albums are counted, and it is said what goes through them")
  func arrivals() {
    var session = session()
    session.happens(session.keeper.add("N1", to: "Music"))
    session.settle()
    #expect(last(session).hasPrefix(" done"))
    session.happens(session.keeper.add("N2", to: "Music"))
    session.settle()
    #expect(last(session) == " 2 new albums in Music; + goes through them")
  }

  @Test("What is said has a margin on both sides, and is shortened where it has no room")
  func sentences() {
    for (count, expected) in [
      (0, ""), (1, " x"), (58, " " + letters(58)), (59, " " + letters(57) + "…"),
      (99, " " + letters(57) + "…"),
    ] {
      var session = session()
      session.take(.told(letters(count), isFault: false))
      #expect(last(session) == expected, "\(count)")
    }
    var session = session()
    session.browser = Browser(columns: 60, rows: 12)
    session.take(.told(letters(61), isFault: true))
    #expect(last(session) == " " + letters(57) + "…")
    #expect(session.browser.grid().style(row: 11, column: 1) == Pencil.fault)
  }

  @Test("Of what is typed the end is seen, with the cursor behind it and what is said beside")
  func typed() {
    for (count, seen) in [(0, 0), (3, 3), (56, 56), (57, 56), (200, 56)] {
      var session = session()
      session.press("/")
      let text = count == 0 ? "" : "a" + letters(count - 1)
      session.take(.input(.pasted(text)))
      session.settle()
      let typed = " /" + String(text.suffix(seen))
      #expect(last(session).hasPrefix(typed), "\(count): \(last(session))")
      if count == 3 {
        #expect(last(session) == typed + blanks(59 - 5 - 13) + "Nothing found", "at the right")
      }
      #expect(session.browser.grid().cursor == Grid.Spot(row: 11, column: 2 + seen))
    }
  }

  @Test("What is said beside what is typed ends before the margin")
  func beside() {
    var session = session()
    session.press("/")
    session.take(.input(.pasted("zz")))
    session.settle()
    session.take(.told(letters(80), isFault: false))
    #expect(last(session) == " /zz   " + letters(51) + "…")
  }

  private func padded(_ text: String, to count: Int) -> String {
    text + blanks(count - Widths.of(text))
  }

  @Test("The heading leaves the key of the help its place")
  func heading() {
    let hint = "? keys"
    let crates = padded(" Crates", to: 22)
    #expect(session().screen[0] == padded(crates + "Music  3 albums · 2 h 15 min", to: 53) + hint)
    // Two columns are free before the hint.
    let long = session(60, crate: letters(80)).screen[0]
    #expect(long == crates + letters(28) + "…  \(hint)")
    let narrow = session(40, crate: letters(80)).screen[0]
    #expect(narrow == " " + letters(29) + "…  \(hint)")
    let close = session(40, crate: letters(10)).screen[0]
    #expect(close == padded(" " + letters(10) + "  3 albums · 2 h 15…", to: 33) + hint)
  }

  @Test("What is most urgent is said, and then what is being done")
  func urgency() {
    var session = session()
    func said(_ expected: String, _ style: Style) {
      #expect(last(session).hasPrefix(" " + expected), "\(last(session))")
      #expect(session.browser.grid().style(row: 11, column: 1) == style, "\(expected)")
    }
    said("m to a crate", Pencil.key)
    session.take(.status(StatusFacts(work: "reading songs: 1 of 2")))
    said("reading songs: 1 of 2", Pencil.faint)
    session.take(.changed(Interface.Change(sequence: 2, isComplete: false)))
    said("Reading", Pencil.faint)
    session.take(.status(StatusFacts(troubles: ["no room"], work: "reading songs: 1 of 2")))
    said("no room", Pencil.fault)
    session.take(session.keeper.listing)
    session.press("Space")
    said("1 selected: m to a crate", Pencil.chosen)
    session.press("h")
    said("1 selected: m to a crate", Pencil.chosen)
    session.press("l v")
    said("Range: move on, v ends it, Esc drops it", Pencil.chosen)
    session.press("x")
    said("2 albums picked up: p puts below, P above, Esc puts back", Pencil.chosen)
    session.press("Esc h x")
    said("Music picked up: ", Pencil.chosen)
    session.press("Esc l l a x")
    said("3 songs picked up: ", Pencil.chosen)
    // What was picked up before is not dropped unsaid.
    session.press("l h h x")
    said("Music picked up instead of 3 songs: p puts below, P above", .plain)
    session.press("j")
    session.take(.lost("has stopped"))
    said("crated has stopped; trying again", Pencil.fault)
    session.take(.told("it plays", isFault: false))
    said("it plays", .plain)
  }

  @Test("Selected albums are counted where they are, and songs where they are seen")
  func selected() {
    var session = Session(CrateKeyTests.crates, columns: 60, rows: 12)
    session.press("a 2")
    #expect(!last(session).contains("selected"))
    session.press("Space l Space Space")
    #expect(last(session).hasPrefix(" 2 selected"))
    session.press("h 1")
    #expect(last(session).hasPrefix(" 3 selected"))
    session.happens(session.keeper.edit(.moveAlbums([Keeper.id("A")], nil, crate: "Jazz")))
    session.settle()
    session.press("h l")
    #expect(last(session).hasPrefix(" 2 selected"), "\(last(session))")
  }

  @Test("A sheet says how many albums go to a crate, and an empty list has the cursor")
  func counts() {
    for (keys, words) in [
      ("m", "A"), ("a m", "3 albums"), ("Space Space m", "2 albums"), ("a l m", "A"),
      ("h m", "3 albums"), ("Space Space h m", "2 albums"),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      #expect(
        session.screen.contains { $0.hasPrefix("── Move \(words) to the top of a crate ─") },
        "\(keys)")
    }
    let empty = Session([], columns: 60, rows: 12, look: Look(isPlain: true))
    #expect(empty.browser.grid().cursor == Grid.Spot(row: 1, column: 0))
    #expect(empty.screen[1].hasPrefix("There is no music yet"))
  }

  @Test("Where all is gone, places are said to be kept, and that forgetting them leaves nothing")
  func allGone() {
    var session = Session([], look: Look(isPlain: true))
    session.take(.status(StatusFacts(gone: 3)))
    #expect(
      session.screen[1] == "All music is gone; places are kept for 3 songs; `crate status` shows"
        + " where it is looked for")
    session.press("F")
    #expect(session.screen.contains { $0.contains("That is everything: no crate is left then.") })
  }
}
