import Choosing
import LibraryModel
import TestSupport
import Testing

@testable import Browsing

@Suite("New albums, one after the other", .limited)
struct TriageTests {
  private func session() -> Session {
    var session = Session([
      (name: "New", albums: ["N1", "N2", "N3"]), (name: "Jazz", albums: ["K"]),
    ])
    session.press("+")
    return session
  }

  private func triage(_ session: Session) -> Triage? {
    if case .triage(let triage) = session.browser.mode { triage } else { nil }
  }

  /// The album that is asked about; nil: none is, any more.
  private func current(_ session: Session) -> String? {
    triage(session)?.current.map { session.browser.tables[$0].title }
  }

  @Test("the one that came first is first, is left or put on top of a crate, and comes back")
  func steps() {
    var session = session()
    #expect(triage(session)?.queue.count == 4 && current(session) == "K")
    session.press("Space")
    #expect(current(session) == "N3")
    session.press("2")
    #expect(current(session) == "N2" && session.lists == "New: N1 N2; Jazz: N3 K")
    session.press("1")
    #expect(current(session) == "N1" && session.lists == "New: N2 N1; Jazz: N3 K")
    // A crate that there isn't, and keys that mean nothing.
    session.press("3 x ? Left")
    #expect(current(session) == "N1" && session.lists == session.keptLists)
    session.press("u u")
    #expect(current(session) == "N3" && session.lists == "New: N1 N2 N3; Jazz: K")
    session.press("u u")
    #expect(current(session) == "K" && session.lists == session.keptLists)
    session.press("q")
    #expect(triage(session) == nil && !session.hasQuit)
    session.press("+ Esc")
    #expect(triage(session) == nil && !session.hasQuit)
  }

  @Test("what can't be moved now is asked for again, when it can")
  func away() {
    var session = session()
    session.take(.lost("it was ended"))
    session.press("2")
    #expect(current(session) == "K" && triage(session)?.steps.isEmpty == true)
    session.take(session.keeper.listing)
    session.press("1")
    #expect(current(session) == "N3" && session.lists == "New: K N1 N2 N3")
  }

  @Test("it is played, and nothing else happens")
  func played() {
    var session = session()
    session.press("Space !")
    #expect(session.played == [.play([.album("\(Keeper.id("N3"))")], adding: false)])
    #expect(current(session) == "N3" && session.keeper.sequence == 1)
  }

  @Test("another crate is chosen by its name, or made, or it is left at that")
  func picking() {
    var session = session()
    session.press("Enter")
    #expect(triage(session)?.picker != nil)
    session.press("Ne Esc")
    #expect(triage(session)?.picker == nil && current(session) == "K")
    session.press("Enter Ne Enter")
    #expect(triage(session)?.picker == nil && current(session) == "N3")
    #expect(session.lists == "New: K N1 N2 N3")
    session.press("Enter Late Enter")
    #expect(current(session) == "N2" && session.lists == "New: K N1 N2; Late: N3")
    #expect(session.lists == session.keptLists)
  }

  @Test("after the last one there is nothing to do but to go back and to leave")
  func end() {
    var session = session()
    session.press("Space Space Space")
    #expect(current(session) == "N1" && session.browser.notice == nil)
    session.press("Space")
    #expect(current(session) == nil && triage(session)?.steps.count == 4)
    #expect(session.browser.notice?.text == "That was the last one; u goes back, q leaves")
    session.press("! 2 Space")
    session.press("Enter")
    #expect(triage(session)?.picker == nil && triage(session)?.steps.count == 4)
    #expect(session.played.isEmpty && session.keeper.sequence == 1)
    session.press("u")
    #expect(current(session) == "N1")
    session.press("q")
    #expect(triage(session) == nil)
  }

