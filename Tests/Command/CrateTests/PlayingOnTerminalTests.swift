import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The real `crate play`, whose player is a small script that says what it has.
@Suite("Players that are steered by the keyboard", .limited)
struct PlayingOnTerminalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a line of a shell's on a terminal; what it shows, and how often the player ran.
  private func played(_ player: String, _ line: String) throws -> (shown: String, runs: Int) {
    try folder.write("#!/bin/sh\necho ran >>'\(folder.path("runs"))'\necho it plays\n", to: player)
    chmod(folder.path(player), 0o700)
    try folder.write("", to: "runs")
    var library = FakeLibrary()
    library.player = "\(folder.path(player)) {}"
    let fixture = try CommandFixture(library)
    let play = "'\(try CommandFixture.program)' play 1979 --socket '\(fixture.socket)'"
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", line.replacing("PLAY", with: play)],
      environment: ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path])
    #expect(try terminal.end() == 0)
    return (
      String(decoding: terminal.shown, as: UTF8.self).replacing("\r\n", with: "\n"),
      try readFile(folder.path("runs")).count { $0 == UInt8(ascii: "\n") }
    )
  }

  @Test("mpv has the terminal where somebody looks, and other players are apart from it")
  func terminals() throws {
    let told = "plays 3 songs (3:05)\n"
    for (player, line, shown) in [
      ("mpv", "exec PLAY", "mpv \(told)it plays\n"), ("player", "exec PLAY", "player \(told)"),
      ("mpv", "exec PLAY </dev/null", "mpv \(told)"), ("mpv", "PLAY | cat", "mpv \(told)"),
      ("mpv", "exec PLAY --json >/dev/null", ""),
    ] {
      let found = try played(player, line)
      #expect(found.shown == shown && found.runs == 1, "\(player) \(line): \(found)")
    }
    let object = try played("mpv", "exec PLAY --json")
    #expect(object.shown.hasPrefix("{\"") && !object.shown.contains("it plays"))
  }
}
