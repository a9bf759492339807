import TestSupport
import Testing

@testable import Players

@Suite("Controlling an MPD", .limited)
struct MPDControlTests {
  /// What becomes of a body with an MPD that plays, and what that was asked.
  private func asked(
    _ state: String, changes: Int = 0, _ body: (MPDControl) throws -> Void
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let server = try FakeServer(in: folder, greeting: "OK MPD 0.23.5\n") { line in
      switch line {
      case "status": "state: \(state)\nsong: 2\nplaylistlength: 10\nOK\n"
      case "currentsong": "file: a/b.flac\nTitle: Blue Train\nArtist: John Coltrane\nOK\n"
      case let line where line.hasPrefix("idle"): nil
      default: "OK\n"
      }
    }
    do {
      let address = MPDAddress(place: .local(Array(server.path.utf8)), password: "secret")
      try body(try #require(try MPDControl([address])))
    }
    return server.end()
  }

  @Test("what it plays is told, and nothing where it has stopped")
  func playing() throws {
    for (state, isPaused) in [("play", false), ("pause", true)] {
      let expected = Playing(
        player: "MPD", title: "Blue Train", artist: "John Coltrane", isPaused: isPaused, place: 3,
        count: 10)
      let asked = try asked(state) { mpd in
        let playing = try mpd.playing()
        #expect(playing == expected)
      }
      #expect(asked.first == "password \"secret\"")
    }
    _ = try asked("stop") { mpd in
      let (playing, said) = (try mpd.playing(), try mpd.perform(.stop))
      #expect(playing == nil && said == nil)
    }
  }

  @Test("it is paused, goes on, goes on to the next song, and stops")
  func controlled() throws {
    for (action, state, command) in [
      (.pause, "play", "pause \"1\""), (.pause, "pause", "pause \"0\""), (.next, "play", "next"),
      (.stop, "play", "stop"),
    ] as [(PlayerControl, String, String)] {
      let asked = try asked(state) { mpd in
        let said = try mpd.perform(action)
        #expect(said?.hasPrefix("MPD ") == true)
      }
      #expect(asked.last == command)
    }
  }

  @Test("what changes is told until it has gone")
  func followed() throws {
    var heard: [Playing?] = []
    let asked = try asked("play") { mpd in mpd.follow { heard.append($0) } }
    #expect(heard.map { $0?.title } == ["Blue Train"])
    #expect(asked.last == "idle \"player\" \"playlist\"")
  }
}
