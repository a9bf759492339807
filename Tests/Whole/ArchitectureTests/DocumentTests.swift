import TestSupport
import Testing

@Suite("Documents", .limited)
struct DocumentTests {
  /// The keys, as the enumeration in the sources writes them.
  func settingsKeys() throws -> [String] {
    let source = try #require(Repository.text("Sources/Daemon/Settings/Settings.swift"))
    let body = try #require(source.firstMatch(of: /enum Key[^{]*\{([^}]*)\}/)?.1)
    return body.matches(of: /case (\w+)(?: = "(\w+)")?/).map { String($0.2 ?? $0.1) }
  }

  @Test("ARCHITECTURE.md names every module, and every floor")
  func folders() throws {
    let text = try #require(Repository.text("ARCHITECTURE.md"))
    for floor in Repository.names(in: "Sources") {
      for name in Repository.names(in: "Sources/\(floor)") + [floor] {
        #expect(text.contains("`\(name)`"), "\(name)")
      }
    }
  }

  @Test("The example and the manual page name every settings key")
  func keys() throws {
    let keys = try settingsKeys()
    #expect(keys.count == 12)
    let example = try #require(Repository.text("config.example.toml"))
    let page = try #require(Repository.text("Documentation/man/crated.toml.5"))
    for key in keys {
      #expect(example.contains("\n#\(key) = "), "\(key)")
      #expect(page.contains("\n.It Ic \(key) No = "), "\(key)")
    }
  }

  @Test("The document on the index tells the version that the index has")
  func indexVersion() throws {
    let source = try #require(Repository.text("Sources/Daemon/LibraryIndex/IndexSchema.swift"))
    let document = try #require(Repository.text("Documentation/index.md"))
    let version = try #require(source.firstMatch(of: /static let version = (\d+)/)?.1)
    #expect(document.contains("`PRAGMA user_version` is \(version)."))
  }

  @Test("A decision note has at most 60 lines, a number of its own, and four parts")
  func decisions() throws {
    let names = Repository.names(in: "Documentation/decisions")
    #expect(!names.isEmpty)
    for (index, name) in names.enumerated() {
      let number = String(index + 1)
      #expect(name.hasPrefix(String(repeating: "0", count: 4 - number.count) + number + "-"))
      let text = try #require(Repository.text("Documentation/decisions/\(name)"))
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(name)")
      #expect(text.contains("\n**Status:** "), "\(name) lacks its status")
      for part in ["## Context", "## Choice", "## Rejected", "## Consequences"] {
        #expect(text.contains("\n\(part)\n"), "\(name) lacks \(part)")
      }
    }
  }

  @Test("A document names no file of the repository that is not there")
  func references() {
    let documents =
      ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
      + Repository.names(in: "Documentation").filter { $0.hasSuffix(".md") }
      .map { "Documentation/\($0)" }
    let roots = "Sources|Tests|Documentation|scripts|systemd"
    let pattern = try? Regex("`((?:\(roots))/[A-Za-z0-9_./+-]+)`", as: (Substring, Substring).self)
    for document in documents {
      guard let pattern, let text = Repository.text(document) else {
        Issue.record("\(document) can't be read")
        continue
      }
      for match in text.matches(of: pattern) where !Repository.exists(String(match.1)) {
        Issue.record("\(document) names \(match.1)")
      }
    }
  }
}
