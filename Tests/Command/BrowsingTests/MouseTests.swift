import Terminal
import TestSupport
import Testing

@testable import Browsing

/// Clicks and drags in a wide window: crates in columns 0 to 15, albums in 17 to 69, songs from
/// 71 on, each from its first row, which is 1 here.
@Suite("Clicks, drags and the wheel", .limited) struct MouseTests {
  private static let (crates, albums, songs) = (3, 30, 80)

  private func session(_ albums: String = "A B C D E F") -> Session {
    Session([
      (name: "Music", albums: albums.split(separator: " ").map(String.init)),
      (name: "Jazz", albums: ["X", "Y"]),
    ])
  }

  private func many() -> Session {
    let albums = (0..<60).map { "A\($0)" }
    let crates = (0..<40).map { (name: "C\($0)", albums: ["B\($0)"]) }
    return Session([(name: "Music", albums: albums)] + crates, columns: 100, rows: 30)
  }

  private func act(
    _ session: inout Session, _ action: Mouse.Action, _ row: Int, _ column: Int,
    _ modifiers: Modifiers = []
  ) {
    // Lists begin below the headings of their columns.
    let spot = Grid.Spot(row: row + 1, column: column)
    session.take(.input(.mouse(Mouse(action, spot, modifiers))))
    session.settle()
  }

  @Test("A click puts the cursor on the row, and beside the rows does nothing")
  func clicks() {
    for (row, column, list) in [
      (3, 30, "A B [C] D E F"), (1, 17, "[A] B C D E F"), (6, 69, "A B C D E [F]"),
      (7, 30, "A [B] C D E F"), (3, 70, "A [B] C D E F"), (3, 16, "A [B] C D E F"),
      (0, 30, "A [B] C D E F"), (29, 30, "A [B] C D E F"),
    ] {
      var session = session()
      session.press("j")
      act(&session, .press(.left), row, column)
      #expect(session.list == list, "\(row) \(column)")
      #expect(session.browser.pane == .albums)
      act(&session, .release, row, column)
      #expect(session.list == list && session.lists == session.keptLists)
    }
  }

  @Test("A click on a crate opens it, with the crates in front, and one on a song goes to the song")
  func otherPanes() {
    var session = session()
    act(&session, .press(.left), 2, Self.crates)
    #expect(session.list == "[X] Y" && session.browser.pane == .crates)
    // Nothing is dragged with it.
    act(&session, .drag(.left), 1, Self.crates)
    act(&session, .release, 1, Self.crates)
    #expect(session.list == "[X] Y" && session.lists == session.keptLists)
    act(&session, .press(.left), 3, Self.crates)
    #expect(session.list == "[X] Y")
    act(&session, .press(.left), 2, Self.songs)
    #expect(session.browser.pane == .songs && session.browser.place == 1)
    act(&session, .press(.left), 4, Self.songs)
    #expect(session.browser.place == 1)
    act(&session, .press(.left), 2, Self.albums)
    #expect(session.browser.pane == .albums && session.list == "X [Y]")
  }

  @Test("Rows are counted from the first that is seen")
  func scrolled() {
    var session = many()
    session.press("G")
    let top = session.browser.albumList.topPlace(in: session.browser.items)
    #expect(top == 60 - 27)
    act(&session, .press(.left), 5, Self.albums)
    #expect(session.browser.place == top + 4)
    session.press("h G")
    let first = session.browser.crateList.topPlace(in: session.browser.shown.crates)
    #expect(first == 41 - 27)
    act(&session, .press(.left), 1, Self.crates)
    #expect(session.browser.place == first && session.browser.pane == .crates)
  }

  @Test("Ctrl and a click selects the row, or no longer")
  func toggled() {
    var session = session()
    act(&session, .press(.left), 3, Self.albums, .control)
    act(&session, .press(.left), 5, Self.albums, .control)
    #expect(session.list == "A B *C D [*E] F")
    act(&session, .press(.left), 3, Self.albums, .control)
    #expect(session.list == "A B [C] D *E F")
    act(&session, .press(.left), 2, Self.songs, .control)
    act(&session, .press(.left), 3, Self.songs, .control)
    let songs = session.browser.songs
    #expect(session.browser.songList.selected == Set(songs[1...2]))
    act(&session, .press(.left), 2, Self.songs, .control)
    #expect(session.browser.songList.selected == [songs[2]])
  }

