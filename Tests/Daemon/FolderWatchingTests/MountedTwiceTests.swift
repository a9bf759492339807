import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// What is taken out of the list because it is not followed any more, and what because it is away.
@Suite("A drive that is mounted twice, or not any more", .limited) struct MountedTwiceTests {
  private let folder = WatchedFolder()
  private let drive = TemporaryFolder()

  init() throws {
    let isMounted = mount("tmpfs", drive.path.display, "tmpfs", 0, "size=1m") == 0
    try #require(isMounted, "this test mounts: run it as root")
    for name in ["1", "2"] { drive.write("\(name).mp3", name) }
    for name in ["a", "z"] { folder.music.makeFolder(name) }
    folder.music.write("3.mp3", "3")
  }

  private func plugIn(_ name: String) {
    #expect(mount(drive.path.display, folder.music(name), nil, UInt(MS_BIND), nil) == 0)
  }

  private func unplug(_ name: String) { umount2(folder.music(name), Int32(MNT_DETACH)) }

  private func end() {
    folder.stop()
    for name in ["a", "z"] { unplug(name) }
    umount2(drive.path.display, Int32(MNT_DETACH))
  }

  @Test("is followed by the path that comes first, and nothing is away by the other")
  func twice() throws {
    defer { end() }
    plugIn("z")
    try folder.start()
    #expect(folder.songs == ["z/1.mp3": "1", "z/2.mp3": "2", "3.mp3": "3"])
    plugIn("a")
    folder.sync()
    #expect(folder.songs == ["a/1.mp3": "1", "a/2.mp3": "2", "3.mp3": "3"])
    #expect(folder.folderState?.offlineSubtrees == [])
    #expect(folder.problems.keys.map { $0 } == [folder.music.at("z")])
    // And by the other one when the first is none any more.
    unplug("a")
    folder.sync()
    folder.rescan()
    #expect(folder.problems.isEmpty)
    #expect(Set(folder.songs.values) == ["1", "2", "3"])
  }

  @Test("is away where even the directory is gone that it was mounted at")
  func withoutPlace() throws {
    defer { end() }
    plugIn("z")
    try folder.start()
    unplug("z")
    #expect(rmdir(folder.music("z")) == 0)
    folder.sync()
    folder.rescan()
    #expect(folder.songs == ["z/1.mp3": "1", "z/2.mp3": "2", "3.mp3": "3"])
    #expect(folder.folderState?.offlineSubtrees == [folder.music.at("z")])
    // What was on the drive when it was there, and is no longer, is gone.
    drive.delete("2.mp3")
    folder.music.makeFolder("z")
    plugIn("z")
    folder.sync()
    #expect(folder.songs == ["z/1.mp3": "1", "3.mp3": "3"])
    #expect(folder.folderState?.offlineSubtrees == [])
  }
}
