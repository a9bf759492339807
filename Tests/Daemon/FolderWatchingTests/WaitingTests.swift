import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@Suite("What a watcher's threads wait for", .limited) struct WaitingTests {
  @Test(
    "one that has nothing to do sleeps, though links may lead anywhere", arguments: [false, true])
  func idle(hasLinks: Bool) throws {
    let readings = Monitor(0)
    let clock = Clock(
      monotonic: {
        readings.withLock { $0 += 1 }
        return Clock.system.monotonic()
      }, wall: Clock.system.wall)
    let folder = WatchedFolder()
    folder.music.write("1.mp3", "1")
    if hasLinks { #expect(symlink("nowhere", folder.music("2.mp3")) == 0) }
    try folder.start(clock: clock) { $0.standStill = 0 }
    // Each turn reads the clock some times, and none begins by itself. After the start there is
    // more to do.
    for _ in 0..<20 {
      let before = readings.withLock { $0 }
      let until = Clock.system.monotonic() + 200_000_000
      if readings.wait(until: until, for: { $0 > before + 300 ? () : nil }) == nil { return }
    }
    Issue.record("it goes on without end")
  }

  @Test("one that waits for the library at the end is waited for, however long that takes")
  func merging() throws {
    let folder = try WatchedFolder().start {
      $0.leaveWithin = 10_000_000
      $0.standStill = 0
    }
    folder.receiver.isHeld.withLock { $0 = true }
    folder.music.write("1.mp3", "1")
    folder.receiver.isMerging.wait { $0 ? () : nil }
    let hasStopped = Monitor(false)
    let stopping = BlockingThread("stopping") {
      folder.stop()
      hasStopped.withLock { $0 = true }
    }
    // Ten times as long as one may be in a call of the kernel.
    let until = Clock.system.monotonic() + 100_000_000
    #expect(hasStopped.wait(until: until) { $0 ? () : nil } == nil)
    folder.receiver.isHeld.withLock { $0 = false }
    stopping.join()
    #expect(folder.songs == ["1.mp3": "1"])
  }

  @Test("files that are read without end keep nobody from stopping")
  func reading() throws {
    let folder = try WatchedFolder().start {
      $0.leaveWithin = 10_000_000
      $0.standStill = 0
    }
    folder.isHeld.withLock { $0 = true }
    folder.music.write("1.mp3", "slow")
    folder.slowReads.wait { $0 == 1 ? () : nil }
    folder.stop()
    #expect(folder.songs.isEmpty)
    folder.isHeld.withLock { $0 = false }
  }
}
