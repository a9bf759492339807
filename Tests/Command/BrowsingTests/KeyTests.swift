import TestSupport
import Testing

@testable import Browsing

/// Keys in, list out.
@Suite("Keys in the list of albums", .limited)
struct KeyTests {
  static let cases: [(list: String, keys: String, result: String)] = [
    ("A B C D", "j", "A [B] C D"),
    ("A B C D", "jjk", "A [B] C D"),
    ("A B C D", "Down Down Up", "A [B] C D"),
    ("A B C D", "G", "A B C [D]"),
    ("A B C D", "Gg", "[A] B C D"),
    ("A B C D", "k", "[A] B C D"),
    ("A B C D", "jjjjjj", "A B C [D]"),
    // Selecting.
    ("A B C D", "Space", "*A [B] C D"),
    ("A B C D", "Space Space", "*A *B [C] D"),
    ("A B C D", "Space k Space", "A [B] C D"),
    ("A B C D", "jvj", "A *B [*C] D"),
    ("A B C D", "jvjv j", "A *B *C [D]"),
    ("A B C D", "jvjjk", "A *B [*C] D"),
    ("A B C D", "jvj Esc", "A B [C] D"),

    ("A B C D", "aVj", "A [B] *C *D"),
    ("A B C D", "S-Down S-Down", "*A *B [*C] D"),
    ("A B C D", "S-Down S-Down S-Up", "*A [*B] C D"),
    ("A B C D", "S-Down Down Down", "*A *B C [D]"),
    ("A B C D", "jj{", "*A *B [*C] D"),
    ("A B C D", "j}", "A [*B] *C *D"),
    ("A B C D", "aj}", "*A [B] C D"),
    ("A B C D", "a", "[*A] *B *C *D"),
    ("A B C D", "Space i", "A [*B] *C *D"),
    ("A B C D", "a Esc", "[A] B C D"),
    // Moving.
    ("A B C D", "jJ", "A C [B] D"),
    ("A B C D", "jK", "[B] A C D"),
    ("A B C D", "j M-Down", "A C [B] D"),
    ("A B C D", "jt", "[B] A C D"),
    ("A B C D", "jb", "A C D [B]"),
    ("A B C D", "j M-End", "A C D [B]"),
    ("A B C D", "j M-Home", "[B] A C D"),
    ("A B C D", "K", "[A] B C D"),
    ("A B C D", "jvj J", "A D *B [*C]"),
    ("A B C D", "Space j Space J", "B *A *C [D]"),
    ("A B C D E", "Space jj Space K", "*A *D B C [E]"),
    ("A B C D E", "jJJJJJJ", "A C D E [B]"),
    ("A B C D", "jvj t", "*B [*C] A D"),
    // Carrying.
    ("A B C D", "x", "[~A] B C D"),
    ("A B C D", "xjjp", "B C [A] D"),
    ("A B C D", "xjjP", "B [A] C D"),
    ("A B C D", "x Esc", "[A] B C D"),
    ("A B C D", "jvj x jp", "A D [*B] *C"),
    ("A B C D", "jvj xp", "A [*B] *C D"),
    ("A B C D", "p", "[A] B C D"),
    // Undo.
    ("A B C D", "jJu", "A [B] C D"),
    ("A B C D", "jJuU", "A C [B] D"),
    ("A B C D", "jJ C-r", "A C [B] D"),
    ("A B C D", "Jtu", "B [A] C D"),
    // Sorting: the keeper reverses, whatever is asked.
    ("A B C D", "sv", "D C B [A]"),
    ("A B C D", "jvj sr", "A [*C] *B D"),
    // Finding.
    ("A B C D", "/c Enter", "A B [C] D"),
    ("A B C D", "/c Esc", "[A] B C D"),
    ("A B C D", "/zz", "[A] B C D"),
    ("A B C D", "/c M-End", "A B D [C]"),
    ("A B C D", "/c M-End Enter J k", "A B [D] C"),
    ("A B C D", "/c M-End b M-End Esc K", "A D [B] C"),
    ("A B C D", "/c M-Home", "[C] A B D"),
    ("A B C D", "/c M-Up M-Up", "[C] A B D"),
    ("A B C D", "Space /c M-End", "B [C] D *A"),
    // Titles that begin so come before other words that do, and no word is found by its middle.
    ("Fiasco Sofia Asia", "/so Enter", "Fiasco [Sofia] Asia"),
    ("Fiasco Sofia Asia", "/a Enter", "Fiasco Sofia [Asia]"),
    ("Fiasco Sofia Asia", "/of Enter", "[Fiasco] Sofia Asia"),
    ("Sofia Fiasco Asia", "/asi Enter", "Sofia Fiasco [Asia]"),
    ("Fiasco Sofia Asia", "/ia Enter", "[Fiasco] Sofia Asia"),
    ("Fiasco Sofia Asia", "/a Enter n", "[Fiasco] Sofia Asia"),
    ("A B C D", "fb Enter", "[B]"),
    ("A B C D", "fb Enter Esc", "A [B] C D"),
    ("A B C D", "fb Esc", "A [B] C D"),
    ("A B C D", "fb Enter J Esc", "A C [B] D"),
  ]

  @Test("do what the table says", arguments: cases)
  func table(_ one: (list: String, keys: String, result: String)) {
    var session = Session(one.list)
    session.press(one.keys)
    #expect(session.list == one.result)
    #expect(session.lists == session.keptLists)
  }