  @Test("A right click selects from the cursor to the row, where the list is in front")
  func ranges() {
    var session = session()
    session.press("j")
    act(&session, .press(.right), 4, Self.albums)
    #expect(session.list == "A *B *C [*D] E F" && !session.browser.frontHasRange)
    session.press("j")
    #expect(session.list == "A *B *C *D [E] F")
    var other = self.session()
    other.press("h")
    act(&other, .press(.right), 4, Self.albums)
    #expect(other.list == "A B C [D] E F" && other.browser.pane == .albums)
    act(&other, .press(.left), 1, Self.songs)
    act(&other, .press(.right), 3, Self.songs)
    #expect(other.browser.songList.selected == Set(other.browser.songs))
  }

  @Test("A drag from a row that isn't selected selects as far as it goes")
  func dragged() {
    var session = session()
    act(&session, .press(.left), 2, Self.albums)
    act(&session, .drag(.left), 2, Self.albums)
    #expect(session.list == "A [B] C D E F")
    act(&session, .drag(.left), 4, Self.albums)
    #expect(session.list == "A *B *C [*D] E F" && session.browser.frontHasRange)
    act(&session, .drag(.left), 3, Self.albums)
    #expect(session.list == "A *B [*C] D E F")
    // It stays within its list, and its rows.
    act(&session, .drag(.left), 2, Self.crates)
    act(&session, .drag(.left), 9, Self.albums)
    act(&session, .drag(.left), 3, Self.songs)
    #expect(session.list == "A *B [*C] D E F" && session.browser.pane == .albums)
    act(&session, .release, 3, Self.albums)
    #expect(session.list == "A *B [*C] D E F" && !session.browser.frontHasRange)
    #expect(session.browser.drag == nil && session.lists == session.keptLists)
    // Without a press nothing is dragged.
    act(&session, .drag(.left), 6, Self.albums)
    #expect(session.list == "A *B [*C] D E F")
  }

  @Test("Songs are dragged over as albums are")
  func draggedSongs() {
    var session = session()
    act(&session, .press(.left), 1, Self.songs)
    act(&session, .drag(.left), 2, Self.songs)
    let songs = session.browser.songs
    #expect(session.browser.songList.selected == Set(songs[0...1]))
    act(&session, .release, 2, Self.songs)
    #expect(!session.browser.frontHasRange)
    act(&session, .press(.left), 1, Self.songs)
    act(&session, .drag(.left), 3, Self.songs)
    act(&session, .release, 3, Self.songs)
    #expect(session.browser.songs == [songs[2], songs[0], songs[1]])
    #expect(session.browser.songs == session.keeper.songs(of: "\(Keeper.id("A"))").map(\.id))
  }

  @Test("What is selected goes along, and lands below the row")
  func moved() {
    var session = session()
    session.press("Space Space")
    act(&session, .press(.left), 1, Self.albums)
    act(&session, .drag(.left), 4, Self.albums)
    #expect(session.list == "*~A *~B C [D] E F")
    act(&session, .release, 4, Self.albums)
    #expect(session.list == "C D [*A] *B E F")
    #expect(session.lists == session.keptLists && session.browser.carried == nil)
  }

  @Test("Dropped on a crate it is on top of that, which is not opened")
  func droppedOnCrate() {
    var session = session()
    session.press("Space Space")
    act(&session, .press(.left), 2, Self.albums)
    act(&session, .drag(.left), 2, Self.crates)
    #expect(session.browser.dropCrate == session.browser.shown.crates[1])
    act(&session, .drag(.left), 9, Self.crates)
    #expect(session.browser.dropCrate == nil)
    act(&session, .release, 2, Self.crates)
    #expect(session.lists == "Music: C D E F; Jazz: A B X Y")
    #expect(session.lists == session.keptLists && session.browser.pane == .albums)
    #expect(session.browser.dropCrate == nil && session.browser.carried == nil)
  }

