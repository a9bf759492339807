import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Opening where one was", .limited) struct OpeningTests {
  private static let crates = [
    (name: "Music", albums: (0..<100).map { "A\($0)" }), (name: "Late Jazz", albums: ["D", "E"]),
    (name: "Jazz", albums: ["F"]),
  ]

  /// One that knows the crates' names, and so many of the first albums of the one that is open.
  private func opening(
    _ keeper: Keeper, crate: String? = nil, memory: String = "", first count: Int = 28
  ) -> Session {
    var session = Session("A")
    session.keeper = keeper
    session.browser = Browser(columns: 100, rows: 30, crate: crate, memory: memory)
    session.take(.began(crates: keeper.lists.map(\.name), sequence: keeper.sequence))
    let open = session.browser.currentCrate.map { session.browser.shown.name(of: $0) } ?? ""
    let albums = keeper.lists.first { $0.name == open }?.albums ?? []
    let facts = albums.prefix(count).compactMap { keeper.facts("\(Keeper.id($0))") }
    session.take(.window(crate: open, facts))
    return session
  }

  @Test("The place is found again, also where it is beyond the albums that come first")
  func places() {
    for (keys, cursor, top) in [
      ("j j j", 3, 0), (String(repeating: "j ", count: 25), 25, 1),
      (String(repeating: "j ", count: 35), 35, 11), (String(repeating: "j ", count: 60), 60, 36),
      ("G", 99, 73), ("G k k k", 96, 73),
    ] {
      var session = Session(Self.crates, columns: 100, rows: 30)
      session.press(keys)
      #expect(session.browser.place == cursor)
      #expect(session.browser.albumList.topPlace(in: session.browser.items) == top)
      var again = opening(session.keeper, memory: session.browser.memory)
      // Of those that come first it is found at once.
      #expect(again.browser.place == (cursor < 28 ? cursor : 0), "\(cursor)")
      again.take(again.keeper.listing)
      again.settle()
      #expect(again.browser.place == cursor, "\(cursor)")
      #expect(again.browser.albumList.topPlace(in: again.browser.items) == top, "\(cursor)")
    }
  }

  @Test("Where the album is gone at which one was, it opens at the top")
  func gone() {
    var session = Session(Self.crates, columns: 100, rows: 30)
    session.press(String(repeating: "j ", count: 60))
    let memory = session.browser.memory
    session.happens(session.keeper.edit(.moveAlbums([Keeper.id("A60")], nil, crate: "Jazz")))
    var again = opening(session.keeper, memory: memory)
    again.take(again.keeper.listing)
    again.settle()
    #expect(again.browser.place == 0 && again.list.hasPrefix("[A0] A1"))
  }

  @Test("The crate that is asked for is opened, until the person turns to another")
  func wanted() {
    let keeper = Session(Self.crates).keeper
    var session = opening(keeper, crate: "late jazz")
    #expect(session.browser.currentCrate == session.browser.shown.crates[1])
    session.press("3")
    session.take(keeper.listing)
    session.settle()
    #expect(session.browser.currentCrate == session.browser.shown.crates[2])
    var missing = opening(keeper, crate: "Nowhere")
    #expect(missing.browser.notice == Notice(text: "There is no crate “Nowhere”", isFault: true))
    #expect(missing.browser.currentCrate == missing.browser.shown.crates[0])
    missing.press("j")
    missing.take(keeper.listing)
    missing.settle()
    #expect(missing.browser.notice == nil && missing.browser.place == 1)
  }

  @Test("Crates that begin as was typed come before those in which it is elsewhere, a new one last")
  func choices() {
    let browser = Session(Self.crates).browser
    func names(_ typed: String) -> [String] {
      browser.choices(of: Picker(albums: [], input: LineInput(text: typed))).map { choice in
        switch choice {
        case .crate(let crate): browser.shown.name(of: crate)
        case .new(let name): "new \(name)"
        }
      }
    }
    #expect(names("") == ["Music", "Late Jazz", "Jazz"])
    #expect(names("ja") == ["Jazz", "Late Jazz", "new ja"])
    #expect(names("JAZZ") == ["Jazz", "Late Jazz"] && names("la") == ["Late Jazz", "new la"])
    #expect(names("z") == ["Late Jazz", "Jazz", "new z"] && names("x") == ["new x"])
    #expect(names("  ") == ["Music", "Late Jazz", "Jazz"])
  }

  private func pasted(_ keys: String, _ text: String) -> Session {
    var session = Session(Self.crates)
    session.press(keys)
    session.take(.input(.pasted(text)))
    session.settle()
    return session
  }

  @Test("What is pasted is typed where letters are text, its first line alone")
  func pasting() {
    var session = pasted("m Down Down", "ja\nxyz")
    #expect(session.browser.typedLine?.1.text == "ja")
    session.press("Enter")
    #expect(session.lists.hasSuffix("Jazz: A0 F"))
    session = pasted("/", "a9")
    #expect(session.browser.place == 9)
    session.press("Esc")
    #expect(session.browser.place == 0)
    session = pasted("f", "a9")
    #expect(session.browser.items.count == 11 && session.list.hasPrefix("[A9] A90"))
    session.press("Esc")
    #expect(session.browser.items.count == 100)
    session = pasted("3 r C-u", "Blue")
    #expect(session.browser.typedLine?.1.text == "Blue")
    session.press("Enter")
    #expect(session.lists.hasSuffix("Blue: F") && session.lists == session.keptLists)
    session = pasted("+ Enter Down Down", "late")
    session.press("Enter")
    #expect(session.lists.contains("Late Jazz: A0 "))
    // Elsewhere it is nothing, also where it has letters that are keys.
    for keys in ["", "?", "s", "!", "h", "+"] {
      let before = Session(Self.crates)
      #expect(pasted(keys, "JJq").lists == before.lists, "\(keys)")
    }
    #expect(pasted("/", "").browser.typedLine?.1.text == "")
  }

  /// What is remembered of so many crates whose names have so many letters.
  private func memory(_ count: Int, letters: Int) -> String {
    let crates = (0..<count).map { number in
      let name = "\(1_000 + number)" + String(repeating: "x", count: letters - 4)
      return (name: name, albums: ["\(number)"])
    }
    return Session(crates).browser.memory
  }

  @Test("As many crates are remembered as fit into 64 KiB, to the last byte")
  func bounded() throws {
    let most = Browser.memoryMost
    #expect(most == 262_144)
    let (one, two) = (memory(1, letters: 100).utf8.count, memory(2, letters: 100).utf8.count)
    // The name of the open crate is there twice.
    func rest(_ more: Int) -> (left: Int, line: Int) { (most - one - 2 * more, two - one + more) }
    let more = try #require((0..<150).first { rest($0).left % rest($0).line == 0 })
    let count = 1 + rest(more).left / rest(more).line
    #expect(memory(count, letters: 100 + more).utf8.count == most)
    #expect(memory(count + 1, letters: 100 + more).utf8.count == most)
    #expect(memory(count, letters: 101 + more).utf8.count < most)
  }

  @Test("The songs of 64 albums are kept, of those that were opened last")
  func opened() {
    var session = Session(Self.crates, columns: 100, rows: 30)
    let first = session.browser.items[0]
    #expect(session.browser.opened == [first])
    for _ in 0..<63 { session.press("j") }
    #expect(session.browser.opened.count == 64 && session.browser.shown.songs[first]?.count == 3)
    session.press("j")
    #expect(session.browser.opened == Array(session.browser.items[1...64]))
    #expect(session.browser.shown.songs[first] == nil && session.browser.songFacts.count == 192)
    session.press("g")
    #expect(session.browser.opened.last == first && session.browser.songs.count == 3)
  }

  @Test("While the lists are not there, what is known is shown, and help is at hand")
  func early() {
    var session = Session("A B")
    session.browser = Browser(columns: 100, rows: 30)
    session.take(.began(crates: ["Music"], sequence: 7))
    #expect(session.screen.last == " Reading…")
    session.browser = Browser(columns: 100, rows: 30)
    session.take(.lost("is not running"))
    session.press("?")
    #expect(session.browser.mode == .help(top: 0, back: nil))
  }

  @Test("What came while it was closed is counted, and a crate of which nothing is there is faint")
  func arrivals() throws {
    var session = Session(Self.crates, columns: 100, rows: 30)
    let memory = session.browser.memory
    session.happens(session.keeper.add("New", to: "Late Jazz"))
    var again = opening(session.keeper, memory: memory)
    again.take(again.keeper.listing)
    again.settle()
    #expect(again.screen[3].contains(" +1 3") && !again.screen[2].contains("+"))
    #expect(again.browser.grid().style(row: 4, column: 4) == .plain)
    var album = try #require(again.keeper.facts("\(Keeper.id("F"))"))
    album.presence = .offline
    again.take(.lookedUp([album]))
    #expect(again.browser.grid().style(row: 4, column: 4) == Pencil.faint)
    #expect(again.browser.grid().style(row: 3, column: 4) == .plain)
  }
}
