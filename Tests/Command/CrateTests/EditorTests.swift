import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The real `crate edit` against a small library, with editors that are small scripts.
@Suite("The person's editor", .limited)
struct EditorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func script(_ path: String, _ text: String, mode: mode_t = 0o700) throws {
    try folder.write("#!/bin/sh\n\(text)\n", to: path)
    chmod(folder.path(path), mode)
  }

  /// What a terminal shows of an edit without any EDITOR, where programs lie in these folders.
  private func shown(_ folders: [String], status: Int32 = 0) throws -> String {
    try CommandFixture().shown(
      "edit",
      environment: [
        "PATH": folders.map { folder.path($0) }.joined(separator: ":"),
        "XDG_STATE_HOME": folder.path("state"),
      ], status: status)
  }

  @Test("Where none is set it is the system's, whose names are looked for one by one")
  func usual() throws {
    for (name, path) in [
      ("vi", "a/vi"), ("editor", "b/editor"), ("sensible-editor", "c/sensible-editor"),
    ] {
      try script(path, "echo \(name) ran; : >\"$1\"")
    }
    try script("d/sensible-editor", "echo no program", mode: 0o600)
    try folder.makeFolder("e")
    let unchanged = "nothing to do: the text was not changed\n"
    for (folders, name) in [
      (["a"], "vi"), (["a", "b"], "editor"), (["a", "b", "c"], "sensible-editor"),
      (["d", "a"], "vi"), (["e", "b"], "editor"),
    ] {
      #expect(try shown(folders) == "\(name) ran\n\(unchanged)", "\(folders)")
    }
    let said = "crate: no editor is known; set EDITOR, such as EDITOR=nano\n"
    #expect(try shown(["e", "d"], status: 64) == said)
    // Nobody sees an editor that nobody named.
    let outcome = try CommandFixture().run(
      "edit", environment: ["PATH=\(folder.path("a"))", "XDG_STATE_HOME=\(folder.path("state"))"])
    #expect(outcome == .init(status: 64, output: "", errors: said))
  }

  /// Runs a line of a shell's on a terminal, with `$CRATE` and these settings.
  private func terminal(
    _ line: String, _ settings: [String: String], _ fixture: CommandFixture
  ) throws -> PseudoTerminal {
    let usual = [
      "PATH": "/usr/bin:/bin", "TERM": "xterm", "NO_COLOR": "1",
      "XDG_STATE_HOME": folder.path("state"), "CRATE": try CommandFixture.program,
      "SOCKET": fixture.socket,
    ]
    return try PseudoTerminal(
      "/bin/sh", ["-c", line], environment: usual.merging(settings) { $1 })
  }

  @Test("It has the terminal also where what crate prints goes to a file")
  func redirected() throws {
    let fixture = try CommandFixture()
    let file = folder.path("printed")
    let terminal = try terminal(
      "exec \"$CRATE\" edit --socket \"$SOCKET\" >'\(file)'", ["EDITOR": "echo seen; cp /dev/null"],
      fixture)
    #expect(try terminal.end() == 0)
    #expect(String(decoding: terminal.shown, as: UTF8.self) == "seen\r\n")
    #expect(
      String(decoding: try readFile(file), as: UTF8.self)
        == "nothing to do: the text was not changed\n")
  }

  @Test(
    "One that returns at once may have a window open: its text is kept, and how it waits is told")
  func forking() throws {
    // It starts another program, as gedit and code do, and is over before that has read the text.
    try script("window", "echo mine >>\"$1\"")
    for (editor, isKept) in [("true", true), ("cp /dev/null", false)] {
      let fixture = try CommandFixture()
      func edit() throws -> (CommandFixture.Outcome, took: Int64) {
        let begun = Clock.system.monotonic()
        let outcome = try fixture.run(
          "edit", environment: ["EDITOR=\(editor)", "XDG_STATE_HOME=\(folder.path("state"))"])
        return (outcome, Clock.system.monotonic() - begun)
      }
      var (outcome, took) = try edit()
      // A busy machine takes its time over an editor that does nothing.
      while isKept, outcome.errors == "", took > 2_000_000_000 { (outcome, took) = try edit() }
      #expect(outcome.status == 0)
      #expect(outcome.output == "nothing to do: the text was not changed\n")
      let texts = try names(in: folder.path("state/crated"))
      #expect(texts.count == (isKept ? 1 : 0), "\(editor)")
      guard isKept else {
        #expect(outcome.errors == "", "\(editor)")
        continue
      }
      let text = folder.path("state/crated/\(try #require(texts.first))")
      #expect(
        outcome.errors
          == "crate: the editor returned at once; if its window is still open, use one that waits,"
          + " such as EDITOR='code --wait'; the text is kept; go on with: crate edit --from"
          + " \(text)\n")
      // What is written in the window is not lost.
      try run(folder.path("window"), [text])
      _ = try fixture.run(
        "edit", "--from", text, environment: ["XDG_STATE_HOME=\(folder.path("state"))"])
      guard case .applyText(let applied, _, _, _, _, _, _, _) = try #require(fixture.changes.last)
      else { throw Unexpected() }
      #expect(applied.hasSuffix("mine\n"))
      #expect(try names(in: folder.path("state/crated")) == [])
    }
  }

  private struct Unexpected: Error {}

  @Test("One that is several commands runs as it is written")
  func commands() throws {
    try script("last", "echo ran")
    for editor in ["true;\(folder.path("last"))", "true; \(folder.path("last"))"] {
      let outcome = try CommandFixture().run(
        "edit", environment: ["EDITOR=\(editor)", "XDG_STATE_HOME=\(folder.path("state"))"])
      #expect(outcome.output == "ran\nnothing to do: the text was not changed\n", "\(editor)")
    }
  }

  @Test("Whoever mends a text finds the line that was refused, as often as it is")
  func refused() throws {
    let error = InterfaceError.editRejected(line: 7, reason: "it says nothing")
    let fixture = try CommandFixture(refusing: error)
    try script(
      "vi",
      """
      for file; do :; done
      echo "$# $1" | sed 's/ .*crates$/ FILE/' >>'\(folder.path("calls"))'
      echo "crate B" >>"$file"
      """)
    let terminal = try terminal(
      "exec \"$CRATE\" edit --socket \"$SOCKET\"", ["EDITOR": folder.path("vi")], fixture)
    let question = "Edit it again? [Y/n] "
    for answer in ["\n", "y\n", "n\n"] {
      try terminal.wait(for: question)
      terminal.forget()
      terminal.type(answer)
    }
    #expect(try terminal.end() == 1 << 8)
    let calls = String(decoding: try readFile(folder.path("calls")), as: UTF8.self)
    #expect(calls == "1 FILE\n2 +7\n2 +7\n")
    let said = String(decoding: terminal.shown, as: UTF8.self)
    #expect(said.contains("crate: \(error.message); the text is kept; go on with: "), "\(said)")
    let texts = fixture.changes.compactMap { call in
      if case .applyText(let text, _, _, _, _, _, _, _) = call { text } else { nil }
    }
    #expect(texts.map { $0.split(separator: "\n").count { $0 == "crate B" } } == [1, 2, 3])
  }

  @Test("A text that is emptied when it was refused is left at that")
  func emptied() throws {
    try script(
      "ed",
      "test -e '\(folder.path("once"))' && : >\"$1\" && exit\n"
        + "echo crate B >>\"$1\"; : >'\(folder.path("once"))'")
    let fixture = try CommandFixture(
      refusing: .editRejected(line: 1, reason: "x"))
    let terminal = try terminal(
      "exec \"$CRATE\" edit --socket \"$SOCKET\"", ["EDITOR": folder.path("ed")], fixture)
    try terminal.wait(for: "Edit it again? [Y/n] ")
    terminal.type("\n")
    #expect(try terminal.end() == 1 << 8)
    #expect(String(decoding: terminal.shown, as: UTF8.self).hasSuffix("nothing was changed\r\n"))
    #expect(try names(in: folder.path("state/crated")) == [])
  }
}
