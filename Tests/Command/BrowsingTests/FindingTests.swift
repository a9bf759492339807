import CratesInterface
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Finding in the whole library", .limited)
struct FindingTests {
  private static let crates: [(name: String, albums: [String])] = [
    ("Music", ["Abba", "Blues", "Cello"]), ("Jazz", ["Dawn", "Blue Train"]), ("Late", ["Ember"]),
  ]

  private func session(_ keys: String = "", columns: Int = 100, rows: Int = 30) -> Session {
    var session = Session(Self.crates, columns: columns, rows: rows)
    session.press(keys)
    return session
  }

  private func finding(_ session: Session) -> Finding? {
    if case .finding(let finding) = session.browser.mode { finding } else { nil }
  }

  /// The title of the song under the cursor of the songs, where they are in front.
  private func song(_ session: Session) -> String? {
    guard session.browser.pane == .songs else { return nil }
    return session.browser.songList.cursor.flatMap { session.browser.songFacts[$0]?.title }
  }

  @Test("Enter goes to an album in another crate, and comes back to where one was in this one")
  func album() {
    var session = session("j / d a Enter")
    #expect(session.list == "[Dawn] Blue Train" && session.browser.mode == .lists)
    #expect(session.browser.pane == .albums)
    session.press("1")
    #expect(session.list == "Abba [Blues] Cello")
  }

  @Test("Enter goes to a song of another album, also of one that is not opened yet")
  func songs() {
    for number in 2...18 {
      var session = session()
      session.press("/song")
      session.press(Stroke(" "))
      session.press("\(number) Enter")
      #expect(song(session) == "Song \(number)")
      // It is the one that Enter plays.
      session.press("Enter")
      #expect(session.played.count == 1)
    }
  }

  @Test("What is in this list comes first, and the arrows go around all that is found")
  func order() {
    var session = session("/bl")
    #expect(session.titleAtCursor == "Blues" && finding(session)?.chosen == nil)
    session.press("Down")
    #expect(finding(session)?.chosen == 0 && session.titleAtCursor == "Blues")
    session.press("Enter")
    #expect(session.list == "Dawn [Blue Train]")
    for (keys, list) in [
      ("Down Down", "Abba [Blues] Cello"), ("Up", "Dawn [Blue Train]"),
      ("Down Up", "Abba [Blues] Cello"),
    ] {
      var session = self.session("/bl \(keys) Enter")
      session.settle()
      #expect(session.list == list, "\(keys)")
    }
  }

  @Test("^p plays what is found, and nothing else changes; ! is text")
  func played() {
    var session = session("/dawn C-p")
    #expect(session.played == [.play([.album("\(Keeper.id("Dawn"))")], adding: false)])
    #expect(finding(session)?.input.text == "dawn" && session.keeper.sequence == 1)
    session = self.session("/blues C-p")
    #expect(session.played == [.play([.album("\(Keeper.id("Blues"))")], adding: false)])
    session = self.session("/blues!")
    #expect(session.played.isEmpty && finding(session)?.input.text == "blues!")
    // Where something plays it is asked whether it goes behind that, and finding goes on.
    session = self.session()
    session.take(.playing(PlayingFacts(player: "mpv", title: "Something")))
    session.press("/dawn C-p a")
    #expect(session.played == [.play([.album("\(Keeper.id("Dawn"))")], adding: true)])
    #expect(finding(session)?.input.text == "dawn")
  }

  @Test("Alt with a key of moving moves what is found, in whatever crate it is")
  func moved() {
    var session = session("/train")
    session.press(Stroke("m", .alt))
    session.press("Late Enter")
    #expect(session.lists == "Music: Abba Blues Cello; Jazz: Dawn; Late: Blue Train Ember")
    session = self.session("/train M-Home")
    #expect(session.lists == "Music: Abba Blues Cello; Jazz: Blue Train Dawn; Late: Ember")
    // The next thing may be typed at once.
    #expect(finding(session)?.input.text == "")
    session.press("ember M-Up Esc")
    #expect(session.browser.mode == .lists && session.list == "[Ember]")
    #expect(session.lists == session.keptLists)
  }

  @Test("Where nothing is found nothing is done, and that is said")
  func nothing() {
    for (keys, words) in [
      ("Enter", "Nothing found"), ("C-p", "Nothing found, so nothing plays"),
      ("M-Home", "Nothing found, so nothing is moved"),
    ] {
      var session = session("j /zzz")
      #expect(session.browser.notice?.text == "Nothing found")
      session.press(keys)
      #expect(session.browser.notice?.text == words)
      #expect(session.list == "Abba [Blues] Cello" && session.played.isEmpty)
      #expect(session.keeper.sequence == 1)
    }
    var session = session("j /zzz")
    session.press(Stroke("m", .alt))
    #expect(session.browser.notice?.text == "Nothing found, so nothing is moved")
    #expect(finding(session) != nil)
  }

  @Test("An answer to other words than those that are typed is dropped")
  func stale() {
    var session = session("/")
    session.rush("da")
    let id = "\(Keeper.id("Ember"))"
    session.take(.found("d", albums: [id], songs: []))
    #expect(finding(session)?.elsewhere.isEmpty == true && finding(session)?.awaitsAnswer == true)
    session.settle()
    #expect(finding(session)?.elsewhere.count == 1)
    session.press("Esc")
    session.take(.found("da", albums: [id], songs: []))
    #expect(session.browser.mode == .lists && session.list == "[Abba] Blues Cello")
  }

