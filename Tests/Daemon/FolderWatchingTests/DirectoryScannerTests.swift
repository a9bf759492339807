import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("A look at one directory", .limited) struct DirectoryScannerTests {
  private let music = TemporaryFolder()
  private let look = DirectoryScanner()

  private func list(
    _ path: BytePath? = nil, isLink: Bool = false, hasRules: Bool = false,
    isLeftOut: (FolderListing, FolderListing.Entry) -> Bool = { _, _ in false }
  ) throws -> FolderListing {
    var listing = FolderListing()
    try look.list(
      OpenDirectory(path ?? music.path, isLink: isLink), into: &listing, hasRules: hasRules,
      isLeftOut: isLeftOut)
    return listing
  }

  private func names(_ listing: FolderListing) -> [String] {
    listing.entries.map { String(decoding: listing.name($0), as: UTF8.self) }
  }

  /// Makes a link in the directory.
  private func link(_ name: String, to target: String) {
    #expect(symlink(target, music(name)) == 0)
  }

  @Test("has files of music and directories, and what links lead to, in the order of their names")
  func entries() throws {
    for name in ["b.mp3", "text.txt"] { music.write(name, name) }
    for name in ["d", "d.mp3"] { music.makeFolder(name) }
    #expect(mkfifo(music("fifo.mp3"), 0o644) == 0)
    for (name, target) in [
      ("a.mp3", "b.mp3"), ("c.mp3", "text.txt"), ("e", "d"), ("f.txt", "b.mp3"),
      ("g.mp3", "fifo.mp3"),
    ] { link(name, to: target) }
    let listing = try list()
    #expect(names(listing) == ["a.mp3", "b.mp3", "c.mp3", "d", "d.mp3", "e"])
    #expect(
      listing.entries.map(\.kind) == [.file, .file, .file, .folder, .folder, .folder])
    #expect(listing.entries.map(\.isLink) == [true, false, true, false, false, true])
    #expect(listing.failures.isEmpty)
    let file = try #require(FileStatus(name: music("b.mp3"), followsLinks: true))
    for entry in listing.entries[..<2] {
      #expect((entry.device, entry.inode) == (file.device, file.inode))
      #expect(entry.stamp.changed == file.changed)
    }
    #expect(listing.entries[0].stamp == listing.entries[1].stamp)
    #expect(listing.entries[2].stamp != listing.entries[1].stamp)
    let status = try #require(FileStatus(name: music.path.display, followsLinks: true))
    #expect((listing.status.device, listing.status.inode) == (status.device, status.inode))
  }

  @Test("a link whose target is away is unseen and no failure; one that can't be followed is one")
  func links() throws {
    music.write("file.mp3", "1")
    for (name, target) in [
      ("1.mp3", "nowhere"), ("2.mp3", "file.mp3/x"), ("3.mp3", "3.mp3"),
      ("4.mp3", String(repeating: "n", count: 300)),
    ] { link(name, to: target) }
    let listing = try list()
    #expect(names(listing) == ["1.mp3", "2.mp3", "3.mp3", "4.mp3", "file.mp3"])
    #expect(listing.entries.map { $0.kind == .unseen } == [true, true, true, true, false])
    #expect(listing.failures.map { String(decoding: $0.name, as: UTF8.self) } == ["4.mp3"])
    #expect(listing.failures.map(\.error.code) == [ENAMETOOLONG])
  }

  @Test("where names can be read and nothing else, all of them are unseen, and failures")
  func namesOnly() throws {
    try #require(geteuid() == 0, "this test needs root")
    for name in ["1.mp3", "cover.jpg"] { music.write(name, name) }
    symlink("1.mp3", music("2.mp3"))
    chmod(music.path.display, 0o744)
    typealias SetFileUser = @convention(c) (UInt32) -> Int32
    let found = try #require(dlsym(nil, "setfsuid"))
    let setFileUser = unsafeBitCast(found, to: SetFileUser.self)
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    let listing = try list()
    #expect(names(listing) == ["1.mp3", "2.mp3"])
    #expect(listing.entries.map(\.kind) == [.unseen, .unseen] && listing.cover == nil)
    #expect(listing.failures.map(\.error.code) == [EACCES, EACCES])
  }

  @Test("a directory that a link leads to is looked at where links are followed there")
  func folder() throws {
    music.makeFolder("d")
    music.write("d/1.mp3", "1")
    link("e", to: "d")
    #expect(throws: SystemCallError.self) { try list(music.at("e")) }
    #expect(names(try list(music.at("e"), isLink: true)) == ["1.mp3"])
    #expect(names(try list(music.at("d"))) == ["1.mp3"])
  }

  @Test(
    "rules are those of a file that says anything; where there are any, they are asked",
    arguments: [(nil, false), ("", false), ("x", true), ("*.mp3\n!1.mp3\n", true)])
  func rules(text: String?, hasOwn: Bool) throws {
    for name in ["1.mp3", "2.mp3"] { music.write(name, name) }
    if let text { music.write(".crateignore", text) }
    for hasRules in [false, true] {
      var asked = 0
      let listing = try list(hasRules: hasRules) { listing, entry in
        asked += 1
        return listing.name(entry) == Array("1.mp3".utf8)
      }
      #expect((listing.ignoreRules != nil) == hasOwn)
      #expect(asked == (hasRules || hasOwn ? 2 : 0))
      #expect(names(listing) == (asked > 0 ? ["2.mp3"] : ["1.mp3", "2.mp3"]))
    }
    #expect(
      try list().ignoreRules?.leavesOut([Array("x".utf8)], isFolder: false)
        == (text == "x" ? true : nil))
  }

  @Test("a directory with the name of a file of rules has none")
  func noRules() throws {
    music.makeFolder(".crateignore")
    #expect(try list().ignoreRules == nil)
  }
}
