import CratesInterface
import LibraryModel
import TestSupport
import Testing

@testable import Browsing

@Suite("Following what others do", .limited)
struct FollowingTests {
  static func letters(_ count: Int) -> [String] { (1...count).map { "A\($0)" } }

  @Test("an arrival above changes numbers, not rows")
  func anchored() {
    var session = Session([(name: "Music", albums: Self.letters(200))])
    session.press("C-d C-d C-d")
    let before = session.screen
    session.happens(session.keeper.add("New", to: "Music"))
    session.settle()
    let after = session.screen
    let row = 12
    let title = "A\(row)"
    #expect(before[row] != after[row])
    #expect(before[row].contains("Artist of A"))
    let titles = { (screen: [String]) in
      screen.map { line in line.split(separator: " ").first { $0.hasPrefix("A") && $0.count > 1 } }
    }
    #expect(
      titles(before).dropFirst().dropLast() == titles(after).dropFirst().dropLast(), "\(title)")
    #expect(after[2].contains("+1"))
    #expect(after[0].contains("201 albums"))
  }

  @Test("what comes into a range is not selected; what goes leaves it")
  func range() {
    var session = Session("A B C D E")
    session.press("vjj")
    session.happens(session.keeper.add("N", to: "Music"))
    session.happens(
      session.keeper.edit(.moveAlbums([Keeper.id("N")], .after(Keeper.id("A")), crate: nil)))
    session.settle()
    session.press("j")
    #expect(session.list == "*A N *B *C [*D] E")
  }

  @Test("an album goes to a crate that nobody told of, which is there then")
  func untoldCrate() {
    var session = Session("A B")
    let move = Interface.Move(crate: "Night", album: "\(Keeper.id("B"))")
    session.happens(Interface.Change(sequence: 2, isPersons: false, moves: [move]))
    session.tell()
    #expect(session.lists == "Music: A; Night: B")
  }

  @Test("the cursor stays with its album, and goes to the next one when that goes")
  func cursor() {
    var session = Session([
      (name: "Music", albums: ["A", "B", "C"]), (name: "Jazz", albums: ["D"]),
    ])
    session.press("j")
    session.happens(
      session.keeper.edit(.moveAlbums([Keeper.id("B")], .bottom, crate: nil)))
    session.settle()
    #expect(session.list == "A C [B]")
    session.happens(session.keeper.edit(.moveAlbums([Keeper.id("B")], nil, crate: "Jazz")))
    session.settle()
    #expect(session.list == "A [C]")
  }

  @Test("what is picked up and goes away is told")
  func carried() {
    var session = Session("A B C")
    session.press("Space Space x")
    session.happens(session.keeper.edit(.moveAlbums([Keeper.id("A")], nil, crate: "Other")))
    session.settle()
    session.press("p")
    #expect(session.list.contains("B"))
    #expect(session.lists == session.keptLists)
  }

  @Test("a crate that another client renamed keeps what was selected in it")
  func renamed() {
    var session = Session("A B C")
    session.press("Space")
    session.happens(session.keeper.edit(.renameCrate("Music", to: "Songs")))
    session.settle()
    #expect(session.list == "*A [B] C")
    #expect(session.screen[2].contains("Songs"))
  }

  @Test("where it was told too little, everything is read again")
  func incomplete() {
    var session = Session("A B C")
    _ = session.keeper.edit(.moveAlbums([Keeper.id("A")], .bottom, crate: nil))
    session.take(.changed(Interface.Change(sequence: 99, isComplete: false)))
    session.settle()
    #expect(session.list == "B C [A]")
  }

  @Test("what is told while everything is read is not lost")
  func early() {
    var session = Session("A B C")
    let listing = session.keeper.listing
    session.take(.changed(Interface.Change(sequence: 99, isComplete: false)))
    if let change = session.keeper.edit(.moveAlbums([Keeper.id("A")], .bottom, crate: nil)) {
      session.take(.changed(change))
    }
    session.take(listing)
    #expect(session.list == "B C [A]")
  }

  @Test("an edit that all lists are as of has nothing to wait for")
  func settled() {
    var session = Session("A B C")
    session.rush("J")
    session.act()
    #expect(session.browser.pending.count == 1)
    session.take(session.keeper.listing)
    #expect(session.browser.pending.isEmpty && session.list == "B [A] C")
  }

  @Test("what was known of an album already changes nothing")
  func known() throws {
    var session = Session("A B C")
    session.rush("j")
    var facts = try #require(session.keeper.facts("\(Keeper.id("C"))"))
    #expect(session.browser.update(.lookedUp([facts])).isEmpty)
    facts.year = 1990
    // The songs of the album under the cursor are not there yet, and are asked for again.
    #expect(!session.browser.update(.lookedUp([facts])).isEmpty)
  }

  @Test("while the daemon is away it keeps showing, says so, and refuses moves")
  func away() {
    var session = Session("A B C")
    session.rush("J")
    session.take(.lost("has stopped"))
    #expect(session.list == "[A] B C")
    session.press("J")
    #expect(session.list == "[A] B C")
    #expect(
      session.screen.last?.contains("crated has stopped; nothing is moved until it is back") == true
    )
    session.take(session.keeper.listing)
    session.settle()
    session.press("jK")
    #expect(session.lists == session.keptLists)
  }

  @Test("a key that is held down waits for no answer, and asks for one move")
  func heldDown() {
    var session = Session([(name: "Music", albums: Self.letters(300))])
    for _ in 0..<250 { session.rush("J") }
    #expect(session.browser.pending.count == 2)
    #expect(session.browser.currentAlbum.map { session.browser.tables[$0].title } == "A1")
    #expect(session.browser.albumList.place(in: session.browser.items) == 250)
    let seen = session.lists
    session.settle()
    #expect(session.lists == seen)
    #expect(session.keptLists == seen)
  }

  @Test("of other edits so many wait, and no more are taken")
  func bounded() {
    var session = Session("A B C D E F G")
    for _ in 0..<200 { session.rush("tjb") }
    #expect(session.browser.pending.count <= PendingEdit.waitingMost + 1)
    #expect(session.browser.notice?.isFault == true)
    session.settle()
    #expect(session.lists == session.keptLists)
  }

  @Test("a song that nobody knew has the songs of its album read again, and one that went is gone")
  func songs() {
    var session = Session("A B C")
    let album = "\(Keeper.id("A"))"
    let songs = session.browser.songs
    #expect(songs.count == 3)
    func move(_ song: String, crate: String?, after: String?, _ sequence: Int) -> Message {
      .changed(
        Interface.Change(
          sequence: sequence,
          moves: [Interface.Move(crate: crate, album: album, song: song, after: after)]))
    }
    session.take(move(songs[0], crate: "Music", after: songs[2], 2))
    #expect(session.browser.songs == [songs[1], songs[2], songs[0]] && session.effects.isEmpty)
    session.take(move(songs[1], crate: nil, after: nil, 3))
    #expect(session.browser.songs == [songs[2], songs[0]] && session.effects.isEmpty)
    session.take(move("unknown", crate: "Music", after: songs[2], 4))
    #expect(session.browser.songs.isEmpty && session.effects == [.songs(album: album)])
    session.settle()
    #expect(session.browser.songs == songs)
  }

  private func gone(_ title: String, _ sequence: Int) -> Message {
    let move = Interface.Move(crate: nil, album: "\(Keeper.id(title))")
    return .changed(Interface.Change(sequence: sequence, isPersons: false, moves: [move]))
  }

  @Test("what is picked up and is there no longer is told, and carried no longer")
  func carriedAway() {
    var session = Session(CrateKeyTests.crates)
    session.press("Space Space x")
    session.take(gone("A", 2))
    #expect(session.browser.carried?.count == 1)
    #expect(session.browser.notice?.text == "1 album that you picked up went away")
    session.take(gone("B", 3))
    #expect(session.browser.carried == nil)
    session.press("3 h x")
    #expect(session.browser.carried?.count == 1)
    session.take(gone("D", 4))
    #expect(session.browser.carried?.count == 1)
    session.take(gone("F", 5))
    #expect(session.browser.carried == nil)
    // Another crate is open then.
    let browser = session.browser
    #expect(browser.currentCrate.map(browser.shown.contains) == true && browser.pane == .crates)
    session.press("1 l Space x")
    let song = session.browser.songs[0]
    let album = "\(Keeper.id("C"))"
    #expect(session.browser.carried?.count == 1)
    session.take(
      .changed(
        Interface.Change(sequence: 6, moves: [Interface.Move(crate: nil, album: album, song: song)])
      ))
    #expect(session.browser.carried == nil)
  }

  @Test("a crate that goes while it is renamed is renamed no longer, and another goes unnoticed")
  func renaming() {
    var session = Session(CrateKeyTests.crates)
    session.press("3 r")
    session.take(gone("A", 2))
    #expect(session.browser.typedLine?.0 == "rename Late to: ")
    session.take(gone("F", 3))
    #expect(session.browser.typedLine == nil && session.browser.mode == .lists)
  }
}
