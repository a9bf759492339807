import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Settings that can't be used", .limited)
struct SettingsTests {
  @Test(
    "Each ends the start with status 78 and one line that says where",
    arguments: [
      ("music = []", "line 1: there is no setting “music”"),
      ("music_folders = [\"HOME/Music\"]\nnew_albums = x", "line 2, column 14: "),
      ("music_folders = [\"HOME/Music\", \"HOME/Music/Jazz\"]", "one inside the other"),
      ("music_folders = [\"HOME/Music\", \"HOME/Music/\"]", "HOME/Music"),
      ("music_folders = [\"HOME\"]", "the store HOME/data/crated"),
      ("music_folders = [\"HOME/data/crated/Music\"]", "the store HOME/data/crated"),
      ("music_folders = [\"Music\"]", "“Music”"),
      ("music_folders = 3", "line 1"),
      ("new_albums = \"a\\u0007b\"", "line 1"),
    ])
  func refused(settings: String, words: String) throws {
    let home = try Home()
    let text = settings.replacing("HOME", with: home.folder.path)
    try home.configure(text)
    let refusal = try RunningDaemon.refusal(home)
    #expect(refusal.status == 78)
    try #require(refusal.lines.count == 1, "\(refusal.lines)")
    #expect(refusal.lines[0].contains("\(home.settings)"))
    #expect(refusal.lines[0].contains(words.replacing("HOME", with: home.folder.path)))
    #expect(access(home.store, F_OK) != 0, "nothing is made for settings that can't be used")
  }

  @Test("A file that can't be read is not a missing one")
  func unreadable() throws {
    let home = try Home()
    unlink(home.settings)
    #expect(mkdir(home.settings, 0o755) == 0)
    let refusal = try RunningDaemon.refusal(home)
    #expect(refusal.status == 78)
    try #require(refusal.lines.count == 1)
    #expect(refusal.lines[0].contains(home.settings))
  }

  @Test("A folder that comes brings its albums; one that leaves loses nothing")
  func reloaded() throws {
    let home = try Home()
    try copy(try SampleMusic.albums([.flac]), to: "\(home.music)/Here")
    let other = try home.folder.makeFolder("Other")
    try copy(try SampleMusic.albums([.oga]), to: "\(other)/There")
    let daemon = try RunningDaemon(home)
    try daemon.sync()

    try home.configure("music_folders = [\"\(home.music)\", \"\(other)\"]")
    try daemon.reload()
    try daemon.sync()
    #expect(try home.albums("Music") == ["Album oga", "Album flac"])
    try home.crate("move", "Album oga", "bottom")

    let places = try home.places()
    try home.configure("music_folders = [\"\(home.music)\"]")
    try daemon.reload()
    try daemon.sync()
    expectSame(try home.places(), places)
    #expect(
      try home.json("list", "Music").map { $0["presence"]?.string } == ["present", "offline"])
    #expect(try home.status().gone == 0)

    // Moving house: the songs appear in another folder.
    try copy("\(other)/There", to: "\(home.music)/There")
    try daemon.sync()
    expectSame(try home.places(), places)
    #expect(
      try home.json("list", "Music").map { $0["presence"]?.string } == ["present", "present"])
    try daemon.stop()
  }
}
