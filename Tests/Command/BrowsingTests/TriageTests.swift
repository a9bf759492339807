import CratesInterface
import LibraryModel
import Ordering
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

  @Test("the newest is first, is left or put on top of a crate, and comes back")
  func steps() {
    var session = session()
    #expect(triage(session)?.queue.count == 4 && current(session) == "N1")
    session.press("Space")
    #expect(current(session) == "N2")
    session.press("2")
    #expect(current(session) == "N3" && session.lists == "New: N1 N3; Jazz: N2 K")
    session.press("1")
    #expect(current(session) == "K" && session.lists == "New: N3 N1; Jazz: N2 K")
    // A crate that there isn't, and keys that mean nothing. Help comes back to where one was.
    session.press("3 x # ? q")
    #expect(current(session) == "K" && session.lists == session.keptLists)
    session.press("u u")
    #expect(current(session) == "N2" && session.lists == "New: N1 N2 N3; Jazz: K")
    session.press("u u")
    #expect(current(session) == "N1" && session.lists == session.keptLists)
    session.press("q")
    #expect(triage(session) == nil && !session.hasQuit)
    session.press("+ Esc")
    #expect(triage(session) == nil && !session.hasQuit)
  }

  /// A library of which two albums came since it was looked at.
  private func later() -> Session {
    var session = Session([
      (name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K", "Known A"]),
    ])
    for title in ["L1", "L2"] {
      session.happens(session.keeper.add(title, to: "New"))
      session.settle()
    }
    return session
  }

  @Test("what came since one looked is first, the newest before the others, and a goes on to all")
  func newest() {
    var session = later()
    session.press("+")
    #expect(triage(session)?.queue.count == 2 && current(session) == "L2")
    session.press("Space 2")
    #expect(current(session) == nil)
    #expect(
      session.screen[3] == "  a goes on to 3 albums that you never moved."
        && session.screen[2] == "  That was the last one.")
    session.press("a")
    #expect(triage(session)?.queue.count == 5 && current(session) == "N1")
    session.press("u")
    #expect(current(session) == "L1")
    session.press("a")
    #expect(session.browser.notice?.text == "These are all that you never moved")
    session = later()
    session.press("+ a Space Space")
    #expect(current(session) == "N1" && triage(session)?.queue.count == 5)
  }

  @Test("what is at its place is not asked about again, also in the next browser")
  func remembered() {
    var session = later()
    session.press("+ Space q +")
    #expect(current(session) == "L1" && triage(session)?.queue.count == 1)
    session.press("a Space Space q")
    let memory = session.browser.memory
    let crates = session.keeper.lists
    var again = Session(crates, memory: memory)
    again.press("+")
    let left = triage(again)?.queue.map { again.browser.tables[$0].title }
    #expect(left == ["N2", "K"])
    // Who goes back has not said it.
    again.press("Space u q +")
    #expect(current(again) == "N2")
    again.press("Space Space q +")
    #expect(triage(again) == nil)
    #expect(
      again.browser.notice?.text
        == "Nothing is new: you have said of every album where its place is")
  }

  @Test("what is left for later is asked about again, and nothing is said of it")
  func forLater() {
    for key in ["n", "Right", "Down"] {
      var session = later()
      session.press("+ \(key)")
      #expect(current(session) == "L1" && session.browser.placed.isEmpty)
      session.press("Left")
      #expect(current(session) == "L2")
      session.press("\(key) \(key)")
      #expect(current(session) == nil)
      session.press("q")
      #expect(session.browser.arrived(in: session.browser.shown.crates[0]) == 2)
      session.press("+")
      #expect(current(session) == "L2" && triage(session)?.queue.count == 2)
    }
  }

  @Test("new ones that nothing was said of are new in the next browser, and also after a kill")
  func stillNew() {
    for keys in ["+ q", "+ Space q", "+ Space", "+ n q 2 1"] {
      var session = later()
      session.press(keys)
      var again = Session(session.keeper.lists, memory: session.browser.memory)
      again.browser = Browser(columns: 100, rows: 30, memory: session.browser.memory)
      again.keeper = session.keeper
      again.take(.began(crates: session.keeper.lists.map(\.name), sequence: 3))
      again.take(session.keeper.listing)
      again.settle()
      let left = keys.contains("Space") ? 1 : 2
      #expect(again.browser.arrived(in: again.browser.shown.crates[0]) == left, "\(keys)")
      again.press("+")
      #expect(triage(again)?.queue.count == left && triage(again)?.isAll == false, "\(keys)")
    }
  }

  @Test("what is said of a place is written down at once, beside what other browsers wrote")
  func written() {
    var (one, other) = (session(), session())
    one.rush("Space")
    #expect(one.effects.contains(.remember))
    one.settle()
    var file = ""
    func write(_ session: inout Session) {
      session.browser.join(file)
      file = session.browser.memory
    }
    func placed() -> Int { file.split(separator: "\n").count { $0.hasPrefix("placed ") } }
    write(&one)
    other.press("q")
    write(&other)
    #expect(placed() == 1)
    other.press("+")
    #expect(current(other) == "N2")
    other.press("Space")
    write(&other)
    write(&one)
    #expect(placed() == 2)
    one.press("u")
    write(&one)
    write(&other)
    #expect(placed() == 1)
    // Where the other one was is kept as well.
    one.press("q 2")
    write(&one)
    let crates = one.browser.shown.crates
    write(&other)
    #expect(other.browser.remembered[crates[1]]?.cursor == "\(Keeper.id("K"))")
  }

  @Test("what is moved and taken back is among those that were never moved again")
  func takenBack() {
    var session = Session([(name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K"])])
    session.keeper.tellsMoves = true
    session.press("+ 2 q")
    #expect(session.lists == "New: N2; Jazz: N1 K")
    session.press("u +")
    #expect(triage(session)?.queue.count == 3 && current(session) == "N1")
  }

  @Test("a crate that is renamed keeps what is new in it")
  func renamed() {
    var session = later()
    let crate = session.browser.shown.crates[0]
    session.press("r C-u Fresh Enter")
    #expect(session.keptLists.hasPrefix("Fresh: ") && session.browser.arrived(in: crate) == 2)
    session.press("u")
    #expect(session.keptLists.hasPrefix("New: ") && session.browser.arrived(in: crate) == 2)
  }

  @Test("? shows the keys that mean something here")
  func help() {
    var session = session()
    session.press("Space ?")
    let screen = session.screen.joined(separator: "\n")
    #expect(screen.contains("New albums") && screen.contains("later: go on"))
    session.press("j")
    session.press("x")
    #expect(current(session) == "N2")
  }

  @Test("25 new albums of a library in which 400 were never moved take 35 keys at most")
  func job() {
    var session = Session(
      [(name: "New", albums: (1...400).map { "Old \($0)" })]
        + ["Jazz", "Late", "Folk", "Loud"].map { name in
          (name: name, albums: (1...25).map { "Known \(name) \($0)" })
        })
    for number in 1...25 {
      session.happens(session.keeper.add("N\(number)", to: "New"))
      session.settle()
    }
    let keys = ["+"] + (0..<25).map { ["2", "3", "4", "5", "Space"][$0 % 5] } + ["q"]
    for key in keys { session.press(key) }
    #expect(keys.count <= 35 && session.keeper.sequence == 26 + 20)
    #expect(session.lists == session.keptLists && triage(session) == nil)
    session.press("+")
    #expect(triage(session)?.isAll == true && triage(session)?.queue.count == 400)
  }

  @Test("what can't be moved now is asked for again, when it can")
  func away() {
    var session = session()
    session.take(.lost("has stopped"))
    session.press("2")
    #expect(current(session) == "N1" && triage(session)?.steps.isEmpty == true)
    session.take(session.keeper.listing)
    session.press("2")
    #expect(current(session) == "N2" && session.lists == "New: N2 N3; Jazz: N1 K")
  }

  @Test("it is played, and nothing else happens")
  func played() {
    var session = session()
    session.press("Space !")
    #expect(session.played == [.play([.album("\(Keeper.id("N2"))")], adding: false)])
    #expect(current(session) == "N2" && session.keeper.sequence == 1)
  }

  @Test("another crate is chosen by its name, or made, or it is left at that")
  func picking() {
    var session = session()
    session.press("Enter")
    #expect(triage(session)?.picker != nil)
    session.press("Ja Esc")
    #expect(triage(session)?.picker == nil && current(session) == "N1")
    session.press("Enter Ja Enter")
    #expect(triage(session)?.picker == nil && current(session) == "N2")
    #expect(session.lists == "New: N2 N3; Jazz: N1 K")
    session.press("Enter Late Enter")
    #expect(current(session) == "N3" && session.lists == "New: N3; Jazz: N1 K; Late: N2")
    #expect(session.lists == session.keptLists)
  }

  @Test("after the last one there is nothing to do but to go back and to leave")
  func end() {
    var session = session()
    session.press("Space Space Space")
    #expect(current(session) == "K" && session.browser.notice == nil)
    session.press("Space")
    #expect(current(session) == nil && triage(session)?.steps.count == 4)
    #expect(session.browser.notice?.text == "That was the last one; u goes back, q leaves")
    session.press("! 2 Space")
    session.press("Enter")
    #expect(triage(session)?.picker == nil && triage(session)?.steps.count == 4)
    #expect(session.played.isEmpty && session.keeper.sequence == 1)
    session.press("u")
    #expect(current(session) == "K")
    session.press("q")
    #expect(triage(session) == nil)
  }

  @Test("what was moved once is not new, and when all was, that is said")
  func moved() {
    var session = Session([(name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K"])])
    session.press("J +")
    #expect(triage(session)?.queue.count == 2 && current(session) == "N2")
    session.press("2 2 q +")
    #expect(triage(session) == nil)
    #expect(
      session.browser.notice?.text
        == "Nothing is new: you have said of every album where its place is")
  }

  @Test("with many crates letters go on after the digits, without those that mean something")
  func letters() {
    let names = (1...33).map { "C\($0)" }
    for (key, number) in [
      ("9", 9), ("b", 10), ("m", 21), ("p", 23), ("r", 24), ("t", 26), ("v", 27),
    ] {
      var session = Session(names.map { (name: $0, albums: ["In \($0)", "Known \($0)"]) })
      session.press("+ \(key)")
      let target = session.lists.split(separator: "; ")[number - 1]
      #expect(target == "C\(number): In C1 In C\(number) Known C\(number)", "\(key)")
    }
  }

  @Test("an album that is only heard of is asked about when more is known of it")
  func heardOf() {
    var session = session()
    session.happens(session.keeper.add("N4", to: "Jazz"))
    session.tell()
    #expect(triage(session)?.queue.count == 4)
    session.settle()
    #expect(triage(session)?.queue.count == 5 && current(session) == "N1")
    session.press("Space Space Space Space")
    #expect(current(session) == "N4")
    session.press("q +")
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
    let move = Interface.Move(crate: nil, album: "\(Keeper.id(title))")
    return .changed(Interface.Change(sequence: sequence, isPersons: false, moves: [move]))
  }

  @Test("what went meanwhile is not asked about, and going back goes over it")
  func goneMeanwhile() {
    var session = session()
    for (number, title) in ["N2", "N3"].enumerated() { session.take(gone(title, 2 + number)) }
    session.press("Space")
    #expect(current(session) == "K" && triage(session)?.steps == [.left, .gone, .gone])
    session.press("u")
    #expect(current(session) == "N1" && triage(session)?.steps == [])
    session.press("u")
    #expect(current(session) == "N1")
    session.take(gone("K", 4))
    session.press("Space")
    #expect(current(session) == nil && triage(session)?.steps.count == 4)
    #expect(session.browser.notice?.text == "That was the last one; u goes back, q leaves")
    session.press("u")
    #expect(current(session) == "N1")
  }

  @Test("what was put where it was already is no change, and going back takes back none before it")
  func unchanged() {
    var session = Session([(name: "New", albums: ["N1", "N2"]), (name: "Jazz", albums: ["K"])])
    session.press("J + 1")
    #expect(session.lists == "New: N2 N1; Jazz: K" && current(session) == "K")
    session.press("u")
    #expect(current(session) == "N2")
    #expect(session.lists == "New: N2 N1; Jazz: K" && session.keptLists == session.lists)
    // Nor does one before it where the answer has not come yet.
    session.rush("1 u 2 u")
    session.settle()
    #expect(session.keptLists == "New: N2 N1; Jazz: K" && session.browser.pending.isEmpty)
    #expect(session.keptLists == session.lists && current(session) == "N2")
  }

  @Test("what can't be taken back now stays where it was put")
  func notTakenBack() {
    var session = session()
    session.press("Space 2")
    #expect(current(session) == "N3" && session.lists == "New: N1 N3; Jazz: N2 K")
    session.take(.lost("has stopped"))
    session.press("u")
    #expect(current(session) == "N3" && triage(session)?.steps.count == 2)
    session.take(session.keeper.listing)
    session.press("u")
    #expect(current(session) == "N2" && session.lists == "New: N1 N2 N3; Jazz: K")
  }

  @Test("what is taken back before it was answered comes back, also for one who leaves at once")
  func takenBackAtOnce() {
    for keys in ["Space 2 u", "Space 2 u q", "Space 2 u q +", "Space 2 2 u u", "2 u", "2 2 u u"] {
      var session = session()
      session.rush(keys)
      session.settle()
      #expect(session.keptLists == "New: N1 N2 N3; Jazz: K", "\(keys)")
      #expect(session.lists == session.keptLists && session.browser.pending.isEmpty, "\(keys)")
    }
    // What was put the last time is no business of the next.
    var session = session()
    session.press("Space 2 q + u")
    #expect(session.lists == "New: N1 N3; Jazz: N2 K")
  }

  @Test("the crate that something was put into is where the next one goes again")
  func sentAgain() {
    var session = session()
    session.press("2 q 1 G M")
    #expect(session.lists == "New: N2; Jazz: N3 N1 K" && session.lists == session.keptLists)
  }

  @Test("what is said of one is gone with the next, and before the lists nothing is asked about")
  func notices() {
    var session = session()
    session.take(.told("it plays", isFault: false))
    session.rush("1")
    #expect(session.browser.notice == nil)
    session.browser = Browser(columns: 100, rows: 30)
    session.take(.lost("is not running"))
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
    #expect(known == ["N1"] && session.screen.contains { $0.contains("1 Song") })
    session.press("Space")
    #expect(session.browser.opened.count == 2)
    session.press("u")
    #expect(session.browser.opened.count == 2 && current(session) == "N1")
  }

  @Test("in a low window nothing is drawn over anything", arguments: 8...16)
  func low(rows: Int) throws {
    for columns in [40, 50, 100] {
      let crates = (1...40).map { (name: "Crate \($0)", albums: ["N\($0)"]) }
      var session = Session(crates, columns: columns, rows: rows)
      session.press("+")
      let screen = session.screen
      #expect(screen[2].contains("N1") && screen[3].contains("song"), "\(columns)")
      let key = try #require(screen.firstIndex { $0.contains("1 Crate 1 ") }, "\(columns)")
      let other = try #require(screen.firstIndex { $0.contains("Space its place") }, "\(columns)")
      #expect(3 < key && key < other && other < rows - 1, "\(screen.joined(separator: "\n"))")
      for row in screen[2..<key] { #expect(!row.contains("Crate 2"), "\(columns)") }
    }
  }

  @Test("of several troubles the first is told")
  func troubles() {
    var session = Session("A B")
    session.take(.status(StatusFacts(troubles: ["one is away", "two is away"])))
    #expect(session.screen.last?.contains("one is away") == true)
  }
}
