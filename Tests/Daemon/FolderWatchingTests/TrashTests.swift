import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Trash and snapshots", .limited) struct TrashTests {
  private let folder = WatchedFolder()
  private var music: TemporaryFolder { folder.music }

  @Test(
    "what is moved to a server's or to Windows' trash is gone, and back it is there",
    arguments: ["#recycle", "$RECYCLE.BIN", "@Recycle", ".snapshot"])
  func moved(trash: String) throws {
    for name in ["Live", "Other", trash] { music.makeFolder(name) }
    music.write("Live/1.mp3", "live")
    music.write("Other/1.mp3", "other")
    try folder.start()
    folder.forgetMerges()
    music.move("Live", "\(trash)/Live")
    folder.sync()
    #expect(folder.songs == ["Other/1.mp3": "other"])
    #expect(folder.merges.flatMap(\.vanished) == [music.at("Live/1.mp3")])
    folder.rescan()
    #expect(folder.songs.count == 1)
    music.move("\(trash)/Live", "Live")
    folder.sync()
    #expect(folder.songs.count == 2)
  }

  @Test("a snapshot is no music, until a rule takes it in", arguments: ["settings", "file"])
  func takenIn(by place: String) throws {
    for name in ["#snapshot/monday", ".zfs", "A/#recycle"] { music.makeFolder(name) }
    for name in ["#snapshot/monday/1.mp3", ".zfs/1.mp3", "A/#recycle/1.mp3"] {
      music.write(name, name)
    }
    if place == "file" { music.write(".crateignore", "!/#snapshot/\n!.zfs\n") }
    try folder.start {
      if place == "settings" { $0.ignorePatterns = ["!/#snapshot/", "!.zfs"] }
    }
    let taken = ["#snapshot/monday/1.mp3", ".zfs/1.mp3"]
    #expect(folder.songs.keys.sorted() == taken)
    // What comes later, too.
    music.delete(".zfs")
    folder.sync()
    #expect(folder.songs.count == 1)
    music.makeFolder(".zfs")
    music.write(".zfs/2.mp3", "2")
    folder.sync()
    #expect(folder.songs.keys.sorted() == ["#snapshot/monday/1.mp3", ".zfs/2.mp3"])
  }
}
