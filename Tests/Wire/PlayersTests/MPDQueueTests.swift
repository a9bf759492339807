import TestSupport
import Testing

@testable import Players

/// What no real MPD does when it is asked to: be full, say nothing, break off.
@Suite("The queue of an MPD that is difficult", .limited)
struct MPDQueueTests {
  private static func songs(_ numbers: ClosedRange<Int>) -> [PlayedSong] {
    numbers.map { PlayedSong(path: Array("/m/a/\($0).flac".utf8)) }
  }

  private let songs = songs(1...5)

  private func play(
    _ songs: [PlayedSong]? = nil, at path: String, adding: Bool = false, password: String? = nil,
    patience: Int64 = Int64(Patience.seconds) * 1_000_000_000
  ) throws(PlayerFault) -> Played {
    let address = MPDAddress(place: .local(Array(path.utf8)), password: password)
    return try MPDQueue.play(
      songs ?? self.songs, adding: adding, at: [address], folders: [], patience: patience)
  }

  /// What has happened to its queue, besides what came into it.
  private func changes(_ asked: [String]) -> [String] {
    asked.filter { !$0.hasPrefix("command_list") && !$0.hasPrefix("addid") && $0 != "status" }
  }

  @Test("as many as it has room for are added, and the others told of")
  func full() throws {
    let mpd = try FakeMPD(.init(room: 3, status: "state: stop\nrandom: 1\nsingle: oneshot\n"))
    let played = try play(at: mpd.path, adding: true)
    #expect(played.player == "MPD")
    #expect(played.songs == Array(songs[..<3]) && played.unknown.isEmpty)
    #expect(played.remarks.count == 3 && played.remarks[0].contains("2 songs are left out"))
    #expect(played.remarks[1].contains("random") && played.remarks[2].contains("single"))
    #expect(changes(mpd.end()) == ["playid \"8\""])
    #expect(mpd.taken == (1...3).map { "file:///m/a/\($0).flac" })
  }

  @Test("where there is no room for one that is added, what is there stays, and it is said")
  func fullAlready() throws {
    let mpd = try FakeMPD(.init(room: 0, status: "state: stop\nrandom: 1\nsingle: 1\n"))
    let played = try play(at: mpd.path, adding: true)
    #expect(played.songs.isEmpty && played.unknown.isEmpty)
    #expect(played.remarks.count == 1 && played.remarks[0].contains("5 songs are left out"))
    #expect(changes(mpd.end()).isEmpty)
  }

