import TestSupport
import Testing

/// The layout of ARCHITECTURE.md. A line here changes together with a decision note.
@Suite("Floors", .limited)
struct FloorTests {
  /// From which folders of Sources a module may import, by its own.
  static let floors: [String: Set<String>] = [
    "C": [],
    "Base": ["C"],
    "Model": ["Base", "C"],
    "Wire": ["Base", "C"],
    "Reader": ["Model", "Base", "C"],
    "Daemon": ["Reader", "Wire", "Model", "Base", "C"],
    "Command": ["Wire", "Base", "C"],
    "Demo": ["Base"],
  ]
  /// Which modules import from their own floor, and what.
  static let neighbours: [String: Set<String>] = [
    "Arguments": ["Text"],
    "VarlinkClient": ["CratesInterface"],
    "crate-tag-reader": ["TagReading"],
    "DaemonCore": [
      "FolderWatching", "LibraryIndex", "LibraryStore", "Playlists", "Settings", "VarlinkServer",
    ],
    "crated": ["DaemonCore", "Settings"],
    "Browsing": ["Terminal"],
    "crate": ["Browsing", "ImportedLists", "Terminal"],
    "demo-music": ["DemoMusic"],
  ]
  /// What knows no system: a rule that needs it is in the wrong module.
  static let pure: Set<String> = [
    "Arguments", "Browsing", "Choosing", "CratesInterface", "LibraryModel", "Terminal", "Text",
  ]
  /// Libraries of others, and the only module that knows each.
  static let libraries = [
    "CSQLite": "Databases", "CUnicode": "Text", "NIOCore": "VarlinkServer",
    "NIOPosix": "VarlinkServer", "CTagShim": "crate-tag-reader", "CPictures": "crate-tag-reader",
  ]
  /// Modules that all may import who need them: Decision 11 has LibraryModel keep summaries, which
  /// threads share.
  static let common: Set<String> = ["Logging", "Glibc", "Synchronization"]

  /// The floor of each module.
  let places = Dictionary(
    uniqueKeysWithValues: Repository.names(in: "Sources").flatMap { floor in
      Repository.names(in: "Sources/\(floor)").map { ($0, floor) }
    })
  let files = Repository.swiftFiles.filter { !$0.isTest }

  @Test("A module imports from the floors below, and on its own only what the table names")
  func floors() throws {
    for file in files {
      let floor = try #require(places[file.target], "\(file.path)")
      let below = try #require(Self.floors[floor], "\(floor)")
      for (line, module) in imports(of: file) where !Self.common.contains(module) {
        let isAllowed =
          Self.neighbours[file.target]?.contains(module) == true
          || Self.libraries[module] == file.target
          || places[module].map { below.contains($0) && Self.libraries[module] == nil } == true
        if !isAllowed {
          Issue.record("\(file.path):\(line): \(file.target) may not import \(module)")
        }
      }
    }
  }

  @Test("What is pure knows no system")
  func pureModules() {
    for file in files where Self.pure.contains(file.target) {
      #expect(!imports(of: file).contains { $0.module == "Glibc" }, "\(file.path)")
    }
  }

  @Test("Package.swift names what a module imports, and nothing else")
  func manifest() throws {
    let package = try #require(Repository.text("Package.swift"))
    let call = /(?:module|program)\(\s*"([\w-]+)", in: "\w+"(?:,\s*needs:\s*"+([^"]*)"+)?/
    let needs = Dictionary(
      uniqueKeysWithValues: package.matches(of: call).map { match in
        (String(match.1), Set((match.2 ?? "").split { !$0.isLetter && $0 != "-" }.map(String.init)))
      })
    for (module, files) in Dictionary(grouping: files, by: \.target) {
      let imported = Set(files.flatMap { imports(of: $0).map(\.module) })
      #expect(
        needs[module] == imported.subtracting(["Glibc", "Synchronization"]),
        "what \(module) needs")
    }
  }

  @Test("No two files of Sources have the same name")
  func names() {
    for (name, files) in Dictionary(grouping: files, by: { $0.path.split(separator: "/").last }) {
      #expect(files.count == 1, "\(name ?? ""): \(files.map(\.path))")
    }
  }

  @Test("What imports Testing is a test target: a build of the programs has no Testing")
  func testTargets() {
    for file in files {
      #expect(!imports(of: file).contains { $0.module == "Testing" }, "\(file.path)")
    }
  }

  private func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    let pattern = /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:\w+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    return file.codeLines.enumerated().compactMap { index, line in
      line.firstMatch(of: pattern).map { (index + 1, String($0.1)) }
    }
  }
}
