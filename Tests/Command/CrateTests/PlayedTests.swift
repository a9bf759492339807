import CratesInterface
import Players
import TestSupport
import Testing

@testable import crate

@Suite("What is played", .limited)
struct PlayedTests {
  private func songs(_ presences: [Interface.Presence]) -> [Interface.Song] {
    zip(presences, FakeLibrary().songs).map { presence, song in
      var song = song
      song.presence = presence
      return song
    }
  }

  private func refusal(_ presences: [Interface.Presence]) -> String? {
    do throws(Failure) {
      _ = try PlayCommand.present(songs(presences))
      return nil
    } catch {
      return error.message
    }
  }

  @Test("Songs that are there are played, and none is a reason to say why")
  func present() throws {
    let played = try PlayCommand.present(songs([.present, .offline, .present]))
    let path = Array("/music/kind2222aaaa/1".utf8) + [0xFF] + Array(" x.flac".utf8)
    #expect(
      played.first == PlayedSong(path: path, title: "Song 1", artist: "Someone", seconds: 61.5))
    #expect(played.map(\.title) == ["Song 1", "Song 3"])
    #expect(refusal([]) == "there is no song in it")
    #expect(refusal([.offline]) == "1 song is not there; crate status shows the folders")
    #expect(refusal([.offline, .gone]) == "2 songs are not there; crate status shows the folders")
  }

  @Test("Three songs that the player doesn't know are named, and of more how many more there are")
  func unknown() {
    func remarks(_ count: Int) -> [String] {
      var played = Played(player: "MPD")
      played.unknown = (0..<count).map { PlayedSong(path: Array("/\($0)".utf8)) }
      played.remarks = ["first"]
      return PlayCommand.remarks(played)
    }
    #expect(remarks(0) == ["first"])
    #expect(remarks(1) == ["first", "MPD doesn't know 1 song: /0"])
    #expect(remarks(3) == ["first", "MPD doesn't know 3 songs: /0, /1, /2"])
    #expect(remarks(5) == ["first", "MPD doesn't know 5 songs: /0, /1, /2 and 2 more"])
  }

  @Test("where none listens, it is said where and how to have one")
  func nobody() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none")
    var status = FakeLibrary.status
    status.player = "mpv:\(path)"
    let player = try ChosenPlayer(status) { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }
    let fault = #expect(throws: PlayerFault.self) {
      try player.play([PlayedSong(path: [0x2F])], adding: false)
    }
    #expect(fault?.message.hasPrefix("no mpv listens at \(path); start one") == true)
    #expect(fault?.message.contains("--input-ipc-server=\(path)") == true)
    #expect(try player.connection() == nil)
  }
}
