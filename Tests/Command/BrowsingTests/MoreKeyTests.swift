import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Keys at the edges of lists", .limited)
struct MoreKeyTests {
  private static let cases: [(list: String, keys: String, result: String)] = [
    // A range ends with what is done.
    ("A B C D", "v j J j", "C *A *B [D]"), ("A B C D", "v j x j", "*~A *~B [C] D"),
    ("A B C D", "v j Space", "*A B [C] D"), ("A B C D", "v S-Down j", "*A *B [*C] D"),
    ("A B C D", "v j s v j j", "*B *A [C] D"),
    // The nearest above that stays.
    ("A B C D", "G v k x p", "A B [*C] *D"), ("A B C D", "j x p", "A [B] C D"),
    ("A B C D", "x f zz Enter p Esc", "[B] C D A"),
    ("A B C D", "Space x f b Enter p Esc", "[B] *A C D"),
    // Finding.
    ("Fiasco Sofia Asia", "/a Down Enter", "[Fiasco] Sofia Asia"),
    ("Fiasco Sofia Asia", "/a Up Enter", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "/so Bs Bs Enter", "[Fiasco] Sofia Asia"),
    ("Fiasco Sofia Asia", "j /ia Enter", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "j /fi Enter", "[Fiasco] Sofia Asia"),
    ("Fiasco Sofia Asia", "/art Enter N", "Fiasco Sofia [Asia]"),
    ("Fiasco Sofia Asia", "/art Enter N N", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "/art Enter n n", "Fiasco Sofia [Asia]"),
    ("Fiasco Sofia Asia", "j / Enter", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "j /fi C-u Enter", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "/so F zz C-w Enter", "[Fiasco] Sofia Asia"),
    // Narrowing.
    ("Fiasco Sofia Asia", "f so Enter f C-u as Esc", "[Sofia]"),
    ("Fiasco Sofia Asia", "f so Enter f C-u as Enter", "Fiasco [Asia]"),
    ("Fiasco Sofia Asia", "f so C-u Enter", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "l f as", "[Fiasco] Asia"),
    ("Fiasco Sofia Asia", "f as Enter h Esc", "[Fiasco] Sofia Asia"),
    ("Fiasco Sofia Asia", "f as Enter l Esc", "[Fiasco] Asia"),
    // One layer each.
    ("A B C D", "Space Space x v j Esc Esc", "*A *B C [D]"),
    ("A B C D", "f b Enter Space Esc", "A [*B] C D"),
    ("A B C D", "f b Enter Space Esc Esc", "A [B] C D"),
  ]

  @Test("do what the table says", arguments: cases)
  func table(_ one: (list: String, keys: String, result: String)) {
    var session = Session(one.list)
    session.press(one.keys)
    #expect(session.list == one.result, "\(one.keys)")
    #expect(session.lists == session.keptLists)
  }

  private static let crateCases: [(keys: String, list: String)] = [
    ("x 2 p", "D [A] E"), ("Space Space x 2 p", "D [*A] *B E"), ("f b Enter 2", "[D] E"),
    ("f b Enter 2 1", "A [B] C"), ("m ja Enter", "[B] C"), ("m ja Enter 2", "[A] D E"),
    ("Space Space m ja Enter 2", "[A] B D E"), ("Space Space m ja Enter", "[C]"),
    ("Space h m la Enter l", "[B] C"), ("h m la Enter 2", "[A] B C F"), ("l m ja Enter", "[B] C"),
    ("l m ja Enter J", "C [B]"), ("h t", "[A] B C"), ("j h K", "A [B] C"),
    ("/ja Enter h n l", "[D] E"), ("/l Enter h n l", "[F]"), ("h n l", "[A] B C"),
    ("j 2 1", "A [B] C"), ("2 r Enter", "[D] E"),
  ]

  @Test("go from crate to crate as the table says", arguments: crateCases)
  func crates(_ one: (keys: String, list: String)) {
    var session = Session(CrateKeyTests.crates)
    session.press(one.keys)
    #expect(session.list == one.list, "\(one.keys)")
    #expect(session.lists == session.keptLists)
  }

