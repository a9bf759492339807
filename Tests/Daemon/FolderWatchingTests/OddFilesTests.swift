import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

/// What programs and people do to files in ways of their own.
@Suite(.limited) struct OddFilesTests {
  @Test("a copy is read once and whole, whichever way the program copies that makes it")
  func copies() throws {
    let folder = try WatchedFolder().start {
      $0.timeGrain = 0
      $0.standStill = 3_600_000_000_000
    }
    let names = [".1.mp3.a1B2c3", ".syncthing.2.mp3.tmp", "3.mp3.part", "4.mp3.crdownload"]
    for (index, name) in names.enumerated() {
      let descriptor = open(folder.music(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      folder.music.append(descriptor, "half ")
      folder.sync()
      folder.music.append(descriptor, "and whole")
      endWriting(descriptor)
      folder.sync()
      folder.music.move(name, "\(index + 1).mp3")
    }
    // A torrent makes room first, and fills it in any order.
    let torrent = open(folder.music("5.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #expect(posix_fallocate(torrent, 0, 14) == 0)
    folder.sync()
    for (text, place) in [("whole", 9), ("half ", 0), ("and ", 5)] {
      _ = Array(text.utf8).withUnsafeBytes {
        pwrite(torrent, $0.baseAddress, $0.count, off_t(place))
      }
      folder.sync()
    }
    #expect(folder.songs.keys.contains("5.mp3") == false)
    endWriting(torrent)
    folder.sync()
    #expect(folder.songs.count == 5)
    #expect(Set(folder.songs.values) == ["half and whole"])
    #expect(folder.reads.withLock { $0 } == [String](repeating: "half and whole", count: 5))
  }

  @Test("what is written through memory, or by a name elsewhere, is found by the next full look")
  func unheard() throws {
    let outside = TemporaryFolder()
    outside.write("other.mp3", "before")
    let folder = WatchedFolder()
    folder.music.write("mapped.mp3", "before")
    #expect(link(outside("other.mp3"), folder.music("linked.mp3")) == 0)
    try folder.start()
    let descriptor = open(folder.music("mapped.mp3"), O_RDWR | O_CLOEXEC)
    let memory = mmap(nil, 6, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    close(descriptor)
    folder.sync()
    memory?.copyMemory(from: "after!", byteCount: 6)
    #expect(msync(memory, 6, MS_SYNC) == 0)
    munmap(memory, 6)
    outside.write("other.mp3", "after!")
    folder.rescan()
    #expect(folder.songs == ["mapped.mp3": "after!", "linked.mp3": "after!"])
  }

  @Test("devices are never opened, and files of any size and time are files")
  func sizesAndTimes() throws {
    let folder = WatchedFolder()
    let made = mknod(folder.music("device.mp3"), S_IFCHR | 0o644, dev_t(1) << 8 | 5)
    try #require(made == 0, "this test makes a device: run it as root")
    // Ten terabytes of nothing, where the file system has files that large.
    folder.music.write("sparse.mp3", "sparse")
    if truncate(folder.music("sparse.mp3"), 10 << 40) != 0 {
      truncate(folder.music("sparse.mp3"), 1 << 40)
    }
    folder.music.write("empty.mp3", "")
    let times = ["1901": -2_177_452_800, "1970": 0, "2038": 2_147_483_648, "2106": 4_294_967_296]
    for (name, time) in times {
      folder.music.write("\(name).mp3", name)
      let both = [timespec](repeating: timespec(tv_sec: time, tv_nsec: 1), count: 2)
      #expect(utimensat(AT_FDCWD, folder.music("\(name).mp3"), both, 0) == 0)
    }
    try folder.start { $0.timeGrain = 0 }
    #expect(
      Set(folder.songs.keys) == Set(times.keys.map { "\($0).mp3" } + ["sparse.mp3", "empty.mp3"]))
    folder.forgetMerges()
    folder.rescan()
    #expect(folder.merges.isEmpty && folder.reads.withLock { $0 }.isEmpty)
    folder.music.write("1901.mp3", "2001")
    folder.sync()
    #expect(folder.songs["1901.mp3"] == "2001")
  }

  @Test("a wall clock that is set back or forward changes nothing")
  func wallClock() throws {
    let ahead = Monitor<Int64>(0)
    let clock = Clock(
      monotonic: Clock.system.monotonic,
      wall: { Clock.system.wall() + ahead.withLock { $0 } })
    let folder = WatchedFolder()
    folder.music.write("1.mp3", "1")
    try folder.start(clock: clock)
    var songs = ["1.mp3": "1"]
    for (index, hours) in [Int64(-1), 1, -87_600, 87_600, 0].enumerated() {
      ahead.withLock { $0 = hours * 3_600_000_000_000 }
      folder.forgetMerges()
      folder.rescan()
      #expect(folder.merges.isEmpty)
      folder.music.write("new \(index).mp3", "new")
      songs["new \(index).mp3"] = "new"
      folder.sync()
      #expect(folder.songs == songs)
    }
  }

  @Test("a file two hundred directories deep is a file like any other")
  func deep() throws {
    let folder = try WatchedFolder().start()
    let path = (0..<200).map { "\($0)" }.joined(separator: "/")
    folder.music.makeFolder(path)
    folder.music.write("\(path)/1.mp3", "1")
    folder.sync()
    #expect(folder.songs == ["\(path)/1.mp3": "1"])
    folder.music.move("0/1", "1")
    folder.sync()
    #expect(folder.songs == [String(path.dropFirst(2)) + "/1.mp3": "1"])
  }

  @Test("the music folder bound into itself is followed once")
  func boundParent() throws {
    let folder = WatchedFolder()
    folder.music.write("1.mp3", "1")
    folder.music.makeFolder("A/inside")
    folder.music.write("A/2.mp3", "2")
    let inside = folder.music("A/inside")
    let isBound = mount(folder.music.path.display, inside, nil, UInt(MS_BIND | MS_REC), nil) == 0
    try #require(isBound, "this test mounts: run it as root")
    defer { umount2(inside, Int32(MNT_DETACH)) }
    try folder.start()
    let all = ["1.mp3": "1", "A/2.mp3": "2"]
    #expect(folder.songs == all)
    folder.music.write("A/inside/3.mp3", "3")
    folder.rescan()
    #expect(folder.songs == all.merging(["3.mp3": "3"]) { one, _ in one })
    #expect(folder.problems.map(\.key) == [folder.music.at("A/inside")])
    #expect(folder.problems.values.allSatisfy { $0.kind == .skippedFolder })
  }

  @Test("a song has the stamp that its file had, whatever the reader says of that")
  func stamps() throws {
    let folder = WatchedFolder()
    folder.music.write("1.mp3", "123")
    let reads = Monitor(0)
    let reader = TextReader { _, _, answer in
      reads.withLock { $0 += 1 }
      answer(.facts(.made(42)))
    }
    try folder.start(reader: reader) { $0.timeGrain = 0 }
    var status = stat()
    #expect(stat(folder.music("1.mp3"), &status) == 0)
    let stamp = try #require(folder.receiver.state.withLock { $0.songs.values.first?.stamp })
    #expect(stamp.size == 3 && stamp.identity.inode == UInt64(status.st_ino))
    // So it is known again.
    folder.rescan()
    #expect(reads.withLock { $0 } == 1)
  }

  @Test("a link that leads to no file is no song, and takes the place of one")
  func noFile() throws {
    let folder = WatchedFolder()
    folder.music.write("1.mp3", "1")
    try folder.start()
    #expect(folder.songs == ["1.mp3": "1"])
    folder.music.delete("1.mp3")
    #expect(symlink("/dev/null", folder.music("1.mp3")) == 0)
    folder.sync()
    #expect(folder.songs.isEmpty && folder.problems.isEmpty)
  }
}
