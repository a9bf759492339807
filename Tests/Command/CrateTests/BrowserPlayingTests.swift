import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

@testable import crate

@Suite("Playing from the browser", .limited) struct BrowserPlayingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func song(_ title: String, _ presence: Interface.Presence = .present) -> Interface.Song {
    let path = folder.path("\(title).flac")
    return Interface.Song(
      id: "s", album: "a", albumTitle: "", albumArtist: "", crate: "", position: nil, title: title,
      artist: "Ada", disc: nil, track: nil, seconds: 3, format: "flac", added: "",
      presence: presence, path: path, uri: "file://\(path)", details: Interface.SongDetails())
  }

  private func status(player: String?) -> Interface.LibraryStatus {
    var status = Interface.LibraryStatus(
      version: "9", pid: 1, started: "", sequence: 7, folders: [], store: .ready, storeReason: nil,
      storePath: "/store", crates: 1, albums: 2, songs: 3, gone: 4, problems: 0, warnings: [])
    status.player = player
    return status
  }

  private func play(
    _ songs: [Interface.Song], player: String?, adding: Bool = false
  ) -> (sentence: String, isFault: Bool) {
    BrowserPlaying.play(songs, status(player: player), adding: adding, runtime: folder.path)
  }

  @Test("What isn't there can't be played, and that is a fault")
  func nothing() {
    for songs in [[], [song("One", .gone), song("Two", .offline)]] {
      let told = play(songs, player: "true")
      #expect(told.sentence == "There is no song that can be played now" && told.isFault)
    }
  }

  @Test("A program is given those songs that are there, and the count is told")
  func program() throws {
    let copied = folder.path("copied")
    let told = play(
      [song("One"), song("Two", .gone), song("Three")],
      player: "cp {} \(copied).new && mv \(copied).new \(copied)")
    #expect(told.sentence == "cp plays 2 songs" && !told.isFault)
    // It goes on by itself.
    #expect(happensInTime { access(copied, F_OK) == 0 })
    let list = String(decoding: try readFile(copied), as: UTF8.self)
    #expect(list.contains("One.flac") && list.contains("Three.flac") && !list.contains("Two.flac"))
    let one = play([song("One")], player: "true")
    #expect(one.sentence == "true plays 1 song" && !one.isFault)
  }

  @Test(
    "To what is started anew each time nothing can be added, and a player that is missing is told")
  func faults() {
    let added = play([song("One")], player: "true", adding: true)
    #expect(added.sentence.contains("is started anew each time; nothing can be added"))
    #expect(added.isFault)
    let missing = play([song("One")], player: "\(folder.path("none")) {}")
    #expect(missing.isFault && missing.sentence.contains("none"))
  }
}
