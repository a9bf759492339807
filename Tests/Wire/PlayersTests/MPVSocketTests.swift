import CratesInterface
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Players

/// What is said to an mpv, word for word; that a real one does it, the tests of the whole show.
@Suite("What an mpv is told", .limited)
struct MPVSocketTests {
  /// An mpv that says the same of its properties each time; what it has none of, it refuses.
  private struct Running {
    let server: FakeServer
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - events: so many lines about other things before each answer.
    ///   - answers: lines in place of its own, to the call of a number.
    init(
      _ properties: [String: JSON] = [:], events: Int = 0,
      answers: @escaping @Sendable (JSON) -> [JSON]? = { _ in nil }
    ) throws {
      folder = try TemporaryFolder()
      server = try FakeServer(in: folder, greeting: nil) { line in
        guard let asked = try? JSON(parsing: line), let number = asked["request_id"],
          let words = asked["command"]?.array
        else { return nil }
        let isQuestion = words.first == "get_property"
        let data = isQuestion ? words.last?.string.flatMap { properties[$0] } : .null
        let own: JSON = [
          "data": data ?? .null, "request_id": number,
          "error": data == nil ? "property not found" : "success",
        ]
        let said = (answers(number) ?? [own]).map { String(decoding: $0.bytes, as: UTF8.self) }
        return String(repeating: "{\"event\":\"idle\"}\n", count: events)
          + said.map { "\($0)\n" }.joined()
      }
    }

    func play(adding: Bool) throws {
      try #require(MPVSocket(server.path)).play(list: "/run/list", adding: adding)
    }

    func control() throws -> MPVControl { MPVControl(try #require(MPVSocket(server.path))) }

    /// What it was told, each with the next number.
    func told() throws -> [[JSON]] {
      let calls = try server.end().map { try JSON(parsing: $0) }
      #expect(calls.map { $0["request_id"]?.integer } == Array(1..<calls.count + 1))
      return calls.map { $0["command"]?.array ?? [] }
    }

    func fault(adding: Bool) -> String {
      let fault = #expect(throws: PlayerFault.self) { try play(adding: adding) }
      return fault?.message ?? "none"
    }
  }

  private static let questions: [[JSON]] = [
    ["get_property", "playlist-count"], ["get_property", "idle-active"],
  ]
  private static let appended: [[JSON]] = questions + [["loadlist", "/run/list", "append"]]

  @Test("a list takes the place of what plays, and is heard if that was paused")
  func replaced() throws {
    let mpv = try Running()
    try mpv.play(adding: false)
    #expect(
      try mpv.told() == [["loadlist", "/run/list", "replace"], ["set_property", "pause", false]])
  }

  @Test("a list that is added waits behind what plays, and is heard where nothing does")
  func added() throws {
    for (isIdle, heard) in [(false, []), (true, [["set_property", "playlist-pos", 3]])]
      as [(Bool, [[JSON]])]
    {
      let mpv = try Running(["playlist-count": 3, "idle-active": .bool(isIdle)])
      try mpv.play(adding: true)
      #expect(try mpv.told() == Self.appended + heard)
    }
  }

  @Test("what it refuses ends everything, and is told in its words")
  func refused() throws {
    let mpv = try Running(["playlist-count": 3])
    #expect(mpv.fault(adding: true) == "mpv at \(mpv.server.path) says: property not found")
    #expect(try mpv.told() == Self.questions)
    for (error, said) in [
      ("a\nb", "a␊b"), (1, "nothing that is an answer"), (nil, "nothing that is an answer"),
    ] as [(JSON, String)] {
      let mpv = try Running { [["error": error, "request_id": $0]] }
      #expect(mpv.fault(adding: false) == "mpv at \(mpv.server.path) says: \(said)")
      #expect(try mpv.told().count == 1)
    }
  }

