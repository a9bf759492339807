import CratesInterface
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("What is drawn over the lists", .limited) struct SheetTests {
  private func place(_ words: String, in line: String) -> Int? {
    line.firstRange(of: words).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
  }

  @Test("Help goes on by rows and by pages, as far as there is more, and other keys leave it")
  func help() {
    func top(_ keys: String, rows: Int = 12) -> (top: Int?, last: Int) {
      var session = Session([(name: "Music", albums: ["A"])], columns: 60, rows: rows)
      session.press("? \(keys)")
      let last = session.browser.helpLines.count - (rows - 2)
      if case .help(let top, _) = session.browser.mode { return (top, last) }
      return (nil, last)
    }
    let last = top("").last
    #expect(last > 20)
    for (keys, expected) in [
      ("", 0), ("j", 1), ("j j k", 1), ("k", 0), ("Down Down", 2), ("Up", 0), ("C-d", 10),
      ("PgDn PgDn", 20), ("PgDn PgDn C-u", 10), ("PgDn PgDn PgUp j", 11), ("C-d C-u C-u", 0),
      ("PgDn PgDn PgDn PgDn PgDn PgDn", last), ("PgDn PgDn PgDn PgDn PgDn PgDn j", last),
      ("PgDn PgDn PgDn PgDn PgDn PgDn k", last - 1), ("x", nil), ("Esc", nil), ("?", nil),
    ] as [(String, Int?)] {
      #expect(top(keys).top == expected, "\(keys)")
    }
    #expect(top("G").top == last && top("End").top == last && top("G g").top == 0)
    #expect(top("j", rows: 100).top == 0 && top("PgDn", rows: 100).top == 0)
  }

  @Test("Help says how it is left, and shows its lines from the top on")
  func helpScreen() {
    for (rows, hint) in [(12, "j k go on, others leave"), (100, "any key leaves")] {
      var session = Session([(name: "Music", albums: ["A"])], columns: 60, rows: rows)
      let lines = session.browser.helpLines
      session.press("?")
      #expect(session.screen[0].hasPrefix(" Keys ") && session.screen[0].hasSuffix(hint))
      #expect(session.screen[0].count == 59)
      for row in 0..<min(rows - 2, lines.count) {
        #expect(session.screen[1 + row] == (" " + lines[row]).trimmed)
      }
      session.press("j")
      let top = rows == 12 ? 1 : 0
      #expect(session.screen[1].hasSuffix(lines[top].trimmed))
    }
    // Exactly as many lines as there are rows are all of them.
    var session = Session([(name: "Music", albums: ["A"])], columns: 60, rows: 30)
    let count = session.browser.helpLines.count
    for (rows, isWhole) in [(count + 2, true), (count + 1, false)] {
      session.take(.resized(columns: 60, rows: rows))
      session.press("?")
      #expect(session.screen[0].hasSuffix("any key leaves") == isWhole)
      session.press("x")
    }
  }

  private func triage(_ names: [String], _ columns: Int, _ rows: Int = 24) -> Session {
    var session = Session(
      names.map { (name: $0, albums: ["In \($0)"]) }, columns: columns, rows: rows)
    session.press("+")
    return session
  }

  @Test(
    "The keys of crates stand beside each other as far as there is room, in a quarter of the rows")
  func crateKeys() {
    // Between the margins of two there are 56 columns.
    func lines(_ lengths: [Int]) -> [String] {
      let names = lengths.enumerated().map { number, length in
        String(repeating: Character(Unicode.Scalar(UInt8(0x61 + number))), count: length)
      }
      return triage(names, 60).screen.filter { $0.firstMatch(of: /^  \d [a-z]/) != nil }
    }
    #expect(lines([10, 10]) == ["  1 aaaaaaaaaa   2 bbbbbbbbbb"])
    #expect(lines([24, 25]).count == 1 && lines([25, 25]).count == 2)
    #expect(lines([24, 25])[0].count == 2 + 56)
    #expect(lines([40, 40, 40]).count == 3 && lines([Int](repeating: 40, count: 6)).count == 6)
    // What has no room is not left out unsaid.
    let most = lines([Int](repeating: 40, count: 7))
    #expect(most.count == 6 && most.last?.hasSuffix("   …") == true)
    #expect(!most.dropLast().contains { $0.hasSuffix("…") })
    #expect(lines([60])[0] == "  1 " + String(repeating: "a", count: 53) + "…")
    #expect(lines([60])[0].count == 58)
  }

  @Test("Long names of an arrival leave a column free at the right")
  func longNames() {
    let screen = triage([String(repeating: "x", count: 80)], 60).screen
    for row in [2, 3, 4] {
      #expect(screen[row].hasPrefix("  ") && screen[row].hasSuffix("x…"), "\(row)")
      #expect(screen[row].count == 59, "\(row)")
    }
  }

  @Test("The counter stands at the right, the album at the left, and the keys at the foot")
  func triageScreen() {
    let session = triage(["Music", "Jazz"], 60)
    let screen = session.screen
    #expect(screen[0].hasPrefix(" Albums never moved ") && screen[0].hasSuffix("1 of 2"))
    #expect(screen[0].count == 59)
    #expect(screen[2] == "  In Music" && screen[4] == "  in Music")
    #expect(screen[3].hasPrefix("  Artist of In Music · 1908 · 3 songs · 45:00"))
    #expect(screen[6].hasPrefix("  1 Song ") && screen[6].hasSuffix("1:00"))
    #expect(screen[6].count == 52)
    #expect(place("1 Music   2 Jazz", in: screen[19]) == 2)
    #expect(place("Space its place is here", in: screen[20]) == 2)
    #expect(screen[21].hasSuffix("q enough for now") || screen[22].hasSuffix("q enough for now"))
    let style = session.browser.grid().style(row: 20, column: 2)
    #expect(style == Pencil.faint)
    #expect(session.browser.grid().style(row: 2, column: 2) == Pencil.heading)
    var low = triage(["Music", "Jazz"], 60, 10)
    // The songs leave room for the keys.
    #expect(!low.screen[5...].contains { $0.contains("3 Song") })
    for (rows, songs) in [(11, 0), (12, 0), (13, 1), (14, 2), (15, 3), (16, 3)] {
      let screen = triage(["Music", "Jazz"], 60, rows).screen
      #expect(screen.count { $0.contains(" Song ") } == songs, "\(rows)")
    }
    // Nothing is drawn over the title in the least window.
    for columns in [40, 60] {
      let names = (1...9).map { "\($0)" + String(repeating: "x", count: 30) }
      #expect(triage(names, columns, 8).screen[2].hasPrefix("  In 1xxx"), "\(columns)")
    }
    low.press("Space Space")
    #expect(low.screen[2] == "  That was the last one." && low.screen[0].hasSuffix("2 of 2"))
  }

  @Test(
    "With 53 columns a list has columns for what is known of an album, and with fewer two things")
  func albumColumns() {
    func row(_ columns: Int, plural: String = "Kind of Blue") -> String {
      Session([(name: "Music", albums: [plural])], columns: columns, rows: 12).screen[1]
    }
    #expect(row(52) == "▌  1  Kind of Blue · Artist of Kind of Blue")
    // The artist has at least a third of the room.
    for count in [28, 29, 39, 60] {
      let row = row(52, plural: String(repeating: "x", count: count))
      #expect(row.contains(" · Artist of x") && row.hasSuffix("x…"), "\(row)")
    }
    #expect(row(53) == "▌  1  Kind of Blue     Artist of Kind…  1912   45:00")
  }

  @Test("Each letter of the sheet sorts as it says, and a capital one the other way")
  func sorting() {
    func asked(_ keys: String) -> Call? {
      var session = Session("A B C")
      session.settle()
      session.rush(keys)
      for effect in session.effects { if case .edit(_, let request) = effect { return request } }
      return nil
    }
    let albums = ["A", "B", "C"].map { "\(Keeper.id($0))" }
    let ways: [(String, Interface.AlbumOrder, turned: Bool?)] = [
      ("a", .added, true), ("d", .released, true), ("r", .artist, false), ("t", .title, false),
      ("v", .reversed, nil), ("s", .shuffled, nil),
    ]
    for (letter, sorting, turned) in ways {
      #expect(asked("s\(letter)") == .sortAlbums(albums, sorting, ascending: nil))
      let capital = asked("s\(letter.uppercased())")
      #expect(capital == .sortAlbums(albums, sorting, ascending: turned), "\(letter)")
    }
    let songs = Session("A B C").keeper.songs(of: albums[0]).map(\.id)
    for (letter, sorting, turned) in [
      ("n", .track, false), ("a", .added, true), ("t", .title, false), ("v", .reversed, nil),
      ("s", .shuffled, nil),
    ] as [(String, Interface.SongOrder, Bool?)] {
      #expect(asked("l s\(letter)") == .sortSongs(songs, sorting, ascending: nil), "\(letter)")
      let capital = asked("l s\(letter.uppercased())")
      #expect(capital == .sortSongs(songs, sorting, ascending: turned), "\(letter)")
    }
    for keys in ["sx", "s Enter", "sn", "l sd", "l sr", "s Esc", "s C-d"] {
      #expect(asked(keys) == nil, "\(keys)")
    }
    var empty = Session([])
    empty.rush("s a")
    #expect(empty.effects.isEmpty)
  }

  @Test("What is played is in place of what plays, or behind it")
  func playing() {
    let album = PlayedThing.album("\(Keeper.id("A"))")
    for (keys, adding) in [
      ("!p", false), ("!a", true), ("! Enter", false), ("!!", false), ("!x", nil), ("! Esc", nil),
      ("!P", nil),
    ] as [(String, Bool?)] {
      var session = Session("A B C")
      session.take(.playing(PlayingFacts(player: "mpv", title: "Something")))
      session.press(keys)
      #expect(session.played == (adding.map { [.play([album], adding: $0)] } ?? []), "\(keys)")
      #expect(session.browser.mode == .lists)
    }
  }

  @Test("Where nothing plays nothing is asked, and a song is played with those below it")
  func playingAtOnce() {
    var session = Session("A B C")
    session.press("j !")
    #expect(session.played == [.play([.album("\(Keeper.id("B"))")], adding: false)])
    // It may play by now.
    session.press("! a")
    #expect(session.played.last == .play([.album("\(Keeper.id("B"))")], adding: true))
    let songs = session.keeper.songs(of: "\(Keeper.id("A"))").map { PlayedThing.song($0.id) }
    for (keys, places) in [
      ("l Enter", 0..<3), ("l j Enter", 1..<3), ("l G Enter", 2..<3), ("l G ^p", 2..<3),
      ("l j !", 1..<2), ("l Space Enter", 0..<1),
    ] {
      var session = Session("A B C")
      session.press(keys.replacing("^p", with: "C-p"))
      #expect(session.played == [.play(Array(songs[places]), adding: false)], "\(keys)")
    }
  }
}

extension String {
  /// Without blanks at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
