import CratesInterface
import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

/// What was meant when a menu or a prompt opened is what its answer does, whatever comes between.
@Suite("Menus and prompts while the lists change", .limited)
struct OpenSheetTests {
  private func session(_ keys: String) -> Session {
    var session = Session(CrateKeyTests.crates)
    session.take(.playing(PlayingFacts(player: "mpv", title: "Something")))
    session.press(keys)
    return session
  }

  /// Somebody else moves albums to a crate.
  private func move(_ titles: [String], to crate: String, _ session: inout Session) {
    session.happens(session.keeper.edit(.moveAlbums(titles.map(Keeper.id), nil, crate: crate)))
    session.settle()
  }

  /// The folder loses an album.
  private func lose(_ title: String, _ session: inout Session) {
    session.happens(session.keeper.lose(title))
    session.settle()
  }

  @Test("an album that others moved is still the one that is sent to a crate")
  func sent() {
    for (keys, rest) in [("m", "ja Enter"), ("l m", "ja Enter"), ("/a", "M-m ja Enter")] {
      var session = session(keys)
      if keys == "/a" { session.press(Stroke("m", .alt)) }
      move(["A"], to: "Late", &session)
      session.press(rest.replacing("M-m ", with: ""))
      #expect(session.keptLists == "Music: B C; Jazz: A D E; Late: F", "\(keys)")
      #expect(session.lists == session.keptLists)
    }
    var session = session("3 h m")
    move(["F"], to: "Music", &session)
    session.press("ja Enter")
    #expect(session.keptLists == "Music: A B C; Jazz: F D E")
  }

  @Test("an album that went is not sent, nor is its neighbour, and that is said")
  func sentGone() {
    var session = session("m")
    lose("A", &session)
    let before = session.lists
    session.press("ja Enter")
    #expect(session.lists == before && session.keeper.sequence == 2)
    #expect(session.browser.notice == Notice(text: "A went away; nothing is moved", isFault: true))
    // Of several the others are.
    session = self.session("a m")
    lose("A", &session)
    session.press("ja Enter")
    #expect(session.lists == "Jazz: B C D E; Late: F")
  }

  @Test("the crate that is chosen stays so when others come, go or move")
  func chosenCrate() {
    var session = session("m Down")
    session.happens(session.keeper.edit(.moveCrate("Late", .top)))
    session.settle()
    session.press("Enter")
    #expect(session.lists == "Late: F; Music: B C; Jazz: A D E")
    session = self.session("m la")
    move(["F"], to: "Music", &session)
    session.press("Enter")
    #expect(session.keeper.sequence == 2 && session.browser.notice?.isFault == true)
    // Chosen anew it is one that is to be made.
    session.press("Enter")
    #expect(session.lists == session.keptLists && session.lists.hasSuffix("; la: A"))
    session = self.session("+ Enter Down")
    session.happens(session.keeper.edit(.moveCrate("Late", .top)))
    session.settle()
    session.press("Enter")
    #expect(session.lists == "Late: F; Music: B C; Jazz: A D E")
  }

  @Test("what is played is what was under the cursor when it was asked for")
  func played() {
    for (keys, thing) in [
      ("!", PlayedThing.album("\(Keeper.id("A"))")), ("h !", .crate("Music")),
    ] {
      var session = session(keys)
      move(["A", "B", "C"], to: "Late", &session)
      session.press("p")
      let isThere = keys == "!"
      #expect(session.played == (isThere ? [.play([thing], adding: false)] : []), "\(keys)")
      #expect((session.browser.notice?.isFault == true) == !isThere)
    }
    var session = session("h !")
    session.happens(session.keeper.edit(.renameCrate("Music", to: "Other")))
    session.settle()
    session.press("a")
    #expect(session.played == [.play([.crate("Other")], adding: true)])
  }

  @Test("what is sorted is what was there when it was asked for, as far as it still is")
  func sorted() {
    var session = session("2 h s")
    move(["D", "E"], to: "Late", &session)
    session.press("v")
    #expect(session.lists == session.keptLists && session.keeper.sequence == 2)
    #expect(session.browser.notice?.isFault == true)
    session = self.session("s")
    move(["C"], to: "Late", &session)
    session.press("v")
    #expect(session.lists == "Music: B A; Jazz: D E; Late: C F")
  }

  @Test("as many songs are forgotten as were asked about")
  func forgotten() {
    var session = session("")
    session.take(.status(StatusFacts(gone: 3)))
    session.press("F")
    session.take(.status(StatusFacts(gone: 10)))
    session.rush("y")
    #expect(session.effects.isEmpty && session.browser.mode == .lists)
    session.rush("F y")
    #expect(
      session.effects == [.edit(1, .forget(songs: nil, albums: nil, all: true, sequence: nil))])
  }

  @Test("the songs in front are those of one album, wherever it goes, and none when it went")
  func songs() {
    var session = session("l")
    let songs = session.browser.songs
    move(["A"], to: "Late", &session)
    #expect(session.browser.pane == .songs && session.titleAtCursor == "A")
    session.press("J")
    let kept = session.keeper.songs(of: "\(Keeper.id("A"))").map(\.id)
    #expect(kept == [songs[1], songs[0], songs[2]])
    session.press("h")
    #expect(session.list == "[A] F")
    session = self.session("l")
    lose("A", &session)
    #expect(session.browser.pane == .albums)
    session.press("J")
    #expect(session.lists.hasPrefix("Music: C B"))
  }

  @Test("Esc goes back to the album where one was, wherever it is by now")
  func found() {
    var session = session("j / c")
    session.happens(
      session.keeper.edit(.moveAlbums([Keeper.id("B")], .bottom, crate: nil)))
    session.settle()
    session.press("Esc")
    #expect(session.list == "A C [B]")
  }
}