  @Test("of which none needs an answer to be seen")
  func unanswered() {
    var session = Session("A B C D")
    session.rush("jJK t b jvkJ")
    let seen = session.list
    session.settle()
    #expect(session.list == seen)
    #expect(session.lists == session.keptLists)
  }
}

@Suite("Keys among crates", .limited)
struct CrateKeyTests {
  static let crates: [(name: String, albums: [String])] = [
    ("Music", ["A", "B", "C"]), ("Jazz", ["D", "E"]), ("Late", ["F"]),
  ]

  static let cases: [(keys: String, result: String)] = [
    ("m j Enter", "Music: B C; Jazz: A D E; Late: F"),
    ("mja Enter", "Music: B C; Jazz: A D E; Late: F"),
    ("a m late Enter", "Jazz: D E; Late: A B C F"),
    ("m new Enter", "Music: B C; Jazz: D E; Late: F; new: A"),
    ("mja Enter M", "Music: C; Jazz: B A D E; Late: F"),
    ("M j Enter", "Music: B C; Jazz: A D E; Late: F"),
    ("mja Enter u", "Music: A B C; Jazz: D E; Late: F"),
    ("mja Esc", "Music: A B C; Jazz: D E; Late: F"),
    ("m Down Down Enter", "Music: B C; Jazz: D E; Late: A F"),
    ("x2p", "Music: B C; Jazz: D A E; Late: F"),
    ("x2P", "Music: B C; Jazz: A D E; Late: F"),
    ("Space Space x h j p", "Music: C; Jazz: A B D E; Late: F"),
    ("3 b x 1 G p", "Music: A B C F; Jazz: D E"),
    ("hJ", "Jazz: D E; Music: A B C; Late: F"),
    ("hjK", "Jazz: D E; Music: A B C; Late: F"),
    ("hb", "Jazz: D E; Late: F; Music: A B C"),
    ("hx G p", "Jazz: D E; Late: F; Music: A B C"),
    ("hm la Enter", "Jazz: D E; Late: A B C F"),
    ("2 r C-u Bop Enter", "Music: A B C; Bop: D E; Late: F"),
    ("2 r C-u Music Enter", "Music: A B C; Jazz: D E; Late: F"),
    ("2 r x Esc", "Music: A B C; Jazz: D E; Late: F"),
    ("2 t x 1 p u u", "Music: A B C; Jazz: D E; Late: F"),
  ]

  @Test("do what the table says", arguments: cases)
  func table(_ one: (keys: String, result: String)) {
    var session = Session(Self.crates)
    session.press(one.keys)
    #expect(session.lists == one.result)
    #expect(session.keptLists == one.result)
  }

  @Test("what is refused is taken back, with the sentence")
  func refused() {
    var session = Session(Self.crates)
    session.rush("2 J")
    #expect(session.lists.contains("Jazz: E D"))
    session.take(.answered(session.browser.lastEdit, .refused("it can't be")))
    #expect(session.lists == session.keptLists)
    #expect(session.browser.notice == Notice(text: "It can't be", isFault: true))
  }

  @Test("a selection is kept while one looks elsewhere, and goes along when it is put")
  func selections() {
    var session = Session(Self.crates)
    session.press("Space Space 2")
    #expect(session.list == "[D] E")
    session.press("1")
    #expect(session.list == "*A *B [C]")
    session.press("x 2 p")
    #expect(session.list == "D [*A] *B E")
    session.press("J")
    #expect(session.list == "D E [*A] *B")
    session.press("1")
    #expect(session.list == "[C]")
  }

  @Test("what is looked for from the crates is an album, and from the songs a song")
  func lookedFor() {
    var session = Session("A B C")
    session.press("h")
    #expect(session.browser.pane == .crates)
    session.press("/ C Enter")
    #expect(session.browser.pane == .albums && session.list == "A B [C]")
    session.press("l")
    #expect(session.browser.pane == .songs)
    session.press("/ Enter")
    #expect(session.browser.pane == .songs)
  }

  @Test("what is typed before the lists are there is done when they are")
  func typedAhead() {
    var session = Session("A B C D")
    session.browser = Browser(columns: 100, rows: 30)
    session.rush("j")
    session.take(.began(crates: ["Music"], sequence: session.keeper.sequence))
    let first = ["A", "B"].compactMap { session.keeper.facts("\(Keeper.id($0))") }
    session.take(.window(crate: "Music", first))
    session.rush("J G")
    session.take(session.keeper.listing)
    session.settle()
    #expect(session.list == "A C B [D]")
    #expect(session.keptLists == session.lists)
  }

  @Test("of what is typed ahead as much is done as is kept: 256 keys")
  func typedMuch() {
    var session = Session([(name: "Music", albums: (0..<400).map { "A\($0)" })])
    session.browser = Browser(columns: 100, rows: 30)
    session.rush(String(repeating: "j ", count: 300))
    session.take(.began(crates: ["Music"], sequence: session.keeper.sequence))
    session.take(session.keeper.listing)
    session.settle()
    #expect(session.browser.place == 256)
  }

  @Test("what is typed while nobody answers is refused once that is known, and never done")
  func typedInVain() {
    var session = Session("A B")
    session.browser = Browser(columns: 100, rows: 30)
    session.rush("J")
    session.take(.lost("is not running"))
    #expect(session.browser.notice?.isFault == true)
    session.take(session.keeper.listing)
    session.settle()
    #expect(session.list == "[A] B")
    #expect(session.browser.notice == nil)
    session.browser = Browser(columns: 100, rows: 30)
    session.rush("J q")
    #expect(!session.hasQuit)
    session.rush("q")
    session.settle()
    #expect(session.hasQuit)
  }
}
