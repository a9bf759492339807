import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The browser in a terminal that is the test, with a small library for a daemon.
@Suite("Browsing a small library", .serialized, .limited)
struct BrowsedLibraryTests {
  private let state: TemporaryFolder

  init() throws { state = try TemporaryFolder() }

  private func fixture(isStuck: Bool = false) throws -> CommandFixture {
    var library = FakeLibrary()
    (library.isWatched, library.isStuck) = (true, isStuck)
    for place in library.albums.indices { library.albums[place].cover = "c\(place)" }
    return try CommandFixture(library)
  }

  private func browse(
    _ fixture: CommandFixture, _ arguments: String..., answers: String = "\u{1B}[?62c"
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      try CommandFixture.program, ["browse", "--socket", fixture.socket] + arguments,
      environment: [
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": state.path,
        "PATH": "/usr/bin:/bin",
      ])
    let (question, ready) = (Array("\u{1B}[c".utf8), Array("\u{1B}[5n".utf8))
    terminal.answers = { bytes in
      let taken = bytes.firstRange(of: ready) == nil ? "" : "\u{1B}[0n"
      return Array(((bytes.firstRange(of: question) == nil ? "" : answers) + taken).utf8)
    }
    return terminal
  }

  private func end(_ terminal: PseudoTerminal) throws {
    terminal.type("q")
    #expect(try terminal.end() == 0)
    #expect(terminal.isRestored)
  }

  /// The sides that covers were asked for with.
  private func sides(_ fixture: CommandFixture) -> Set<Int> {
    Set(
      fixture.changes.compactMap {
        if case .thumbnails(_, let side, nil) = $0 { side } else { nil }
      })
  }

  @Test(
    "A cover comes without a key, as what the terminal can show",
    arguments: [
      ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c", "\u{1B}_Ga=p,"),
      ("\u{1B}[?62;4c", "\u{1B}P0;1;0q"), ("\u{1B}[?62c", "▀"),
    ])
  func covers(answers: String, sign: String) throws {
    let fixture = try fixture()
    let terminal = try browse(fixture, answers: answers)
    try terminal.wait(for: sign)
    #expect(!sides(fixture).isEmpty)
    // Painted anew, it is sent anew.
    terminal.forget()
    terminal.type("\u{C}")
    try terminal.wait(for: sign)
    try end(terminal)
  }

  @Test("What the person says of covers counts, whatever the terminal answers")
  func chosen() throws {
    for (way, sign) in [("kitty", "\u{1B}_Ga=p,"), ("sixel", "\u{1B}P0;1;0q"), ("blocks", "▀")] {
      let fixture = try fixture()
      let terminal = try browse(fixture, "--covers", way)
      try terminal.wait(for: sign)
      try end(terminal)
    }
    let fixture = try fixture()
    let terminal = try browse(fixture, "--covers", "none", "--plain")
    try terminal.wait(for: "Kind of Blue")
    try end(terminal)
    #expect(sides(fixture).isEmpty)
  }

  @Test("In a window of another size all is painted anew, as far as there is room")
  func resized() throws {
    let fixture = try fixture()
    let terminal = try browse(fixture)
    try terminal.wait(for: "Greatest Hits")
    terminal.forget()
    terminal.resize(columns: 60, rows: 20)
    try terminal.wait(for: "\u{1B}[2J")
    terminal.forget()
    terminal.type("\u{C}")
    try terminal.wait(for: "Greatest Hits")
    try terminal.wait(for: "\u{1B}[20;")
    let text = String(decoding: terminal.shown, as: UTF8.self)
    let rows = text.matches(of: /\u{1B}\[(\d+);(\d+)H/).compactMap { Int($0.1) }
    #expect(rows.max() == 20)
    try end(terminal)
  }

  @Test("An escape key is one when nothing follows it, and what is moved is asked for")
  func escape() throws {
    let fixture = try fixture()
    let terminal = try browse(fixture)
    try terminal.wait(for: "Someone")
    terminal.type("?")
    try terminal.wait(for: "narrow the list")
    terminal.type("\u{1B}")
    terminal.forget()
    try terminal.wait(for: "Greatest Hits")
    terminal.type("J")
    let end = Patience.end
    while !fixture.changes.contains(where: { if case .moveAlbums = $0 { true } else { false } }) {
      try #require(Clock.system.monotonic() < end)
      terminal.read()
    }
    try self.end(terminal)
  }

  @Test("What is on its way at the end is waited for")
  func answered() throws {
    let fixture = try fixture()
    for keys in ["Jq", "JtJq"] {
      let terminal = try browse(fixture)
      try terminal.wait(for: "Someone")
      terminal.type(keys)
      #expect(try terminal.end() == 0, "\(keys)")
      #expect(!String(decoding: terminal.shown, as: UTF8.self).contains("may not have been made"))
    }
    #expect(fixture.changes.contains { if case .moveAlbums = $0 { true } else { false } })
  }

  @Test("What was on its way at the end, and never answered, may not have been made")
  func unanswered() throws {
    let fixture = try fixture(isStuck: true)
    let terminal = try browse(fixture)
    try terminal.wait(for: "Someone")
    terminal.type("Jq")
    #expect(try terminal.end() >> 8 == 75)
    let text = String(decoding: terminal.shown, as: UTF8.self)
    #expect(text.hasSuffix("crate: 1 change may not have been made\r\n"))
    #expect(terminal.isRestored)
  }

  @Test(
    "However it ends, it opens where the person was", arguments: [SIGTERM, SIGHUP, SIGINT, 0])
  func remembered(signal: Int32) throws {
    let fixture = try fixture()
    let terminal = try browse(fixture)
    try terminal.wait(for: "Greatest Hits")
    terminal.forget()
    terminal.type("3")
    try terminal.wait(for: "Jazz Club")
    if signal == 0 { terminal.type("q") } else { kill(terminal.process, signal) }
    #expect(try terminal.end() & 0x7F == signal)
    #expect(terminal.isRestored)
    let again = try browse(fixture)
    try again.wait(for: "Jazz Club")
    #expect(!String(decoding: again.shown, as: UTF8.self).contains("Kind of Blue"))
    try end(again)
  }
}