  @Test("what was moved once is not new, and when all was, that is said")
  func moved() {
    var session = Session([(name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K"])])
    session.press("J +")
    #expect(triage(session)?.queue.count == 2 && current(session) == "K")
    session.press("1")
    #expect(current(session) == "N1" || current(session) == "N2")
    session.press("1 q +")
    #expect(triage(session) == nil)
    #expect(
      session.browser.notice?.text == "Nothing is new: you have moved every album at least once")
  }

  @Test("with many crates letters go on after the digits, without those that mean something")
  func letters() {
    let names = (1...33).map { "C\($0)" }
    for (key, number) in [("9", 9), ("a", 10), ("p", 25), ("r", 26), ("t", 28), ("v", 29)] {
      var session = Session(names.map { (name: $0, albums: ["In \($0)"]) })
      session.press("+ \(key)")
      let target = session.lists.split(separator: "; ")[number - 1]
      #expect(target == "C\(number): In C33 In C\(number)", "\(key)")
    }
  }

  @Test("an album that is only heard of is asked about when more is known of it")
  func heardOf() {
    var session = session()
    session.happens(session.keeper.add("N4", to: "Jazz"))
    session.tell()
    #expect(triage(session)?.queue.count == 4)
    session.settle()
    #expect(triage(session)?.queue.count == 5 && current(session) == "K")
    session.press("Space Space Space Space")
    #expect(current(session) == "N4")
    session.press("q +")
    session.press("Space Space Space Space")
    #expect(current(session) == "N4")
  }

  @Test("what somebody moves elsewhere is not new any longer, and what comes by itself is")
  func movedElsewhere() {
    var session = Session([(name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K"])])
    session.happens(session.keeper.edit(.moveAlbums([Keeper.id("N1")], .bottom, crate: nil)))
    session.settle()
    session.press("+")
    #expect(triage(session)?.queue.count == 2)
    session.happens(session.keeper.add("N3", to: "New"))
    session.settle()
    #expect(triage(session)?.queue.count == 3)
  }

  private func gone(_ title: String, _ sequence: Int) -> Message {
    let move = MoveFacts(album: "\(Keeper.id(title))")
    return .changed(ChangeFacts(sequence: sequence, isPersons: false, moves: [move]))
  }

  @Test("what went meanwhile is not asked about, and going back goes over it")
  func goneMeanwhile() {
    var session = session()
    for (number, title) in ["N3", "N2"].enumerated() { session.take(gone(title, 2 + number)) }
    session.press("Space")
    #expect(current(session) == "N1" && triage(session)?.steps == [.left, .gone, .gone])
    session.press("u")
    #expect(current(session) == "K" && triage(session)?.steps == [])
    session.press("u")
    #expect(current(session) == "K")
    session.take(gone("N1", 4))
    session.press("Space")
    #expect(current(session) == nil && triage(session)?.steps.count == 4)
    #expect(session.browser.notice?.text == "That was the last one; u goes back, q leaves")
    session.press("u")
    #expect(current(session) == "K")
  }

  @Test("what was put where it was already is no change, and going back takes back none before it")
  func unchanged() {
    var session = Session([(name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K"])])
    session.press("J + 2")
    #expect(session.lists == "New: N2 N1; Jazz: K" && current(session) == "N2")
    session.press("u")
    #expect(current(session) == "K")
    #expect(session.lists == "New: N2 N1; Jazz: K" && session.keptLists == session.lists)
    // Nor does one before it where the answer has not come yet.
    session.rush("2 u 1 u")
    session.settle()
    #expect(session.keptLists == "New: N2 N1; Jazz: K" && session.browser.pending.isEmpty)
    #expect(session.keptLists == session.lists && current(session) == "K")
  }

  @Test("what can't be taken back now stays where it was put")
  func notTakenBack() {
    var session = session()
    session.press("Space 2")
    #expect(current(session) == "N2" && session.lists == "New: N1 N2; Jazz: N3 K")
    session.take(.lost("it was ended"))
    session.press("u")
    #expect(current(session) == "N2" && triage(session)?.steps.count == 2)
    session.take(session.keeper.listing)
    session.press("u")
    #expect(current(session) == "N3" && session.lists == "New: N1 N2 N3; Jazz: K")
  }

  @Test("what is taken back before it was answered comes back, also for one who leaves at once")
  func takenBackAtOnce() {
    for keys in ["Space 2 u", "Space 2 u q", "Space 2 u q +", "Space 2 2 u u", "1 u", "1 1 u u"] {
      var session = session()
      session.rush(keys)
      session.settle()
      #expect(session.keptLists == "New: N1 N2 N3; Jazz: K", "\(keys)")
      #expect(session.lists == session.keptLists && session.browser.pending.isEmpty, "\(keys)")
    }
    // What was put the last time is no business of the next.
    var session = session()
    session.press("Space 2 q + u")
    #expect(session.lists == "New: N1 N2; Jazz: N3 K")
  }

  @Test("the crate that something was put into is where the next one goes again")
  func sentAgain() {
    var session = session()
    session.press("2 q 1 G M")
    #expect(session.lists == "New: N1 N2; Jazz: N3 K" && session.lists == session.keptLists)
  }

  @Test("what is said of one is gone with the next, and before the lists nothing is asked about")
  func notices() {
    var session = session()
    session.take(.told("it plays", isFault: false))
    session.rush("1")
    #expect(session.browser.notice == nil)
    session.browser = Browser(columns: 100, rows: 30)
    session.take(.lost("it is not running"))
    session.press("+")
    #expect(
      session.browser.notice
        == Notice(text: "The albums are still being read; try again in a moment"))
    #expect(session.browser.mode == .lists)
  }

  @Test("its songs are seen also where none are beside the list")
  func songs() {
    var session = Session([(name: "New", albums: ["N1", "N2"])], columns: 60, rows: 24)
    #expect(session.browser.opened == [])
    session.press("+")
    let known = session.browser.opened.map { session.browser.tables[$0].title }
    #expect(known == ["N2"] && session.screen.contains { $0.contains("1 Song") })
    session.press("Space")
    #expect(session.browser.opened.count == 2)
    session.press("u")
    #expect(session.browser.opened.count == 2 && current(session) == "N2")
  }

  @Test("of several troubles the first is told")
  func troubles() {
    var session = Session("A B")
    session.take(.status(StatusFacts(troubles: ["one is away", "two is away"])))
    #expect(session.screen.last?.contains("one is away") == true)
  }
}
