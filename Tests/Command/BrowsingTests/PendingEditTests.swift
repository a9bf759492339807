import CratesInterface
import Ordering
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Edits that are on their way", .limited)
struct PendingEditTests {
  private static func ids(_ titles: String) -> [String] {
    titles.split(separator: " ").map { "\(Keeper.id(String($0)))" }
  }

  /// What is asked for when all of these keys come before any answer.
  private func asked(_ list: String, _ keys: String) -> [Call] {
    var session = Session(list)
    session.rush(keys)
    let requests = session.requests()
    #expect(session.lists == session.keptLists, "\(keys)")
    #expect(session.browser.pending.isEmpty, "\(keys)")
    return requests
  }

  private func move(_ titles: String, _ place: Place<String>, to crate: String? = nil) -> Call {
    .moveAlbums(Self.ids(titles), place, crate: crate)
  }

  @Test("A place is asked for as what it is")
  func places() {
    #expect(
      [Place<String>.top, .bottom, .up, .down, .before("a"), .after("b")].map {
        Interface.Place($0)
      } == [
        Interface.Place(Interface.Where.top), Interface.Place(Interface.Where.bottom),
        Interface.Place(Interface.Where.up), Interface.Place(Interface.Where.down),
        Interface.Place(.before, anchor: "a"), Interface.Place(.after, anchor: "b"),
      ])
  }

  @Test("Steps that wait become one move to where they lead, beside what stands there then")
  func steps() {
    func id(_ title: String) -> String { Self.ids(title)[0] }
    for (keys, titles, first, last) in [
      ("j J J J", "B", .down, .after(id("E"))), ("G K K K", "E", .up, .before(id("B"))),
      ("G K K K K", "E", .up, .before(id("A"))), ("G K K K K K K", "E", .up, .before(id("A"))),
      ("j J J J J J", "B", .down, .after(id("E"))), ("j J J K", "B", .down, .before(id("D"))),
      ("j J J K K", "B", .down, .before(id("C"))), ("j J J K J", "B", .down, .after(id("D"))),
      ("G v k K K K", "D E", .up, .before(id("A"))), ("v j J J J", "A B", .down, .after(id("E"))),
      ("v j J J K", "A B", .down, .before(id("D"))),
      ("a J J J", "A B C D E", .down, .top), ("a K K K", "A B C D E", .up, .bottom),
    ] as [(String, String, Place<String>, Place<String>)] {
      #expect(
        asked("A B C D E", keys) == [move(titles, first), move(titles, last, to: "Music")],
        "\(keys)")
    }
  }

  @Test("A step behind a move that waits moves that, and no other move is one with another")
  func merged() {
    func id(_ title: String) -> String { Self.ids(title)[0] }
    #expect(
      asked("A B C D E", "j J b K")
        == [move("B", .down), move("B", .before(id("E")), to: "Music")])
    #expect(
      asked("A B C D E", "G K t J")
        == [move("E", .up), move("E", .after(id("A")), to: "Music")])
    #expect(
      asked("A B C D E", "J t b")
        == [move("A", .down), move("A", .top, to: "Music"), move("A", .bottom, to: "Music")])
    // Of another album.
    #expect(
      asked("A B C D E", "J J k J") == [move("A", .down), move("A", .down), move("C", .down)])
    #expect(asked("A B C D E", "J u J").count == 3)
  }

  @Test("256 wait behind the one on its way, and no more are taken")
  func most() {
    var session = Session("A B C D")
    for number in 0..<257 {
      session.rush(number.isMultiple(of: 2) ? "b" : "t")
      #expect(session.browser.notice == nil && session.browser.pending.count == number + 1)
    }
    let before = session.lists
    session.rush("t b")
    #expect(session.browser.pending.count == 257 && session.lists == before)
    #expect(
      session.browser.notice
        == Notice(text: "256 changes are on their way; wait a moment", isFault: true))
    session.settle()
    #expect(session.lists == before && session.keptLists == before)
  }

  @Test("An edit of which was told before it was answered waits for nothing")
  func toldFirst() throws {
    var session = Session("A B C")
    session.rush("J")
    let request = move("A", .down)
    guard case .edit(let number, request)? = session.effects.first else {
      Issue.record("\(session.effects)")
      return
    }
    let (answer, told) = session.keeper.answer(request)
    session.take(.changed(try #require(told)))
    #expect(session.browser.pending.count == 1 && session.browser.notice == nil)
    session.take(.answered(number, answer))
    #expect(session.browser.pending.isEmpty && session.list == "B [A] C")
    #expect(session.browser.notice == Notice(text: "done"))
    // Nobody asked for this one.
    session.take(.answered(number + 7, .refused("no")))
    #expect(session.browser.notice == Notice(text: "done"))
  }

  @Test("What somebody else did is said, and what changed nothing is not")
  func others() {
    var session = Session("A B C")
    func change(_ sequence: Int, _ summary: String, isChange: Bool = true) -> Message {
      .changed(Interface.Change(isChange: isChange, sequence: sequence, summary: summary))
    }
    session.take(change(2, "somebody did it"))
    #expect(session.browser.notice == Notice(text: "somebody did it"))
    session.take(change(2, "twice"))
    session.take(change(1, "long ago"))
    session.take(change(3, ""))
    session.take(change(4, "nothing", isChange: false))
    #expect(session.browser.notice == Notice(text: "somebody did it"))
    #expect(session.browser.sequence == 4)
  }

  @Test("A crate that is renamed while its albums are on their way is asked for as it is called")
  func renamed() {
    #expect(
      asked("A B", "b r C-u Late Enter t r C-u Blue Enter") == [
        move("A", .bottom, to: "Music"), .renameCrate("Music", to: "Late"),
        move("A", .top, to: "Late"), .renameCrate("Late", to: "Blue"),
      ])
    #expect(
      asked("A B", "b r C-u Late Enter h J r C-u Blue Enter") == [
        move("A", .bottom, to: "Music"), .renameCrate("Music", to: "Late"),
        .moveCrate("Late", .down), .renameCrate("Late", to: "Blue"),
      ])
    // An album that comes into a new crate names it.
    #expect(
      asked("A B", "m Late Enter") == [.moveAlbums(Self.ids("A"), nil, crate: "Late")])
  }

  @Test("A crate and songs are asked for by their name and their ids")
  func names() {
    var session = Session(CrateKeyTests.crates)
    session.press("h")
    session.rush("J")
    #expect(session.requests() == [.moveCrate("Music", .down)])
    session.rush("x G p")
    #expect(session.requests() == [.moveCrate("Music", .after("Late"))])
    session.rush("g x G P")
    #expect(session.requests() == [.moveCrate("Jazz", .before("Music"))])
    #expect(session.browser.place == 1)
    session.rush("x p P")
    #expect(session.requests() == [] && session.browser.carried == nil)
    session.press("l l")
    let songs = session.browser.songs
    session.rush("J x G P")
    #expect(
      session.requests() == [
        .moveSongs([songs[0]], .down), .moveSongs([songs[0]], .before(songs[2])),
      ])
  }

  @Test("While the first albums alone are known, the mouse moves none")
  func incomplete() {
    var session = Session("A B C D")
    session.browser = Browser(columns: 100, rows: 30)
    session.take(.began(crates: ["Music"], sequence: 1))
    let first = ["A", "B"].compactMap { session.keeper.facts("\(Keeper.id($0))") }
    session.take(.window(crate: "Music", first))
    _ = session.browser.ask(.undo)
    #expect(
      session.browser.notice
        == Notice(text: "The albums are still being read; try again in a moment"))
    #expect(session.browser.pending.isEmpty)
    // Others of the same crate, or of one that nobody knows, are not taken for the first ones.
    session.take(.window(crate: "Music", first))
    session.take(.window(crate: "Nowhere", first))
    #expect(session.list == "[A] B")
    session.take(session.keeper.listing)
    #expect(session.list == "[A] B C D")
  }

  @Test("What is shown before any answer is what the daemon makes of it")
  func predicted() {
    /// What only the daemon can tell is not guessed.
    func isGuessed(_ keys: String) -> Bool {
      !Session.strokes(keys).contains { [Stroke("s"), Stroke("u"), Stroke("U")].contains($0) }
        && !keys.contains("C-") && !keys.contains("S")
    }
    let albums = KeyTests.cases.filter { isGuessed($0.keys) && !$0.list.contains("Sofia") }
    let cases =
      albums.map { one in
        ([(name: "Music", albums: one.list.split(separator: " ").map(String.init))], one.keys)
      } + CrateKeyTests.cases.filter { isGuessed($0.keys) }.map { (CrateKeyTests.crates, $0.keys) }
    #expect(cases.count > 40)
    for (crates, keys) in cases {
      var session = Session(crates)
      session.rush(keys)
      let (list, lists) = (session.list, session.lists)
      session.settle()
      #expect(session.list == list && session.lists == lists, "\(keys)")
      #expect(session.keptLists == lists && session.browser.pending.isEmpty, "\(keys)")
    }
  }

  @Test("Songs that are moved are shown so before any answer")
  func predictedSongs() {
    for keys in ["J", "j K", "b", "G t", "x j j p", "x j j P", "v j J", "J J", "v j x G p", "b t"] {
      var session = Session([(name: "Music", albums: ["A", "B"])], songs: 5)
      session.press("l")
      session.rush(keys)
      let (songs, list) = (session.browser.songs, session.browser.songList.selected)
      session.settle()
      #expect(session.browser.songs == songs && session.browser.songList.selected == list)
      let kept = session.keeper.songs(of: "\(Keeper.id("A"))").map(\.id)
      #expect(kept == songs, "\(keys)")
    }
  }
}