  @Test("Brought back from a crate it lands in the list, and outside of all lists nowhere")
  func droppedElsewhere() {
    var session = session()
    session.press("Space")
    act(&session, .press(.left), 1, Self.albums)
    act(&session, .drag(.left), 2, Self.crates)
    act(&session, .drag(.left), 3, Self.albums)
    #expect(session.browser.dropCrate == nil)
    act(&session, .release, 3, Self.albums)
    #expect(session.lists == "Music: B C A D E F; Jazz: X Y")
    for (row, column) in [(0, 30), (9, 30), (2, 80)] {
      act(&session, .press(.left), 3, Self.albums)
      act(&session, .drag(.left), 5, Self.albums)
      #expect(session.browser.carried?.count == 1)
      act(&session, .release, row, column)
      #expect(session.browser.carried == nil, "\(row) \(column)")
      #expect(session.lists == "Music: B C A D E F; Jazz: X Y")
    }
    #expect(session.lists == session.keptLists)
  }

  @Test("The wheel moves three rows of what is below it, and no cursor")
  func wheel() {
    var session = many()
    func tops() -> [Int] {
      let browser = session.browser
      return [
        browser.crateList.topPlace(in: browser.shown.crates),
        browser.albumList.topPlace(in: browser.items), browser.songList.topPlace(in: browser.songs),
      ]
    }
    act(&session, .wheel(1), 5, Self.albums)
    act(&session, .wheel(1), 25, Self.albums)
    act(&session, .wheel(-1), 5, Self.albums)
    #expect(tops() == [0, 3, 0] && session.browser.place == 0)
    act(&session, .wheel(1), 27, Self.crates)
    #expect(tops() == [3, 3, 0])
    for _ in 0..<30 { act(&session, .wheel(1), 5, Self.crates) }
    for _ in 0..<30 { act(&session, .wheel(1), 5, Self.albums) }
    #expect(tops() == [41 - 27, 60 - 27, 0] && session.browser.place == 0)
    act(&session, .wheel(1), 0, Self.albums)
    act(&session, .wheel(-1), 29, Self.albums)
    #expect(tops() == [41 - 27, 60 - 27, 0])
    #expect(session.browser.currentCrate == session.browser.shown.crates[0])
  }

  @Test("Of more songs than there is room for the wheel shows the others")
  func wheelOverSongs() {
    var session = session()
    let songs = (0..<40).map { SongFacts(id: "s\($0)", title: "\($0)", artist: "") }
    session.take(.songs(album: "\(Keeper.id("A"))", songs))
    act(&session, .wheel(1), 3, Self.songs)
    #expect(session.browser.songList.topPlace(in: session.browser.songs) == 3)
    act(&session, .wheel(-1), 3, Self.songs)
    #expect(session.browser.songList.topPlace(in: session.browser.songs) == 0)
    act(&session, .wheel(1), 3, Self.songs)
    act(&session, .press(.left), 2, Self.songs)
    #expect(session.browser.pane == .songs && session.browser.place == 4)
  }

  @Test("Whoever goes to a list whose view was moved sees the cursor again")
  func wheelAndBack() {
    var session = many()
    for _ in 0..<5 { act(&session, .wheel(1), 5, Self.albums) }
    session.press("2 1")
    #expect(session.browser.albumList.topPlace(in: session.browser.items) == 0)
    let songs = (0..<40).map { SongFacts(id: "s\($0)", title: "\($0)", artist: "") }
    session.take(.songs(album: "\(Keeper.id("A0"))", songs))
    for _ in 0..<3 { act(&session, .wheel(1), 3, Self.songs) }
    #expect(session.browser.songList.topPlace(in: session.browser.songs) == 9)
    session.press("l")
    #expect(session.browser.pane == .songs)
    #expect(session.browser.songList.topPlace(in: session.browser.songs) == 0)
  }

  @Test("In a gallery tiles are clicked, and the wheel moves a row of them")
  func gallery() {
    var session = many()
    session.press("w")
    #expect(session.browser.layout.across == 2 && session.browser.layout.tileRows == 3)
    for (row, column, place) in [
      // They have no headings above them.
      (0, 17, 0), (2, 36, 0), (3, 17, 2), (0, 37, 1), (5, 56, 3), (5, 69, 3), (27, 17, 18),
    ] {
      act(&session, .press(.left), row, column)
      #expect(session.browser.place == place, "\(row) \(column)")
      act(&session, .release, row, column)
    }
    session.press("g")
    act(&session, .wheel(1), 5, Self.albums)
    #expect(session.browser.albumList.topPlace(in: session.browser.items) == 2)
    act(&session, .wheel(1), 5, Self.albums)
    act(&session, .wheel(-1), 5, Self.albums)
    #expect(session.browser.albumList.topPlace(in: session.browser.items) == 2)
  }

