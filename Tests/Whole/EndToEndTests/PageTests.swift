import ProgramSupport
import TestSupport
import Testing

/// What the pages for users tell them to type.
@Suite("The pages", .limited)
struct PageTests {
  /// The pages, by their names, with the README.
  private func pages() throws -> [(name: String, text: String)] {
    let users = "Documentation/users"
    let names =
      try names(in: Repository.path(users)).map { "\(users)/\($0)" }
      + ["README.md", "Documentation/README.md"]
    return try names.map { name in
      (name, String(decoding: try readFile(Repository.path(name)), as: UTF8.self))
    }
  }

  @Test("The commands that they show exist, with their options")
  func commands() throws {
    var helps: [String: String] = [:]
    var count = 0
    let shown = /(?:^ {4}(?:\$ )?|`|\| )(crated?) ([a-z]+)((?: [^`|\n]*)?)/
      .anchorsMatchLineEndings()
    for page in try pages() {
      for match in page.text.matches(of: shown) {
        let command = "\(match.1) \(match.2)"
        if helps[command] == nil {
          let help = try run(
            Home.program(String(match.1)), [String(match.2), "--help"], environment: [:])
          helps[command] = help.status == 0 ? help.output : ""
        }
        let help = try #require(helps[command])
        #expect(help != "", "\(page.name): there is no \(command)")
        // `-live` leaves a word out of a search.
        for option in match.3.matches(of: /(?:^| )(--[a-z-]+|-[a-z])(?![a-z])/) {
          #expect(help.contains("\(option.1)"), "\(page.name): \(command) has no \(option.1)")
        }
        count += 1
      }
    }
    #expect(count > 100)
  }

  @Test("The goals of make that they show exist")
  func goals() throws {
    let makefile = String(decoding: try readFile(Repository.path("Makefile")), as: UTF8.self)
    var count = 0
    for page in try pages() {
      for match in page.text.matches(
        of: /(?:^ {4}|`)make ([a-z-]+)/.anchorsMatchLineEndings())
      {
        #expect(makefile.contains("\n\(match.1):"), "\(page.name): make \(match.1)")
        count += 1
      }
    }
    #expect(count > 5)
  }
}
