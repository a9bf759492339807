import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The browser in terminals that are silent, slow or lie.
@Suite("Browsing in odd terminals", .serialized, .limited)
struct OddTerminalTests {
  private static let left = "\u{1B}[?1049l"

  private func browse(
    _ home: Home, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let state = home.folder.path("state")
    let settings = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": state]
      .merging(home.environment) { $1 }.merging(environment) { $1 }
    return try PseudoTerminal(
      try Home.program("crate"), ["browse"] + arguments, environment: settings)
  }

  private func library() throws -> (Home, RunningDaemon) {
    let home = try Home()
    try SmallLibrary.write(albums: 30, to: home.music)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    return (home, daemon)
  }

  @Test(
    "One that never answers gets all of it, and is as it was afterwards", arguments: ["q", "\u{3}"])
  func silent(key: String) throws {
    let (home, daemon) = try library()
    let terminal = try browse(home)
    try terminal.wait(for: "Album 9")
    try terminal.type("G\u{C}", until: "Album 0")
    terminal.type(key)
    #expect(try terminal.end() == 0)
    #expect(String(decoding: terminal.shown, as: UTF8.self).contains(Self.left))
    #expect(terminal.isRestored)
    try daemon.stop()
  }

  @Test("One that reads nothing makes it neither grow nor hang, and sees how it is then")
  func stuck() throws {
    let (home, daemon) = try library()
    let terminal = try browse(home)
    try terminal.wait(for: "Album 9")
    try terminal.type("G\u{C}", until: "Album 0")
    let before = try terminal.largestMemory
    // Each draws the whole screen anew. Keys that have no room any longer block nobody: their
    // buffer is the program's to empty.
    for _ in 0..<300 { terminal.type("G\u{C}g\u{C}") }
    let after = try terminal.largestMemory
    // Sanitizers keep what is given back for a while.
    #expect(isSanitized || after - before < 2_048, "\(before) and \(after) KiB")
    terminal.forget()
    terminal.type("G\u{C}")
    try terminal.wait(for: "Album 0")
    terminal.type("q")
    #expect(try terminal.end() == 0)
    #expect(terminal.isRestored)
    try daemon.stop()
  }

  @Test("A signal ends it at once in one that reads nothing", arguments: [SIGTERM, SIGHUP, SIGINT])
  func stuckAndEnded(signal: Int32) throws {
    let (home, daemon) = try library()
    let terminal = try browse(home)
    try terminal.wait(for: "Album 9")
    for _ in 0..<20 { terminal.type("Gg\u{C}") }
    kill(terminal.process, signal)
    let status = try terminal.end(reading: false)
    #expect(status & 0x7F == signal)
    #expect(terminal.isRestored)
    try daemon.stop()
  }

  @Test("One that says it knows kitty's pictures, sixels or nonsense is believed as far as is safe")
  func lying() throws {
    let (home, daemon) = try library()
    for answer in [
      "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c", "\u{1B}[?1;0;999999999S\u{1B}[6;0;65535t\u{1B}[?4;4c",
      "\u{1B}[6;1;1t\u{1B}[?62;4c\u{1B}[?62c",
      String(repeating: "\u{1B}[?9;9;9c\u{1B}P", count: 200),
    ] {
      let terminal = try browse(home)
      terminal.answers = { bytes in
        bytes.firstRange(of: Array("\u{1B}[c".utf8)) == nil ? [] : Array(answer.utf8)
      }
      try terminal.wait(for: "Album 9")
      try terminal.type("G\u{C}", until: "Album 0")
      terminal.type("\u{3}")
      #expect(try terminal.end() == 0)
      #expect(terminal.isRestored)
    }
    try daemon.stop()
  }

  @Test("The first write has the screen and the questions; nothing waits for an answer")
  func first() throws {
    let home = try Home()
    let terminal = try browse(home)
    try terminal.wait(for: "; trying again")
    let text = String(decoding: terminal.shown, as: UTF8.self)
    let entered = try #require(text.firstRange(of: "\u{1B}[?1049h"))
    let asked = try #require(text.firstRange(of: "\u{1B}[c"))
    let painted = try #require(text.firstRange(of: "? keys"))
    #expect(entered.lowerBound < painted.lowerBound && painted.lowerBound < asked.lowerBound)
    terminal.type("q")
    #expect(try terminal.end() == 0)
  }

  @Test("What the person says decides before any terminal answers")
  func options() throws {
    let home = try Home()
    for (words, isPlain, asks, hasMouse) in [
      (["--covers", "none"], false, false, true), (["--covers", "blocks"], false, true, true),
      (["--no-mouse"], false, true, false), (["--plain"], false, false, false),
      ([], true, false, false), ([], false, true, true),
    ] {
      let terminal = try browse(home, words, isPlain ? ["CRATED_PLAIN": "1"] : [:])
      try terminal.wait(for: "; trying again")
      func shows(_ text: String) -> Bool {
        terminal.shown.firstRange(of: Array(text.utf8)) != nil
      }
      #expect(shows("\u{1B}[c") == asks && shows("\u{1B}[?1002h") == hasMouse, "\(words)")
      // Beside the crates there is a line, which nobody reads aloud.
      #expect(shows("│") == (hasMouse || words == ["--no-mouse"]))
      terminal.type("q")
      #expect(try terminal.end() == 0)
    }
  }
}
