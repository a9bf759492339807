import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@Suite(.limited) struct KernelFileTests {
  @Test("a hard link and a file that got its name last are found")
  func links() throws {
    let folder = WatchedFolder()
    let outside = TemporaryFolder()
    outside.write("out.mp3", "out")
    try folder.start()
    #expect(link(outside("out.mp3"), folder.music("linked.mp3")) == 0)
    // O_TMPFILE
    let descriptor = open(folder.music.path.display, O_WRONLY | 0o20200000 | O_CLOEXEC, 0o644)
    folder.music.append(descriptor, "named last")
    let name = "/proc/self/fd/\(descriptor)"
    #expect(linkat(AT_FDCWD, name, AT_FDCWD, folder.music("tmpfile.mp3"), AT_SYMLINK_FOLLOW) == 0)
    endWriting(descriptor)
    folder.sync()
    #expect(folder.songs == ["linked.mp3": "out", "tmpfile.mp3": "named last"])
  }

  @Test("a file renamed over another is the new one")
  func renamedOver() throws {
    let folder = WatchedFolder()
    folder.music.write("song.mp3", "old")
    try folder.start()
    folder.music.write("song.mp3.part", "new")
    folder.music.move("song.mp3.part", "song.mp3")
    folder.sync()
    #expect(folder.songs == ["song.mp3": "new"])
  }

  @Test("a change that hides its size and time is seen")
  func hiddenChange() throws {
    let folder = WatchedFolder()
    folder.music.write("song.mp3", "old")
    try folder.start()
    var before = stat()
    stat(folder.music("song.mp3"), &before)
    folder.music.write("song.mp3", "new")
    let times = [before.st_atim, before.st_mtim]
    #expect(utimensat(AT_FDCWD, folder.music("song.mp3"), times, 0) == 0)
    folder.sync()
    #expect(folder.songs == ["song.mp3": "new"])
  }

  @Test("a file cut by its path is seen")
  func cut() throws {
    let folder = WatchedFolder()
    folder.music.write("song.mp3", "long text")
    try folder.start()
    #expect(truncate(folder.music("song.mp3"), 4) == 0)
    folder.sync()
    #expect(folder.songs == ["song.mp3": "long"])
  }

  @Test("names that are not text are all told, and are not mixed up")
  func names() throws {
    let folder = WatchedFolder()
    let names: [[UInt8]] = [
      Array("e\u{301}.mp3".utf8), Array("\u{e9}.mp3".utf8), [0xFF, 0xFE] + Array(".mp3".utf8),
      Array("line\nbreak.mp3".utf8), Array("-dash.mp3".utf8), [1, 2] + Array(".mp3".utf8),
      [UInt8](repeating: 0x61, count: 251) + Array(".mp3".utf8),
    ]
    for name in names {
      let path = folder.music.path.appending(name).bytes.map { CChar(bitPattern: $0) } + [0]
      endWriting(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
    }
    try folder.start()
    let told = folder.receiver.state.withLock { Set($0.songs.keys) }
    #expect(told == Set(names.map { folder.music.path.appending($0) }))
  }

  @Test("what is not a file is never opened")
  func noFiles() throws {
    let folder = WatchedFolder()
    mkfifo(folder.music("pipe.mp3"), 0o644)
    folder.music.makeFolder("folder.mp3")
    try folder.start()
    mkfifo(folder.music("later.mp3"), 0o644)
    folder.sync()
    #expect(folder.songs.isEmpty)
    #expect(folder.problems.isEmpty)
  }

  @Test("a reading that fails is a problem until the file is good")
  func problems() throws {
    let folder = WatchedFolder()
    folder.music.write("song.mp3", "bad start")
    try folder.start()
    #expect(folder.songs.isEmpty)
    #expect(folder.problems[folder.music.at("song.mp3")]?.message == "bad start")
    folder.music.write("song.mp3", "good")
    folder.sync()
    #expect(folder.songs == ["song.mp3": "good"])
    #expect(folder.problems.isEmpty)
    folder.music.write("song.mp3", "bad again")
    folder.sync()
    #expect(folder.songs == ["song.mp3": "good"])
    folder.music.delete("song.mp3")
    folder.sync()
    #expect(folder.songs.isEmpty)
    #expect(folder.problems.isEmpty)
  }

  @Test("a failed reading is tried again by itself")
  func retries() throws {
    let folder = WatchedFolder()
    folder.music.write("song.mp3", "bad")
    try folder.start { $0.retries = [20_000_000, 20_000_000] }
    #expect(folder.reads.wait(until: Patience.end) { $0.count >= 3 ? true : nil } == true)
    folder.sync()
    folder.rescan()
    #expect(folder.reads.withLock { $0.count } >= 4)
  }

  @Test("links are followed once, never in a loop, and what they lead to may be away")
  func symbolicLinks() throws {
    let outside = TemporaryFolder()
    outside.write("real.mp3", "outside")
    outside.makeFolder("Album")
    outside.write("Album/1.mp3", "1")
    let folder = WatchedFolder()
    folder.music.makeFolder("M")
    folder.music.write("M/song.mp3", "song")
    symlink(outside("real.mp3"), folder.music("a.mp3"))
    symlink(outside("real.mp3"), folder.music("b.mp3"))
    symlink(outside("Album"), folder.music("Linked"))
    symlink("..", folder.music("M/loop"))
    symlink("M", folder.music("Z"))
    symlink("M/song.mp3", folder.music("N.mp3"))
    try folder.start()
    let all = ["a.mp3": "outside", "Linked/1.mp3": "1", "M/song.mp3": "song"]
    #expect(folder.songs == all)
    outside.write("Album/2.mp3", "2")
    outside.move("real.mp3", "away.mp3")
    folder.rescan()
    #expect(folder.songs == all.merging(["Linked/2.mp3": "2"]) { one, _ in one })
    #expect(folder.folderState?.offlineSubtrees == [folder.music.at("a.mp3")])
    outside.move("Album", "Gone")
    folder.rescan()
    #expect(folder.songs.count == 4)
    #expect(folder.folderState?.offlineSubtrees.contains(folder.music.at("Linked")) == true)
    outside.move("Gone", "Album")
    outside.move("away.mp3", "real.mp3")
    folder.rescan()
    #expect(folder.songs.count == 4)
    #expect(folder.folderState?.offlineSubtrees == [])
    unlink(folder.music("Linked"))
    folder.sync()
    #expect(folder.songs == all.filter { $0.key != "Linked/1.mp3" })
  }

  @Test("a link before the file in byte order is the file's path, until it is deleted")
  func linkFirst() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("Z")
    folder.music.write("Z/song.mp3", "song")
    try folder.start()
    symlink("Z/song.mp3", folder.music("A.mp3"))
    folder.sync()
    #expect(folder.songs == ["A.mp3": "song"])
    unlink(folder.music("A.mp3"))
    folder.sync()
    #expect(folder.songs == ["Z/song.mp3": "song"])
  }

  @Test("a directory that cannot be listed is a problem, and nothing in it vanishes")
  func unreadable() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("A/B")
    folder.music.write("A/1.mp3", "1")
    folder.music.write("A/B/2.mp3", "2")
    chmod(folder.music.path.display, 0o755)
    chmod(folder.runtime.path.display, 0o777)
    folder.receiver.isUnprivileged.withLock { $0 = true }
    try folder.start()
    let all = ["A/1.mp3": "1", "A/B/2.mp3": "2"]
    chmod(folder.music("A"), 0)
    folder.sync()
    #expect(folder.problems[folder.music.at("A")]?.kind == .permission)
    folder.music.delete("A/1.mp3")
    folder.rescan()
    #expect(folder.songs == all)
    chmod(folder.music("A"), 0o755)
    folder.sync()
    #expect(folder.songs == ["A/B/2.mp3": "2"])
    #expect(folder.problems.isEmpty)
  }

  @Test("a file with a time in the future is read when it has stood still")
  func future() throws {
    // The change time cannot be set, so the clock of the watcher is an hour late.
    let late = Clock(
      monotonic: Clock.system.monotonic, wall: { Clock.system.wall() - 3_600_000_000_000 })
    let folder = WatchedFolder()
    let descriptor = open(folder.music("1.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    folder.music.append(descriptor, "1")
    try folder.start(clock: late) { $0.standStill = 100_000_000 }
    #expect(folder.wait { $0.songs.count == 1 })
  }

  @Test(
    "a file that changes while it is read is read again, and what it was is never told",
    arguments: ["appended", "truncated", "written", "replaced", "deleted"])
  func changedWhileRead(how: String) throws {
    let folder = try WatchedFolder().start()
    let path = folder.music("1.mp3")
    folder.isHeld.withLock { $0 = true }
    folder.music.write("1.mp3", "slow old")
    folder.slowReads.wait { $0 > 0 ? () : nil }
    switch how {
    case "appended":
      let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
      folder.music.append(descriptor, "er")
      endWriting(descriptor)
    case "truncated": #expect(truncate(path, 4) == 0)
    case "written": folder.music.write("1.mp3", "slow new")
    case "replaced":
      folder.music.write(".other", "other")
      #expect(rename(folder.music(".other"), path) == 0)
    default: folder.music.delete("1.mp3")
    }
    folder.isHeld.withLock { $0 = false }
    folder.sync()
    let now = ["appended": "slow older", "truncated": "slow", "written": "slow new"][how]
    let expected = how == "deleted" ? [:] : ["1.mp3": now ?? "other"]
    #expect(folder.songs == expected)
    let told = folder.merges.flatMap(\.found).map(\.facts.tags.title)
    #expect(told == Array(expected.values))
  }

  @Test("a change in the same instant as the reading is found by a second reading")
  func racy() throws {
    // By this clock the file was written just now, however long the reading takes to begin.
    let start = Clock.system.wall()
    let clock = Clock(monotonic: Clock.system.monotonic, wall: { start })
    let folder = try WatchedFolder().start(clock: clock) { $0.standStill = 3_600_000_000_000 }
    folder.music.write("1.mp3", "1")
    #expect(folder.reads.wait(until: Patience.end) { $0.count >= 2 ? true : nil } == true)
    folder.sync()
    #expect(folder.merges.flatMap(\.found).count == 1)
  }

  @Test("without a directory for cookies a sync looks at everything")
  func noCookies() throws {
    let folder = WatchedFolder()
    try folder.start { $0.cookies = BytePath("/nonexistent/cookies") }
    folder.music.write("1.mp3", "1")
    folder.sync()
    #expect(folder.songs == ["1.mp3": "1"])
  }

  @Test("the watcher leaves nothing behind and makes no news of its own")
  func noTraces() throws {
    let folder = WatchedFolder()
    for index in 0..<50 { folder.music.write("\(index).mp3", "\(index)") }
    let ours = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    defer { close(ours) }
    let writing = UInt32(IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVE)
    inotify_add_watch(ours, folder.music.path.display, writing)
    try folder.start()
    folder.rescan()
    var room = [UInt8](repeating: 0, count: 1_024)
    #expect(read(ours, &room, room.count) == -1)
    #expect(errno == EAGAIN)
    #expect(rmdir(folder.runtime.path.display) == 0)
  }
}
