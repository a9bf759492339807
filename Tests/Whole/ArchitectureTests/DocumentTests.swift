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
    let document = try #require(Repository.text("Documentation/developers/database.md"))
    let version = try #require(source.firstMatch(of: /static let version = (\d+)/)?.1)
    #expect(document.contains("`PRAGMA user_version` is \(version)."))
  }

  @Test("A decision note has at most 60 lines, a number of its own, and four parts")
  func decisions() throws {
    let names = Repository.names(in: "Documentation/developers/decisions")
    #expect(!names.isEmpty)
    for (index, name) in names.enumerated() {
      let number = String(index + 1)
      #expect(name.hasPrefix(String(repeating: "0", count: 4 - number.count) + number + "-"))
      let text = try #require(Repository.text("Documentation/developers/decisions/\(name)"))
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(name)")
      #expect(text.contains("\n**Status:** "), "\(name) lacks its status")
      for part in ["## Context", "## Choice", "## Rejected", "## Consequences"] {
        #expect(text.contains("\n\(part)\n"), "\(name) lacks \(part)")
      }
    }
  }

  @Test("A document names no file of the repository that is not there, and links to none")
  func references() throws {
    let folders = ["", "/users", "/developers", "/developers/decisions"]
      .map { "Documentation\($0)" }
    let roots = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
    let documents =
      roots
      + folders.flatMap { folder in
        Repository.names(in: folder).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
      }
    #expect(documents.count > 50)
    for document in documents {
      let text = try #require(Repository.text(document))
      let folder = document.split(separator: "/").dropLast().joined(separator: "/")
      let names = text.matches(
        of: /`((?:Sources|Tests|Documentation|scripts|systemd)\/[A-Za-z0-9_.\/+-]+)`/
      ).map { String($0.1) }
      let links = text.matches(of: /\]\(([^)#: ]+)(?:#[^)]*)?\)/).map { "\(folder)/\($0.1)" }
      // A decision may name what was there when it was made.
      for path in (folder.hasSuffix("decisions") ? [] : names) + links
      where !Repository.exists(path) { Issue.record("\(document): there is no \(path)") }
    }
  }
}
