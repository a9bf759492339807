import TestSupport
import Testing

@testable import Browsing

/// What keys come to that is no change.
@Suite("What is said below the lists", .limited)
struct NoticeTests {
  private static let faults: [(keys: String, text: String)] = [
    ("xl p", "Albums are put among albums, or on a crate"),
    ("hx l p", "Crates are put among crates"),
    ("l x h p", "Songs stay in their album, which their tags name"),
    ("l x h j l p", "Songs stay in their album, which their tags name"),
  ]

  private static let remarks: [(keys: String, text: String)] = [
    ("p", "Nothing is picked up; x picks up"),
    ("h a", "Crates are moved one at a time; Enter goes to the albums"),
    ("/zz", "Nothing found"),
    ("n", "Nothing was searched for yet; / searches"),
    ("/zz Enter n", "Nothing found here"),
    ("j /zz M-Up", "Nothing found, so nothing is moved"),
    ("j /zz M-Down", "Nothing found, so nothing is moved"),
    ("j /zz M-Home", "Nothing found, so nothing is moved"),
    ("j /zz M-End", "Nothing found, so nothing is moved"),
    ("l j /zz M-Up", "Nothing found, so nothing is moved"),
    ("l j /zz M-Down", "Nothing found, so nothing is moved"),
    ("l j /zz M-Home", "Nothing found, so nothing is moved"),
    ("l j /zz M-End", "Nothing found, so nothing is moved"),
    ("F", "Nothing is gone"),
  ]

  @Test("what can't be done is a fault, and nothing moves", arguments: faults)
  func fault(_ one: (keys: String, text: String)) {
    var session = Session(CrateKeyTests.crates)
    let before = session.lists
    session.press(one.keys)
    #expect(session.browser.notice == Notice(text: one.text, isFault: true))
    #expect(session.lists == before && session.keptLists == before)
  }

  @Test("what means nothing here is a remark", arguments: remarks)
  func remark(_ one: (keys: String, text: String)) {
    var session = Session(CrateKeyTests.crates)
    let before = session.lists
    session.press(one.keys)
    #expect(session.browser.notice == Notice(text: one.text))
    #expect(session.lists == before && session.keptLists == before)
  }

  @Test("what is looked for and stands nowhere else is found again where it is")
  func foundAgain() {
    var session = Session("A B C")
    session.press("/b Enter")
    #expect(session.browser.place == 1)
    for key in ["n", "N"] {
      session.press(key)
      #expect(session.browser.place == 1 && session.browser.notice == nil)
    }
  }

  @Test("while no list is there, nothing is moved, and it is said why")
  func unread() {
    var session = Session("A B")
    session.take(.lost("is not running"))
    session.press("J")
    let words = session.browser.notice?.text
    #expect(words?.hasSuffix("; nothing is moved until it is back") == true)
    #expect(session.browser.notice?.isFault == true)
  }

  @Test("edits that wait are counted until they are answered")
  func pending() {
    var session = Session("A B C D")
    #expect(session.browser.pendingCount == 0)
    session.rush("J")
    #expect(session.browser.pendingCount == 1)
    // A step more of what is on its way, and something else.
    session.rush("k J")
    #expect(session.browser.pendingCount == 2)
    session.act()
    #expect(session.browser.pendingCount == 1)
    session.settle()
    #expect(session.browser.pendingCount == 0)
  }

  @Test("each step in the list of crates is one, and stops at its ends")
  func picking() {
    for (keys, crate) in [
      ("m Down Enter", "Jazz"), ("m Tab Down Enter", "Late"), ("m Down Down Up Enter", "Jazz"),
      ("m Down Down Down Down S-Tab Enter", "Jazz"), ("m Up Up Down Enter", "Jazz"),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      #expect(session.lists.contains("\(crate): A"), "\(keys)")
    }
  }

  @Test("one that is selected alone is no list to be sorted; two are")
  func sorting() {
    for (keys, result) in [
      ("Space sv", "D C B A"), ("Space Space sv", "B A C D"), ("sv", "D C B A"),
    ] {
      var session = Session("A B C D")
      session.press(keys)
      #expect(session.lists == "Music: \(result)", "\(keys)")
    }
  }

  @Test("what a change came to is said when the last of those that wait is done")
  func summaries() {
    var session = Session("A B C D")
    session.press("J")
    #expect(session.browser.notice == Notice(text: "done"))
    // What changes nothing says nothing.
    session.press("k t")
    #expect(session.list == "[B] A C D" && session.browser.notice == nil)
    session.rush("b j t")
    session.act()
    #expect(session.browser.notice == nil)
    session.settle()
    #expect(session.browser.notice == Notice(text: "done"))
  }

  @Test("what is picked up stays so when something else is sent to a crate, and not when it is")
  func carried() {
    for (keys, carried) in [("x j m ja Enter", 1), ("x m ja Enter", 0), ("x 2 j m mu Enter", 1)] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      #expect(session.browser.carried?.count ?? 0 == carried, "\(keys)")
      #expect(session.lists == session.keptLists)
    }
  }

  @Test("the crate that something went to last is offered first, until something is typed")
  func lastTarget() {
    var session = Session([
      (name: "Music", albums: ["A", "B", "C"]), (name: "Jazz", albums: ["D"]),
      (name: "Jungle", albums: ["E"]),
    ])
    func offered(_ keys: String) -> [String] {
      session.press(keys)
      guard case .picking(let picker) = session.browser.mode else { return [] }
      return session.browser.choices(of: picker).map { choice in
        switch choice {
        case .crate(let crate): session.browser.shown.name(of: crate)
        case .new(let name): "new \(name)"
        }
      }
    }
    #expect(offered("m") == ["Music", "Jazz", "Jungle"])
    session.press("Ju Enter")
    #expect(session.lists == "Music: B C; Jazz: D; Jungle: A E")
    #expect(offered("m") == ["Jungle", "Music", "Jazz"])
    #expect(offered("J") == ["Jazz", "Jungle", "new J"])
  }

  @Test("what is typed begins at the first crate again, and other keys leave the choice as it is")
  func choosing() {
    for (keys, place) in [
      ("m", 0), ("m Down", 1), ("m Down j", 0), ("m Down Left", 1), ("m Down Down Home", 2),
      ("m Down Down Bs", 2), ("m j Down Left", 1), ("m j Down Bs", 0),
    ] {
      var session = Session(CrateKeyTests.crates)
      session.press(keys)
      guard case .picking(let picker) = session.browser.mode else {
        Issue.record("\(keys)")
        continue
      }
      #expect(session.browser.place(of: picker) == place, "\(keys)")
    }
  }
}
