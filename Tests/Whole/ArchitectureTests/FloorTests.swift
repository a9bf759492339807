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
    "OrderFormat": ["Text"],
    "Players": ["CratesInterface"],
    "VarlinkClient": ["CratesInterface"],
    "crate-tag-reader": ["TagReading"],
    "DaemonCore": [
      "FolderWatching", "LibraryIndex", "LibraryStore", "Machines", "Playlists", "Settings",
      "VarlinkServer",
    ],
    "Machines": ["LibraryStore"],
    "WebServer": ["VarlinkServer"],
    "crated": ["DaemonCore", "Settings", "VarlinkServer", "WebServer"],
    "Browsing": ["Terminal"],
    "crate": ["Browsing", "ImportedLists", "Terminal"],
    "SharedOrder": ["LibraryModel"],
    "demo-music": ["DemoMusic"],
  ]
  /// Modules without access to the system. A rule that needs it is in the wrong module.
  static let pure: Set<String> = [
    "Arguments", "Browsing", "CratesInterface", "LibraryModel", "OrderFormat", "Ordering",
    "SharedOrder", "Terminal", "Text",
  ]
  /// What gives access to the system, or shares values between threads.
  static let system: Set<String> = [
    "CLinuxShims", "Databases", "Glibc", "Platform", "Synchronization",
  ]
  /// Libraries of others, and the modules that know each.
  static let libraries: [String: Set<String>] = [
    "CSQLite": ["Databases"], "CUnicode": ["Text"], "CTagShim": ["crate-tag-reader"],
    "CPictures": ["crate-tag-reader"], "CGzip": ["WebServer"],
    "CExpat": ["ImportedLists"],
    "NIOCore": ["VarlinkServer", "WebServer"], "NIOPosix": ["VarlinkServer", "WebServer"],
    "NIOHTTP1": ["WebServer"],
    "Logging": ["DaemonCore", "VarlinkServer", "WebServer", "crated"],
  ]
  /// The standard library's own modules, which Package.swift does not name.
  static let common: Set<String> = ["Glibc", "Synchronization"]

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
          Self.libraries[module].map { $0.contains(file.target) }
          ?? (Self.neighbours[file.target]?.contains(module) == true
            || places[module].map(below.contains) == true)
        if !isAllowed {
          Issue.record("\(file.path):\(line): \(file.target) may not import \(module)")
        }
      }
    }
  }

  @Test("What is pure knows no system")
  func pureModules() {
    for file in files where Self.pure.contains(file.target) {
      for (line, module) in imports(of: file) where Self.system.contains(module) {
        // Locks around what albums keep (decision 11).
        if file.target == "LibraryModel" && module == "Synchronization" { continue }
        Issue.record("\(file.path):\(line): \(file.target) may not import \(module)")
      }
    }
  }

  @Test("Package.swift names what a module imports, and nothing else")
  func manifest() throws {
    let package = try #require(Repository.text("Package.swift"))
    let call = /(?:module|program)\(\s*"([\w-]+)", in: "\w+"(?:,\s*needs:\s*"+([^"]*)"+)?/
    let needs = Dictionary(
      uniqueKeysWithValues: package.matches(of: call).map { match in
        let words = (match.2 ?? "").split { !$0.isLetter && !$0.isNumber && $0 != "-" }
        return (String(match.1), Set(words.map(String.init)))
      })
    for (module, files) in Dictionary(grouping: files, by: \.target) {
      let imported = Set(files.flatMap { imports(of: $0).map(\.module) })
      #expect(
        needs[module] == imported.subtracting(Self.common),
        "what \(module) needs")
    }
  }

  @Test("The daemon has Unix sockets alone; only the window listens to a network")
  func network() {
    let allowed = [
      "Sources/Daemon/WebServer/Serving/ListeningSocket.swift",
      "Sources/Daemon/WebServer/WebEscapeTrial.swift",
      // Read addresses, and open nothing.
      "Sources/Daemon/WebServer/Door/HostRule.swift", "Sources/Daemon/Settings/WebAddress.swift",
    ]
    var found: Set<String> = []
    for file in files {
      for (number, line) in file.codeLines.enumerated()
      where line.contains(/\bAF_INET6?\b|\bsockaddr_in6?\b|\b(bind|connect)\(host:/) {
        found.insert(file.path)
        if !allowed.contains(file.path) {
          Issue.record("\(file.path):\(number + 1): a socket of the network")
        }
      }
    }
    #expect(found == Set(allowed))
  }

  @Test("No two files of Sources have the same name")
  func names() {
    for (name, files) in Dictionary(grouping: files, by: { $0.path.split(separator: "/").last }) {
      #expect(files.count == 1, "\(name ?? ""): \(files.map(\.path))")
    }
  }

  private func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    let pattern = /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:\w+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    return file.codeLines.enumerated().compactMap { index, line in
      line.firstMatch(of: pattern).map { (index + 1, String($0.1)) }
    }
  }
}
