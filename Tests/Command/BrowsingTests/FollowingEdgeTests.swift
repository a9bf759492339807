import CratesInterface
import LibraryModel
import Ordering
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("What is told at odd times", .limited)
struct FollowingEdgeTests {
  @Test("Of what is told while all is read again the newest ten thousand are kept")
  func early() {
    var session = Session("A B C")
    session.take(.changed(Interface.Change(sequence: 2, isComplete: false)))
    #expect(session.effects == [.list])
    for number in 3..<10_003 { session.take(.changed(Interface.Change(sequence: number))) }
    #expect(session.browser.early.count == 10_000 && session.browser.early[0].sequence == 3)
    session.take(.changed(Interface.Change(sequence: 10_003)))
    #expect(session.browser.early.count == 10_000 && session.browser.early[0].sequence == 4)
    #expect(session.browser.sequence == 1 && session.browser.isReading)
    session.settle()
    #expect(session.browser.early.isEmpty && session.browser.sequence == 10_003)
    #expect(!session.browser.isReading)
  }

  @Test("What was told before the daemon went away is not done when it is back")
  func lost() {
    var session = Session("A B C")
    let move = Interface.Move(crate: nil, album: "\(Keeper.id("A"))")
    session.take(.changed(Interface.Change(sequence: 8, isComplete: false)))
    session.take(.changed(Interface.Change(sequence: 9, moves: [move])))
    session.take(.lost("has stopped"))
    #expect(session.browser.isReading && session.browser.early.isEmpty)
    session.take(session.keeper.listing)
    #expect(session.list == "[A] B C" && session.browser.notice == nil)
    #expect(!session.browser.isReading && session.browser.sequence == 1)
  }

