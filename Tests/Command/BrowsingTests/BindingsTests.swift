import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("The table of keys", .limited)
struct BindingsTests {
  @Test("No key does two things")
  func once() {
    let strokes = Bindings.rows.flatMap { $0.strokes.map(\.0) }
    #expect(Set(strokes).count == strokes.count)
  }

  @Test("The manual page has it")
  func manual() throws {
    let page = String(
      decoding: try readFile(Repository.path("Documentation/man/crate.1")), as: UTF8.self)
    for row in Bindings.rows { #expect(page.contains(Self.lines(row)), "\(Self.lines(row))") }
  }

  /// A row as mdoc(7) has it.
  static func lines(_ row: Bindings.Row) -> String {
    func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\e").replacing("^", with: "\\(ha")
        .replacing("'", with: "\\(aq")
    }
    let does = row.does.prefix(1).uppercased() + row.does.dropFirst()
    let also = row.also.isEmpty ? "" : "; also \(row.also)"
    return ".It Li \\&\(escaped(row.keys).replacing(" ", with: " \\&"))\n"
      + "\(escaped(does))\(escaped(also)).\n"
  }

  @Test("Help shows it")
  func help() {
    let lines = Session("A").browser.helpLines
    for row in Bindings.rows {
      #expect(lines.contains { $0.contains(row.keys) && $0.contains(row.does) })
    }
  }

  @Test("What was remembered is found again, and nonsense is nothing")
  func memory() {
    let crates = [
      (name: "Music", albums: ["A", "B", "C"]), (name: "Late night", albums: ["D", "E"]),
    ]
    var session = Session(crates)
    session.press("2 j w")
    let memory = session.browser.memory
    let again = Session(crates, memory: memory)
    #expect(again.list == "D [E]")
    #expect(again.browser.memory == memory)
    #expect(again.browser.isGallery)
    var random = SeededGenerator(usually: 3)
    for _ in 0..<500 {
      var bytes = Array(memory.utf8)
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      var odd = Session(crates, memory: String(decoding: bytes, as: UTF8.self))
      odd.press("j")
      #expect(odd.screen.joined().contains("A") || odd.screen.joined().contains("D"))
    }
  }

  @Test("What came since one looked is counted")
  func arrivals() {
    let crates = [(name: "Music", albums: ["A", "B"]), (name: "Jazz", albums: ["D"])]
    var session = Session(crates)
    session.happens(session.keeper.add("N1", to: "Jazz"))
    session.happens(session.keeper.add("N2", to: "Jazz"))
    session.settle()
    #expect(session.screen[3].contains("+2"))
    session.press("2 1")
    #expect(!session.screen[3].contains("+2"))
  }
}
