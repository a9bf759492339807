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

  @Test("A presence that is unknown is one")
  func presence() {
    #expect(
      [Interface.Presence.present, .unknown, .offline, .gone].map { Browsing.Presence($0) }
        == [.present, .present, .offline, .gone])
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
    let call = Call.renameCrate(crate: "Jazz", name: "Blue", sequence: nil)
    let done = try asked { $0.perform(.edit(4, call)) }
    guard done.count == 1, case .answered(4, .done(let change)) = done[0] else {
      Issue.record("\(done)")
      return
    }
    #expect(change.sequence == 8 && change.changed)
    let error = InterfaceError.invalidPlace(reason: "x")
    let refused = try asked(refusing: error) { calls in
      calls.perform(.edit(5, call))
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
