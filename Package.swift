// swift-tools-version: 6.1
import Glibc
import PackageDescription

// MARK: How modules are described

struct Module {
  enum Kind { case c, system, library, program, tests }

  let kind: Kind, name: String, path: String
  /// The modules that it imports.
  var needs: [String] = []
  /// Paths among its files that are not compiled.
  var excluded: [String] = []
  var pkgConfig: String?
  var links: [LinkerSetting] = []
  /// Folders whose files are compiled into the module as bytes.
  var embedded: [String] = []
  /// Whether it is built only where `CRATED_TARGETS` names it.
  var isExtra = false
}

func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

/// A library in `Sources/<floor>`, and its tests, which also need TestSupport and `tests`.
func module(
  _ name: String, in floor: String, needs: String = "", tests others: String = "",
  excluded: String = "", embedded: String = ""
) -> [Module] {
  [
    Module(
      kind: .library, name: name, path: "Sources/\(floor)/\(name)", needs: words(needs),
      embedded: words(embedded))
  ]
    + tests("\(name)Tests", in: floor, need: "\(name) \(others)", excluded: excluded)
}

/// A test target, or code that tests share. The latter is a test target, too, so that a build of the
/// programs leaves it out.
func tests(_ name: String, in floor: String, need: String, excluded: String = "") -> [Module] {
  [
    Module(
      kind: .tests, name: name, path: "Tests/\(floor)/\(name)",
      needs: words(need) + (name == "TestSupport" ? [] : ["TestSupport"]),
      excluded: words(excluded))
  ]
}

func program(_ name: String, in floor: String, needs: String) -> [Module] {
  [Module(kind: .program, name: name, path: "Sources/\(floor)/\(name)", needs: words(needs))]
}

func c(_ name: String, needs: String = "", links: [LinkerSetting] = []) -> [Module] {
  [Module(kind: .c, name: name, path: "Sources/C/\(name)", needs: words(needs), links: links)]
}

func benchmark(_ name: String, needs: String = "") -> [Module] {
  [
    Module(
      kind: .program, name: name, path: "Benchmarks/Targets/\(name)", needs: words(needs),
      isExtra: true)
  ]
}

/// A library of the system's.
func system(_ name: String, pkgConfig: String) -> [Module] {
  [Module(kind: .system, name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig)]
}

/// A library in its static form, with which programs need no library more to start. Fedora, Arch
/// and openSUSE have the shared one only.
func staticLibrary(_ name: String) -> LinkerSetting {
  let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)" }
  let isStatic = (folders + ["/usr/lib64", "/usr/lib", "/usr/local/lib"]).contains {
    access("\($0)/lib\(name).a", R_OK) == 0
  }
  return .linkedLibrary(isStatic ? ":lib\(name).a" : name)
}

// MARK: The modules

/// The modules that the fuzzer needs, and the tests of the inputs with which it begins.
let fuzzed = words(
  """
  CPictures CTagShim CratesInterface ImportedLists LibraryModel LibraryStore Logging NIOCore \
  NIOEmbedded NIOHTTP1 Platform Playlists Settings SharedOrder TagReading Terminal Text WebServer
  """)

