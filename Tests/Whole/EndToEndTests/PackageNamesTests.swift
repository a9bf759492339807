import Glibc
import TestSupport
import Testing

@Suite("Packages that are missing", .limited) struct PackageNamesTests {
  private struct System: CustomTestStringConvertible, Sendable {
    var id: String
    var like: String
    var command: String
    var names: [String]
    var testDescription: String { id }
  }

  private static let systems = [
    System(id: "fedora", like: "", command: "dnf install", names: ["taglib-devel", "gcc-c++"]),
    System(
      id: "rocky", like: "rhel centos fedora", command: "dnf install", names: ["taglib-devel"]),
    System(id: "arch", like: "", command: "pacman -S --needed", names: ["taglib", "gcc"]),
    System(
      id: "opensuse-tumbleweed", like: "opensuse suse", command: "zypper install",
      names: ["libtag-devel", "gcc-c++"]),
  ]

  @Test("are named as the system has them, with the command to install them", arguments: systems)
  private func otherSystems(_ system: System) throws {
    let folder = try TemporaryFolder()
    let release = try folder.write("ID=\(system.id)\nID_LIKE=\"\(system.like)\"\n", to: "release")
    // Nothing is installed there.
    for tool in ["rpm", "pacman"] {
      let path = try folder.write("#!/bin/sh\nexit 1\n", to: "tools/\(tool)")
      try #require(chmod(path, 0o755) == 0)
    }
    let asked = [
      "libtag1-dev", "libsqlite3-dev", "libutf8proc-dev", "libxxhash-dev", "pkg-config", "g++",
      "libjpeg-dev", "libpng-dev", "zlib1g-dev", "libexpat1-dev",
    ]
    let environment = ["OS_RELEASE": release, "PATH": "\(folder.path("tools")):/usr/bin:/bin"]
    let result = try run("/bin/sh", [script] + asked, environment: environment)
    #expect(result.status == 1)
    let line = try #require(result.errors.split(separator: "\n").dropFirst().first)
    let words = line.split(separator: " ").map(String.init)
    #expect(words.joined(separator: " ").hasPrefix(system.command))
    for name in system.names { #expect(words.contains(name), "\(name)") }
    // No name is Debian's own.
    for word in words { #expect(!word.hasSuffix("-dev") && word != "g++", "\(word)") }
    #expect(words.count == system.command.split(separator: " ").count + asked.count)
  }

  @Test("are found under each name that Debian and Ubuntu have had for them")
  func debian() throws {
    let folder = try TemporaryFolder()
    let release = try folder.write("ID=ubuntu\nID_LIKE=debian\n", to: "release")
    for (tool, body) in [
      // The new name is installed, and of g++ nothing.
      ("dpkg-query", "case $4 in libtag-dev|pkgconf) echo installed ;; *) exit 1 ;; esac"),
      ("apt-cache", "exit 1"), ("id", "echo 1000"),
    ] {
      let path = try folder.write("#!/bin/sh\n\(body)\n", to: "tools/\(tool)")
      try #require(chmod(path, 0o755) == 0)
    }
    // Without sudo, so that it only tells.
    for tool in ["sh", "env"] {
      try #require(symlink("/bin/\(tool)", folder.path("tools/\(tool)")) == 0)
    }
    let environment = ["OS_RELEASE": release, "PATH": folder.path("tools")]
    let none = try run("/bin/sh", [script, "libtag1-dev", "pkg-config"], environment: environment)
    #expect(none.status == 0)
    #expect(none.errors + none.output == "")
    let some = try run("/bin/sh", [script, "libtag1-dev", "g++"], environment: environment)
    #expect(some.status == 1)
    #expect(some.errors.contains("    apt-get install g++\n"))
    // Nor is a sudo of any use that this person may not use.
    let sudo = try folder.write("#!/bin/sh\nexit 1\n", to: "tools/sudo")
    try #require(chmod(sudo, 0o755) == 0)
    let refused = try run("/bin/sh", [script, "libtag1-dev", "g++"], environment: environment)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("    apt-get install g++\n"))
  }

  private var script: String { Repository.path("scripts/packages.sh") }
}
