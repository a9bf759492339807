import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Rows of what has just arrived", .limited)
struct ArrivedRowsTests {
  private func session(_ count: Int, columns: Int, rows: Int) -> Session {
    let albums = (1...count).map { "Album \($0)" }
    return Session([("Music", albums)], columns: columns, rows: rows)
  }

  @Test("The columns are the same in all rows, new or not")
  func columns() {
    for columns in [120, 80, 200] {
      var session = session(8, columns: columns, rows: 30)
      for number in 1...3 {
        session.happens(session.keeper.add("New \(number)", to: "Music"))
        session.settle()
      }
      let rows = session.screen.filter { $0.contains("Artist of") }
      #expect(rows.count == 11 && rows.count { $0.contains("new") } == 3)
      for word in ["Artist of", "45:00", " 19"] {
        let places = Set(
          rows.map { row in
            row.firstRange(of: word).map { Widths.of(row[..<$0.lowerBound]) }
          })
        #expect(places.count == 1, "\(columns) \(word): \(places)")
      }
    }
  }

  @Test("Where there is room they are seen, wherever the cursor is")
  func room() {
    for keys in ["", "j", "G"] {
      var session = session(20, columns: 120, rows: 40)
      session.press(keys)
      for number in 1...4 {
        session.happens(session.keeper.add("New \(number)", to: "Music"))
        session.settle()
      }
      let screen = session.screen.joined(separator: "\n")
      for number in 1...4 { #expect(screen.contains("New \(number) "), "\(keys)") }
    }
    // A list that has no room for all stays where it was read.
    func isLast(_ row: String) -> Bool { row.contains("Album 60 ") && row.contains("45:00") }
    var session = session(60, columns: 120, rows: 30)
    session.press("G")
    let before = session.screen.filter(isLast)
    session.happens(session.keeper.add("New 1", to: "Music"))
    session.settle()
    #expect(before.count == 1 && session.screen.contains(where: isLast))
    #expect(!session.screen.joined().contains("New 1 "))
  }
}