let modules: [Module] = [
  c("CLinuxShims"),
  c("CXXHash"),
  c("CUnicode", links: [staticLibrary("utf8proc")]),
  c("CGzip", links: [staticLibrary("z")]),
  system("CExpat", pkgConfig: "expat"),
  system("CSQLite", pkgConfig: "sqlite3"),
  system("CTagLib", pkgConfig: "taglib"),
  c("CTagShim", needs: "CTagLib CXXHash"),
  system("CJPEG", pkgConfig: "libjpeg"),
  system("CPNG", pkgConfig: "libpng"),
  c("CPictures", needs: "CJPEG CPNG"),

  module("Platform", in: "Base", needs: "CLinuxShims"),
  module("Text", in: "Base", needs: "CUnicode"),
  module("Databases", in: "Base", needs: "CSQLite"),
  module("Ordering", in: "Base"),
  module("Arguments", in: "Base", needs: "Text"),
  module("OrderFormat", in: "Base", needs: "Text"),

  module(
    "LibraryModel", in: "Model", needs: "CXXHash Ordering Text",
    tests: "LibraryStore ModelSupport Text", excluded: "Scenarios/README.md Scenarios/Texts"),

  module(
    "SharedOrder", in: "Model", needs: "LibraryModel", tests: "ModelSupport"),

  module("CratesInterface", in: "Wire", needs: "Text"),
  module(
    "Players", in: "Wire", needs: "CLinuxShims CratesInterface Platform"),
  module("VarlinkClient", in: "Wire", needs: "CLinuxShims CratesInterface Platform"),

  module(
    "TagReading", in: "Reader", needs: "CLinuxShims LibraryModel Platform",
    tests: "crate-tag-reader reader-escape-trial"),
  [
    Module(
      kind: .program, name: "reader-escape-trial", path: "Tests/Reader/reader-escape-trial",
      needs: words("CLinuxShims LibraryModel Platform TagReading"))
  ],
  program(
    "crate-tag-reader", in: "Reader",
    needs: "CLinuxShims CPictures CTagShim Platform TagReading"),

  module(
    "FolderWatching", in: "Daemon", needs: "LibraryModel Platform"),
  module(
    "LibraryIndex", in: "Daemon", needs: "Databases LibraryModel Ordering Platform Text",
    tests: "ModelSupport"),
  module(
    "LibraryStore", in: "Daemon",
    needs: "CLinuxShims CXXHash LibraryModel OrderFormat Platform SharedOrder Text",
    tests: "ModelSupport", excluded: "Golden"),
  module(
    "Machines", in: "Daemon", needs: "LibraryModel LibraryStore Platform SharedOrder Text",
    tests: "ModelSupport"),
  module(
    "Playlists", in: "Daemon", needs: "CXXHash LibraryModel Platform Text", tests: "ModelSupport",
    excluded: "Golden"),
  module("Settings", in: "Daemon", needs: "LibraryModel Platform Text"),
  module(
    "VarlinkServer", in: "Daemon",
    needs: "CLinuxShims CratesInterface Logging NIOCore NIOPosix Platform",
    tests: "LogSupport VarlinkClient"),
  module(
    "WebServer", in: "Daemon",
    needs: """
      CGzip CLinuxShims CratesInterface Logging NIOCore NIOHTTP1 NIOPosix Platform Players \
      VarlinkClient VarlinkServer
      """, tests: "LogSupport VarlinkClient", embedded: "Page"),
  module(
    "DaemonCore", in: "Daemon",
    needs: """
      CratesInterface FolderWatching LibraryIndex LibraryModel LibraryStore Logging Machines \
      Platform Playlists Settings SharedOrder TagReading VarlinkServer
      """, tests: "LogSupport ModelSupport ProgramSupport VarlinkClient crate-tag-reader"),
  program(
    "crated", in: "Daemon",
    needs: """
      Arguments CLinuxShims CratesInterface DaemonCore LibraryModel Logging Platform Settings \
      VarlinkClient VarlinkServer WebServer
      """),

  module("Terminal", in: "Command", tests: "CratesInterface"),
  module(
    "Browsing", in: "Command", needs: "CratesInterface Ordering Terminal Text",
    tests: "ModelSupport", excluded: "Golden"),
  module(
    "ImportedLists", in: "Command",
    needs: "CExpat CratesInterface Databases OrderFormat Platform Text", tests: "LibraryStore",
    excluded: "Golden"),
  program(
    "crate", in: "Command",
    needs: """
      Arguments Browsing CLinuxShims CratesInterface ImportedLists Platform Players Terminal \
      Text VarlinkClient
      """),
  tests(
    "CrateTests", in: "Command",
    need: "ProgramSupport VarlinkServer crate crate-tag-reader crated demo-music",
    excluded: "Transcripts"),

  module("DemoMusic", in: "Demo"),
  program("demo-music", in: "Demo", needs: "DemoMusic Platform"),

  tests("TestSupport", in: "Support", need: "CLinuxShims DemoMusic Platform"),
  tests("ModelSupport", in: "Support", need: "LibraryModel"),
  tests("LogSupport", in: "Support", need: "Logging Platform"),
  tests("ProgramSupport", in: "Support", need: "CLinuxShims CratesInterface DemoMusic Platform"),
  tests("ArchitectureTests", in: "Whole", need: ""),
  tests(
    "EndToEndTests", in: "Whole",
    need: "LibraryStore ProgramSupport VarlinkClient crate crate-tag-reader crated demo-music"),

  [
    Module(kind: .tests, name: "FuzzTests", path: "Fuzz/Targets", needs: fuzzed + ["TestSupport"]),
    Module(
      kind: .program, name: "crated-fuzz", path: "Fuzz/Targets", needs: fuzzed,
      excluded: ["CorpusTests.swift"], isExtra: true),
  ],
  benchmark("bare-tag-loop", needs: "CTagLib CTagShim"),
  benchmark("bare-walk"),
  benchmark("echo-socket"),
  benchmark("empty-program"),
  benchmark(
    "microbenchmarks", needs: "CratesInterface DaemonCore LibraryIndex LibraryStore Platform"),
].flatMap { $0 }