  @Test("A crate that went is not sent to again, but another is asked for")
  func lastTarget() {
    var session = Session(CrateKeyTests.crates)
    session.press("m la Enter")
    session.happens(
      session.keeper.edit(.moveAlbums([Keeper.id("A"), Keeper.id("F")], nil, crate: "Jazz")))
    session.settle()
    let before = session.lists
    session.press("M")
    #expect(session.browser.typedLine != nil && session.lists == before)
    session.press("mu Enter 2 M")
    #expect(session.lists == "Music: A B C; Jazz: F D E", "\(session.lists)")
  }

  @Test("A name that is left as it was is no renaming, and none is where nothing is open")
  func renaming() {
    var session = Session(CrateKeyTests.crates)
    session.rush("r Enter")
    #expect(session.effects.isEmpty && session.browser.mode == .lists)
    session.rush("r x Bs Enter")
    #expect(session.effects.isEmpty)
    session.rush("r Left x")
    #expect(session.browser.typedLine?.1.text == "Musixc")
    var empty = Session([])
    empty.press("r")
    #expect(empty.browser.mode == .lists)
    empty.press("m ! x s")
    #expect(empty.browser.mode == .lists && empty.browser.carried == nil)
  }

  /// Ninety of everything that has pages.
  private func many(rows: Int, songs: Int = 3, look: Look = Look()) -> Session {
    let crates = (1...90).map { number in
      (name: "C\(number)", albums: (0..<(number == 1 ? 90 : 1)).map { "A\(number).\($0)" })
    }
    return Session(crates, columns: 100, rows: rows, look: look, songs: songs)
  }

  /// The place of the cursor in the list in front after these keys.
  private func place(_ keys: String, in session: Session) -> Int {
    var session = session
    session.press(keys)
    return session.browser.place
  }

  @Test("A page is a row less than is seen, and half a page half of it, in each of the lists")
  func pages() {
    // Of 30 rows lists have 27.
    let session = many(rows: 30, songs: 90)
    for pane in ["", "h ", "l "] {
      for (keys, expected) in [
        ("PgDn", 26), ("C-d", 13), ("PgDn PgUp", 0), ("PgDn C-u", 13), ("PgDn PgDn PgUp", 26),
        ("C-d C-d C-u", 13), ("PgDn PgDn PgDn PgDn", 89), ("C-u", 0), ("PgUp", 0),
        ("G PgUp", 63), ("G C-u", 76), ("G g", 0), ("j G", 89),
      ] {
        #expect(place(pane + keys, in: session) == expected, "\(pane)\(keys)")
      }
    }
    for (rows, half, page) in [(8, 2, 4), (9, 3, 5)] {
      let low = many(rows: rows)
      #expect(place("C-d", in: low) == half && place("PgDn", in: low) == page)
    }
  }

  @Test("In a gallery pages are of rows of covers, and of one at least")
  func galleries() {
    // Two beside each other; two rows of them, and one.
    for (rows, half, page) in [(24, 2, 2), (13, 2, 2), (35, 2, 4), (46, 4, 6)] {
      let session = many(rows: rows, look: Look(covers: .kitty))
      for (keys, expected) in [
        ("C-d", half), ("PgDn", page), ("PgDn PgDn PgUp", page), ("C-d C-d C-u", half),
      ] {
        #expect(place("w \(keys)", in: session) == expected, "\(rows) \(keys)")
      }
    }
  }

  @Test("Where songs are not seen they are not asked for, but in front they are")
  func unseenSongs() {
    var session = Session(CrateKeyTests.crates, columns: 60, rows: 24)
    session.rush("j 2")
    #expect(session.effects.isEmpty && session.browser.opened.isEmpty)
    session.rush("l")
    #expect(session.effects == [.songs(album: "\(Keeper.id("D"))")])
    session.settle()
    #expect(session.browser.songs.count == 3 && session.browser.songList.cursor != nil)
    session.press("h l")
    #expect(session.effects.isEmpty)
  }
}
