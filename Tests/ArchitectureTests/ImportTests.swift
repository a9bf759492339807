import TestSupport
import Testing

/// The layout of ARCHITECTURE.md: a target knows only what lies below it. A line here changes
/// together with a decision note.
@Suite("Imports", .limited)
struct ImportTests {
  /// What each target may import, beside the standard library's own modules.
  static let allowed: [String: Set<String>] = [
    // Floor.
    "Platform": ["CLinuxShims"],
    // Decision 16.
    "NameFolding": ["CUnicode"],
    // Decision 21.
    "Databases": ["CSQLite"],
    "TextEncodings": [],
    "Choosing": [],
    "TerminalScreen": [],
    // Pure: no system, no Foundation. Decision 11.
    "LibraryModel": ["CXXHash", "Choosing", "NameFolding", "Synchronization"],
    "CratesInterface": [],
    // Decision 17.
    "Arguments": ["NameFolding"],
    "TerminalPictures": ["TerminalScreen"],
    // Decision 23.
    "Browsing": ["Choosing", "NameFolding", "TerminalPictures", "TerminalScreen"],
    // Adapters; they never see each other.
    "FolderWatching": ["LibraryModel", "Platform", "CLinuxShims"],
    "ImportedLists": [
      "CratesInterface", "Databases", "NameFolding", "Platform", "TextEncodings",
    ],
    "LibraryIndex": ["Databases", "LibraryModel", "NameFolding", "Platform"],
    "LibraryStore": ["LibraryModel", "Platform", "CLinuxShims", "CXXHash"],
    "Players": ["CLinuxShims", "CratesInterface", "Platform"],
    // Decision 20.
    "Playlists": ["LibraryModel", "Platform", "CXXHash", "TextEncodings"],
    "Settings": ["LibraryModel", "NameFolding", "Platform"],
    "TagReading": ["LibraryModel", "Platform", "CLinuxShims"],
    "VarlinkClient": ["CratesInterface", "Platform", "CLinuxShims"],
    "VarlinkServer": [
      "CratesInterface", "Platform", "CLinuxShims", "Logging", "NIOCore", "NIOPosix",
    ],
    // Shell.
    "DaemonCore": [
      "CratesInterface", "FolderWatching", "LibraryIndex", "LibraryModel", "LibraryStore",
      "Platform", "Playlists", "Settings", "TagReading", "VarlinkServer", "Logging",
    ],
    // Programs. Decision 24.
    "crated": [
      "Arguments", "CLinuxShims", "CratesInterface", "DaemonCore", "LibraryModel", "Platform",
      "Settings", "VarlinkClient", "Logging",
    ],
    "crate": [
      "Arguments", "Browsing", "CLinuxShims", "Choosing", "CratesInterface", "ImportedLists",
      "NameFolding", "Platform", "Players", "TerminalPictures", "TerminalScreen",
      "VarlinkClient",
    ],
    "crate-tag-reader": [
      "CPictures", "CTagShim", "LibraryModel", "Platform", "TagReading", "CLinuxShims",
    ],
    // Music for a first look and for tests.
    "DemoMusic": [],
    "demo-music": ["DemoMusic", "Platform"],
  ]

  static let system: Set<String> = ["Glibc", "Synchronization"]
  /// A rule that needs the system is in the wrong target.
  static let pure: Set<String> = [
    "Arguments", "Browsing", "Choosing", "CratesInterface", "LibraryModel", "NameFolding",
    "TerminalPictures",
    "TerminalScreen",
    "TextEncodings",
  ]
  /// Written in C and C++.
  static let others: Set<String> = [
    "CJPEG", "CLinuxShims", "CPictures", "CPNG", "CSQLite", "CTagLib", "CTagShim", "CUnicode",
    "CXXHash",
  ]

  @Test("Every folder of Sources has a line in the table")
  func complete() {
    let unknown = Repository.names(in: "Sources").filter {
      Self.allowed[$0] == nil && !Self.others.contains($0)
    }
    #expect(unknown.isEmpty)
  }

  @Test("A target imports only what the table allows")
  func table() {
    for file in Repository.swiftFiles where !file.isTest {
      var allowed = Self.allowed[file.target] ?? []
      if !Self.pure.contains(file.target) { allowed.formUnion(Self.system) }
      for (line, module) in imports(of: file) where !allowed.contains(module) {
        Issue.record("\(file.path):\(line): \(file.target) may not import \(module)")
      }
    }
  }

  @Test(
    "A library of others is known to one target",
    arguments: [
      ("CSQLite", ["Databases"]), ("NIO", ["VarlinkServer"]),
      ("CTagShim", ["crate-tag-reader"]), ("CPictures", ["crate-tag-reader"]),
      // 40 MB more, and later starts.
      ("Foundation", []),
    ])
  func confined(module: String, targets: [String]) {
    for (target, modules) in Self.allowed where !targets.contains(target) {
      #expect(!modules.contains { $0.hasPrefix(module) }, "\(target) knows \(module)")
    }
    for file in Repository.swiftFiles where !file.isTest && !targets.contains(file.target) {
      #expect(!imports(of: file).contains { $0.module.hasPrefix(module) }, "\(file.path)")
    }
  }

  @Test("What imports Testing is a test target: a build of the programs has no Testing")
  func testTargets() throws {
    let package = try #require(Repository.text("Package.swift"))
    let targets = Set(package.matches(of: /\.testTarget\(\s*name: "(\w+)"/).map { String($0.1) })
    #expect(targets.contains("ArchitectureTests"))
    for file in Repository.swiftFiles
    where imports(of: file).contains(where: { $0.module == "Testing" }) {
      #expect(targets.contains(file.target), "\(file.path)")
    }
  }

  private func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    let pattern = /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:\w+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    return file.codeLines.enumerated().compactMap { index, line in
      line.firstMatch(of: pattern).map { (index + 1, String($0.1)) }
    }
  }
}