  @Test("Words that are no query are told why, where nothing is found")
  func noQuery() {
    var session = session()
    session.rush("/ab:c")
    session.take(.found("ab:c", albums: [], songs: [], fault: "there is no such field"))
    #expect(session.browser.notice?.text == "there is no such field")
    session.press("Backspace")
    #expect(session.browser.notice?.text != "there is no such field")
  }

  @Test("A search while crated is away says so, and is made when it is back")
  func away() {
    for isAskedBefore in [false, true] {
      var session = session()
      if isAskedBefore { session.rush("/dawn") }
      session.take(.lost("has stopped"))
      if !isAskedBefore {
        session.rush("/dawn")
        #expect(session.browser.notice?.text == "crated has stopped; it was not asked")
      }
      #expect(finding(session)?.isAway == true && finding(session)?.awaitsAnswer == false)
      session.take(session.keeper.listing)
      session.settle()
      #expect(finding(session)?.isAway == false && finding(session)?.elsewhere.isEmpty == false)
    }
  }

  @Test("Keys that are typed faster than the answer comes wait for it")
  func fast() {
    var session = session()
    session.rush("/dawn Enter m La Enter")
    #expect(session.list == "[Abba] Blues Cello")
    session.settle()
    #expect(session.lists == "Music: Abba Blues Cello; Jazz: Blue Train; Late: Dawn Ember")
    session = self.session()
    session.rush("/dawn C-p")
    session.settle()
    #expect(session.played.count == 1)
    // Or they are given up.
    session = self.session()
    session.rush("/dawn Enter m Esc")
    #expect(session.browser.mode == .lists && session.browser.typedAhead.isEmpty)
    session.settle()
    #expect(session.list == "[Abba] Blues Cello" && session.browser.mode == .lists)
  }

  @Test("What a narrowed list hides is found, and seen when one goes there")
  func narrowed() {
    let session = session("fab Enter /cel Enter")
    #expect(session.list == "Abba Blues [Cello]")
  }

  @Test("Of songs in front those come first, and others of the library then")
  func fromSongs() {
    var session = session("l /song")
    session.press(Stroke(" "))
    session.press("7")
    #expect(finding(session)?.hasFound == true)
    session.press("Enter")
    #expect(song(session) == "Song 7")
  }

  @Test("Songs that have only their artist in common with the words are left out")
  func artists() {
    var session = session("/somebody")
    #expect(finding(session)?.elsewhere.isEmpty == true)
    let song = SongFacts(id: "s", title: "Other", artist: "Dawn")
    session = self.session("/")
    session.rush("dawn")
    session.take(
      .found("dawn", albums: [], songs: [FoundSong(album: "\(Keeper.id("Dawn"))", song)]))
    #expect(finding(session)?.elsewhere.isEmpty == true)
  }

  @Test("Both parts are seen under headings, wherever the list in front is")
  func screens() {
    for (columns, keys) in [(100, ""), (80, ""), (80, "l"), (50, ""), (50, "l"), (130, "w")] {
      var session = session(keys, columns: columns, rows: 24)
      session.press("/bl")
      let screen = session.screen.joined(separator: "\n")
      #expect(screen.contains("In all crates") && screen.contains("Blue Train"), "\(columns)")
      #expect(screen.contains("In Music") == (keys != "l"))
      session.press("Esc")
      #expect(!session.screen.joined().contains("In all crates"))
    }
  }

  @Test("A song whose album has a long title shows its crate too")
  func longAlbums() {
    let long = "The Complete Recordings of an Evening That Lasted Until the Morning"
    for columns in [80, 120, 200] {
      var session = Session(
        [(name: "Music", albums: ["A"]), (name: "Late night", albums: [long])],
        columns: columns, rows: 24)
      session.press("/song")
      let rows = session.screen.filter { $0.contains("song  Song ") && $0.contains("The") }
      #expect(!rows.isEmpty && rows.allSatisfy { $0.contains(", Late night") }, "\(columns)")
    }
  }

  @Test("The songs and the cover that are seen are those of the album that is chosen")
  func looks() {
    var session = Session(Self.crates, columns: 120, rows: 30)
    session.press("/train")
    #expect(session.browser.lookedAtAlbum.map { session.browser.tables[$0].title } == "Blue Train")
    #expect(!session.browser.songs.isEmpty && session.titleAtCursor == "Abba")
  }

  @Test("A song is found and played by ten keys at most")
  func job() {
    var session = session()
    let keys = "/song 17".unicodeScalars.map { Stroke($0) } + [Stroke("p", .control)]
    for key in keys {
      session.press(key)
      session.settle()
    }
    #expect(keys.count <= 10 && session.played.count == 1)
  }

  @Test("What is found elsewhere and goes meanwhile can't be chosen")
  func gone() {
    var session = session("/dawn")
    let move = Interface.Move(crate: nil, album: "\(Keeper.id("Dawn"))")
    session.take(.changed(Interface.Change(sequence: 2, isPersons: false, moves: [move])))
    #expect(finding(session)?.elsewhere.isEmpty == true)
    session.press("Enter")
    #expect(session.list == "[Abba] Blues Cello")
  }
}
