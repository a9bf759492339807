import Browsing
import CratesInterface
import Ordering
import Terminal
import TestSupport
import Testing
import VarlinkClient

@testable import crate

@Suite("What the browser and the daemon tell each other", .limited)
struct BrowserFactsTests {
  private func status(
    _ store: Interface.StoreState, reason: String? = nil, _ folders: Interface.MusicFolder...
  ) -> Interface.LibraryStatus {
    Interface.LibraryStatus(
      version: "", pid: 1, started: "", sequence: 1, folders: folders, store: store,
      storeReason: reason, storePath: "", crates: 0, albums: 0, songs: 0, gone: 3, problems: 0,
      warnings: [])
  }

  private func folder(
    _ path: String, _ state: Interface.FolderState = .watching, reason: String? = nil,
    _ scanned: Int? = nil, of toScan: Int? = nil
  ) -> Interface.MusicFolder {
    Interface.MusicFolder(
      path: path, state: state, reason: reason, directories: 1, songs: 1, scanned: scanned,
      toScan: toScan)
  }

  @Test("What is wrong is a sentence each, and what is done now another")
  func statuses() {
    #expect(StatusFacts(status(.ready)) == StatusFacts(gone: 3))
    #expect(StatusFacts(status(.unknown, folder("/a"))) == StatusFacts(gone: 3))
    #expect(
      StatusFacts(status(.full)).troubles
        == ["The disk is full: nothing can be moved until there is room"])
    #expect(
      StatusFacts(status(.readOnly)).troubles
        == ["Nothing can be moved: the store is read only"])
    #expect(
      StatusFacts(
        status(
          .readOnly, reason: "why", folder("/a", .offline), folder("/b", .offline, reason: "away"))
      ).troubles == ["Nothing can be moved: why", "/a is offline", "/b is offline: away"])
    #expect(StatusFacts(status(.ready, folder("/a", .watching, 5, of: 5))).work == nil)
    #expect(StatusFacts(status(.ready, folder("/a", .watching, 5))).work == nil)
    #expect(
      StatusFacts(
        status(.ready, folder("/a", .watching, 4, of: 5), folder("/b", .watching, 1_000, of: 2_000))
      ).work
        == "reading songs: 1,000 of 2,000")
  }

  @Test("An unknown presence is one, and all other facts are the daemon's")
  func facts() {
    #expect(
      [Interface.Presence.present, .unknown, .offline, .gone].map { Browsing.Presence($0) }
        == [.present, .present, .offline, .gone])
    var change = Interface.Change(
      changed: true, sequence: 9, time: "", author: .person, summary: "s", albums: ["a"],
      complete: false)
    change.moves = [.init(crate: "c", album: "a", song: "s", after: "b", was: "w")]
    #expect(
      ChangeFacts(change)
        == ChangeFacts(
          isChange: true, sequence: 9, isPersons: true, summary: "s",
          moves: [MoveFacts(crate: "c", album: "a", song: "s", after: "b", was: "w")],
          albums: ["a"], isComplete: false))
    change.author = .folder
    #expect(!ChangeFacts(change).isPersons)
  }

  @Test("Each request is a call of its own")
  func requests() throws {
    let top = Interface.Place(Interface.Where.top)
    for (request, call) in [
      (
        .moveAlbums(["a"], nil, crate: "c"),
        .moveAlbums(albums: ["a"], place: nil, crate: "c", sequence: nil)
      ),
      (
        .moveAlbums(["a"], .top, crate: nil),
        .moveAlbums(albums: ["a"], place: top, crate: nil, sequence: nil)
      ),
      (.moveSongs(["s"], .top), .moveSongs(songs: ["s"], place: top, sequence: nil)),
      (.moveCrate("c", .top), .moveCrate(crate: "c", place: top, sequence: nil)),
      (.renameCrate("c", to: "d"), .renameCrate(crate: "c", name: "d", sequence: nil)),
      (.undo(change: 4), .undo(change: 4, sequence: nil)), (.redo, .redo(sequence: nil)),
      (.forgetGone, .forget(songs: nil, albums: nil, all: true, sequence: nil)),
    ] as [(Browsing.Request, Call)] {
      #expect(Call(request) == call)
    }
    for sorting in AlbumSorting.allCases {
      let order = try #require(Interface.AlbumOrder(rawValue: sorting.rawValue))
      #expect(
        Call(.sortAlbums(["a"], sorting, ascending: true))
          == .sortAlbums(albums: ["a"], order: order, ascending: true, sequence: nil))
    }
    for sorting in SongSorting.allCases {
      let order = try #require(Interface.SongOrder(rawValue: sorting.rawValue))
      #expect(
        Call(.sortSongs(["s"], sorting, ascending: false))
          == .sortSongs(songs: ["s"], order: order, ascending: false, sequence: nil))
    }
    #expect(
      [Ordering.Place<String>.bottom, .up, .down, .before("a"), .after("b")].map {
        Interface.Place($0)
      } == [
        Interface.Place(Interface.Where.bottom), Interface.Place(Interface.Where.up),
        Interface.Place(Interface.Where.down), Interface.Place(.before, anchor: "a"),
        Interface.Place(.after, anchor: "b"),
      ])
  }

  @Test("Attempts to connect get slower, up to five seconds, and quick again after one that held")
  func pauses() {
    var pauses = Pauses()
    let waits = (0..<8).map { _ in pauses.next(after: 1_000_000_000) / 100_000_000 }
    #expect(waits == [1, 2, 4, 8, 16, 32, 50, 50])
    #expect(pauses.next(after: 5_000_000_000) == 5_000_000_000)
    #expect(pauses.next(after: 5_000_000_001) == 100_000_000)
    #expect(pauses.next(after: 0) == 200_000_000)
  }

  @Test("Covers are what is asked for, else blocks where there are colours for them")
  func firstCovers() {
    func first(_ depth: ColorDepth, _ covers: CoverWay? = nil) -> CoverWay {
      BrowserOptions(depth: depth, covers: covers, asksForPictures: true).firstCovers
    }
    #expect(first(.mixed) == .blocks && first(.palette) == .blocks)
    #expect(first(.sixteen) == CoverWay.none && first(.none) == CoverWay.none)
    #expect(first(.none, .sixel) == .sixel && first(.mixed, CoverWay.none) == CoverWay.none)
  }

  @Test("Why the daemon is away is told in a few words")
  func sentences() {
    #expect(ClientError.closed.sentence == "has stopped")
    #expect(
      ClientError.notRunning(path: "/x").sentence
        == "is not running; start it: systemctl --user start crated")
  }

  // MARK: Calls

  private func asked(
    _ library: FakeLibrary = FakeLibrary(), refusing error: InterfaceError? = nil,
    _ body: (DaemonCalls) -> Void
  ) throws -> [Message] {
    let fixture = try CommandFixture(library, refusing: error)
    let link = try DaemonLink(path: fixture.socket)
    let calls = DaemonCalls(link)
    body(calls)
    return link.messages()
  }

  @Test("The first look brings the crates, and the first albums of one")
  func begin() throws {
    for (wanted, opened, rows, count) in [
      (nil, "Jazz", 3, 3), ("Both", "Both", 3, 1), ("None", "Jazz", 0, 1), (nil, "Jazz", 9, 5),
    ] as [(String?, String, Int, Int)] {
      let messages = try asked { $0.begin(opening: wanted, rows: rows) }
      guard messages.count == 2, case .began(let crates, 7) = messages[0],
        case .window(let crate, let albums) = messages[1]
      else {
        Issue.record("\(messages)")
        continue
      }
      #expect(crates == ["Jazz", "Rock  Music", "Both"])
      #expect(crate == opened && albums.count == count, "\(crate) \(albums.count)")
      #expect(albums.first?.crate == opened)
    }
    var empty = FakeLibrary()
    empty.crates = []
    let messages = try asked(empty) { $0.begin(opening: nil, rows: 3) }
    guard messages.count == 1, case .began([], 7) = messages[0] else {
      Issue.record("\(messages)")
      return
    }
  }

  @Test("Listings come whole, however many replies they take")
  func listings() throws {
    let library = FakeLibrary()
    let messages = try asked(library) { calls in
      calls.perform(.list)
      calls.perform(.lookUp(["nine2222aaaa", "kind2222aaaa"]))
      calls.perform(.songs(album: "bath2222aaaa"))
    }
    guard messages.count == 3, case .listed(let crates, let albums, 7) = messages[0],
      case .lookedUp(let found) = messages[1], case .songs("bath2222aaaa", let songs) = messages[2]
    else {
      Issue.record("\(messages)")
      return
    }
    #expect(crates == library.crates.map(\.name))
    #expect(albums == library.albums.map(AlbumFacts.init))
    #expect(found.map(\.id) == ["kind2222aaaa", "nine2222aaaa"])
    #expect(songs.map(\.id) == ["sbath2222as2", "sbath2222as3", "sbath2222as4"])
  }

  @Test("An edit is answered by its number, whether it was done or refused")
  func edits() throws {
    let request = Browsing.Request.renameCrate("Jazz", to: "Blue")
    let done = try asked { $0.perform(.edit(4, request)) }
    guard done.count == 1, case .answered(4, .done(let change)) = done[0] else {
      Issue.record("\(done)")
      return
    }
    #expect(change.sequence == 8 && change.isChange)
    let error = InterfaceError.invalidPlace(reason: "x")
    let refused = try asked(refusing: error) { calls in
      calls.perform(.edit(5, request))
      // The connection goes on.
      calls.perform(.list)
    }
    guard refused.count == 2, case .answered(5, .refused(error.message)) = refused[0],
      case .listed = refused[1]
    else {
      Issue.record("\(refused)")
      return
    }
  }

  @Test("Covers are asked for four at a time, as long as nobody wants others")
  func covers() throws {
    let albums = FakeLibrary().albums.map(\.id)
    for (rounds, expected) in [(9, 8), (1, 4), (0, 0)] {
      var left = rounds
      let messages = try asked { calls in
        calls.fetchCovers(of: albums, side: 32) {
          defer { left -= 1 }
          return left <= 0
        }
      }
      #expect(messages.count == expected)
      for (message, album) in zip(messages, albums) {
        guard case .cover(album, album, let pixels?, 32) = message else {
          Issue.record("\(message)")
          continue
        }
        #expect(pixels.width == 2 && pixels.height == 1)
      }
    }
  }
}
