// swift-tools-version: 6.1
import PackageDescription

// The library and its tests without the rest, which the mutants don't need: built in the copy.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // Random tests take a fifth of the time, and each file is still compiled alone.
  .unsafeFlags(["-O"]),
]

let package = Package(
  name: "crated",
  targets: [
    .target(name: "CLinuxShims"),
    .target(name: "CXXHash"),
    .target(name: "CUnicode", linkerSettings: [.linkedLibrary(":libutf8proc.a")]),
    .target(name: "Platform", dependencies: ["CLinuxShims"], swiftSettings: settings),
    .target(name: "NameFolding", dependencies: ["CUnicode"], swiftSettings: settings),
    .target(
      name: "LibraryModel", dependencies: ["CXXHash", "NameFolding"], swiftSettings: settings),
    .target(
      name: "LibraryStore", dependencies: ["CLinuxShims", "CXXHash", "LibraryModel", "Platform"],
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "LibraryModelTests", dependencies: ["LibraryModel", "LibraryStore", "TestSupport"],
      exclude: ["Scenarios/README.md", "Scenarios/Texts"], swiftSettings: settings),
    .testTarget(
      name: "LibraryStoreTests", dependencies: ["LibraryStore", "TestSupport"],
      exclude: ["Golden"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
