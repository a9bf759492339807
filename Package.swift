// swift-tools-version: 6.1
import Glibc
import PackageDescription

// Warnings stop a debug build, which is what the tests run; a person who builds a release with a
// newer compiler than ours still gets a program.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-warnings-as-errors"], .when(configuration: .debug)),
]
/// What most of the tests' time is spent in. Preconditions stay.
let fast = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// libutf8proc in its static form, with which `crate` needs no library more to start. Fedora, Arch
/// and openSUSE have the shared one only.
let normalizing: LinkerSetting = {
  let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)" }
  let isStatic = (folders + ["/usr/lib64", "/usr/lib", "/usr/local/lib"]).contains {
    access("\($0)/libutf8proc.a", R_OK) == 0
  }
  return .linkedLibrary(isStatic ? ":libutf8proc.a" : "utf8proc")
}()

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "crated",
  products: [
    .executable(name: "crated", targets: ["crated"]),
    .executable(name: "crate", targets: ["crate"]),
    .executable(name: "crate-tag-reader", targets: ["crate-tag-reader"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    // MARK: C

    // What the Glibc module hides.
    .target(name: "CLinuxShims"),
    // XXH3-128 from libxxhash, for audio digests, ids and the seal of a checkpoint.
    .target(name: "CXXHash"),
    // NFC and case folding from libutf8proc.
    .target(name: "CUnicode", linkerSettings: [normalizing]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CTagLib", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
    .target(name: "CTagShim", dependencies: ["CTagLib", "CXXHash"]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    // Decodes and shrinks covers.
    .target(name: "CPictures", dependencies: ["CJPEG", "CPNG"]),

    // MARK: Floor

    .target(name: "Platform", dependencies: ["CLinuxShims"], swiftSettings: strict),
    .testTarget(
      name: "PlatformTests", dependencies: ["Platform", "TestSupport"], swiftSettings: strict),

    .target(name: "NameFolding", dependencies: ["CUnicode"], swiftSettings: fast),
    .testTarget(
      name: "NameFoldingTests", dependencies: ["NameFolding", "TestSupport"], swiftSettings: fast),

    // What `LibraryIndex` and lists of other programs see SQLite through.
    .target(name: "Databases", dependencies: ["CSQLite"], swiftSettings: strict),
    .testTarget(
      name: "DatabasesTests", dependencies: ["Databases", "TestSupport"], swiftSettings: strict),

    .target(name: "TextEncodings", swiftSettings: fast),
    .testTarget(
      name: "TextEncodingsTests", dependencies: ["TestSupport", "TextEncodings"],
      swiftSettings: strict),

    .target(name: "Choosing", swiftSettings: fast),
    .testTarget(
      name: "ChoosingTests", dependencies: ["Choosing", "TestSupport"], swiftSettings: strict),

    .target(name: "TerminalScreen", swiftSettings: fast),
    .testTarget(
      name: "TerminalScreenTests",
      dependencies: ["CratesInterface", "TerminalScreen", "TestSupport"], swiftSettings: strict),

    // MARK: Pure

    .target(name: "Arguments", dependencies: ["NameFolding"], swiftSettings: strict),
    .testTarget(
      name: "ArgumentsTests", dependencies: ["Arguments", "TestSupport"], swiftSettings: strict),
    .target(
      name: "Browsing",
      dependencies: ["Choosing", "NameFolding", "TerminalPictures", "TerminalScreen"],
      swiftSettings: fast),
    .testTarget(
      name: "BrowsingTests",
      dependencies: [
        "Browsing", "Choosing", "LibraryModel", "TerminalPictures", "TerminalScreen",
        "TestSupport",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .target(
      name: "LibraryModel", dependencies: ["CXXHash", "Choosing", "NameFolding"],
      swiftSettings: fast),
    .testTarget(
      name: "LibraryModelTests",
      dependencies: ["Choosing", "LibraryModel", "LibraryStore", "NameFolding", "TestSupport"],
      exclude: ["Scenarios/README.md", "Scenarios/Texts"], swiftSettings: strict),
    .target(name: "CratesInterface", swiftSettings: strict),
    .testTarget(
      name: "CratesInterfaceTests", dependencies: ["CratesInterface", "TestSupport"],
      swiftSettings: strict),

    // Covers in terminals.
    .target(
      name: "TerminalPictures", dependencies: ["TerminalScreen"], swiftSettings: fast),
    .testTarget(
      name: "TerminalPicturesTests", dependencies: ["TerminalPictures", "TestSupport"],
      swiftSettings: fast),

    // MARK: Adapters

    .target(
      name: "FolderWatching", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      swiftSettings: fast),
    .testTarget(
      name: "FolderWatchingTests", dependencies: ["FolderWatching", "TestSupport"],
      swiftSettings: fast),
    .target(
      name: "ImportedLists",
      dependencies: ["CratesInterface", "Databases", "NameFolding", "Platform", "TextEncodings"],
      swiftSettings: fast),
    .testTarget(
      name: "ImportedListsTests",
      dependencies: [
        "CratesInterface", "Databases", "ImportedLists", "LibraryModel", "LibraryStore",
        "TestSupport",
      ],
      exclude: ["Golden"], swiftSettings: fast),
    .target(
      name: "LibraryIndex",
      dependencies: ["Databases", "LibraryModel", "NameFolding", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "LibraryIndexTests",
      dependencies: ["Databases", "LibraryIndex", "LibraryModel", "TestSupport"],
      swiftSettings: strict),
    .target(
      name: "LibraryStore", dependencies: ["CLinuxShims", "CXXHash", "LibraryModel", "Platform"],
      swiftSettings: fast),
    .testTarget(
      name: "LibraryStoreTests", dependencies: ["LibraryStore", "TestSupport"],
      exclude: ["Golden"],
      swiftSettings: fast),
    .target(
      name: "Playlists",
      dependencies: ["CXXHash", "LibraryModel", "Platform", "TextEncodings"],
      swiftSettings: strict),
    .testTarget(
      name: "PlaylistsTests",
      dependencies: ["LibraryModel", "Platform", "Playlists", "TestSupport"],
      exclude: ["Golden"], swiftSettings: strict),
    .target(
      name: "Settings", dependencies: ["LibraryModel", "NameFolding", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "SettingsTests", dependencies: ["Settings", "TestSupport"], swiftSettings: strict),
    .target(
      name: "TagReading", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "TagReadingTests",
      dependencies: [
        "CLinuxShims", "DemoMusic", "LibraryModel", "Platform", "TagReading", "TestSupport",
        "crate-tag-reader",
      ], swiftSettings: strict),
    .target(
      name: "VarlinkClient", dependencies: ["CLinuxShims", "CratesInterface", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "VarlinkClientTests",
      dependencies: ["CratesInterface", "Platform", "TestSupport", "VarlinkClient"],
      swiftSettings: strict),
    .target(
      name: "Players", dependencies: ["CLinuxShims", "CratesInterface", "Platform"],
      swiftSettings: strict),
    .testTarget(
      name: "PlayersTests",
      dependencies: ["CratesInterface", "Platform", "Players", "TestSupport"],
      swiftSettings: strict),
    .target(
      name: "VarlinkServer",
      dependencies: [
        "CLinuxShims", "CratesInterface", "Platform", logging,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: strict),
    .testTarget(
      name: "VarlinkServerTests",
      dependencies: ["LogSupport", "VarlinkClient", "VarlinkServer", "TestSupport", logging],
      swiftSettings: strict),

    // MARK: Shell

    .target(
      name: "DaemonCore",
      dependencies: [
        "CratesInterface", "FolderWatching", "LibraryIndex", "LibraryModel",
        "LibraryStore", "Platform", "Playlists", "Settings", "TagReading", "VarlinkServer", logging,
      ], swiftSettings: strict),
    .testTarget(
      name: "DaemonCoreTests",
      dependencies: [
        "CratesInterface", "DaemonCore", "Databases", "FolderWatching", "LibraryIndex",
        "LibraryModel", "LibraryStore", "LogSupport", "Platform", "Playlists", "Settings",
        "TagReading", "ProgramSupport", "TestSupport", "VarlinkClient", "VarlinkServer",
        "crate-tag-reader",
        logging,
      ], swiftSettings: strict),

    // MARK: Programs

    .executableTarget(
      name: "crated",
      dependencies: [
        "Arguments", "CLinuxShims", "CratesInterface", "DaemonCore", "LibraryModel", "Platform",
        "Settings", "VarlinkClient", logging,
      ], swiftSettings: strict),
    .executableTarget(
      name: "crate",
      dependencies: [
        "Arguments", "Browsing", "CLinuxShims", "Choosing", "CratesInterface", "ImportedLists",
        "NameFolding", "Platform", "Players", "TerminalPictures", "TerminalScreen",
        "VarlinkClient",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CrateTests",
      dependencies: [
        "Browsing", "CratesInterface", "Databases", "DemoMusic", "ImportedLists", "NameFolding",
        "TerminalPictures", "TerminalScreen", "VarlinkServer", "ProgramSupport", "TestSupport",
        "crate", "crate-tag-reader", "crated", "demo-music",
      ],
      exclude: ["Transcripts"], swiftSettings: strict),
    .executableTarget(
      name: "crate-tag-reader",
      dependencies: [
        "CLinuxShims", "CPictures", "CTagShim", "LibraryModel", "Platform", "TagReading",
      ],
      swiftSettings: strict),

    // MARK: Music for a first look and for tests

    .target(name: "DemoMusic", swiftSettings: strict),
    .testTarget(
      name: "DemoMusicTests", dependencies: ["DemoMusic", "TestSupport"], swiftSettings: strict),
    .executableTarget(
      name: "demo-music", dependencies: ["DemoMusic", "Platform"], swiftSettings: strict),
    // A test target: a build of the programs leaves it out, and has no Testing.
    .testTarget(
      name: "TestSupport", dependencies: ["CLinuxShims", "DemoMusic", "LibraryModel", "Platform"],
      swiftSettings: strict),

    .testTarget(
      name: "LogSupport", dependencies: ["Platform", "TestSupport", logging],
      swiftSettings: strict),

    // What the fuzzer (Fuzz/Package.swift) does with each input, for those that it begins with.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "CPictures", "CTagShim", "CratesInterface", "ImportedLists", "LibraryModel", "LibraryStore",
        "Platform", "Playlists", "Settings", "TagReading", "TerminalScreen", "TestSupport",
        "TextEncodings",
      ], path: "Fuzz/Targets", swiftSettings: strict),

    // MARK: Whole programs

    .testTarget(
      name: "ProgramSupport",
      dependencies: ["CLinuxShims", "CratesInterface", "DemoMusic", "Platform", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CratesInterface", "Databases", "DemoMusic", "LibraryModel", "LibraryStore", "Platform",
        "ProgramSupport", "TestSupport", "VarlinkClient", "crate", "crate-tag-reader", "crated",
        "demo-music",
      ], swiftSettings: strict),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["CratesInterface", "TestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
