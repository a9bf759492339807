import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("What the system says of files", .limited)
struct FilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func status(_ name: String, followsLinks: Bool = true) -> FileStatus? {
    FileStatus(name: name, followsLinks: followsLinks)
  }

  @Test("a status is that of stat(2), by path, by name and by descriptor")
  func status() throws {
    for (name, size) in [("file", 3), ("folder", 0)] {
      let path = folder.path(name)
      if size == 0 { try folder.makeFolder(name) } else { try folder.write("abc", to: name) }
      try #require(chmod(path, 0o741) == 0)
      var expected = stat()
      try #require(stat(path, &expected) == 0)
      let found = try #require(status(path))
      #expect(found.inode == expected.st_ino && found.size == Int64(expected.st_size))
      #expect(found.device == expected.st_dev && found.mode == expected.st_mode)
      let (modified, changed) = (expected.st_mtim, expected.st_ctim)
      #expect(found.modified == Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec))
      #expect(found.changed == Int64(changed.tv_sec) * 1_000_000_000 + Int64(changed.tv_nsec))
      #expect(found.isFile == (size > 0) && found.isDirectory == (size == 0))
      #expect(found.isMountRoot != true)
      let opened = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
      #expect(FileStatus(descriptor: opened.descriptor) == found)
      let above = OpenFile(owning: open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      let named = FileStatus(directory: above.descriptor, name: name, followsLinks: false)
      #expect(named == found)
    }
    #expect(FileStatus(descriptor: -1) == nil && errno == EBADF)
    // /proc is mounted, and what a test makes is not.
    #expect(FileStatus(name: "/proc", followsLinks: false)?.isMountRoot == true)
    #expect(status(folder.path)?.isMountRoot == false)
    #expect(status(folder.path("nothing")) == nil && errno == ENOENT)
  }

  @Test("a link is followed where that is meant, and a mount is known as one")
  func linksAndMounts() throws {
    try folder.write("abc", to: "file")
    try #require(symlink("file", folder.path("link")) == 0)
    #expect(status(folder.path("link")) == status(folder.path("file")))
    let link = try #require(status(folder.path("link"), followsLinks: false))
    #expect(!link.isFile && !link.isDirectory && link.inode != status(folder.path("file"))?.inode)
    #expect(status("/proc")?.isMountRoot != false)
  }

  @Test("a file system is told by a path in it and by a descriptor")
  func fileSystems() throws {
    let opened = OpenFile(owning: open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    let found = try #require(FileSystemStatus(path: "/proc"))
    #expect(FileSystemStatus(descriptor: opened.descriptor) == found)
    #expect(found.isOfKernel && !found.isRemote && found.hasStableInodes)
    #expect(FileSystemStatus(path: folder.path)?.isOfKernel == false)
    #expect(FileSystemStatus(descriptor: -1) == nil)
    #expect(FileSystemStatus(path: folder.path("nothing")) == nil)
  }

  @Test("an open file is closed with its value, unless it was given away")
  func closing() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe2(&ends) == 0)
    let reading = OpenFile(owning: ends[0])
    let kept = OpenFile(owning: ends[1]).release()
    #expect(kept == ends[1] && write(kept, "a", 1) == 1)
    do { _ = OpenFile(owning: kept) }
    var room: [UInt8] = [0, 0]
    #expect(read(reading.descriptor, &room, 2) == 1)
    // Waits until nobody has the other end open.
    #expect(read(reading.descriptor, &room, 2) == 0)
  }

  private func pipe2(_ ends: inout [Int32]) -> Int32 {
    let result = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return result
  }

  @Test("whoever has a file open for writing is seen, where the system can say")
  func writers() throws {
    ignoreLeaseBreaks()
    // What is ignored stands there, a bit for each signal from 1 on.
    let status = String(decoding: try readFile("/proc/self/status"), as: UTF8.self)
    let ignored = status.firstMatch(of: /SigIgn:\s*([0-9a-f]+)/)
    let bits = try #require(ignored.flatMap { UInt64($0.1, radix: 16) })
    #expect(bits & 1 << UInt64(SIGIO - 1) != 0)
    let path = try folder.write("abc", to: "file")
    let reading = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
    // A program that is just being started has the file open, too, that was written.
    #expect(happensInTime { Writers(descriptor: reading.descriptor) == .none })
    do {
      let writing = OpenFile(owning: open(path, O_WRONLY | O_CLOEXEC))
      #expect(writing.descriptor >= 0 && Writers(descriptor: reading.descriptor) == .some)
    }
    var ends: [Int32] = [-1, -1]
    try #require(pipe2(&ends) == 0)
    let from = OpenFile(owning: ends[0])
    let to = OpenFile(owning: ends[1])
    #expect(Writers(descriptor: from.descriptor) == .unknown && to.descriptor >= 0)
  }

  @Test("an error says what failed on what, and why")
  func errors() {
    errno = ENOSPC
    let error = SystemCallError("write", "/a")
    #expect(error.code == ENOSPC && "\(error)" == "write /a: No space left on device")
    #expect("\(SystemCallError("fsync", "", code: EIO))" == "fsync: Input/output error")
  }

  @Test("a call that a signal interrupts is made again, and no other")
  func interrupted() {
    var calls = 0
    func call(_ results: [(Int, Int32)]) -> Int {
      calls = 0
      return retrying {
        defer { calls += 1 }
        errno = results[calls].1
        return results[calls].0
      }
    }
    #expect(call([(-1, EINTR), (-1, EINTR), (5, 0)]) == 5 && calls == 3)
    #expect(call([(-1, EIO), (5, 0)]) == -1 && calls == 1 && errno == EIO)
    // A number that an earlier call left says nothing of one that succeeded.
    #expect(call([(0, EINTR), (5, 0)]) == 0 && calls == 1)
  }

  @Test("of the parts of a program, those with code of a file are told")
  func code() {
    let line = "55e0-55F0 r-xp 00000000 fe:00 12    /usr/bin/crated\n"
    #expect(codeRange(line) == 0x55E0..<0x55F0)
    #expect(codeRange("0-1 r-xp 00000000 fe:00 12 /a b\n") == 0..<1)
    for other in [
      "", "\n", line.replacing("r-xp", with: "rw-p"), line.replacing("/usr", with: "[usr"),
      "55e0-55f0 r-xp 00000000 00:00 0\n", line.replacing("55F0", with: "55e0"),
      line.replacing("55F0", with: "55d0"), line.replacing("55F0", with: "x"),
      line.replacing("55F0", with: "55F0-5600"),
    ] { #expect(codeRange(other) == nil, "\(other)") }
    returnFreeMemory()
  }
}
