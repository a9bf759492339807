import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("What the daemon may write to", .serialized, .limited)
struct ConfinementTests {
  private let home: Home

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3]), to: "\(home.music)/Here")
  }

  /// Names and times of everything in the music folder.
  private func music() throws -> String {
    let listing = try run("find", [home.music, "-printf", "%p %T@ %C@\\n"])
    return listing.output.split(separator: "\n").sorted().joined(separator: "\n")
  }

  @Test("Links to the music folder, where its own directories should be, lead it to write nothing")
  func links() throws {
    let before = try music()
    let cache = home.folder.path("cache/crated")
    #expect(symlink(home.music, cache) == 0)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.status().songs == 6)
    #expect(try home.status().warnings.isEmpty != isSanitized)
    #expect(daemon.log.contains("there is no index"))
    #expect(try music() == before)

    // Where it makes a file for each sync.
    let runtime = home.folder.path("run/crated")
    let client = try CratesClient(home)
    #expect(rename(runtime, runtime + ".away") == 0)
    #expect(symlink(home.music, runtime) == 0)
    try client.sync()
    #expect(try music() == before)
    #expect(unlink(runtime) == 0)
    #expect(rename(runtime + ".away", runtime) == 0)
    try home.crate("move", "Music", "2", "top")
    try daemon.stop()
    #expect(try music() == before)
  }

  @Test("A playlist directory may lie in the music folder, and is written to alone")
  func playlists() throws {
    let lists = home.music + "/Lists"
    #expect(mkdir(lists, 0o700) == 0)
    try home.configure("music_folders = [\"\(home.music)\"]\nplaylists = \"\(lists)\"\n")
    #expect(symlink(lists, home.folder.path("cache/crated")) == 0)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(access(lists + "/index.sqlite", F_OK) == 0)
    try daemon.stop()
  }
}
