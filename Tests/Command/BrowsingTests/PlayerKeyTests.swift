import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("The player, in the browser", .limited)
struct PlayerKeyTests {
  @Test("A key each pauses, goes on to the next song and stops, wherever letters are not text")
  func keys() {
    for before in ["", "l", "h", "+"] {
      var session = Session("A B C")
      session.press(before)
      session.press(", > .")
      #expect(session.played == [.control(.pause), .control(.next), .control(.stop)], "\(before)")
      #expect(session.browser.pending.isEmpty)
    }
    for (before, text) in [("f", ",>."), ("r", "Music,>."), ("m", ",>.")] {
      var session = Session("A B C")
      session.press(before)
      session.press(", > .")
      #expect(session.played.isEmpty && session.browser.typedLine?.1.text == text)
    }
  }

  @Test("What plays is at the right of the last line, where there is room, and said at the end")
  func shown() {
    var session = Session("A B C")
    #expect(session.browser.partingWords == nil)
    session.take(
      .playing(PlayingFacts(player: "mpv", title: "Blue Train", artist: "John Coltrane")))
    #expect(session.screen.last?.hasSuffix("♪ Blue Train - John Coltrane") == true)
    #expect(
      session.browser.partingWords
        == "Blue Train goes on playing in mpv; crate play --stop ends it")
    session.take(.playing(PlayingFacts(player: "MPD", title: "Blue Train", isPaused: true)))
    #expect(session.screen.last?.hasSuffix("‖ Blue Train") == true)
    #expect(
      session.browser.partingWords
        == "Blue Train is paused in MPD; crate play --pause goes on with it")
    session.take(.told(String(repeating: "x", count: 95), isFault: true))
    #expect(session.screen.last?.contains("Blue") == false)
    // What is free beside the keys is used.
    let long = PlayingFacts(player: "mpv", title: String(repeating: "long ", count: 8))
    session = Session([(name: "Music", albums: ["A"])], columns: 140)
    session.take(.playing(long))
    #expect(session.screen.last?.hasSuffix("♪ " + long.title.dropLast()) == true)
    session.take(.playing(nil))
    #expect(session.browser.partingWords == nil)
    session.browser.look.isASCII = true
    session.take(.playing(PlayingFacts(player: "mpv", title: "Blue Train")))
    session.press("j")
    #expect(session.screen.last?.hasSuffix("plays: Blue Train") == true)
  }

  @Test("The browser waits for the player's answer")
  func waiting() {
    var session = Session("A B C")
    #expect(!session.browser.awaitsPlayer)
    session.press("!")
    #expect(session.browser.awaitsPlayer)
    session.take(.playerAnswered)
    #expect(!session.browser.awaitsPlayer)
  }
}
