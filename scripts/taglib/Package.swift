// swift-tools-version: 6.1
import PackageDescription

// The tag reader and its tests without the rest: against another TagLib than the system's they are
// all that has to be built. The sources are the daemon's, by links.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "crated-taglib",
  targets: [
    .target(name: "CLinuxShims"),
    .target(name: "CXXHash"),
    .target(name: "CUnicode", linkerSettings: [.linkedLibrary(":libutf8proc.a")]),
    .systemLibrary(name: "CTagLib", pkgConfig: "taglib"),
    .target(name: "CTagShim", dependencies: ["CTagLib", "CXXHash"]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng"),
    .target(name: "CPictures", dependencies: ["CJPEG", "CPNG"]),
    .target(name: "Platform", dependencies: ["CLinuxShims"], swiftSettings: settings),
    .target(name: "NameFolding", dependencies: ["CUnicode"], swiftSettings: settings),
    .target(name: "Choosing", swiftSettings: settings),
    .target(
      name: "LibraryModel", dependencies: ["CXXHash", "Choosing", "NameFolding"],
      swiftSettings: settings),
    .target(
      name: "TagReading", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      swiftSettings: settings),
    .executableTarget(
      name: "crate-tag-reader",
      dependencies: [
        "CLinuxShims", "CPictures", "CTagShim", "LibraryModel", "Platform", "TagReading",
      ],
      swiftSettings: settings),
    .target(name: "DemoMusic", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["CLinuxShims", "DemoMusic", "LibraryModel", "Platform"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "TagReadingTests",
      dependencies: [
        "CLinuxShims", "DemoMusic", "LibraryModel", "Platform", "TagReading", "TestSupport",
        "crate-tag-reader",
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
