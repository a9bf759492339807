import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// What is found though nobody told of it, and what is not looked at too often.
@Suite("What nobody tells of", .limited) struct UntoldTests {
  private let hour: Int64 = 3_600_000_000_000
  private let second: Int64 = 1_000_000_000

  @Test("each hour everything is looked at, whatever the kernel told")
  func hourly() throws {
    let watcher = try SteppedWatcher(events: MadeUpEvents())
    watcher.music.write("1.mp3", "1")
    watcher.turn(by: hour - second)
    watcher.settle()
    #expect(watcher.songs.isEmpty)
    watcher.turn(by: 2 * second)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1"])
  }

  @Test("a machine that slept looks at everything")
  func slept() throws {
    let watcher = try SteppedWatcher(events: MadeUpEvents())
    watcher.music.write("1.mp3", "1")
    watcher.turn(by: second)
    watcher.settle()
    #expect(watcher.songs.isEmpty)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1"])
  }

  @Test("below a directory that took another's name everything is looked at")
  func replaced() throws {
    let music = TemporaryFolder()
    for name in ["A/B", "other/B"] { music.makeFolder(name) }
    music.write("A/B/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: MadeUpEvents()) {
      $0.ignorePatterns = ["/other/"]
    }
    #expect(watcher.songs == ["A/B/1.mp3": "1"])
    music.write("other/B/2.mp3", "2")
    #expect(exchangeNames(music("A"), music("other")))
    // All that is known is that something happened to the directory.
    watcher.core.session.agenda.pending.note(.other, in: BytePath("A"), at: watcher.loop.now)
    watcher.turn(by: second)
    watcher.settle()
    watcher.turn(by: second)
    watcher.settle()
    #expect(watcher.songs == ["A/B/2.mp3": "2"])
  }

  @Test("directories that went take their watches with them")
  func watches() throws {
    let music = TemporaryFolder()
    let outside = TemporaryFolder()
    for name in ["A/B/C", "D/E", "F"] { music.makeFolder(name) }
    let watcher = try SteppedWatcher(music)
    func watchesOfKernel() throws -> Int {
      let descriptor = try #require(watcher.loop.kernel.events).descriptor
      let text = TemporaryFolder.text("/proc/self/fdinfo/\(descriptor)")
      return text.split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
    }
    // One is of the directory for cookies.
    #expect(try watchesOfKernel() == 8)
    #expect(rename(music("A"), outside("A")) == 0)
    music.delete("D")
    watcher.settle()
    watcher.turn(by: second)
    watcher.settle()
    #expect(try watchesOfKernel() == 3)
    #expect(watcher.core.session.watching.table.count == 2)
  }

  @Test("an overflow answers who waits for a sync, since the cookie may be lost")
  func overflowAnswers() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    watcher.music.write("1.mp3", "1")
    let isDone = watcher.sync()
    #expect(!isDone.withLock { $0 })
    events.overflow()
    // Without any time going by.
    watcher.settle()
    #expect(isDone.withLock { $0 })
    #expect(watcher.songs == ["1.mp3": "1"])
    // Another one in the same second has to wait, but not longer.
    watcher.music.write("2.mp3", "2")
    let isSecondDone = watcher.sync()
    events.overflow()
    watcher.settle()
    #expect(!isSecondDone.withLock { $0 })
    watcher.turn(by: second)
    watcher.settle()
    #expect(isSecondDone.withLock { $0 })
    #expect(watcher.songs.count == 2)
  }

  @Test("who makes more news than the kernel keeps, on and on, has one full look a second")
  func overflows() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    var looks: Set<Int64> = [watcher.core.session.agenda.nextFullScan]
    for number in 0..<50 {
      watcher.music.write("\(number).mp3", "\(number)")
      events.overflow()
      watcher.turn(by: second / 10)
      watcher.settle()
      looks.insert(watcher.core.session.agenda.nextFullScan)
    }
    #expect((4...6).contains(looks.count), "\(looks.count) full looks in 5 s")
    watcher.turn(by: second)
    watcher.settle()
    #expect(watcher.songs.count == 50)
  }

  @Test("a watch that is refused says why", arguments: [ENOSPC, EACCES, ENOENT])
  func refused(_ code: Int32) throws {
    let events = MadeUpEvents()
    events.failure = code
    let music = TemporaryFolder()
    music.makeFolder("A/B")
    let watcher = try SteppedWatcher(music, events: events)
    guard case .polling(let reason)? = watcher.mode else {
      Issue.record("it is not polling")
      return
    }
    #expect(reason.contains("max_user_watches") == (code == ENOSPC))
    #expect(reason.contains(String(cString: strerror(code))) == (code != ENOSPC))
    events.failure = nil
    watcher.turn(by: 31 * second)
    watcher.settle()
    #expect(watcher.mode == .watching)
  }

  @Test(
    "a file system that others may change is looked at from time to time",
    .enabled(if: !leavesOutFUSE))
  func remote() throws {
    let source = TemporaryFolder()
    source.makeFolder("A")
    let place = TemporaryFolder()
    let disk = try HeldFileSystem(showing: source.path.display, at: place.path.display)
    defer { disk.end() }
    let watcher = try SteppedWatcher(place)
    guard case .polling(let reason)? = watcher.mode else {
      Issue.record("it is not polling")
      return
    }
    #expect(reason.contains("FUSE"))
    source.write("A/1.mp3", "1")
    watcher.turn(by: 29 * second)
    watcher.settle()
    #expect(watcher.songs.isEmpty)
    watcher.turn(by: 2 * second)
    watcher.settle()
    #expect(watcher.songs == ["A/1.mp3": "1"])
  }

  @Test(
    "a root that opens and cannot be listed is a problem, and is tried less and less often",
    .enabled(if: !leavesOutFUSE))
  func unlistable() throws {
    let source = TemporaryFolder()
    source.write("1.mp3", "1")
    let place = TemporaryFolder()
    let disk = try HeldFileSystem(showing: source.path.display, at: place.path.display)
    defer { disk.end() }
    let watcher = try SteppedWatcher(place)
    #expect(watcher.songs == ["1.mp3": "1"])
    try disk.fail(.list)
    watcher.core.session.agenda.pending.note(.other, in: BytePath([]), at: watcher.loop.now)
    for _ in 0..<600 {
      watcher.turn(by: second / 10)
      watcher.settle()
    }
    // In a minute: at once, after 2 s and 10 s more, and then after a minute each.
    let failures = try disk.failures()
    #expect((1...4).contains(failures), "\(failures) tries in a minute")
    #expect(watcher.problems[place.path]?.kind == .unreadable)
    #expect(watcher.songs == ["1.mp3": "1"])
    for _ in 0..<3 {
      watcher.turn(by: 61 * second)
      watcher.settle()
    }
    #expect(try disk.failures() > failures)
    try disk.answer()
    source.write("2.mp3", "2")
    watcher.turn(by: 61 * second)
    watcher.settle()
    #expect(watcher.songs.count == 2)
    #expect(watcher.problems.isEmpty)
  }
}