  @Test("what it says of other things, or of another call, is no answer")
  func events() throws {
    let mpv = try Running(events: 9_999)
    try mpv.play(adding: false)
    #expect(try mpv.told().count == 2)
    // What stands in the last line that is looked at, and the answer behind it.
    for other in [["error": "success", "request_id": 0], ["error": "success"], "success"] as [JSON]
    {
      let mpv = try Running(events: 9_999) { [other, ["error": "success", "request_id": $0]] }
      let words = "what listens at \(mpv.server.path) did not answer as mpv does"
      #expect(mpv.fault(adding: false).hasPrefix(words))
      #expect(try mpv.told().count == 1)
    }
  }

  // MARK: Controlling

  private static let song: [String: JSON] = [
    "media-title": "Blue Train", "metadata/by-key/artist": "John Coltrane", "pause": false,
    "playlist-pos-1": 3, "playlist-count": 10, "idle-active": false,
  ]
  private static let playing = Playing(
    player: "mpv", title: "Blue Train", artist: "John Coltrane", place: 3, count: 10)

  @Test("what it plays is told, also by a song without tags, and nothing where it is idle")
  func playing() throws {
    var paused = Self.playing
    paused.isPaused = true
    var bare = Self.playing
    bare.artist = ""
    for (changes, expected) in [
      ([:], Self.playing), (["pause": true], paused), (["metadata/by-key/artist": nil], bare),
      (["idle-active": true], nil), (["playlist-pos-1": 0], nil),
    ] as [([String: JSON?], Playing?)] {
      var properties = Self.song
      for (name, value) in changes { properties[name] = value }
      let mpv = try Running(properties)
      #expect(try mpv.control().playing() == expected, "\(changes)")
      _ = try mpv.told()
    }
    #expect(Self.playing.sentence == "mpv plays Blue Train by John Coltrane (3 of 10)")
    #expect(paused.sentence == "mpv is paused at Blue Train by John Coltrane (3 of 10)")
  }

  @Test("it is paused, goes on, goes on to the next song, and stops")
  func controlled() throws {
    for (action, isPaused, command, said) in [
      (.pause, false, ["set_property", "pause", true], "mpv is paused"),
      (.pause, true, ["set_property", "pause", false], "mpv is playing again"),
      (.next, false, ["playlist-next", "force"], "mpv goes on to song 4 of 10"),
      (.stop, false, ["stop"], "mpv has stopped"),
    ] as [(PlayerControl, Bool, [JSON], String)] {
      let mpv = try Running(Self.song.merging(["pause": .bool(isPaused)]) { $1 })
      #expect(try mpv.control().perform(action) == said)
      #expect(try mpv.told().last == command)
    }
    // Where nothing plays nothing is done.
    let idle = try Running(["idle-active": true])
    #expect(try idle.control().perform(.pause) == nil)
    #expect(try idle.told().allSatisfy { $0.first == "get_property" })
  }

  @Test("what changes is told until it has gone")
  func followed() throws {
    let folder = try TemporaryFolder()
    let told = Monitor(0)
    let server = try FakeServer(in: folder, greeting: nil) { line in
      let count = told.withLock { count in
        count += 1
        return count
      }
      // The last property was asked for.
      guard count == 6 else { return "{\"error\":\"success\"}\n" }
      return Self.song.sorted { $0.key < $1.key }.map { name, value in
        let event: JSON = ["event": "property-change", "name": .string(name), "data": value]
        return String(decoding: event.bytes, as: UTF8.self) + "\n"
      }.joined() + "{\"event\":\"property-change\",\"name\":\"pause\",\"data\":true}\n"
        + "{\"event\":\"property-change\",\"name\":\"idle-active\",\"data\":true}\nx\n"
        + String(repeating: "x", count: 200_000)
    }
    var heard: [Playing?] = []
    MPVControl(try #require(MPVSocket(server.path))).follow { heard.append($0) }
    let known = heard.compactMap(\.self)
    #expect(known.contains(Self.playing) && known.last?.isPaused == true)
    #expect(heard.last == .some(nil))
    _ = server.end()
  }
}
