// swift-tools-version: 6.1
import PackageDescription

// A package of its own, because libFuzzer has the program's entry point and instruments all it is
// built with. The sources are the daemon's, by a link: what is `package` there is open here too.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // In release too, which is what is fuzzed.
  .unsafeFlags(["-enable-testing", "-enforce-exclusivity=checked"]),
]

let package = Package(
  name: "crated-fuzz",
  targets: [
    .target(name: "CLinuxShims"),
    .target(name: "CXXHash"),
    .target(name: "CUnicode", linkerSettings: [.linkedLibrary(":libutf8proc.a")]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CTagLib", pkgConfig: "taglib"),
    .target(name: "CTagShim", dependencies: ["CTagLib", "CXXHash"]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng"),
    .target(name: "CPictures", dependencies: ["CJPEG", "CPNG"]),
    .target(name: "Platform", dependencies: ["CLinuxShims"], swiftSettings: strict),
    .target(name: "NameFolding", dependencies: ["CUnicode"], swiftSettings: strict),
    .target(name: "Choosing", swiftSettings: strict),
    .target(name: "TerminalScreen", swiftSettings: strict),
    .target(
      name: "LibraryModel", dependencies: ["CXXHash", "Choosing", "NameFolding"],
      swiftSettings: strict),
    .target(name: "Databases", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "CratesInterface", swiftSettings: strict),
    .target(name: "TextEncodings", swiftSettings: strict),
    .target(
      name: "ImportedLists",
      dependencies: ["CratesInterface", "Databases", "NameFolding", "Platform", "TextEncodings"],
      swiftSettings: strict),
    .target(
      name: "LibraryStore", dependencies: ["CLinuxShims", "CXXHash", "LibraryModel", "Platform"],
      swiftSettings: strict),
    .target(
      name: "TagReading", dependencies: ["CLinuxShims", "LibraryModel", "Platform"],
      swiftSettings: strict),
    .target(
      name: "Playlists",
      dependencies: ["CLinuxShims", "CXXHash", "LibraryModel", "Platform", "TextEncodings"],
      swiftSettings: strict),
    .target(
      name: "Settings", dependencies: ["LibraryModel", "NameFolding", "Platform"],
      swiftSettings: strict),
    .executableTarget(
      name: "crated-fuzz",
      dependencies: [
        "CPictures", "CTagShim", "CratesInterface", "ImportedLists", "LibraryModel", "LibraryStore",
        "Platform",
        "Playlists", "Settings", "TagReading", "TerminalScreen", "TextEncodings",
      ],
      path: "Targets", exclude: ["CorpusTests.swift"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