  @Test("Help goes on by the wheel, as far as there is more of it, and nothing is clicked in it")
  func help() {
    var session = Session([(name: "Music", albums: ["A", "B"])], columns: 60, rows: 12)
    session.press("?")
    let last = session.browser.helpLines.count - 12 + 2
    #expect(last > 6)
    var tops: [Int] = []
    for way in [-1, 1, 1, -1] {
      act(&session, .wheel(way), 3, 3)
      if case .help(let top, _) = session.browser.mode { tops.append(top) }
    }
    #expect(tops == [0, 3, 6, 3])
    for _ in 0..<50 { act(&session, .wheel(1), 3, 3) }
    #expect(session.browser.mode == .help(top: last, back: nil))
    act(&session, .press(.left), 2, Self.albums)
    #expect(session.browser.mode == .help(top: last, back: nil))
    var high = Session([(name: "Music", albums: ["A", "B"])], columns: 60, rows: 200)
    high.press("?")
    act(&high, .wheel(1), 3, 3)
    #expect(high.browser.mode == .help(top: 0, back: nil))
    var sorting = self.session()
    sorting.press("s")
    act(&sorting, .press(.left), 3, Self.albums)
    #expect(
      sorting.list == "[A] B C D E F" && sorting.screen.contains { $0.contains("Sort all 6") })
  }

  @Test("What is dropped outside of the lists stays where it was, and that is said")
  func droppedOutside() {
    for (row, column) in [(28, 30), (20, 30), (20, 3), (2, 90), (0, 3)] {
      var session = session()
      session.press("Space")
      act(&session, .press(.left), 1, Self.albums)
      act(&session, .drag(.left), 2, Self.albums)
      #expect(session.screen.last == " Release to put A below this row")
      act(&session, .drag(.left), 2, Self.crates)
      #expect(session.screen.last == " Release to put A on top of Jazz")
      act(&session, .drag(.left), row, column)
      #expect(session.screen.last == " Release to leave A in place", "\(row) \(column)")
      act(&session, .release, row, column)
      #expect(session.lists == "Music: A B C D E F; Jazz: X Y", "\(row) \(column)")
      #expect(session.browser.carried == nil && session.browser.dropCrate == nil)
      #expect(session.screen.last == " A stays where it was")
    }
  }

  @Test("What is dragged is what was pressed, also where it is moved meanwhile")
  func draggedAway() {
    var session = session()
    session.press("Space")
    act(&session, .press(.left), 1, Self.albums)
    session.happens(session.keeper.lose("A"))
    session.settle()
    act(&session, .drag(.left), 2, Self.albums)
    act(&session, .drag(.left), 2, Self.crates)
    act(&session, .release, 2, Self.crates)
    #expect(session.lists == "Music: B C D E F; Jazz: X Y" && session.browser.carried == nil)
  }

  @Test("A double click does what Enter does")
  func doubled() {
    func double(_ session: inout Session, _ row: Int, _ column: Int) {
      act(&session, .press(.left), row, column)
      act(&session, .release, row, column)
      var mouse = Mouse(.press(.left), Grid.Spot(row: row + 1, column: column))
      mouse.isSecond = true
      session.take(.input(.mouse(mouse)))
      session.settle()
      act(&session, .release, row, column)
    }
    var session = session()
    double(&session, 3, Self.albums)
    #expect(session.browser.pane == .songs && session.titleAtCursor == "C")
    double(&session, 2, Self.crates)
    #expect(session.browser.pane == .albums && session.list == "[X] Y")
    double(&session, 3, Self.songs)
    #expect(session.played.count == 1 && session.lists == session.keptLists)
  }

  @Test("In a window that is too small nothing is clicked")
  func tooSmall() {
    var session = session()
    session.take(.resized(columns: 39, rows: 30))
    act(&session, .press(.left), 3, 3)
    act(&session, .wheel(1), 3, 3)
    #expect(session.list == "[A] B C D E F")
  }
}
