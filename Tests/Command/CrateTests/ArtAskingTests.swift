import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The real `crate art` on a terminal that is the test.
@Suite("Asking a terminal what it can show", .limited)
struct ArtAskingTests {
  private static let question = Array("\u{1B}[c".utf8)

  private func terminal(_ fixture: CommandFixture, _ line: String = "exec CRATE") throws
    -> PseudoTerminal
  {
    let art = "'\(try CommandFixture.program)' art 1979 --socket '\(fixture.socket)'"
    return try PseudoTerminal(
      "/bin/sh", ["-c", line.replacing("CRATE", with: art)],
      environment: [
        "PATH": "/usr/bin:/bin", "TERM": "xterm-256color",
      ])
  }

  private func answer(_ terminal: PseudoTerminal, _ text: String) {
    terminal.answers = { bytes in
      bytes.firstRange(of: Self.question) == nil ? [] : Array(text.utf8)
    }
  }

  @Test("It is as it was before, whether it answers, answers nothing, or the person ends it")
  func restored() throws {
    for (text, status) in [
      ("\u{1B}[?62;4c", 0), ("", 0), ("\u{1B}[?62", 0), ("\u{1B}_Gi=31\u{3}", SIGINT),
    ] as [(String, Int32)] {
      let fixture = try CommandFixture()
      let terminal = try terminal(fixture)
      answer(terminal, text)
      #expect(try terminal.end() == status, "\(text.debugDescription)")
      #expect(terminal.isRestored && terminal.shown.firstRange(of: Self.question) != nil)
      let isDrawn = terminal.shown.firstRange(of: Array("\u{1B}P0;1;0q".utf8)) != nil
      #expect(isDrawn == text.contains(";4c"))
      let hasBlocks = terminal.shown.firstRange(of: Array("▀".utf8)) != nil
      #expect(hasBlocks == (status == 0 && !isDrawn))
    }
  }

  @Test("It is asked nothing where somebody has typed ahead, or it is another's")
  func unasked() throws {
    for line in ["read x; exec CRATE", "exec CRATE </dev/null", "set -m; CRATE & wait"] {
      let fixture = try CommandFixture()
      let terminal = try terminal(fixture, line)
      if line.hasPrefix("read") { terminal.type("go\nmore\n") }
      #expect(try terminal.end() == 0)
      #expect(terminal.shown.firstRange(of: Self.question) == nil, "\(line)")
      #expect(terminal.shown.firstRange(of: Array("▀".utf8)) != nil)
    }
  }
}
