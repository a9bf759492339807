import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("Where the playlists are", .limited)
struct PlaceTests {
  private let folder: TemporaryFolder
  private let music: Music

  init() throws {
    folder = try TemporaryFolder()
    music = try Music.crates(1, in: folder.path("Music"))
  }

  private func keeper(_ name: String) -> PlaylistKeeper {
    PlaylistKeeper(
      PlaylistSettings(
        directory: BytePath(folder.path(name)), state: BytePath(folder.path("state"))))
  }

  private func songs(_ name: String) throws -> [Substring] {
    String(decoding: try readFile(folder.path(name) + "/Crate 1.m3u8"), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  @Test(
    "A directory that is not there is made, as readable as the one above it",
    arguments: [
      (0o755, 0o755), (0o700, 0o700), (0o775, 0o755),
    ])
  func made(above: Int, expected: Int) throws {
    try folder.write("", to: "Music/a.mp3")
    #expect(chmod(folder.path("Music"), mode_t(above)) == 0)
    var keeper = keeper("Music/Lists")
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    let status = FileStatus(name: folder.path("Music/Lists"), followsLinks: false)
    #expect(status?.mode == UInt32(S_IFDIR) | UInt32(expected))
    #expect(try songs("Music/Lists").first == "../Album 1-1/1.flac")
  }

  @Test("Where a drive may be away nothing is made, and when it comes everything is")
  func driveAway() throws {
    var keeper = keeper("drive/Music/Lists")
    var problems = keeper.update(to: music.library, touched: []).problems
    try #require(problems.count == 1)
    #expect(problems[0].message.contains("is not there: plug in"))
    #expect(problems[0].path == keeper.directory && problems[0].mayPass)
    try folder.makeFolder("drive/Music")
    problems = keeper.update(to: music.library, touched: []).problems
    #expect(problems.count == 1 && problems[0].message.contains("is empty"))
    #expect(access(folder.path("drive/Music/Lists"), F_OK) != 0)
    try folder.write("", to: "drive/Music/a.mp3")
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(try songs("drive/Music/Lists").count == 4)
  }

  @Test("Another directory in its place gets everything, and what is a stranger's in it stays")
  func exchanged() throws {
    try folder.makeFolder("Lists")
    var keeper = keeper("Lists")
    _ = keeper.update(to: music.library, touched: [])
    let before = FileStatus(name: folder.path("Lists/Crate 1.m3u8"), followsLinks: false)
    #expect(rename(folder.path("Lists"), folder.path("Before")) == 0)
    try folder.write("#EXTM3U\n#CRATED:Old.m3u8\n", to: "Lists/Old.m3u8")
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(try songs("Lists").count == 4)
    #expect(access(folder.path("Lists/Old.m3u8"), F_OK) == 0)
    #expect(FileStatus(name: folder.path("Before/Crate 1.m3u8"), followsLinks: false) == before)
  }

  @Test("Removed with all it holds, it is there again with the next look")
  func directoryRemoved() throws {
    try folder.write("", to: "a")
    var keeper = keeper("Lists")
    _ = keeper.update(to: music.library, touched: [])
    removeTree(folder.path("Lists"))
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(try songs("Lists").count == 4)
  }

  @Test("Paths lead to the songs where the directory or the music folder is behind a link")
  func links() throws {
    try folder.makeFolder("disk/music/Album 1-1")
    try folder.makeFolder("disk/lists")
    try folder.write("sound", to: "disk/music/Album 1-1/1.flac")
    #expect(symlink("disk/music", folder.path("Music")) == 0)
    #expect(symlink("disk/lists", folder.path("Lists")) == 0)
    try folder.makeFolder("disk/music/Lists")
    for name in ["Lists", "Music/Lists", "disk/lists"] {
      var keeper = keeper(name)
      #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
      let first = try #require(try songs(name).first)
      let isInside = name == "Music/Lists"
      #expect(first == (isInside ? "../Album 1-1/1.flac" : folder.path("Music/Album 1-1/1.flac")))
      let path = isInside ? folder.path(name) + "/" + first : String(first)
      #expect(try readFile(path) == Array("sound".utf8))
    }
    // The drive that the link leads to goes: nothing is written for it.
    var keeper = keeper("Lists")
    _ = keeper.update(to: music.library, touched: [])
    let before = FileStatus(name: folder.path("Lists/Crate 1.m3u8"), followsLinks: false)
    #expect(rename(folder.path("disk/music"), folder.path("disk/unplugged")) == 0)
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(FileStatus(name: folder.path("Lists/Crate 1.m3u8"), followsLinks: false) == before)
  }

  @Test("What is no directory is a problem", arguments: ["file", "loop", "nowhere"])
  func noDirectory(name: String) throws {
    try folder.write("", to: "file")
    #expect(symlink("loop", folder.path("loop")) == 0)
    #expect(symlink("gone", folder.path("nowhere")) == 0)
    var keeper = keeper(name)
    let problems = keeper.update(to: music.library, touched: []).problems
    #expect(problems.count == 1 && problems[0].path == keeper.directory)
  }
}
