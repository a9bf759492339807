import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@Suite(.limited) struct KernelTests {
  @Test("what is there at the start is found, and the last piece ends the first scan")
  func firstScan() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("A/B")
    folder.music.write("one.mp3", "1")
    folder.music.write("A/two.mp3", "2")
    folder.music.write("A/B/three.FLAC", "3")
    folder.music.write("A/B/cover.jpg", "no song")
    folder.music.write(".hidden.mp3", "no song")
    try folder.start()
    #expect(folder.songs == ["one.mp3": "1", "A/two.mp3": "2", "A/B/three.FLAC": "3"])
    #expect(folder.merges.last?.endsFirstScan == true)
    #expect(folder.merges.allSatisfy { $0.isFirstScan })
    #expect(folder.folderState?.mode == .watching)
    #expect(folder.folderState?.foldersWatched == 3)
  }

  @Test("an empty folder ends its first scan too")
  func emptyFirstScan() throws {
    let folder = try WatchedFolder().start()
    #expect(folder.merges.count == 1)
    #expect(folder.merges.first?.endsFirstScan == true)
  }

  @Test("a finished copy is told without a sync")
  func copy() throws {
    let folder = try WatchedFolder().start()
    folder.music.write("new.mp3", "new")
    #expect(folder.wait { $0.songs.count == 1 })
    #expect(folder.songs == ["new.mp3": "new"])
  }

  @Test("a deleted file is told without a sync")
  func deletion() throws {
    let folder = WatchedFolder()
    folder.music.write("old.mp3", "old")
    try folder.start()
    folder.music.delete("old.mp3")
    #expect(folder.wait { $0.songs.isEmpty })
  }

  @Test("a second look tells nothing")
  func nothingNew() throws {
    let folder = WatchedFolder()
    for index in 0..<20 { folder.music.write("\(index).mp3", "\(index)") }
    try folder.start()
    folder.forgetMerges()
    folder.rescan()
    folder.sync()
    #expect(folder.merges.isEmpty)
  }

  @Test("a file that is being written is not read, and is when it is closed")
  func beingWritten() throws {
    let folder = try WatchedFolder().start { $0.standStill = 3_600_000_000_000 }
    let descriptor = open(folder.music("slow.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    folder.music.append(descriptor, "half")
    folder.sync()
    #expect(folder.songs.isEmpty)
    #expect(folder.reads.withLock { $0 }.isEmpty)
    folder.music.append(descriptor, " and whole")
    endWriting(descriptor)
    folder.sync()
    #expect(folder.songs == ["slow.mp3": "half and whole"])
  }

  @Test("a file that stands still is read at last though somebody holds it open")
  func standsStill() throws {
    let folder = try WatchedFolder().start { $0.standStill = 300_000_000 }
    let descriptor = open(folder.music("held.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    folder.music.append(descriptor, "all")
    #expect(folder.wait { $0.songs.count == 1 })
  }

  @Test("a renamed file is one merge with its rename, and the old path vanishes after")
  func rename() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("A")
    folder.music.makeFolder("B")
    folder.music.write("A/a.mp3", "song")
    try folder.start()
    folder.forgetMerges()
    folder.music.move("A/a.mp3", "B/b.mp3")
    #expect(folder.wait { $0.merges.contains { !$0.vanished.isEmpty } })
    #expect(folder.songs == ["B/b.mp3": "song"])
    let first = folder.merges.first
    let from = folder.music.at("A/a.mp3")
    let to = folder.music.at("B/b.mp3")
    #expect(first?.found.map(\.path) == [to])
    #expect(first?.renames == [FolderContents.Rename(from: from, to: to)])
    #expect(first?.absent == [from] || first?.vanished == [from])
  }

  @Test("a renamed directory is not read again, and names every file's rename")
  func renamedFolder() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("Album/CD1")
    for index in 0..<50 { folder.music.write("Album/CD1/\(index).mp3", "\(index)") }
    // With a grain, what was read in the instant of its writing would be read a second time.
    try folder.start { $0.timeGrain = 0 }
    folder.forgetMerges()
    folder.music.move("Album", "Other")
    folder.sync()
    #expect(folder.songs.count == 50)
    #expect(folder.songs.keys.allSatisfy { $0.hasPrefix("Other/CD1/") })
    #expect(folder.reads.withLock { $0 }.isEmpty)
    #expect(folder.merges.flatMap(\.renames).count == 50)
    folder.music.write("Other/CD1/new.mp3", "new")
    folder.sync()
    #expect(folder.songs["Other/CD1/new.mp3"] == "new")
  }

  @Test("a directory that is renamed, and back before its files are given up, is told of again")
  func renamedAndBack() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("Album/CD1")
    for index in 0..<5 { folder.music.write("Album/CD1/\(index).mp3", "\(index)") }
    try folder.start {
      $0.timeGrain = 0
      $0.vanishWait = 60_000_000_000
    }
    let before = folder.songs
    #expect(before.count == 5)
    folder.forgetMerges()
    let other = folder.music.at("Other")
    for _ in 0..<2 {
      folder.music.move("Album", "Other")
      #expect(folder.wait { $0.songs.keys.count { $0.isInside(other) } == 5 })
      folder.music.move("Other", "Album")
      folder.sync()
      #expect(folder.songs == before)
    }
    #expect(folder.reads.withLock { $0 }.isEmpty)
  }

  @Test("a directory moved out is no longer listened to, and one moved in is found")
  func movedInAndOut() throws {
    let outside = TemporaryFolder()
    let folder = WatchedFolder()
    folder.music.makeFolder("A/Deep")
    folder.music.write("A/Deep/1.mp3", "1")
    try folder.start()
    #expect(folder.folderState?.foldersWatched == 3)
    #expect(Glibc.rename(folder.music("A"), outside("A")) == 0)
    folder.sync()
    #expect(folder.songs.isEmpty)
    outside.write("A/Deep/2.mp3", "2")
    folder.sync()
    #expect(folder.songs.isEmpty)
    #expect(Glibc.rename(outside("A"), folder.music("B")) == 0)
    folder.sync()
    #expect(folder.songs == ["B/Deep/1.mp3": "1", "B/Deep/2.mp3": "2"])
  }

  @Test("two directories that swap names swap their files")
  func swap() throws {
    let folder = WatchedFolder()
    for name in ["A", "B"] {
      folder.music.makeFolder(name)
      folder.music.write("\(name)/\(name).mp3", name)
    }
    try folder.start()
    folder.music.move("A", "C")
    folder.music.move("B", "A")
    folder.music.move("C", "B")
    folder.sync()
    #expect(folder.songs == ["A/B.mp3": "B", "B/A.mp3": "A"])
    folder.music.write("A/new.mp3", "in A")
    folder.music.write("B/new.mp3", "in B")
    folder.sync()
    #expect(folder.songs["A/new.mp3"] == "in A")
    #expect(folder.songs["B/new.mp3"] == "in B")
  }

  @Test("a storm of renames through each other ends as the tree is")
  func renameStorm() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("d1/d2/a")
    folder.music.write("d1/d2/a/1.mp3", "1")
    try folder.start()
    for _ in 0..<20 {
      folder.music.move("d1", "d3")
      folder.music.move("d3/d2", "d2")
      folder.music.move("d2/a", "a")
      folder.music.move("d3", "a/d3")
      folder.music.move("a", "d1")
      folder.music.move("d2", "d1/d2")
      folder.music.makeFolder("d1/d2/a")
      folder.music.move("d1/1.mp3", "d1/d2/a/1.mp3")
      folder.music.delete("d1/d3")
    }
    folder.sync()
    #expect(folder.songs == ["d1/d2/a/1.mp3": "1"])
  }

  @Test("a directory deleted and made again under its name")
  func recreated() throws {
    let folder = try WatchedFolder().start()
    for round in 0..<100 {
      folder.music.delete("Album")
      folder.music.makeFolder("Album")
      folder.music.write("Album/\(round).mp3", "\(round)")
    }
    folder.sync()
    #expect(folder.songs == ["Album/99.mp3": "99"])
  }

  @Test("of two hundred trees made at once no file is missed")
  func trees() throws {
    let folder = try WatchedFolder().start()
    for tree in 0..<200 {
      folder.music.makeFolder("\(tree)/b/c")
      folder.music.write("\(tree)/1.mp3", "1")
      folder.music.write("\(tree)/b/2.mp3", "2")
      folder.music.write("\(tree)/b/c/3.mp3", "3")
    }
    folder.sync()
    #expect(folder.songs.count == 600)
    #expect(folder.receiver.state.withLock { Set($0.songs.keys).count } == 600)
  }

  @Test("a file that goes before it is told, and comes back, is told")
  func awayBeforeTold() throws {
    let outside = TemporaryFolder()
    let folder = WatchedFolder()
    folder.music.makeFolder("A")
    try folder.start { $0.limits.pieceTime = 400_000_000 }
    folder.isHeld.withLock { $0 = true }
    // What was found waits for the slow one, until it is time for a piece.
    outside.write("A.mp3", "A")
    outside.write("B.mp3", "B")
    outside.write("C.mp3", "slow")
    #expect(Glibc.rename(outside("C.mp3"), folder.music("C.mp3")) == 0)
    #expect(Glibc.rename(outside("A.mp3"), folder.music("A/A.mp3")) == 0)
    #expect(Glibc.rename(outside("B.mp3"), folder.music("B.mp3")) == 0)
    #expect(folder.reads.wait(until: Patience.end) { $0.count >= 2 ? true : nil } == true)
    #expect(Glibc.rename(folder.music("A"), outside("A")) == 0)
    #expect(folder.wait { $0.songs.values.contains { $0.tags.title == "B" } })
    #expect(Glibc.rename(outside("A"), folder.music("A")) == 0)
    folder.isHeld.withLock { $0 = false }
    folder.sync()
    #expect(folder.songs == ["A/A.mp3": "A", "B.mp3": "B", "C.mp3": "slow"])
  }
}
