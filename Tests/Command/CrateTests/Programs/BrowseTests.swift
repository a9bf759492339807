import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The browser in a real terminal, with the real daemon.
@Suite("Browsing", .serialized, .limited)
struct BrowseTests {
  private func screen(_ home: Home, _ arguments: String = "") throws -> TerminalScreen {
    var environment = home.environment
    environment["XDG_STATE_HOME"] = home.folder.path("state")
    let crate = try Home.program("crate")
    return try TerminalScreen(
      "stty -a > '\(home.folder.path)/before';"
        + " sh -c 'echo $$ > \"\(home.folder.path)/pid\"; exec \"\(crate)\" browse \(arguments)';"
        + " echo \"it ended: $?\"; stty -a > '\(home.folder.path)/after'; cat",
      environment: environment)
  }

  private func expectRestored(_ home: Home, _ screen: TerminalScreen) throws {
    try screen.wait(for: "it ended")
    let deadline = Patience.end
    var after: [UInt8] = []
    while after.isEmpty, Clock.system.monotonic() < deadline {
      after = (try? readFile(home.folder.path("after"))) ?? []
    }
    #expect(after == (try readFile(home.folder.path("before"))))
  }

  @Test("What is moved by keys is moved, what others move is followed, and it opens where it was")
  func keys() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 5, to: home.music)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let before = try home.albums("Music")
    let screen = try screen(home)
    try screen.wait(for: "to a crate")
    try screen.wait(for: before[4])
    try screen.type("J")
    try screen.wait(for: "the move") { _ in
      (try? home.albums("Music"))?.prefix(2) == [before[1], before[0]]
    }
    try screen.type("m", "J", "a", "z", "z", "Enter")
    try screen.wait(for: "the new crate") { text in
      text.contains("2 Jazz") && (try? home.albums("Music"))?.contains(before[0]) == false
    }
    #expect(try home.albums("Jazz") == [before[0]])
    try home.crate("rename", "Jazz", "Later")
    try screen.wait(for: "Later")
    try screen.type("u")
    try screen.wait(for: "the undo") { $0.contains("2 Jazz") && !$0.contains("2 Later") }
    try screen.type("2")
    try screen.wait(for: "1 album")
    try screen.type("q")
    try expectRestored(home, screen)
    let again = try self.screen(home)
    try again.wait(for: "Jazz  1 album")
    try again.type("q")
    try again.wait(for: "it ended: 0")
    try daemon.stop()
  }

  @Test("A song, an album and a crate are played in their order, and what became of it is said")
  func played() throws {
    let home = try Home()
    let list = home.folder.path("played")
    try home.configure("music_folders = [\"\(home.music)\"]\nplayer = \"cp {} \(list)\"\n")
    try SmallLibrary.write(albums: 4, to: home.music)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let paths = try home.crate("paths", "Music").output.split(separator: "\n").map(String.init)
    try #require(paths.count == 12)
    let screen = try screen(home, "--covers none")
    try screen.wait(for: "4 albums")
    for (keys, sentence, expected) in [
      (["j", "!"], "cp plays 3 songs", 3..<6), (["h", "!"], "cp plays 12 songs", 0..<12),
      (["l", "l"], "Song 2", 0..<12), (["j", "Enter"], "cp plays 2 songs", 4..<6),
      (["!"], "cp plays 1 song", 4..<5),
    ] {
      for key in keys { try screen.type(key) }
      try screen.wait(for: "what the player got") { text in
        let written = (try? readFile(list)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let played = written.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return text.contains(sentence) && played == Array(paths[expected])
      }
    }
    try screen.type("q")
    try screen.wait(for: "it ended: 0")
    try daemon.stop()
  }

  @Test("While the daemon is away it says so and keeps showing, and goes on when it is back")
  func away() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    let albums = try home.albums("Music")
    let screen = try screen(home)
    try screen.wait(for: "to a crate")
    // Keys that come before the lists are done later.
    try screen.wait(for: albums[2])
    try daemon.kill()
    try screen.wait(for: "; trying again")
    #expect(try screen.text.contains(albums[2]))
    try screen.type("J")
    try screen.wait(for: "nothing is moved")
    daemon = try RunningDaemon(home)
    try screen.wait(for: "what is there") { !$0.contains("nothing is moved") }
    try screen.type("k", "J")
    try screen.wait(for: "the move") { _ in
      (try? home.albums("Music"))?.first == albums[1]
    }
    try screen.type("C-c")
    try expectRestored(home, screen)
    try daemon.stop()
  }

  @Test(
    "Ended by a signal, it leaves the terminal as it was", arguments: [SIGTERM, SIGHUP, SIGSEGV])
  func signals(signal: Int32) throws {
    let home = try Home()
    let daemon = try RunningDaemon(home)
    let screen = try screen(home)
    try screen.wait(for: "There is no music yet")
    let text = String(decoding: try readFile(home.folder.path("pid")), as: UTF8.self)
    let process = try #require(pid_t(text.prefix { $0.isNumber }))
    Glibc.kill(process, signal)
    try screen.wait(for: "it ended: \(128 + signal)")
    try expectRestored(home, screen)
    try daemon.stop()
  }

  @Test("Suspended, it lets the terminal be, and can be brought back or ended")
  func suspended() throws {
    let home = try Home()
    let daemon = try RunningDaemon(home)
    let crate = try Home.program("crate")
    let screen = try TerminalScreen(
      "bash --norc --noprofile -i", environment: home.environment)
    // Quotes keep what is awaited apart from what is typed.
    try screen.type("'\(crate)' browse", "Enter")
    try screen.wait(for: "There is no music yet")
    try screen.type("C-z")
    try screen.wait(for: "Stopped")
    // In the background it stops by itself.
    try screen.type("clear; bg; until jobs | grep Stopped; do :; done; echo 'it' stopped", "Enter")
    try screen.wait(for: "it stopped")
    #expect(try !screen.text.contains("There is no music yet"))
    try screen.type("clear; fg", "Enter")
    try screen.wait(for: "There is no music yet")
    try screen.type("C-z")
    try screen.wait(for: "Stopped")
    try screen.type(
      "clear; kill %1; while kill -0 %1 2>/dev/null; do :; done; echo 'it' ended", "Enter")
    try screen.wait(for: "it ended")
    #expect(try !screen.text.contains("There is no music yet"))
    try daemon.stop()
  }

  @Test("Two at once show what the other does, and what is copied in meanwhile")
  func two() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 4, to: home.music)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let screens = [try screen(home, "--covers none"), try screen(home, "--covers none")]
    for screen in screens {
      try screen.wait(for: "to a crate")
      try screen.wait(for: "4 albums")
    }
    try screens[0].type("b")
    try SmallLibrary.write(albums: 6, to: home.music)
    for screen in screens { try screen.wait(for: "6 albums") }
    try screens[1].type("G", "m", "J", "a", "z", "z", "Enter")
    for screen in screens {
      // What came in on top is above the rows that one was looking at.
      try screen.type("g")
      try screen.wait(for: "what is kept") { text in
        guard let kept = try? home.albums("Music"), text.contains("2 Jazz") else { return false }
        let places = kept.compactMap { text.firstRange(of: $0)?.lowerBound }
        return kept.count == 5 && places.count == 5 && places == places.sorted()
      }
    }
    for screen in screens {
      try screen.type("q")
      try screen.wait(for: "it ended: 0")
    }
    try daemon.stop()
  }

  @Test("An image that is put beside songs is shown when one looks at the album again")
  func laterCover() throws {
    let home = try Home()
    for album in 0..<2 {
      try #require(mkdir("\(home.music)/\(album)", 0o755) == 0)
      for track in 1...3 { try SmallLibrary.song(album, track, to: "\(home.music)/\(album)") }
    }
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let screen = try screen(home, "--covers blocks")
    try screen.wait(for: "no cover")
    let picture = try SamplePicture.bytes("png")
    for album in 0..<2 { try writeFile(picture, to: "\(home.music)/\(album)/cover.png") }
    try daemon.sync()
    // The covers of both were at hand: none.
    try screen.type("j")
    try screen.wait(for: "▀▀▀▀")
    try screen.type("q")
    try screen.wait(for: "it ended: 0")
    try daemon.stop()
  }

  @Test("Without a terminal it names what prints lists")
  func noTerminal() throws {
    let home = try Home()
    let result = try home.crate("browse", status: 64)
    #expect(result.errors.contains("crate list"))
    try home.crate("browse", "--covers", "gif", status: 64)
  }
}
