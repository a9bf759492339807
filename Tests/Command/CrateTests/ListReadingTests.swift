import CratesInterface
import Glibc
import TestSupport
import Testing

/// The real `crate import`, which reads files and asks a small library for their songs.
@Suite("Lists that are read", .limited)
struct ListReadingTests {
  private let fixture: CommandFixture
  private let folder: TemporaryFolder

  init() throws {
    fixture = try CommandFixture()
    folder = try TemporaryFolder()
  }

  private func read(_ word: String, _ environment: String...) throws -> CommandFixture.Outcome {
    try fixture.run("import", word, "--dry-run", environment: environment)
  }

  /// Names of the lists of which something was said.
  private func names(_ outcome: CommandFixture.Outcome) -> [String] {
    outcome.lines.compactMap { line in
      line.hasPrefix("“") ? String(line.dropFirst().prefix { $0 != "”" }) : nil
    }
  }

  private func write(_ names: String...) throws {
    for name in names { try folder.write("kind2222aaaa\nskind2222as2\n", to: name) }
  }

  @Test("Of a folder all lists are read by their names, and nothing else")
  func folders() throws {
    try write(
      "lists/b.m3u", "lists/a.M3U8", "lists/.hidden.m3u", "lists/m3u", "lists/c.txt",
      "lists/d.pls.x",
      "lists/sub.m3u/inside.m3u", "lists/two.dots.m3u")
    let outcome = try read(folder.path("lists"))
    #expect(names(outcome) == ["a", "b", "two.dots"], "\(outcome)")
    #expect(try names(read(folder.path("lists") + "/")) == ["a", "b", "two.dots"])
    #expect(try names(read(folder.path("lists/b.m3u"))) == ["b"])
    let none = try read(folder.path("lists/sub.m3u/none"))
    #expect(none.status == 66)
    #expect(
      none.errors == "crate: \(folder.path("lists/sub.m3u/none")) can't be read: No such file or"
        + " directory\n")
    try folder.makeFolder("empty")
    let empty = try read(folder.path("empty"))
    #expect(
      empty.status == 1 && empty.errors == "crate: there is no list in \(folder.path("empty"))\n")
  }

  @Test("A program's lists are where it keeps them, and of MPD only its own kind")
  func programs() throws {
    try write("config/mpd/playlists/a.m3u", "config/mpd/playlists/b.m3u8")
    let (home, config) = ("HOME=\(folder.path("home"))", "XDG_CONFIG_HOME=\(folder.path("config"))")
    for word in ["mpd", "MPD"] { #expect(try names(read(word, home, config)) == ["a"]) }
    #expect(try names(read(folder.path("config/mpd/playlists"), home)) == ["a", "b"])
    try write("home/.mpd/playlists/c.m3u")
    #expect(try names(read("mpd", home, config)) == ["a"])
    #expect(try names(read("mpd", home)) == ["c"])
    let absent = try read("mixxx", home)
    #expect(absent.status == 66)
    #expect(
      absent.errors.hasPrefix(
        "crate: mixxx has no lists where it usually keeps them (\(folder.path("home"))/.mixxx/"))
    #expect(absent.errors.hasSuffix("; name the file\n"))
    for settings in [[], ["HOME=relative"]] {
      let homeless = try fixture.run("import", "mpd", environment: settings)
      #expect(homeless.status == 1)
      #expect(
        homeless.errors == "crate: HOME is not set, so mpd's files can't be found; name one\n")
    }
  }

  @Test("A word that is neither a program nor a file is answered with the programs")
  func unknown() throws {
    let known = "(mpd, strawberry, clementine, mixxx, rhythmbox)"
    for (word, advice) in [
      ("stawberry", "did you mean strawberry?"),
      ("winamp", "save its lists as files there, and name one"),
    ] {
      let outcome = try read(word)
      #expect(outcome.status == 66)
      #expect(
        outcome.errors
          == "crate: \(word) is neither a file nor a program whose lists are known \(known);"
          + " \(advice)\n")
    }
    #expect(
      try read("./winamp").errors == "crate: ./winamp can't be read: No such file or directory\n")
  }

  @Test("Songs are looked for beside their list, also where its path is not whole")
  func places() throws {
    try write("lists/a.m3u")
    _ = try read(folder.path("lists/../lists/./a.m3u"))
    _ = try read(folder.path("lists"))
    let places = fixture.changes.compactMap { call -> String? in
      if case .match(_, let place, _) = call { place } else { nil }
    }
    #expect(Set(places) == [folder.path("lists")])
  }

  @Test("What is no file is refused, and a file that is empty is no list")
  func odd() throws {
    try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
    for path in [folder.path("fifo"), "/dev/null"] {
      let outcome = try read(path)
      #expect(outcome.status == 66)
      #expect(outcome.errors == "crate: \(path) is neither a file nor a folder\n")
    }
    try folder.write("", to: "empty.m3u")
    let empty = try read(folder.path("empty.m3u"))
    #expect(empty.status == 0 && names(empty) == ["empty"], "\(empty)")
  }

  @Test("What is no file in a folder of lists, whatever it is called, keeps none from being read")
  func oddInFolder() throws {
    try write("lists/a.m3u")
    try #require(mkfifo(folder.path("lists/b.m3u"), 0o600) == 0)
    try #require(mkdir(folder.path("lists/c.m3u"), 0o700) == 0)
    try #require(symlink("/dev/zero", folder.path("lists/d.m3u")) == 0)
    let outcome = try read(folder.path("lists"))
    #expect(outcome.status == 0 && names(outcome) == ["a"], "\(outcome)")
  }

  @Test("A folder has ten thousand lists at most, of 256 MiB together")
  func limits() throws {
    // The first of all is damaged, which nobody sees before all are read.
    try folder.write("<playlist>", to: "lists/0.xspf")
    for number in 1..<10_000 { try folder.write("", to: "lists/\(number).m3u") }
    let most = try read(folder.path("lists"))
    #expect(most.status == 65)
    #expect(most.errors.hasPrefix("crate: \(folder.path("lists/0.xspf")): "))
    try folder.write("", to: "lists/more.pls")
    let many = try read(folder.path("lists"))
    #expect(many.status == 65)
    #expect(
      many.errors == "crate: \(folder.path("lists")) has more than 10000 lists; name a file\n")
    for (number, size) in [256 << 20, 1].enumerated() {
      try folder.write("", to: "large/\(number).m3u")
      try #require(truncate(folder.path("large/\(number).m3u"), size) == 0)
    }
    let large = try read(folder.path("large"))
    #expect(large.status == 65)
    #expect(
      large.errors
        == "crate: \(folder.path("large/1.m3u")): more than 256 MiB of lists; name a file\n")
    try #require(truncate(folder.path("large/0.m3u"), (256 << 20) + 1) == 0)
    let one = try read(folder.path("large/0.m3u"))
    #expect(one.status == 65 && one.errors.hasPrefix("crate: \(folder.path("large/0.m3u")): "))
  }
}
