import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite(.limited) struct LimitTests {
  @Test("more news than the kernel keeps: nothing is missed, and only what is new is told")
  func overflow() throws {
    let folder = WatchedFolder()
    folder.music.write("old.mp3", "old")
    folder.music.makeFolder("A")
    try folder.start()
    folder.forgetMerges()
    // The watcher's thread is held in a merge, so that nobody takes the kernel's news.
    let isHeld = folder.receiver.isHeld
    isHeld.withLock { $0 = true }
    folder.music.write("first.mp3", "first")
    folder.receiver.isMerging.wait { $0 ? () : nil }
    let queue = KernelQueue(watching: folder.music.path.display)
    for index in 0..<5_000 {
      folder.music.write("\(index % 50).mp3", "\(index)")
      folder.music.write("more.mp3", "\(index)")
    }
    // The kernel says nothing of these.
    for index in 0..<200 { folder.music.write("A/\(index).mp3", "\(index)") }
    #expect(queue.hasOverflowed)
    isHeld.withLock { $0 = false }
    folder.sync()
    #expect(folder.songs.count == 253)
    #expect(folder.songs["A/199.mp3"] == "199")
    #expect(folder.songs["more.mp3"] == "4999")
    let found = folder.merges.flatMap(\.found)
    #expect(!found.contains { $0.path == folder.music.at("old.mp3") })
  }

  @Test("a burst in one directory is few merges")
  func burst() throws {
    // Longer than a slow machine takes to write the files and to read them.
    let hour = 3_600 * seconds
    let folder = try WatchedFolder().start {
      $0.quiet = hour
      $0.longest = hour
      $0.limits.pieceTime = hour
    }
    folder.forgetMerges()
    for index in 0..<1_000 { folder.music.write("\(index).mp3", "\(index)") }
    folder.sync()
    #expect(folder.songs.count == 1_000)
    // What the first news led to, the file that was being written then, and the rest.
    #expect(folder.merges.count <= 3)
  }

  @Test("directories beyond the limit of watches are polled, which is said, and heals")
  func watchLimit() throws {
    let folder = WatchedFolder()
    for name in ["A", "B", "C"] { folder.music.makeFolder(name) }
    try folder.start {
      $0.limits.watches = 2
      $0.intervals.folders = 50_000_000
    }
    guard case .polling(let reason)? = folder.folderState?.mode else {
      Issue.record("it is not polling")
      return
    }
    #expect(reason.contains("fs.inotify.max_user_watches"))
    #expect(folder.folderState?.foldersWatched == 2)
    for name in ["A", "B", "C"] { folder.music.write("\(name)/1.mp3", name) }
    #expect(folder.wait { $0.songs.count == 3 })
    folder.music.write("A/2.mp3", "A")
    for name in ["C/2.mp3", "C/3.mp3"] { folder.music.write(name, "C") }
    folder.sync()
    #expect(folder.songs.count == 6)
    folder.music.delete("A")
    folder.music.delete("B")
    #expect(folder.wait { $0.states.last?.mode == .watching })
  }

  @Test("where the kernel has no instance left all is polled, until it has one")
  func noInstance() throws {
    let refusal = Monitor<Int32?>(EMFILE)
    let watcher = try SteppedWatcher(refusal: refusal)
    guard case .polling(let reason)? = watcher.mode else {
      Issue.record("it is not polling")
      return
    }
    #expect(reason.contains("fs.inotify.max_user_instances"))
    #expect(watcher.loop.nextTime() - watcher.loop.now == 30 * seconds)
    // There are no cookies to wait for.
    #expect(watcher.sync().withLock { $0 })
    watcher.music.write("1.mp3", "1")
    watcher.turn(by: 30 * seconds)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1"])
    // The same file: its directory is as it was.
    watcher.music.write("1.mp3", "2")
    refusal.withLock { $0 = nil }
    watcher.turn(by: 30 * seconds)
    watcher.settle()
    #expect(watcher.mode == .watching && watcher.songs == ["1.mp3": "2"])
    #expect(watcher.loop.nextTime() == watcher.core.session.agenda.nextFullScan)
    watcher.music.write("3.mp3", "3")
    watcher.settle()
    #expect(watcher.songs.count == 2)
  }

  @Test("directories that got no watch are polled from the end of their scan on")
  func polledAtOnce() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    events.failure = ENOSPC
    watcher.loop.feed(.wokeUp)
    // Nothing else wakes it after this.
    watcher.loop.step()
    #expect(watcher.loop.nextTime() - watcher.loop.now == 30 * seconds)
  }

  @Test("where the kernel has an instance at last and no watches, it is asked again as soon")
  func noWatches() throws {
    let refusal = Monitor<Int32?>(EMFILE)
    let events = MadeUpEvents()
    events.failure = ENOSPC
    let watcher = try SteppedWatcher(events: events, refusal: refusal)
    refusal.withLock { $0 = nil }
    watcher.turn(by: 30 * seconds)
    watcher.settle()
    guard case .polling(let reason)? = watcher.mode else {
      Issue.record("it is not polling")
      return
    }
    #expect(reason.contains("fs.inotify.max_user_watches"))
    #expect(watcher.loop.nextTime() - watcher.loop.now == 30 * seconds)
  }

  @Test("a directory left out is neither watched nor looked at")
  func leftOut() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("Playlists")
    folder.music.write("Playlists/1.mp3", "1")
    try folder.start { $0.leftOut = [folder.music.at("Playlists")] }
    #expect(folder.songs.isEmpty)
    #expect(folder.folderState?.foldersWatched == 1)
  }

  @Test("what a .crateignore file leaves out goes, and comes back with it")
  func ignoreFile() throws {
    let folder = WatchedFolder()
    for path in ["Podcasts/1.mp3", "Music/live.mp3", "Music/keep.mp3", "3.mp3"] {
      folder.music.makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
      folder.music.write(path, path)
    }
    try folder.start { $0.ignorePatterns = ["3.*"] }
    #expect(folder.songs.count == 3)
    folder.music.write(".crateignore", "/Podcasts/\nlive.*\n")
    folder.sync()
    #expect(Set(folder.songs.keys) == ["Music/keep.mp3"])
    folder.music.write("Music/.crateignore", "!live.mp3\n")
    folder.sync()
    #expect(Set(folder.songs.keys) == ["Music/keep.mp3", "Music/live.mp3"])
    folder.music.delete(".crateignore")
    folder.sync()
    #expect(folder.songs.count == 3)
  }

  @Test("a path longer than the system takes is a problem, and the rest is found")
  func depth() throws {
    let folder = WatchedFolder()
    let name = String(repeating: "d", count: 200)
    close(folder.music.openDeep([Int](repeating: 200, count: 25)))
    folder.music.write("\(name)/1.mp3", "1")
    try folder.start()
    #expect(folder.songs.count == 1)
    #expect(folder.problems.count == 1)
    system("rm -rf '\(folder.music.path.display)'")
  }

  @Test("stopping while files are read ends, and answers who waits")
  func stopping() throws {
    let folder = try WatchedFolder().start()
    folder.isHeld.withLock { $0 = true }
    folder.music.write("1.mp3", "slow")
    let isDone = Monitor(false)
    folder.post { $0.sync { isDone.withLock { $0 = true } } }
    let stopping = BlockingThread("stopping") { folder.stop() }
    folder.isHeld.withLock { $0 = false }
    stopping.join()
    #expect(isDone.withLock { $0 })
  }

  @Test("during a long walk the news are read after each 16 directories", arguments: [31, 32, 33])
  func newsDuringWalk(folders: Int) throws {
    let music = TemporaryFolder()
    for number in 1..<folders { music.makeFolder("\(number)") }
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(music, events: events)
    let before = events.readCount
    watcher.loop.feed(.wokeUp)
    watcher.loop.step()
    // Once before it.
    #expect(events.readCount - before == 1 + folders / 16)
  }

  @Test("whoever makes news without end is heard the next time")
  func endlessNews() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    let before = events.readCount
    events.isEndless = true
    watcher.loop.step()
    #expect(events.readCount - before == 64)
  }
}
