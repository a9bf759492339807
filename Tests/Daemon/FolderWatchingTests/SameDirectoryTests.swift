import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Two directories are one only where a link or a mount leads to both, whatever their numbers say.
@Suite("Several paths to one directory", .limited) struct SameDirectoryTests {
  private func problems(_ folder: WatchedFolder) -> [String: FileProblem.Kind] {
    Dictionary(
      uniqueKeysWithValues: folder.problems.map {
        (($0.key.relative(to: folder.music.path) ?? $0.key).display, $0.value.kind)
      })
  }

  @Test(
    "directories whose file system gives them all one number are all followed",
    .enabled(if: !leavesOutFUSE))
  func oneNumber() throws {
    let disks = TemporaryFolder()
    for name in ["a", "b", "c"] {
      disks.makeFolder(name)
      disks.write("\(name)/1.mp3", name)
    }
    let folder = WatchedFolder()
    folder.music.makeFolder("disks")
    let disk = try HeldFileSystem(
      showing: disks.path.display, at: folder.music("disks"), numbers: .one)
    defer { disk.end() }
    var numbers: Set<ino_t> = []
    for name in ["a", "b", "c"] {
      var found = stat()
      #expect(stat(folder.music("disks/\(name)"), &found) == 0)
      numbers.insert(found.st_ino)
    }
    try #require(numbers.count == 1)
    let all = ["disks/a/1.mp3": "a", "disks/b/1.mp3": "b", "disks/c/1.mp3": "c"]
    try folder.start { $0.standStill = 0 }
    #expect(folder.songs == all)
    folder.rescan()
    #expect(folder.songs == all)
    #expect(folder.problems.isEmpty)
    // Nor is one of them gone where they are known.
    let known = folder.known
    let identity = folder.folderState?.rootIdentity
    folder.stop()
    let later = try WatchedFolder(folder.music).start(
      known: known, knownRoot: identity, isFirstScan: false
    ) { $0.standStill = 0 }
    #expect(later.merges.flatMap(\.vanished).isEmpty)
    // By links they are told apart, too, and a link to one of them is that one.
    for (link, name) in [("x", "a"), ("y", "b")] {
      #expect(symlink(folder.music("disks/\(name)"), folder.music(link)) == 0)
    }
    later.sync()
    #expect(Set(later.receiver.library.map(\.path)) == Set(all.keys.map { folder.music.at($0) }))
    #expect(problems(later) == ["x": .skippedFolder, "y": .skippedFolder])
  }

