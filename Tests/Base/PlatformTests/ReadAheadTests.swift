import Glibc
import Platform
import TestSupport
import Testing

@Suite(.limited) struct ReadAheadTests {
  // Files in /tmp may never leave memory.
  private static let places = ["/var/tmp", "."]

  /// A file of that size whose bytes from `place` on are not in memory.
  private func makeFile(
    size: Int, leavingMemoryFrom place: Int
  ) throws -> (folder: TemporaryFolder, descriptor: Int32) {
    for parent in Self.places {
      let folder = try TemporaryFolder(in: parent)
      let path = try folder.write([UInt8](repeating: 1, count: size), to: "song")
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      try #require(fsync(descriptor) == 0)
      // Somebody else may hold a page for a moment.
      for _ in 0..<1_000 {
        posix_fadvise(descriptor, off_t(place), 0, POSIX_FADV_DONTNEED)
        let pages = try pagesInMemory(descriptor, size: size)
        if !pages[(place / 4096)...].contains(true) { return (folder, descriptor) }
      }
      close(descriptor)
    }
    throw NoPlace()
  }

  private struct NoPlace: Error, CustomStringConvertible {
    var description: String { "files leave memory neither in /var/tmp nor here" }
  }

  /// Which pages of the file are in memory.
  private func pagesInMemory(_ descriptor: Int32, size: Int) throws -> [Bool] {
    let memory = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0))
    defer { munmap(memory, size) }
    var pages = [UInt8](repeating: 0, count: (size + 4095) / 4096)
    try #require(mincore(memory, size, &pages) == 0)
    return pages.map { $0 & 1 == 1 }
  }

  @Test(
    "the ends of a file that is not in memory are read, and all of a small one",
    arguments: [(100 << 10, true), (4 << 20, false)])
  func ends(size: Int, isWhole: Bool) throws {
    let (_, descriptor) = try makeFile(size: size, leavingMemoryFrom: 0)
    defer { close(descriptor) }
    readAhead(descriptor, size: Int64(size))
    let second: Int64 = 1_000_000_000
    let begun = Clock.system.monotonic()
    let end = begun + 60 * second
    var again = begun + second
    while true {
      let pages = try pagesInMemory(descriptor, size: size)
      let wanted = isWhole ? pages : Array(pages.prefix(16) + pages.suffix(8))
      if !wanted.contains(false) {
        #expect(isWhole || pages.contains(false))
        return
      }
      let now = Clock.system.monotonic()
      try #require(now < end, "the ends are read before long")
      // What is asked for is advice: a kernel that is busy with a disk may leave it.
      if now > again {
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        readAhead(descriptor, size: Int64(size))
        again = now + second
      }
      sched_yield()
    }
  }

  @Test("nothing is asked for a file whose beginning is in memory")
  func inMemory() throws {
    let size = 4 << 20
    let (_, descriptor) = try makeFile(size: size, leavingMemoryFrom: size / 2)
    defer { close(descriptor) }
    try #require(try pagesInMemory(descriptor, size: size)[0])
    readAhead(descriptor, size: Int64(size))
    #expect(try pagesInMemory(descriptor, size: size).last == false)
  }

  @Test("what is forgotten is asked of the disk again")
  func forgotten() throws {
    let size = 1 << 20
    let (_, descriptor) = try makeFile(size: size, leavingMemoryFrom: 0)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: size)
    try #require(pread(descriptor, &bytes, size, 0) == size)
    try #require(try !pagesInMemory(descriptor, size: size).contains(false))
    // Somebody else may hold a page for a moment.
    #expect(
      happensInTime {
        forgetPages(descriptor)
        return (try? pagesInMemory(descriptor, size: size).contains(true)) == false
      })
  }
}
