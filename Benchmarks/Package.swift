// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that neither a build nor a test of the daemon builds it. The sources are
// the daemon's, by a link: what is `package` there is open here too.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// Of the two targets whose inner parts are measured by themselves. In release too, which is what
/// is measured.
let open = strict + [.unsafeFlags(["-enable-testing"])]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "crated-benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    // MARK: The daemon's

    .target(name: "CLinuxShims"),
    .target(name: "CXXHash"),
    .target(name: "CUnicode", linkerSettings: [.linkedLibrary(":libutf8proc.a")]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CTagLib", pkgConfig: "taglib"),
    .target(name: "CTagShim", dependencies: ["CTagLib", "CXXHash"]),
    .target(name: "Platform", dependencies: ["CLinuxShims"], swiftSettings: strict),
    .target(name: "NameFolding", dependencies: ["CUnicode"], swiftSettings: strict),
    .target(name: "Choosing", swiftSettings: strict),
    .target(
      name: "LibraryModel", dependencies: ["CXXHash", "Choosing", "NameFolding"],
      swiftSettings: strict),
    .target(name: "Databases", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "CratesInterface", swiftSettings: strict),
    .target(name: "TextEncodings", swiftSettings: strict),
    .target(
      name: "FolderWatching", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      swiftSettings: strict),
    .target(
      name: "LibraryIndex",
      dependencies: ["Databases", "LibraryModel", "NameFolding", "Platform"],
      swiftSettings: strict),
    .target(
      name: "LibraryStore", dependencies: ["CLinuxShims", "CXXHash", "LibraryModel", "Platform"],
      swiftSettings: strict),
    .target(
      name: "Playlists",
      dependencies: ["CLinuxShims", "CXXHash", "LibraryModel", "Platform", "TextEncodings"],
      swiftSettings: strict),
    .target(
      name: "Settings", dependencies: ["LibraryModel", "NameFolding", "Platform"],
      swiftSettings: strict),
    .target(
      name: "TagReading", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      swiftSettings: strict),
    .target(
      name: "VarlinkServer",
      dependencies: [
        "CLinuxShims", "CratesInterface", "Platform", logging,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: open),
    .target(
      name: "DaemonCore",
      dependencies: [
        "CratesInterface", "FolderWatching", "LibraryIndex", "LibraryModel",
        "LibraryStore", "Platform", "Playlists", "Settings", "TagReading", "VarlinkServer", logging,
      ], swiftSettings: open),

    // MARK: Physical limits

    .executableTarget(
      name: "bare-tag-loop", dependencies: ["CTagLib", "CTagShim"], path: "Targets/bare-tag-loop"),
    .executableTarget(name: "bare-walk", path: "Targets/bare-walk"),
    .executableTarget(name: "echo-socket", path: "Targets/echo-socket"),
    .executableTarget(
      name: "empty-program", path: "Targets/empty-program", swiftSettings: strict),

    // MARK: Parts in memory

    .executableTarget(
      name: "microbenchmarks",
      dependencies: [
        "CratesInterface", "DaemonCore", "LibraryIndex", "LibraryModel", "LibraryStore",
        "Platform", "VarlinkServer",
      ],
      path: "Targets/microbenchmarks",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
