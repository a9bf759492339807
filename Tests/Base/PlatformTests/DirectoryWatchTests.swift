import Glibc
import Platform
import TestSupport
import Testing

@Suite("Watching one directory", .limited)
struct DirectoryWatchTests {
  private struct Told {
    var count = 0
    var isHeld = false
    var hasLeft = false
  }

  private let folder: TemporaryFolder
  private let told = Monitor(Told())

  init() throws { folder = try TemporaryFolder() }

  private func wait(_ isSo: (Told) -> Bool) throws {
    try #require(told.wait(until: Patience.end) { isSo($0) ? true : nil } == true)
  }

  @Test("each change is told of, until that is stopped")
  func changes() throws {
    let watch = try DirectoryWatch(Array(folder.path.utf8), thread: "watch") { [told] in
      told.withLock { $0.count += 1 }
    }
    for step in [
      { try folder.write("a", to: "a.m3u8") }, { rename(folder.path("a.m3u8"), folder.path("b")) },
      { unlink(folder.path("b")) }, { try folder.makeFolder("c") },
    ] as [() throws -> Any] {
      let before = told.withLock { $0.count }
      _ = try step()
      try wait { $0.count > before }
    }
    watch.stop()
    let before = told.withLock { $0.count }
    try folder.write("a", to: "a.m3u8")
    #expect(told.withLock { $0.count } == before)
    #expect(before < 20, "what waits is one hint")
  }

  @Test("it has stopped when nobody is told any more")
  func stopped() throws {
    let watch = try DirectoryWatch(Array(folder.path.utf8), thread: "watch") { [told] in
      told.withLock { $0.count += 1 }
      _ = told.wait(until: Patience.end) { $0.isHeld ? nil : true }
      told.withLock { $0.hasLeft = true }
    }
    told.withLock { $0.isHeld = true }
    try folder.write("a", to: "a.m3u8")
    try wait { $0.count == 1 }
    let stopping = BlockingThread("stops") { [told] in
      watch.stop()
      told.withLock { #expect($0.hasLeft) }
    }
    takeAMoment(calls: 10_000)
    told.withLock { $0.isHeld = false }
    stopping.join()
  }

  @Test("what is no directory is an error with its path")
  func noDirectory() throws {
    let gone = folder.path("gone")
    #expect(throws: SystemCallError("inotify_add_watch", gone, code: ENOENT)) {
      try DirectoryWatch(Array(gone.utf8), thread: "watch") {}
    }
    let file = try folder.write("", to: "file")
    #expect(throws: SystemCallError("inotify_add_watch", file, code: ENOTDIR)) {
      try DirectoryWatch(Array(file.utf8), thread: "watch") {}
    }
  }
}