// MARK: The package

/// The named modules and all that they need, directly or not.
func closure(_ names: [String]) -> Set<String> {
  var found: Set<String> = []
  var left = names
  while let name = left.popLast() {
    guard found.insert(name).inserted else { continue }
    left += modules.first { $0.name == name }?.needs ?? []
  }
  return found
}

let products = [
  "Logging": "swift-log", "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio",
  "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio",
]

/// `CRATED_TESTED=1` opens the modules to tests and benchmarks in a release build, too. A person who
/// builds a release with a newer compiler than ours, and with its warnings, still gets a program.
let isTested = Context.environment["CRATED_TESTED"] != nil
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  isTested
    ? .unsafeFlags(["-warnings-as-errors", "-enable-testing"])
    : .unsafeFlags(["-warnings-as-errors"], .when(configuration: .debug)),
]
/// Optimizing the tests would take longer than it saves.
let unoptimized: SwiftSetting = .unsafeFlags(["-Onone"])

/// `CRATED_TARGETS="SettingsTests"` makes the package these modules and what they need.
let asked = Context.environment["CRATED_TARGETS"].map(words)
for name in asked ?? [] where !modules.contains(where: { $0.name == name }) {
  fatalError("CRATED_TARGETS names \(name), which is no module of Package.swift")
}

extension Module {
  var target: Target {
    // Indirect needs, too: SwiftPM compiles a target anew only when a module that is named here
    // changes, but the layout of a type may depend on one behind it.
    let dependencies = closure(needs).sorted().map { need -> Target.Dependency in
      products[need].map { .product(name: need, package: $0) } ?? .byName(name: need)
    }
    switch kind {
    case .system:
      return .systemLibrary(name: name, path: path, pkgConfig: pkgConfig)
    case .c:
      return .target(name: name, dependencies: dependencies, path: path, linkerSettings: links)
    case .library:
      return .target(
        name: name, dependencies: dependencies, path: path,
        resources: embedded.map { .embedInCode($0) }, swiftSettings: strict)
    case .program:
      return .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: excluded,
        swiftSettings: strict)
    case .tests:
      return .testTarget(
        name: name, dependencies: dependencies, path: path, exclude: excluded,
        swiftSettings: strict + [unoptimized])
    }
  }
}

let built = closure(asked ?? modules.filter { !$0.isExtra }.map(\.name))
let libraries: [String: Package.Dependency] = [
  "swift-log": .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  "swift-nio": .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
]

let package = Package(
  name: "crated",
  dependencies: Set(built.compactMap { products[$0] }).sorted().compactMap { libraries[$0] },
  targets: modules.filter { built.contains($0.name) }.map(\.target),
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
