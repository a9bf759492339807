import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What a person sees who looks at a terminal.
@Suite("Listings on a terminal", .limited)
struct TerminalListingTests {
  private let home: Home

  init() throws {
    home = try Home()
    home.environment["XDG_STATE_HOME"] = home.folder.path("state")
    try SmallLibrary.write(albums: 60, to: home.music)
  }

  /// A shell in which `crate` is at hand.
  private func screen(_ variables: String = "") throws -> TerminalScreen {
    let folder = try Home.program("crate").dropLast("/crate".count)
    let shell = "export PATH='\(folder)':\"$PATH\" PS1='ready> ' \(variables); exec sh"
    let screen = try TerminalScreen(
      "env -u LESS sh -c '\(shell.replacing("'", with: "'\\''"))'",
      environment: home.environment)
    try screen.wait(for: "ready>")
    return screen
  }

  @Test("bare crate shows the crates, what came since the last look, and what to do next")
  func overview() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    let screen = try screen()
    try screen.type("crate", "Enter")
    try screen.wait(for: "crate play Music")
    let first = try screen.text
    #expect(first.contains("Music") && first.contains("60"))
    #expect(
      first.contains("crate list Music") && first.contains("crate move Music 1 to Favourites"))
    #expect(!first.contains("New since"))
    try copy(try SampleMusic.albums([.ogg]), to: "\(home.music)/Later")
    try daemon.sync()
    try screen.type("clear; crate", "Enter")
    try screen.wait(for: "New since you last looked")
    #expect(try screen.text.contains("Album ogg by Artist ogg, Music 1"))
    try screen.type("clear; crate; echo aga''in", "Enter")
    try screen.wait(for: "again")
    #expect(try !screen.text.contains("New since"))
    // New ones are told, also when crated ended in between.
    try copy(try SampleMusic.albums([.opus]), to: "\(home.music)/Latest")
    try daemon.sync()
    try daemon.stop()
    daemon = try RunningDaemon(home)
    try daemon.sync()
    try screen.type("clear; crate", "Enter")
    try screen.wait(for: "New since you last looked")
    #expect(try screen.text.contains("Album opus by Artist opus, Music 1"))
    // No terminal: help.
    #expect(try home.crate([]).output.contains("crate help"))
    try daemon.stop()
  }

  @Test(
    "what is higher than the terminal goes through a pager, and ids are as short as they may be")
  func pager() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let screen = try screen()
    try screen.type("crate list Music", "Enter")
    // less waits below the first screen.
    try screen.wait(for: "the pager") {
      $0.contains("Album") && $0.hasSuffix(":\n") || $0.contains("\n:")
    }
    #expect(try !screen.text.contains("60  "))
    try screen.type("q", "")
    try screen.wait(for: "ready>")
    try screen.type("clear; CRATE_PAGER= crate list Music -n 2", "Enter")
    try screen.wait(for: "and 58 more")
    let ids = try screen.text.split(separator: "\n").filter { $0.contains("Artist 5") }
      .compactMap { $0.split(separator: " ").last }
    #expect(ids.count == 2 && ids.allSatisfy { (4...6).contains($0.count) }, "\(ids)")
    for id in ids { try home.crate("show", String(id)) }
    // One that isn't there is done without.
    try screen.type("clear; CRATE_PAGER=nopager crate list Music | cat; echo ov''er", "Enter")
    try screen.wait(for: "over")
    try screen.type("clear; CRATE_PAGER=nopager crate history -n 60; echo the''re", "Enter")
    try screen.wait(for: "there")
    try daemon.stop()
  }

  @Test("find says when it cut, and problems that nothing is wrong")
  func find() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let screen = try screen("PAGER=cat")
    try screen.type("crate find album", "Enter")
    try screen.wait(for: "these are 20 of 60 albums; -n 100 shows more")
    try screen.type("clear; crate problems", "Enter")
    try screen.wait(for: "Nothing is wrong.")
    #expect(try home.crate("problems").errors == "Nothing is wrong.\n")
    try daemon.stop()
  }

  @Test("watch --follow lives on when the daemon restarts, from the change it last saw")
  func follow() throws {
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    let log = home.folder.path("log")
    let since = try home.status().sequence
    // What changes before the watching is there is told, too.
    let watch = try RunningProgram(
      try Home.program("crate"), ["watch", "--follow", "--since", "\(since)"],
      environment: home.environment, errors: log)
    try home.crate("rename", "Music", "Jazz")
    #expect(try watch.nextLine()?.hasSuffix("Music is now called Jazz") == true)
    try daemon.kill()
    daemon = try RunningDaemon(home)
    try home.crate("rename", "Jazz", "Blues")
    #expect(try watch.nextLine()?.hasSuffix("Jazz is now called Blues") == true)
    watch.signal(SIGTERM)
    _ = try watch.end()
    try daemon.stop()
  }
}