  @Test("What was on its way when the daemon went away is told, and nothing where nothing was")
  func onItsWay() {
    var session = Session("A B C")
    session.take(.lost("has stopped"))
    #expect(session.browser.notice == nil)
    session.take(session.keeper.listing)
    session.rush("J")
    #expect(session.list == "B [A] C")
    session.take(.lost("has stopped"))
    #expect(
      session.browser.notice
        == Notice(
          text: "What was on its way when crated went away is shown as it was before",
          isFault: true))
    #expect(session.list == "[A] B C" && session.browser.pending.isEmpty)
    session.take(session.keeper.listing)
    #expect(session.browser.notice == nil)
    // What is said while it is there stays when all is read again.
    session.take(.told("it plays", isFault: false))
    session.take(session.keeper.listing)
    #expect(session.browser.notice == Notice(text: "it plays"))
  }

  @Test("Songs stay in front with an album that moved unseen, and give way where it went")
  func songsGone() {
    var session = Session("A B C")
    session.press("l j")
    #expect(session.browser.pane == .songs)
    session.take(session.keeper.listing)
    session.settle()
    #expect(session.browser.pane == .songs && session.titleAtCursor == "A")
    _ = session.keeper.edit(.moveAlbums([Keeper.id("A")], nil, crate: "Jazz"))
    session.take(session.keeper.listing)
    #expect(session.browser.pane == .songs && session.list == "[A]")
    session.press("1")
    session.press("l")
    let all = session.keeper.listing
    guard case .listed(let crates, let albums, let sequence) = all else { return }
    session.take(
      .listed(crates: crates, albums.filter { $0.title != "B" }, sequence: sequence))
    #expect(session.browser.pane == .albums && session.list == "[C]")
  }

  @Test("What is told of songs of albums that nobody opened, or of none, changes nothing")
  func songs() {
    var session = Session("A B C")
    let before = session.lists
    session.take(
      .changed(Interface.Change(sequence: 2, moves: [Interface.Move(crate: "Music", song: "s")])))
    session.take(.songs(album: "nobody", [SongFacts(id: "x", title: "X", artist: "Y")]))
    #expect(session.browser.songFacts["x"] == nil && session.effects.isEmpty)
    let other = "\(Keeper.id("C"))"
    session.take(
      .changed(
        Interface.Change(
          sequence: 3, moves: [Interface.Move(crate: "Music", album: other, song: "s")])))
    #expect(session.effects.isEmpty && session.lists == before)
    #expect(session.browser.sequence == 3 && session.browser.opened.count == 1)
  }

  @Test("Crates are put where it is told, under the names that they have then")
  func crates() {
    var session = Session(CrateKeyTests.crates)
    func told(_ sequence: Int, _ moves: Interface.Move...) {
      session.take(.changed(Interface.Change(sequence: sequence, moves: moves)))
    }
    let start = "Music: A B C; Jazz: D E; Late: F"
    told(2, Interface.Move(crate: "Late", after: "Music"))
    #expect(session.lists == "Music: A B C; Late: F; Jazz: D E")
    told(3, Interface.Move(crate: "Jazz"))
    #expect(session.lists == "Jazz: D E; Music: A B C; Late: F")
    told(4, Interface.Move(crate: "Jazz", after: "Music"))
    #expect(session.lists == start)
    told(5, Interface.Move(crate: "Blue", after: "Late", was: "Jazz"))
    #expect(session.lists == "Music: A B C; Late: F; Blue: D E")
    // The name is free again.
    told(6, Interface.Move(crate: "Jazz", album: "\(Keeper.id("E"))"))
    #expect(session.lists == "Music: A B C; Late: F; Blue: D; Jazz: E")
    told(7, Interface.Move(crate: "Music", album: "\(Keeper.id("E"))", after: "\(Keeper.id("B"))"))
    #expect(session.lists == "Music: A B E C; Late: F; Blue: D")
    // It may have been taken back.
    #expect(session.effects == [.lookUp(["\(Keeper.id("E"))"])])
  }

  @Test("An album that nobody knew is looked up, and one that came is whoever changed it")
  func lookUps() {
    var session = Session("A B C")
    let (known, new) = ("\(Keeper.id("B"))", "\(Keeper.id("Z"))")
    func told(
      _ sequence: Int, _ album: String, isPersons: Bool, albums: [String] = []
    ) -> [Effect] {
      let move = Interface.Move(crate: "Music", album: album)
      return session.browser.update(
        .changed(
          Interface.Change(
            sequence: sequence, isPersons: isPersons, moves: [move], albums: albums)))
    }
    #expect(told(2, known, isPersons: true, albums: [known]) == [])
    #expect(told(3, known, isPersons: false, albums: ["y", "x"]) == [.lookUp(["x", "y"])])
    #expect(told(4, new, isPersons: true) == [.lookUp([new])])
    #expect(session.browser.items.count == 4)
    let album = session.browser.tables.known(album: new)
    #expect(album.map { session.browser.tables.isKnown($0) } == false)
  }

  @Test("An album that has other songs now is closed, and opened again where it is looked at")
  func reopened() throws {
    var session = Session("A B C")
    session.press("j k")
    #expect(session.browser.opened.count == 2)
    for (title, isLookedAt) in [("B", false), ("A", true)] {
      var facts = try #require(session.keeper.facts("\(Keeper.id(title))"))
      let number = try #require(session.browser.tables.known(album: facts.id))
      facts.songs = 7
      let effects = session.browser.update(.lookedUp([facts]))
      #expect(effects == (isLookedAt ? [.songs(album: facts.id)] : []), "\(title)")
      #expect(!session.browser.opened.contains(number))
    }
  }

  @Test("What the music folder says anew of albums and their songs is read again, and shown")
  func retagged() throws {
    var session = Session("A B C")
    session.press("j k")
    #expect(session.browser.opened.count == 2)
    let (songs, ids) = (session.browser.songs, ["\(Keeper.id("A"))", "\(Keeper.id("B"))"])
    session.take(.changed(Interface.Change(sequence: 2, isPersons: false, albums: ids)))
    #expect(session.effects == [.lookUp(ids.sorted()), .songs(album: ids[0])])
    // Until then they are shown as they were.
    #expect(session.browser.songs == songs && session.titleAtCursor == "A")
    var facts = try #require(session.keeper.facts(ids[0]))
    (facts.title, facts.year) = ("Hunky Dory", 1999)
    session.take(.lookedUp([facts]))
    session.take(
      .songs(album: ids[0], songs.map { SongFacts(id: $0, title: "Kooks", artist: "Bowie") }))
    #expect(session.browser.songs == songs)
    #expect(session.browser.songFacts[songs[2]]?.title == "Kooks")
    #expect(session.browser.currentAlbum.map { session.browser.tables[$0].year } == 1999)
    for words in ["Hunky Dory", "Kooks"] {
      #expect(session.screen.contains { $0.contains(words) }, "\(words)")
    }
    // The other one when it is looked at.
    session.press("j")
    #expect(session.effects.isEmpty && session.browser.opened.count == 2)
  }

  @Test("An album that a song comes to or leaves is looked up: it has other songs, and is longer")
  func counts() {
    var session = Session("A B C")
    let album = "\(Keeper.id("B"))"
    for (sequence, crate) in [(2, nil), (3, "Music")] as [(Int, String?)] {
      let move = Interface.Move(crate: crate, album: album, song: "s")
      let change = Interface.Change(sequence: sequence, isPersons: false, moves: [move])
      #expect(session.browser.update(.changed(change)) == [.lookUp([album])])
    }
  }

  @Test("Songs that are closed are forgotten with where one was in them")
  func closed() {
    var session = Session(
      [(name: "Music", albums: (0..<80).map { "A\($0)" })], columns: 100, rows: 30)
    session.press("l j j h")
    let first = session.browser.items[0]
    #expect(session.browser.songLists[first]?.cursor != nil)
    for _ in 0..<64 { session.press("j") }
    #expect(session.browser.songLists[first] == nil)
    session.press("g l")
    #expect(session.browser.place == 0)
  }

  @Test("Where one is is remembered of each crate, in lines of words")
  func memory() {
    func id(_ title: String) -> String { "\(Keeper.id(title))" }
    var session = Session(CrateKeyTests.crates)
    #expect(
      session.browser.memory == """
        crated browse 1
        open Music
        crate 1 \(id("A")) \(id("A")) Music
        crate 1 - - Jazz
        crate 1 - - Late

        """)
    session.press("j j w 2 J")
    #expect(
      session.browser.memory == """
        crated browse 1
        open Jazz
        gallery
        crate 1 \(id("C")) \(id("A")) Music
        crate 2 \(id("D")) \(id("E")) Jazz
        crate 1 - - Late

        """)
    // Before crates come it stays as it is, and before albums come all places do.
    let memory = session.browser.memory
    var browser = Browser(columns: 100, rows: 30, memory: memory)
    #expect(browser.firstCrate == "Jazz" && browser.isGallery && browser.memory == memory)
    _ = browser.update(.lost("is not running"))
    #expect(browser.memory == memory)
    #expect(browser.update(.input(.key(.character("q"), []))) == [.remember, .quit])
    _ = browser.update(.began(crates: ["Music", "New"], sequence: 3))
    // What came to the open crate meanwhile has not been seen yet.
    let known = "crate 1 \(id("C")) \(id("A")) Music\n"
    #expect(browser.memory == "crated browse 1\nopen Music\ngallery\n\(known)crate - - - New\n")
    #expect(browser.notice?.isFault == true)
  }

  @Test("What can't be read of a memory is as if it had never been")
  func nonsense() {
    for (line, isRemembered) in [
      ("crate 4 a b Jazz", true), ("crate - - - Jazz", true), ("crate 4 a Jazz", false),
      ("crate", false), ("crates 4 a b Jazz", false), ("", false), ("crate 4 a b c d", true),
    ] {
      let browser = Browser(columns: 100, rows: 30, memory: "crated browse 1\n\(line)\ngallery")
      #expect(browser.isGallery && browser.remembered.isEmpty == !isRemembered, "\(line)")
    }
    let named = Browser(columns: 100, rows: 30, memory: "crated browse 1\ncrate 4 a - c D\n")
    let crate = named.tables.known(crate: "c d")
    #expect(crate.map { named.remembered[$0] } == RememberedPlace(cursor: "a", top: nil))
    #expect(crate.map { named.looked[$0] } == 4)
    for heading in ["crated browse 2", "", "open Jazz"] {
      let browser = Browser(columns: 100, rows: 30, memory: "\(heading)\ngallery\nopen Jazz\n")
      #expect(!browser.isGallery && browser.firstCrate == nil)
    }
  }
}
