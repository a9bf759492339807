import Platform
import Synchronization
import TestSupport
import Testing

@testable import Players

/// What no real MPD does when it is asked to: be full, say nothing, break off.
@Suite("The queue of an MPD that is difficult", .limited)
struct MPDQueueTests {
  private let folder: TemporaryFolder
  private let songs = (1...5).map { PlayedSong(path: Array("/m/a/\($0).flac".utf8)) }

  init() throws { folder = try TemporaryFolder() }

  /// An MPD that takes so many songs, and answers lists of commands as the real one does.
  private final class Room: Sendable {
    let state: Mutex<(room: Int, list: [String]?, next: Int)>
    let taken = Mutex<[String]>([])

    init(_ room: Int) { state = Mutex((room, nil, 7)) }

    func answer(_ line: String) -> String {
      state.withLock { state in
        switch line {
        case "command_list_begin":
          state.list = []
          return ""
        case "command_list_end":
          let list = state.list ?? []
          state.list = nil
          var said = ""
          for (place, line) in list.enumerated() {
            if state.room == 0 { return said + "ACK [51@\(place)] {addid} playlist is too large\n" }
            state.room -= 1
            state.next += 1
            taken.withLock { $0.append(line) }
            said += "Id: \(state.next)\n"
          }
          return said + "OK\n"
        case "clear":
          state.room = 2
          return "OK\n"
        case "status": return "state: stop\nrandom: 1\nsingle: oneshot\nOK\n"
        default:
          if state.list == nil {
            return line.hasPrefix("playlistid") ? "file: x\nPos: 3\nId: 8\nOK\n" : "OK\n"
          }
          state.list?.append(line)
          return ""
        }
      }
    }
  }

  private func play(
    _ server: FakeServer, adding: Bool = false, patience: Int64 = 5_000_000_000
  ) throws(PlayerFault) -> Played {
    let address = MPDAddress(place: .local(Array(server.path.utf8)))
    return try MPDQueue.play(
      songs, adding: adding, at: [address], folders: [], patience: patience)
  }

  @Test("as many as it has room for are added, and the others told of")
  func full() throws {
    let room = Room(3)
    let server = try FakeServer(in: folder, greeting: "OK MPD 0.23.5\n") { room.answer($0) }
    let played = try play(server, adding: true)
    #expect(played.songs == Array(songs[..<3]) && played.unknown.isEmpty)
    #expect(played.remarks.count == 3 && played.remarks[0].contains("2 songs are left out"))
    #expect(played.remarks[1].contains("random") && played.remarks[2].contains("single"))
    let asked = server.end()
    #expect(asked.contains("playid \"8\"") && !asked.contains("clear"))
    #expect(room.taken.withLock { $0.first } == "addid \"file:///m/a/1.flac\"")
  }

  @Test("what was in its queue makes room, and goes only when the first is there")
  func replaced() throws {
    let room = Room(0)
    let server = try FakeServer(in: folder, greeting: "OK MPD 0.23.5\n") { room.answer($0) }
    let played = try play(server)
    #expect(played.songs == Array(songs[..<2]))
    let asked = server.end()
    let play = try #require(asked.firstIndex(of: "playid \"8\""))
    let delete = try #require(asked.firstIndex(of: "delete \"0:3\""))
    let first = try #require(asked.firstIndex(of: "addid \"file:///m/a/1.flac\""))
    #expect(first < play && play < delete)
  }

  @Test(
    "one that says nothing, something else or half of it ends in a sentence",
    arguments: [
      (nil, "OK\n"), ("220 smtp\n", "OK\n"), ("OK MPD 0.23.5\n", nil), ("OK MPD 0.23.5\n", ""),
      ("OK MPD 0.23.5\n", "nonsense\n"), ("OK MPD 0.23.5\n", "ACK what\n"),
      ("OK MPD 0.23.5\n", "ACK [4@0] {status} you don't have permission for \"status\"\n"),
    ] as [(String?, String?)])
  func broken(greeting: String?, answer: String?) throws {
    let server = try FakeServer(in: folder, greeting: greeting) { _ in answer }
    #expect(throws: PlayerFault.self) { _ = try play(server, patience: 200_000_000) }
    _ = server.end()
  }

  @Test("where nobody listens, it is said where and what to do")
  func nobody() {
    let addresses = MPDAddress.all(set: folder.path("none")) { _ in nil }
    let fault = #expect(throws: PlayerFault.self) {
      _ = try MPDQueue.play(songs, adding: false, at: addresses, folders: [])
    }
    #expect(fault?.message.contains(folder.path("none")) == true)
    #expect(fault?.isWrongUse == false)
  }
}
