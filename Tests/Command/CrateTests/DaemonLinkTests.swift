import Browsing
import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkClient

@testable import crate

@Suite("The browser's connections to the daemon", .limited)
struct DaemonLinkTests {
  private func isAwake(_ link: DaemonLink) -> Bool {
    var polled = pollfd(fd: link.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  private func told(_ link: DaemonLink) -> [String] {
    link.messages().map { message in
      if case .told(let text, let isFault) = message { "\(text) \(isFault)" } else { "\(message)" }
    }
  }

  @Test("A thousand messages wait for the browser, and the next one for room")
  func full() {
    var heard = HeardMessages()
    for _ in 0..<2 {
      for _ in 0..<1_000 {
        let isTaken = heard.add(.rested)
        #expect(isTaken)
      }
      let isTaken = heard.add(.rested)
      #expect(!isTaken)
      let (all, none) = (heard.take(), heard.take())
      #expect(all.count == 1_000 && none.isEmpty)
    }
  }

  @Test("What is told wakes the browser, and is told once")
  func telling() throws {
    let link = try DaemonLink(path: "/nowhere")
    #expect(!isAwake(link) && link.messages().isEmpty)
    link.tell(.told("a", isFault: false))
    link.tell(.told("b", isFault: true))
    #expect(isAwake(link))
    #expect(told(link) == ["a false", "b true"] && told(link) == [])
  }

  @Test("What was asked for before the daemon went away is not told")
  func lost() throws {
    let link = try DaemonLink(path: "/nowhere")
    link.losses.withLock { $0 = 3 }
    for losses in [2, 4, 0] { link.tell(.told("late", isFault: false), unlessLostSince: losses) }
    #expect(told(link) == [])
    link.tell(.told("in time", isFault: false), unlessLostSince: 3)
    link.tell(.told("always", isFault: false))
    #expect(told(link) == ["in time false", "always false"])
  }

  @Test("The first change that is heard has all listed, those after it are told, and then the end")
  func changes() throws {
    let fixture = try CommandFixture()
    let link = try DaemonLink(path: fixture.socket)
    link.watch()
    #expect(link.nextWanted() == .list)
    #expect(link.losses.withLock { $0 } == 1)
    let heard = link.messages().map { message in
      switch message {
      case .changed(let change): "change \(change.sequence)"
      case .lost(let reason): reason
      default: "\(message)"
      }
    }
    #expect(heard == ["change 8", "change 8", "has stopped"])
    #expect(fixture.changes == [.watch(since: nil)])
    let away = try DaemonLink(path: "/nowhere/socket")
    away.hearStatus()
    #expect(away.messages().isEmpty)
    for losses in 1...2 {
      away.watch()
      let messages = away.messages()
      guard messages.count == 1, case .lost(let reason) = messages[0] else {
        Issue.record("\(messages)")
        return
      }
      #expect(reason == ClientError.notRunning(path: "").sentence)
      #expect(away.losses.withLock { $0 } == losses)
    }
  }

  @Test("How the daemon is, is told and kept for those who ask")
  func status() throws {
    let fixture = try CommandFixture()
    let link = try DaemonLink(path: fixture.socket)
    #expect(link.status.withLock { $0 } == nil)
    link.hearStatus()
    #expect(fixture.changes == [.watchStatus])
    #expect(link.status.withLock { $0 } == FakeLibrary.status)
    let messages = link.messages()
    guard messages.count == 1, case .status(let facts) = messages[0] else {
      Issue.record("\(messages)")
      return
    }
    #expect(facts == StatusFacts(FakeLibrary.status))
  }

  // MARK: Calls

  @Test("One connection is used for all calls, also after a refusal, until the daemon has gone")
  func connection() throws {
    var library = FakeLibrary()
    library.refusesSongs = true
    let fixture = try CommandFixture(library)
    let folder = try TemporaryFolder()
    let path = folder.path("socket")
    try #require(symlink(fixture.socket, path) == 0)
    let link = try DaemonLink(path: path)
    let calls = DaemonCalls(link, pause: 0)
    calls.perform(.lookUp(["nine2222aaaa"]))
    // Nobody can connect here any longer.
    try #require(unlink(path) == 0)
    calls.perform(.lookUp(["nine2222aaaa"]))
    calls.perform(.edit(1, .redo(sequence: nil)))
    calls.perform(.edit(2, .renameCrate(crate: "Jazz", name: "Blue", sequence: nil)))
    calls.begin(opening: nil, rows: 1)
    calls.perform(.lookUp(["nine2222aaaa"]))
    #expect(
      link.messages().map { message in
        switch message {
        case .lookedUp(let albums): albums.map(\.id).joined()
        case .answered(let number, .refused): "refused \(number)"
        case .answered(let number, .done): "done \(number)"
        case .began: "began"
        case .window: "window"
        default: "\(message)"
        }
      } == [
        "nine2222aaaa", "nine2222aaaa", "refused 1", "done 2", "began", "window", "nine2222aaaa",
      ])
    // What has gone is not looked up.
    #expect(
      fixture.listings.first
        == .listAlbums(crate: nil, albums: ["nine2222aaaa"], gone: false, first: nil, count: nil))
    link.losses.withLock { $0 += 1 }
    calls.perform(.lookUp(["nine2222aaaa"]))
    #expect(link.messages().isEmpty)
  }