  @Test(
    "links to directories of one number outside lead to each of them",
    .enabled(if: !leavesOutFUSE))
  func linksToOneNumber() throws {
    let disks = TemporaryFolder()
    for name in ["a", "b"] {
      disks.makeFolder(name)
      disks.write("\(name)/1.mp3", name)
    }
    let place = TemporaryFolder()
    let disk = try HeldFileSystem(
      showing: disks.path.display, at: place.path.display, numbers: .one)
    defer { disk.end() }
    let folder = WatchedFolder()
    for name in ["a", "b"] { #expect(symlink(place(name), folder.music(name)) == 0) }
    #expect(symlink(place("b"), folder.music("c")) == 0)
    try folder.start { $0.standStill = 0 }
    #expect(folder.songs == ["a/1.mp3": "a", "b/1.mp3": "b"])
    #expect(problems(folder) == ["c": .skippedFolder])
  }

  @Test("a directory that is listed by another path is told as skipped, for as long as it is")
  func skipped() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("b")
    folder.music.write("b/1.mp3", "1")
    #expect(symlink(folder.music("b"), folder.music("c")) == 0)
    try folder.start()
    #expect(folder.songs == ["b/1.mp3": "1"])
    #expect(problems(folder) == ["c": .skippedFolder])
    #expect(
      folder.problems[folder.music.at("c")]?.message.contains(folder.music("b")) == true)
    // One that comes first takes its place.
    #expect(symlink("b", folder.music("a")) == 0)
    folder.sync()
    #expect(folder.songs == ["a/1.mp3": "1"])
    #expect(problems(folder) == ["b": .skippedFolder, "c": .skippedFolder])
    #expect(unlink(folder.music("a")) == 0)
    folder.sync()
    folder.rescan()
    #expect(folder.songs == ["b/1.mp3": "1"])
    #expect(problems(folder) == ["c": .skippedFolder])
    folder.music.makeFolder("d")
    folder.music.move("c", "d/c")
    folder.sync()
    #expect(problems(folder) == ["d/c": .skippedFolder])
    folder.music.delete("d")
    folder.sync()
    #expect(problems(folder) == [:])
  }

  @Test("what lies above a music folder, and what the kernel makes up, is not followed")
  func above() throws {
    let around = TemporaryFolder()
    around.makeFolder("music/A")
    around.makeFolder("other/deep/music2")
    around.makeFolder("beside")
    for name in ["music/A/1", "other/2", "other/deep/3", "beside/4"] {
      around.write("\(name).mp3", name)
    }
    let links = [
      "up": around.path.display, "all": "/", "other": around("other"), "proc": "/proc",
      "net": "/proc/self/net", "sys": "/sys/kernel", "pts": "/dev/pts",
      "beside": around("beside"),
    ]
    for (name, target) in links {
      #expect(symlink(target, around("music/\(name)")) == 0)
    }
    #expect(symlink("/proc/version", around("music/version.mp3")) == 0)
    let folder = WatchedFolder(around)
    try folder.start(root: around.at("music")) {
      $0.musicFolders = [around.at("music"), around.at("other/deep/music2")]
    }
    #expect(folder.songs.keys.sorted() == ["music/A/1.mp3", "music/beside/4.mp3"])
    let skipped = links.keys.filter { $0 != "beside" }
    #expect(problems(folder).keys.sorted() == skipped.map { "music/\($0)" }.sorted())
    #expect(Set(problems(folder).values) == [.skippedFolder])
  }

  @Test("what lies above a music folder is not followed by a mount either")
  func mountedAbove() throws {
    let around = TemporaryFolder()
    around.makeFolder("music/up")
    around.write("above.mp3", "above")
    around.write("music/1.mp3", "1")
    let place = around("music/up")
    let isBound = mount(around.path.display, place, nil, UInt(MS_BIND), nil) == 0
    try #require(isBound, "this test mounts: run it as root")
    defer { umount2(place, Int32(MNT_DETACH)) }
    let folder = WatchedFolder(around)
    try folder.start(root: around.at("music"))
    #expect(folder.songs == ["music/1.mp3": "1"])
    #expect(problems(folder) == ["music/up": .skippedFolder])
  }

  @Test("what a link led to is offline while its target is away, and not gone")
  func dangling() throws {
    let outside = TemporaryFolder()
    outside.makeFolder("a")
    outside.write("a/1.mp3", "1")
    let folder = WatchedFolder()
    #expect(symlink(outside("a"), folder.music("a")) == 0)
    try folder.start()
    #expect(folder.songs == ["a/1.mp3": "1"])
    outside.move("a", "b")
    folder.rescan()
    #expect(folder.songs == ["a/1.mp3": "1"])
    #expect(folder.folderState?.offlineSubtrees == [folder.music.at("a")])
    outside.move("b", "a")
    folder.rescan()
    #expect(folder.folderState?.offlineSubtrees == [])
    #expect(folder.merges.flatMap(\.vanished).isEmpty)
  }

  // MARK: The values

  @Test("what is worth comparing has a number in common, and a link or a mount in its path")
  func rivals() {
    let ids = (0..<4).map { Catalogue.ID(index: $0) }
    let inode = Inode(device: 1, inode: 7)
    var paths = Paths()
    func enter(
      _ folder: Int, isPortal: Bool = false, _ inode: Inode = inode
    ) -> (rivals: [Catalogue.ID], earlier: Catalogue.ID?) {
      paths.enter(ids[folder], inode, isPortal: isPortal)
    }
    #expect(enter(0) == ([], nil))
    #expect(enter(0) == ([], nil))
    // Two plain ones: the other may have been moved here.
    #expect(enter(1) == ([], ids[0]))
    #expect(enter(2, isPortal: true) == ([ids[0], ids[1]], nil))
    #expect(enter(0) == ([ids[2]], nil))
    #expect(enter(1) == ([ids[2]], ids[0]))
    paths.leave(ids[2])
    #expect(enter(0) == ([], ids[1]))
    // The directory is another one by now.
    #expect(enter(1, Inode(device: 1, inode: 8)) == ([], nil))
    #expect(enter(0) == ([], nil))
    #expect(enter(3, isPortal: true) == ([ids[0]], nil))
    paths.leave(ids[0])
    paths.leave(ids[3])
    #expect(enter(2, isPortal: true) == ([], nil))
  }

  @Test("what is not followed is known by its directory, also when the music folder went")
  func notFollowed() {
    var tree = Tree.made()
    #expect(tree.skipped(in: BytePath("a")) == [])
    for path in ["a/1", "a/2", "b/3"] { tree.skip(BytePath(path)) }
    #expect(tree.skipped(in: BytePath("a")) == [Array("1".utf8), Array("2".utf8)])
    #expect(tree.skipped(in: BytePath("c")) == [])
    tree.folderWent()
    let were = ["a/1", "a/1", "c/1", "a/2", "a/2"].map { tree.unskip(BytePath($0)) }
    #expect(were == [true, false, false, true, false])
    #expect(tree.skipped(in: BytePath("b")) == [Array("3".utf8)])
    #expect(tree.unskip(BytePath("b/3")) == true)
    #expect(tree.unskip(BytePath("b/3")) == false)
  }

  @Test("why a directory is not followed is told as what it is")
  func reasons() {
    let root = BytePath("/m")
    let reasons: [(Paths.Skip, String)] = [
      (.sameAs(BytePath("a")), "the same directory as /m/a,"),
      (.above(BytePath("/m")), "the music folder /m lies inside it"), (.ofKernel, "/proc"),
    ]
    for (skip, text) in reasons {
      let problem = skip.problem(root: root)
      #expect(problem.kind == .skippedFolder && problem.message.contains(text))
    }
  }

  @Test("of files a link is remembered by where it leads now")
  func links() {
    let inode = Inode(device: 1, inode: 7)
    var paths = Paths()
    #expect(!paths.hasLinks)
    let known = ["a", "b", "a"].map { paths.noteLink(BytePath($0), to: inode) }
    #expect(known == [false, false, false])
    #expect(paths.links(to: inode) == [BytePath("a"), BytePath("b")])
    let isOther = paths.noteLink(BytePath("a"), to: Inode(device: 1, inode: 8))
    #expect(isOther)
    #expect(paths.links(to: inode) == [BytePath("b")])
    let wereLinks = ["b", "b", "a"].map { paths.forgetLink(BytePath($0)) }
    #expect(wereLinks == [true, false, true])
    #expect(!paths.hasLinks)
  }

  @Test("mounts tell where things really lie")
  func locations() {
    let text = """
      1 0 8:1 / / rw - ext4 /dev/sda1 rw
      2 1 8:1 /home/me/Music /music rw - ext4 /dev/sda1 rw
      3 1 0:40 /a\\040b /disks rw - fuse bindfs rw
      4 1 0:41 / /disks rw - fuse bindfs rw
      """
    let points = MountPoints(Array(text.utf8))
    func location(_ path: String, on mount: UInt64? = nil) -> MountPoints.Location? {
      mount.map { points.location(of: BytePath(path), on: $0) }
        ?? points.location(of: BytePath(path))
    }
    func location(_ device: String, in path: String) -> MountPoints.Location {
      MountPoints.Location(device: Array(device.utf8), path: BytePath(path))
    }
    #expect(location("/music/x") == location("8:1", in: "/home/me/Music/x"))
    #expect(location("/music") == location("/home/me/Music"))
    #expect(location("/") == location("8:1", in: "/"))
    #expect(location("/disks/x", on: 3) == location("0:40", in: "/a b/x"))
    // What was mounted last is what is seen.
    #expect(location("/disks/x") == location("0:41", in: "/x"))
    #expect(location("/disks/x", on: 9) == nil)
    #expect(location("/x", on: 3) == nil)
    #expect(points.knows(4) && !points.knows(5))
  }
}
