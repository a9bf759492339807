import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

@testable import crate

@Suite("Texts that are edited", .limited)
struct EditedTextTests {
  @Test("A text says which order it is of, as it was written")
  func origins() {
    var scopes = [TextScope()]
    for (crate, album) in [("Jazz, with songs", nil), (nil, "abcd2345wxyz")] as [(String?, String?)]
    {
      var scope = TextScope()
      (scope.crate, scope.album) = (crate, album)
      scopes.append(scope)
      scope.hasSongs = true
      scopes.append(scope)
    }
    for scope in scopes {
      let origin = TextOrigin(sequence: 951, scope: scope)
      #expect(TextOrigin(in: "# note\n\(origin.line)\ncrate Jazz\n") == origin, "\(origin.line)")
    }
    #expect(
      TextOrigin(sequence: 7, scope: scopes[4]).line
        == "# sequence 7, with songs, album abcd2345wxyz")
  }

  @Test("The first line that says so counts, and songs in the text are meant")
  func found() throws {
    #expect(TextOrigin(in: "") == nil)
    #expect(TextOrigin(in: "crate A\n# sequence\n# sequence x\n #sequence 3\n") == nil)
    let first = try #require(TextOrigin(in: "# sequence x\n# sequence 3 crate A b\n# sequence 4"))
    #expect(first.sequence == 3 && first.scope.crate == "A b" && !first.scope.hasSongs)
    for (line, hasSongs) in [
      ("\t\tsong a b", true), ("  gone x", true), ("offline", true), ("songs a", false),
      ("# song", false), ("album song", false), ("", false),
    ] {
      #expect(TextScope.hasSongs("crate A\n\(line)\n") == hasSongs, "\(line)")
      let origin = TextOrigin(in: "# sequence 12, album ab  c\r\n\(line)")
      #expect(origin?.scope.hasSongs == hasSongs && origin?.scope.album == "ab")
    }
    #expect(TextOrigin(in: "# sequence 5, crate ")?.scope.crate == "")
    #expect(TextOrigin(in: "# sequence 5 and more")?.scope == TextScope())
  }

  private func days(_ days: Int64) -> Int64 { days * 86_400 * 1_000_000_000 }

  @Test("A kept text goes thirty days after nobody changed it, and another never")
  func kept() throws {
    let folder = try TemporaryFolder()
    let texts = KeptTexts(folder: folder.path)
    let untouched = KeptTexts.name(of: "crate A\n") + "abcdef.crates"
    let changed = KeptTexts.name(of: "crate A\n") + "ghijkl.crates"
    try folder.write("crate A\n", to: untouched)
    try folder.write("crate B\n", to: changed)
    for other in ["order-1.txt", "looked", "orders.crates"] {
      try folder.write("crate A\n", to: other)
    }
    try folder.makeFolder(KeptTexts.name(of: "") + "aaaaaa.crates")
    let modified = try #require(FileStatus(name: folder.path(untouched), followsLinks: false))
      .modified

    let before = try names(in: folder.path)
    #expect(texts.count(besides: "") == 2 && texts.count(besides: folder.path(changed)) == 1)
    texts.dropUntouched(now: modified + days(30))
    #expect(try names(in: folder.path) == before)
    texts.dropUntouched(now: modified + days(30) + 1)
    #expect(try names(in: folder.path) == before.filter { $0 != untouched })
    texts.dropUntouched(now: modified + days(1_000))
    #expect(try names(in: folder.path).contains(changed))
    #expect(KeptTexts(folder: folder.path("none")).count(besides: "") == 0)
  }

  @Test("A thousand kept texts are looked at, whatever else lies where they do")
  func many() throws {
    let folder = try TemporaryFolder()
    for number in 0..<999 { try folder.write("", to: "order-\(number).crates") }
    for number in 0..<99 { try folder.write("", to: "other-\(number).crates") }
    for count in [999, 1_000, 1_000, 1_000] {
      #expect(KeptTexts(folder: folder.path).count(besides: "") == count)
      try folder.write("", to: "order-more-\(Int.random(in: 1...Int.max)).crates")
    }
  }

  @Test("Nothing but a kept text goes when it was applied, whatever else lies where they do")
  func ours() {
    func isOurs(_ path: String, of folder: String? = "/state") -> Bool {
      TextFile(path: path, ofOurs: folder).isOurs
    }
    #expect(isOurs("/state/order-0123456789abcdefXYZxyz.crates"))
    #expect(isOurs("/stäte/order-1.crates", of: "/stäte"))
    for own in [
      "/state/mine.crates", "/state/order-1.txt", "/state/looked", "/state/order-1/mine.crates",
      "/state/order-/../../mine.crates", "/states/order-1.crates", "order-1.crates",
      "/elsewhere/order-1.crates",
    ] {
      #expect(!isOurs(own), "\(own)")
    }
    #expect(!isOurs("/order-1.crates", of: nil))
  }

  @Test("The name of a text has a sum of it, of sixteen digits")
  func sums() {
    // FNV-1a, as its authors give it.
    #expect(KeptTexts.name(of: "") == "order-cbf29ce484222325-")
    #expect(KeptTexts.name(of: "a") == "order-af63dc4c8601ec8c-")
    #expect(KeptTexts.name(of: "foobar") == "order-85944171f73967e8-")
    let lengths = Set((0..<1_000).map { KeptTexts.name(of: "\($0)").utf8.count })
    #expect(lengths == [23])
  }

  private func refusal(of path: String, followingLinks: Bool = false) -> String? {
    do throws(Failure) {
      _ = try TextFile(path: path).read(followingLinks: followingLinks)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("A text is read whole, or not at all")
  func reading() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "# é\n", count: 50_000)
    let path = try folder.write(long, to: "long")
    #expect(try TextFile(path: path).read() == long)
    #expect(try TextFile(path: try folder.write("", to: "empty")).read() == "")
    try #require(symlink(path, folder.path("link")) == 0)
    try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
    #expect(try TextFile(path: folder.path("link")).read(followingLinks: true) == long)
    #expect(
      refusal(of: folder.path("link")) == "\(folder.path("link")) is a symbolic link now, which is"
        + " not read")
    #expect(refusal(of: folder.path) == "\(folder.path) is not a file")
    #expect(refusal(of: folder.path("fifo")) == "\(folder.path("fifo")) is not a file")
    #expect(
      refusal(of: folder.path("none"))
        == "\(folder.path("none")) cannot be read: No such file or directory")
    for bytes: [UInt8] in [[0x61, 0], [0xFF]] {
      let odd = try folder.write(bytes, to: "odd")
      #expect(refusal(of: odd) == "\(odd) is not a text in UTF-8")
    }
    let file = TextFile(path: path)
    #expect(!file.isOurs)
    file.remove()
    #expect(access(path, F_OK) == 0)
  }

  @Test("A text is as long as a message may be, and no longer")
  func long() throws {
    let folder = try TemporaryFolder()
    let most = Interface.messageBytesMost
    let path = try folder.write([UInt8](repeating: 0x23, count: most), to: "text")
    #expect(refusal(of: path) == nil)
    try folder.write([UInt8](repeating: 0x23, count: most + 1), to: "text")
    #expect(refusal(of: path) == "\(path) is longer than any order: 9 MiB")
  }

  @Test("Where the person was is remembered whole, in folders that are made for it")
  func remembered() throws {
    let folder = try TemporaryFolder()
    let memory = StateFile("browse", in: folder.path("a/b"))
    #expect(memory.read(most: 9) == "")
    memory.write("Jazz\n3")
    #expect(memory.read(most: 9) == "Jazz\n3")
    #expect(memory.read(most: 6) == "Jazz\n3" && memory.read(most: 5) == "Jazz\n")
    memory.write("x")
    #expect(memory.read(most: 9) == "x")
    #expect(try names(in: folder.path("a/b")) == ["browse"])
    var status = stat()
    try #require(stat(folder.path("a/b/browse"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let none = StateFile("browse", in: nil)
    none.write("x")
    #expect(none.read(most: 9) == "")
  }

  @Test("A folder is made with those above it, and where that can't be it is said why")
  func folders() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      #expect(try StateFolder.make(folder.path("a/b/c")) == folder.path("a/b/c"))
    }
    var status = stat()
    try #require(stat(folder.path("a/b/c"), &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    let file = try folder.write("", to: "file")
    func fault(_ path: String?) -> String? {
      message { () throws(Failure) in _ = try StateFolder.make(path) }
    }
    #expect(fault("\(file)/a/b") == "\(file)/a/b cannot be made: Not a directory")
    #expect(fault(nil) == "HOME is not set, so there is no place for the text; set it")
  }

  @Test("What is kept lies where the person says, else at home, and nowhere without one")
  func statePlaces() throws {
    let folder = try TemporaryFolder()
    for (name, state, home, place) in [
      ("a", "/state", "/home", "/state/crated"), ("b", "", "/home", "/home/.local/state/crated"),
      ("c", nil, "/home", "/home/.local/state/crated"), ("d", nil, nil, nil),
    ] as [(String, String?, String?, String?)] {
      let base = try folder.makeFolder(name)
      var environment = ["HOME": home.map { base + $0 } ?? "relative"]
      if let state { environment["XDG_STATE_HOME"] = state.isEmpty ? "relative" : base + state }
      _ = try CommandFixture().shown(environment: environment)
      if let place { #expect(access("\(base)\(place)/looked", F_OK) == 0, "\(name)") }
      #expect(try names(in: base).isEmpty == (place == nil), "\(name)")
    }
  }

  @Test("What can't be remembered leaves what was, and nothing beside it")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("browse/held")
    let memory = StateFile("browse", in: folder.path)
    memory.write("x")
    #expect(memory.read(most: 9) == "")
    #expect(try names(in: folder.path) == ["browse"])
  }

  @Test("Up to which change the person looked is kept, in place of the one before")
  func looked() throws {
    let folder = try TemporaryFolder()
    let file = LookedFile(in: folder.path("state/crated"))
    #expect(file.sequence == nil)
    file.write(951)
    #expect(file.sequence == 951)
    try folder.write("left", to: "state/crated/looked.\(getpid())")
    file.write(7)
    #expect(file.sequence == 7)
    #expect(try names(in: folder.path("state/crated")) == ["looked"])
    for (text, sequence) in [
      ("12 and more", 12), ("x", nil), ("", nil),
      // No number has so many digits.
      (String(repeating: "0", count: 31) + "12", 1),
    ] as [(String, Int?)] {
      try folder.write(text, to: "state/crated/looked")
      #expect(file.sequence == sequence)
    }
    LookedFile(in: nil).write(7)
    #expect(LookedFile(in: nil).sequence == nil)
  }

  @Test("A shell gives its place to an editor of plain words, and stays for anything else")
  func shells() {
    for command in ["vi", "/usr/bin/nano -w", "code --wait", "emacsclient -t"] {
      #expect(Editor.line(of: command) == "exec \(command) \"$@\"")
    }
    for command in ["a; b", "A=1 vi", "vi | cat", "\"my editor\"", "vi\tx", "é"] {
      #expect(Editor.line(of: command) == "\(command) \"$@\"")
    }
  }

  @Test("An editor that is known to is told of a line, by whatever path and options it is called")
  func places() {
    for command in ["vi", "/usr/bin/nano -w", "emacsclient -t", "sensible-editor"] {
      #expect(Editor.place(12, for: command) == "+12")
    }
    for command in ["code --wait", "vim/code", "", " ", "xvi"] {
      #expect(Editor.place(12, for: command) == nil)
    }
    #expect([0, 0x300, 0xFF00, 2, 9, 0x89].map(Editor.exitStatus) == [0, 3, 255, 130, 137, 137])
  }
}