  @Test("A refusal is told, and where nothing could be listed it is asked for again")
  func refused() throws {
    var library = FakeLibrary()
    library.refusesSongs = true
    let fixture = try CommandFixture(library)
    let link = try DaemonLink(path: fixture.socket)
    let calls = DaemonCalls(link, pause: 0)
    calls.perform(.songs(album: "x"))
    #expect(told(link) == ["\(InterfaceError.noSuchAlbum(id: "x").message) true"])
    #expect(fixture.listings.count == 1)
    let away = try DaemonLink(path: "/nowhere/socket")
    let failing = DaemonCalls(away, pause: 0)
    failing.perform(.songs(album: "x"))
    failing.perform(.lookUp(["x"]))
    failing.begin(opening: nil, rows: 1)
    failing.fetchCovers(of: ["x"], side: 32) { false }
    #expect(away.messages().isEmpty)
    away.ask(.edit(8, .redo(sequence: nil)))
    failing.perform(.list)
    away.ask(.edit(9, .redo(sequence: nil)))
    #expect(
      (0..<3).map { _ in away.nextWanted() } == [
        .edit(8, .redo(sequence: nil)), .list, .edit(9, .redo(sequence: nil)),
      ])
    failing.perform(.edit(4, .redo(sequence: nil)))
    failing.perform(.play([], adding: false))
    let reason = ClientError.notRunning(path: "/nowhere/socket").description
    let messages = away.messages()
    guard messages.count == 2, case .answered(4, .refused(let edit)) = messages[0],
      case .told(let play, isFault: true) = messages[1]
    else {
      Issue.record("\(messages)")
      return
    }
    #expect(edit == "It is not known whether that was done: \(reason)")
    #expect(play == "Nothing plays: \(reason)")
  }

  @Test("What is played is looked up in its order, and what the player says is told")
  func playing() throws {
    var library = FakeLibrary()
    library.player = "true"
    let fixture = try CommandFixture(library)
    let link = try DaemonLink(path: fixture.socket)
    let calls = DaemonCalls(link)
    func said() throws -> [String] {
      var all: [String] = []
      try #require(
        happensInTime {
          all = told(link)
          return !all.isEmpty
        })
      return all
    }
    calls.perform(
      .play([.crate("Jazz"), .album("nine2222aaaa"), .song("shits2222as2")], adding: true))
    #expect(
      try said() == [
        "true is started anew each time, so that nothing can be added; MPD and mpv take more: see"
          + " player in crated.toml(5) true"
      ])
    #expect(
      fixture.listings == [
        .listSongs(crate: "Jazz", album: nil, gone: false, first: nil, count: nil),
        .listSongs(crate: nil, album: "nine2222aaaa", gone: false, first: nil, count: nil),
        .listSongs(
          crate: nil, album: nil, songs: ["shits2222as2"], gone: false, first: nil, count: nil),
      ])
    calls.perform(.play([.album("none")], adding: true))
    #expect(try said() == ["There is no song that can be played now true"])
  }
}
