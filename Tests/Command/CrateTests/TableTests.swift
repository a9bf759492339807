import TestSupport
import Testing

@testable import crate

@Suite("Tables", .limited)
struct TableTests {
  private func lines(
    _ columns: [Table.Column], _ rows: [[String]], within width: Int?, hasStyles: Bool = false
  ) -> [String] {
    var table = Table(columns)
    for row in rows { table.add(row) }
    return table.lines(for: Terminal(columns: width, hasStyles: hasStyles))
  }

  @Test("Without rows there is nothing, and a column in which nothing stands is left out")
  func empty() {
    #expect(lines([.word("A")], [], within: 80) == [])
    #expect(
      lines(
        [.word("Name"), .word("Year"), .number("N")],
        [["a", "", "1"], ["bcdefg", "", "22"]], within: nil)
        == ["Name     N", "a        1", "bcdefg  22"])
  }

  @Test("Headings are bold, what is away is dim, and nothing in a cell steers")
  func styles() {
    var table = Table([.word("A"), .word("B")])
    table.add(["x\u{1B}", "y"])
    table.add(["z", ""], isDim: true)
    #expect(
      table.lines(for: Terminal(columns: nil, hasStyles: true))
        == ["\u{1B}[1mA   B\u{1B}[0m", "x␛  y", "\u{1B}[2mz\u{1B}[0m"])
  }

  @Test("A terminal shows two hundred columns of a cell at most, and what is no terminal all of it")
  func widest() {
    var table = Table([.name("Title"), .word("Id")])
    table.add([String(repeating: "t", count: 60_000), "id"])
    var terminal = Terminal(columns: 1_000, hasStyles: false)
    #expect(table.lines(for: terminal).allSatisfy { $0.count <= 1_000 })
    terminal.isTerminal = true
    #expect(
      table.lines(for: terminal)[1] == String(repeating: "t", count: 199) + "…" + "  id")
    #expect(table.lines(for: Terminal(columns: nil, hasStyles: false))[1].count == 60_004)
  }

  @Test("Columns leave in their order, as few as have to, before titles get short")
  func leaving() {
    let columns: [Table.Column] = [
      .name("T"), .word("B", leaves: 2),
      .word("A", leaves: 1), .word("C"),
    ]
    let row = [String(repeating: "t", count: 30), "bbbb", "aaaa", "cccc"]
    func headings(_ width: Int) -> String {
      lines(columns, [row], within: width)[0].split(separator: " ").joined()
    }
    // A title is at ease with 24 columns.
    #expect(headings(24 + 3 * 6) == "TBAC")
    #expect(headings(24 + 3 * 6 - 1) == "TBC")
    #expect(headings(24 + 2 * 6) == "TBC")
    #expect(headings(24 + 2 * 6 - 1) == "TC")
    #expect(headings(10) == "TC")
    let short = ["t", "bbbb", "aaaa", "cccc"]
    #expect(lines(columns, [short], within: 19)[1] == "t  bbbb  aaaa  cccc")
    #expect(lines(columns, [short], within: 18)[1] == "t  bbbb  cccc")
  }

  @Test("The widest is cut first, all alike in the end, and none below six")
  func shrinking() {
    let columns: [Table.Column] = [
      .name("A"), .name("B"),
      .word("C"),
    ]
    let row = [20, 12, 3].map { String(repeating: "x", count: $0) }
    func widths(_ room: Int) -> [Int] {
      lines(columns, [row], within: room)[1].split(separator: " ").map(\.count)
    }
    #expect(widths(39) == [20, 12, 3] && widths(100) == [20, 12, 3])
    #expect(widths(38) == [19, 12, 3])
    #expect(widths(31) == [12, 12, 3])
    #expect(Set([widths(30)]).isSubset(of: [[11, 12, 3], [12, 11, 3]]))
    #expect(widths(29) == [11, 11, 3])
    #expect(widths(19) == [6, 6, 3])
    // There is no room to be had below that.
    #expect(widths(10) == [6, 6, 3])
    #expect(lines(columns, [row], within: 31)[1] == "xxxxxxxxxxx…  xxxxxxxxxxxx  xxx")
  }

  @Test("A text is cut behind whole letters, with a sign that it goes on")
  func cut() {
    #expect(Table.cut("abc", to: 3) == "abc" && Table.cut("abcd", to: 3) == "ab…")
    #expect(Table.cut("東京の", to: 6) == "東京の" && Table.cut("東京の", to: 5) == "東京…")
    #expect(Table.cut("東京の", to: 4) == "東…" && Table.cut("abc", to: 1) == "…")
    #expect(Table.cut("", to: 0) == "")
  }
}