  @Test("what was in its queue makes room, and goes only when the first is there")
  func replaced() throws {
    let mpd = try FakeMPD(.init(room: 0))
    let played = try play(at: mpd.path)
    #expect(played.songs == Array(songs[..<2]))
    #expect(played.remarks.count == 1 && played.remarks[0].contains("3 songs are left out"))
    let asked = mpd.end()
    #expect(
      changes(asked) == ["clear", "playid \"8\"", "playlistid \"8\"", "delete \"0:3\""])
    let first = try #require(asked.firstIndex(of: "addid \"file:///m/a/1.flac\""))
    let play = try #require(asked.firstIndex(of: "playid \"8\""))
    let second = try #require(asked.firstIndex(of: "addid \"file:///m/a/2.flac\""))
    #expect(first < play && play < second)
  }

  @Test("what was in front of the first goes, and nothing where that is the first or gone")
  func former() throws {
    for (place, deletes) in [
      ("Pos: 0\n", []), ("", []), ("Pos: x\n", []), ("Pos: 1\n", ["delete \"0:1\""]),
      ("Prio: 7\nPos: 2\n", ["delete \"0:2\""]),
    ] as [(String, [String])] {
      let mpd = try FakeMPD(.init(place: place))
      let played = try play(at: mpd.path)
      #expect(played.songs == songs && played.remarks.isEmpty)
      #expect(changes(mpd.end()) == ["playid \"8\"", "playlistid \"8\""] + deletes)
    }
  }

  @Test("what is added is heard at once only where it has stopped, and its order is told of")
  func added() throws {
    for (status, changes, remarks) in [
      ("state: stop\nrandom: 0\nsingle: 0\n", ["playid \"8\""], []),
      ("state: play\nstate: stop\n", [], []),
      ("single: 1\nstate: pause\n", [], ["single"]), ("random: 1\n", [], ["random"]),
    ] as [(String, [String], [String])] {
      let mpd = try FakeMPD(.init(status: status))
      let played = try play(at: mpd.path, adding: true)
      #expect(played.songs == songs)
      #expect(played.remarks.count == remarks.count)
      for (said, word) in zip(played.remarks, remarks) { #expect(said.contains(word)) }
      #expect(self.changes(mpd.end()) == changes, "\(status)")
    }
  }

  @Test("more and more are added by one list, as long as it knows them")
  func lists() throws {
    let mpd = try FakeMPD()
    let songs = Self.songs(1...1000)
    #expect(try play(songs, at: mpd.path).songs == songs)
    _ = mpd.end()
    #expect(mpd.lengths == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 233])
    let other = try FakeMPD(
      .init { $0.hasSuffix("/6.flac") || $0.hasSuffix("\\\"\\\\.flac") ? 50 : nil })
    var odd = Self.songs(1...12)
    // One that no line holds ends a list, which is as long as it is.
    odd[9].path = Array("/m/a/\n.flac".utf8)
    odd[11].path = Array("/m/a/\"\\.flac".utf8)
    let played = try play(odd, at: other.path)
    #expect(played.unknown == [odd[5], odd[9], odd[11]])
    #expect(played.songs == Array(odd[..<5] + odd[6..<9] + odd[10..<11]))
    #expect(other.lengths == [1, 2, 4, 1, 2, 2])
    #expect(other.end().contains("addid \"file:///m/a/\\\"\\\\.flac\""))
  }

  @Test("a song is tried by all its names, and the name that was right is the next one's first")
  func names() throws {
    let mpd = try FakeMPD(.init { $0.hasPrefix("a/") ? nil : 50 })
    #expect(try play(at: mpd.path).songs == songs)
    let adding = mpd.end().filter { $0.hasPrefix("addid") }
    #expect(
      adding
        == ["file:///m/a/1", "m/a/1", "a/1", "a/2", "a/3", "a/4", "a/5"].map {
          "addid \"\($0).flac\""
        })
  }

  @Test("of two names that were right, that of the song before is tried first")
  func lastName() throws {
    let mpd = try FakeMPD(.init { $0.hasPrefix("a/") || $0.hasPrefix("b/") ? nil : 50 })
    let songs = ["a/1", "x/b/2", "a/3", "x/b/4"].map { PlayedSong(path: Array("/m/\($0)".utf8)) }
    #expect(try play(songs, at: mpd.path).songs == songs)
    let adding = mpd.end().filter { $0.hasPrefix("addid") }
    let names = [
      "file:///m/a/1", "m/a/1", "a/1", "x/b/2", "file:///m/x/b/2", "m/x/b/2", "b/2", "a/3",
      "x/b/4", "b/4",
    ]
    #expect(adding == names.map { "addid \"\($0)\"" })
  }

  @Test("what it may not read is unknown, and what nobody may do ends everything")
  func denied() throws {
    let mpd = try FakeMPD(.init { $0.hasPrefix("file:") ? 4 : 50 })
    let played = try play(at: mpd.path)
    #expect(played.songs.isEmpty && played.unknown == songs && played.remarks.isEmpty)
    #expect(changes(mpd.end()).isEmpty)
    let other = try FakeMPD(.init { $0.hasPrefix("file:") ? 50 : 4 })
    let fault = #expect(throws: PlayerFault.self) { try play(at: other.path) }
    #expect(fault?.message == "MPD refuses: refusal 4; MPD_HOST may have PASSWORD@HOST")
    #expect(changes(other.end()).isEmpty)
  }

  @Test("a refusal of what is in no list ends everything")
  func noPlace() throws {
    let folder = try TemporaryFolder()
    let server = try FakeServer(in: folder, greeting: "OK MPD 0.23.5\n") { line in
      switch line {
      case "status": "OK\n"
      case "command_list_end": "ACK [50@1] {addid} what\n"
      default: ""
      }
    }
    let fault = #expect(throws: PlayerFault.self) { try play(at: server.path) }
    #expect(fault?.message == "MPD refuses: what")
    _ = server.end()
  }

  @Test("a password is said before anything else")
  func password() throws {
    let mpd = try FakeMPD()
    _ = try play(at: mpd.path, password: "a \"b\\")
    #expect(mpd.end().first == "password \"a \\\"b\\\\\"")
  }

  @Test(
    "one that says nothing, something else or half of it ends in a sentence",
    arguments: [
      (nil, "OK\n", "MPD does not answer at"), ("220 smtp\n", "OK\n", "MPD does not answer at"),
      ("OK MPD 0.23.5\n", nil, "did not answer to the end"),
      ("OK MPD 0.23.5\n", "", "did not answer to the end"),
      ("OK MPD 0.23.5\n", "nonsense\n", "did not answer to the end"),
      ("OK MPD 0.23.5\n", "ACK what\nOK\n", "did not answer to the end"),
      (
        "OK MPD 0.23.5\n", "ACK [4@0] {status} you don't have permission for \"status\"\n",
        "MPD refuses: you don't have permission for \"status\"; MPD_HOST may have PASSWORD@HOST"
      ),
      ("OK MPD 0.23.5\n", "ACK [5@0] {} what\n", "MPD refuses: what"),
    ] as [(String?, String?, String)])
  func broken(greeting: String?, answer: String?, words: String) throws {
    let folder = try TemporaryFolder()
    let server = try FakeServer(in: folder, greeting: greeting) { _ in answer }
    let fault = #expect(throws: PlayerFault.self) {
      // Only one that says nothing has to be waited for.
      if answer == "" { return try play(at: server.path, patience: 200_000_000) }
      return try play(at: server.path)
    }
    #expect(fault?.message.contains(words) == true)
    if words.hasPrefix("MPD refuses") { #expect(fault?.message == words) }
    _ = server.end()
  }

  @Test("an answer has so many lines at most")
  func longAnswers() throws {
    for (count, isTaken) in [(9_999, true), (10_000, false)] {
      let folder = try TemporaryFolder()
      let server = try FakeServer(in: folder, greeting: "OK MPD 0.23.5\n") { _ in
        String(repeating: "a: b\n", count: count) + "OK\n"
      }
      let address = MPDAddress(place: .local(Array(server.path.utf8)))
      let found = try? answered(address)
      #expect(found == (isTaken ? count : nil))
      _ = server.end()
    }
  }

  /// The lines of one answer.
  private func answered(_ address: MPDAddress) throws -> Int {
    guard var mpd = MPDConnection([address]) else { throw PlayerFault("nobody") }
    return try mpd.demand("status").count
  }

  @Test("where nobody listens, it is said where and what to do; the first that does is taken")
  func nobody() throws {
    let mpd = try FakeMPD()
    let folder = try TemporaryFolder()
    let none = MPDAddress.all(set: folder.path("none")) { _ in nil }
    let fault = #expect(throws: PlayerFault.self) {
      _ = try MPDQueue.play(songs, adding: false, at: none + none, folders: [])
    }
    #expect(fault?.message.contains(folder.path("none") + ", " + folder.path("none")) == true)
    #expect(fault?.isWrongUse == false)
    let there = MPDAddress.all(set: mpd.path) { _ in nil }
    #expect(try MPDQueue.play(songs, adding: false, at: none + there, folders: []).songs == songs)
    _ = mpd.end()
  }
}
