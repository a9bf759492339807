import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// With the settings as they are where nobody changes them, and each time to the nanosecond.
@Suite("When a watcher does what it has to do", .limited) struct WatchTimesTests {
  /// Turns the clock to just before a time, and then to it. Whether something was so at neither,
  /// and then was.
  private func comes(
    _ watcher: SteppedWatcher, after time: Int64, _ isSo: () -> Bool
  ) -> Bool {
    if isSo() { return false }
    watcher.turn(by: time - 1)
    watcher.settle()
    if isSo() { return false }
    watcher.turn(by: 1)
    watcher.settle()
    return isSo()
  }

  /// How long it would sleep.
  private func waiting(of watcher: SteppedWatcher) -> Int64 {
    watcher.loop.nextTime() - watcher.loop.now
  }

  @Test("what follows a first copy is looked at after a tenth of a second without news")
  func quiet() throws {
    let watcher = try SteppedWatcher()
    watcher.music.write("1.mp3", "1")
    watcher.settle()
    #expect(watcher.songs.count == 1)
    watcher.music.write("2.mp3", "2")
    watcher.settle()
    #expect(waiting(of: watcher) == 100 * milliseconds)
    #expect(comes(watcher, after: 100 * milliseconds) { watcher.songs.count == 2 })
  }

  @Test("a rename that is heard of is kept until its directories are looked at, and no longer")
  func renames() throws {
    let music = TemporaryFolder()
    for name in ["1.mp3", "2.mp3"] { music.write(name, name) }
    let watcher = try SteppedWatcher(music)
    // Its directory has news that are looked at at once, and then none till it is quiet.
    music.write("3.mp3", "3")
    watcher.settle()
    music.move("1.mp3", "4.mp3")
    for _ in 0..<3 { watcher.loop.step() }
    #expect(!watcher.core.session.agenda.renames.isEmpty && watcher.songs["4.mp3"] == nil)
    watcher.turn(by: 100 * milliseconds)
    watcher.settle()
    #expect(watcher.songs["4.mp3"] == "1.mp3")
    #expect(
      watcher.receiver.state.withLock { $0.merges.flatMap(\.renames) }
        == [.init(from: music.at("1.mp3"), to: music.at("4.mp3"))])
    // Its second half never came.
    watcher.core.session.agenda.renames.movedFrom(BytePath("2.mp3"), cookie: 7)
    watcher.loop.step()
    #expect(
      watcher.core.session.agenda.renames.isEmpty
        && watcher.core.session.agenda.renames.movedTo(cookie: 7) == nil)
  }

  @Test("what vanished may appear elsewhere for a tenth of a second")
  func vanishing() throws {
    let watcher = try SteppedWatcher { $0.quiet = 0 }
    watcher.music.write("1.mp3", "1")
    watcher.settle()
    #expect(watcher.songs.count == 1)
    watcher.music.delete("1.mp3")
    watcher.settle()
    #expect(waiting(of: watcher) == 100 * milliseconds)
    #expect(comes(watcher, after: 100 * milliseconds) { watcher.songs.isEmpty })
  }

  @Test("a file that can't be read is tried after 2 s, 10 s and a minute, and then no more")
  func failures() throws {
    let music = TemporaryFolder()
    music.write("1.mp3", "bad")
    let watcher = try SteppedWatcher(music)
    for wait in [2, 10, 60] as [Int64] {
      #expect(waiting(of: watcher) == wait * seconds)
      let before = watcher.readCount
      #expect(comes(watcher, after: wait * seconds) { watcher.readCount == before + 1 })
    }
    #expect(watcher.loop.nextTime() == watcher.core.session.agenda.nextFullScan)
    #expect(watcher.problems[music.at("1.mp3")]?.message == "bad")
  }

  @Test("a directory that can't be looked at is tried like a file, till there is news of it")
  func failedLooks() throws {
    let music = TemporaryFolder()
    // So deep that the path is too long for the kernel.
    close(music.openDeep([Int](repeating: 200, count: 25)))
    defer { system("rm -rf '\(music.path.display)'") }
    let watcher = try SteppedWatcher(music)
    for wait in [2, 10, 60] as [Int64] {
      #expect(waiting(of: watcher) == wait * seconds)
      watcher.turn(by: wait * seconds)
      watcher.settle()
    }
    #expect(watcher.loop.nextTime() == watcher.core.session.agenda.nextFullScan)
    #expect(watcher.problems.values.map(\.kind) == [.unreadable])
    // A full look begins anew.
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(waiting(of: watcher) == 2 * seconds)
  }

  @Test("a folder that is away is looked for every five seconds")
  func probes() throws {
    let watcher = try SteppedWatcher()
    watcher.music.write("1.mp3", "1")
    watcher.settle()
    let away = watcher.music.path.display + "-away"
    #expect(rename(watcher.music.path.display, away) == 0)
    watcher.loop.feed(.wokeUp)
    watcher.checkRoot()
    watcher.settle()
    #expect(waiting(of: watcher) == 5 * seconds)
    watcher.turn(by: 5 * seconds)
    watcher.settle()
    #expect(waiting(of: watcher) == 5 * seconds)
    #expect(rename(away, watcher.music.path.display) == 0)
    #expect(comes(watcher, after: 5 * seconds) { watcher.mode == .watching })
    // Another machine may have changed the drive while this one slept.
    #expect(rename(watcher.music.path.display, away) == 0)
    watcher.checkRoot()
    watcher.settle()
    #expect(rename(away, watcher.music.path.display) == 0)
    watcher.settle()
    #expect(watcher.mode != .watching)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(watcher.mode == .watching)
  }

  @Test("each hour everything is looked at, and an hour after any look at everything")
  func hourly() throws {
    let watcher = try SteppedWatcher(events: MadeUpEvents())
    let hour = 3_600 * seconds
    #expect(waiting(of: watcher) == hour)
    watcher.turn(by: seconds)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(waiting(of: watcher) == hour)
    watcher.music.write("1.mp3", "1")
    #expect(comes(watcher, after: hour) { watcher.songs.count == 1 })
  }

  @Test("the times of directories without a watch are looked at after half a minute, then rarer")
  func polling() throws {
    let events = MadeUpEvents()
    events.failure = EACCES
    let watcher = try SteppedWatcher(events: events)
    #expect(waiting(of: watcher) == 30 * seconds)
    watcher.music.write("1.mp3", "1")
    #expect(comes(watcher, after: 30 * seconds) { watcher.songs.count == 1 })
    // It found something, so the next one is as soon.
    #expect(waiting(of: watcher) == 30 * seconds)
    for interval in [30, 60, 120, 240] as [Int64] {
      #expect(waiting(of: watcher) == interval * seconds)
      watcher.turn(by: interval * seconds)
      watcher.settle()
    }
  }

  @Test("a directory behind a link is polled as what the link leads to, and no more than that")
  func pollingLinks() throws {
    let outside = TemporaryFolder()
    let events = MadeUpEvents()
    events.failure = EACCES
    let music = TemporaryFolder()
    #expect(symlink(outside.path.display, music("A")) == 0)
    let watcher = try SteppedWatcher(music, events: events)
    let fullLook = watcher.core.session.agenda.nextFullScan
    outside.write("1.mp3", "1")
    #expect(comes(watcher, after: 30 * seconds) { watcher.songs == ["A/1.mp3": "1"] })
    for interval in [30, 60] as [Int64] {
      #expect(waiting(of: watcher) == interval * seconds)
      watcher.turn(by: interval * seconds)
      watcher.settle()
    }
    #expect(waiting(of: watcher) == 120 * seconds)
    // As long as no watch is given it's no reason to look at everything.
    #expect(watcher.core.session.agenda.nextFullScan == fullLook)
  }

  @Test("the files of directories without a watch are looked at after a quarter of an hour")
  func pollingFiles() throws {
    let events = MadeUpEvents()
    events.failure = EACCES
    let music = TemporaryFolder()
    music.write("1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events) {
      $0.intervals.folders = 100_000 * seconds
    }
    #expect(waiting(of: watcher) == 900 * seconds)
    // No name comes or goes.
    music.write("1.mp3", "new")
    #expect(comes(watcher, after: 900 * seconds) { watcher.songs["1.mp3"] == "new" })
    #expect(waiting(of: watcher) == 900 * seconds)
    watcher.turn(by: 900 * seconds)
    watcher.settle()
    #expect(waiting(of: watcher) == 1_800 * seconds)
  }

  @Test("what was read is told after half a second, though more is still read")
  func pieces() throws {
    let watcher = try SteppedWatcher()
    watcher.keepAnswers()
    for number in 1...3 { watcher.music.write("\(number).mp3", "\(number)") }
    watcher.settle()
    watcher.release(1)
    watcher.settle()
    #expect(waiting(of: watcher) == 500 * milliseconds)
    #expect(comes(watcher, after: 500 * milliseconds) { watcher.songs.count == 1 })
    watcher.release()
    watcher.settle()
    #expect(watcher.songs.count == 3)
  }

  @Test("what vanished waits for files that are read, and nobody wakes for it all the time")
  func vanishedWhileReading() throws {
    let watcher = try SteppedWatcher()
    watcher.music.write("1.mp3", "1")
    watcher.settle()
    watcher.keepAnswers()
    watcher.music.write("2.mp3", "2")
    watcher.music.delete("1.mp3")
    for _ in 0..<3 {
      watcher.turn(by: 100 * milliseconds)
      watcher.settle()
    }
    #expect(watcher.keptCount == 1 && watcher.songs == ["1.mp3": "1"])
    #expect(waiting(of: watcher) == 500 * milliseconds)
    watcher.release()
    watcher.settle()
    #expect(watcher.songs == ["2.mp3": "2"])
  }

  @Test("so many files are told at once, though more is still read")
  func largePieces() throws {
    let watcher = try SteppedWatcher { $0.limits.pieceFiles = 3 }
    watcher.keepAnswers()
    for number in 1...5 { watcher.music.write("\(number).mp3", "\(number)") }
    watcher.settle()
    watcher.release(2)
    watcher.settle()
    #expect(watcher.songs.isEmpty)
    watcher.release(1)
    watcher.settle()
    #expect(watcher.songs.count == 3)
    #expect(watcher.receiver.state.withLock { $0.merges.map(\.found.count) } == [0, 3])
  }

  @Test("no more than 128 files are open at a time")
  func inFlight() throws {
    let music = TemporaryFolder()
    for number in 0..<130 { music.write("\(number).mp3", "\(number)") }
    let watcher = try SteppedWatcher(music, keepsAnswers: true)
    #expect(watcher.keptCount == 128)
    watcher.release(1)
    watcher.settle()
    #expect(watcher.keptCount == 128)
    for _ in 0..<2 {
      watcher.release()
      watcher.settle()
    }
    #expect(watcher.songs.count == 130)
  }

  @Test("a sync waits two seconds for its cookie, and then everything is looked at")
  func cookie() throws {
    let watcher = try SteppedWatcher(events: MadeUpEvents())
    watcher.music.write("1.mp3", "1")
    let isDone = watcher.sync()
    watcher.settle()
    #expect(waiting(of: watcher) == 2 * seconds)
    #expect(comes(watcher, after: 2 * seconds) { isDone.withLock { $0 } })
    #expect(watcher.songs == ["1.mp3": "1"])
  }

  @Test("after an overflow nothing is looked at until a second after the last full look")
  func overflow() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    events.overflow()
    watcher.settle()
    watcher.turn(by: seconds / 4)
    watcher.music.write("1.mp3", "1")
    let isDone = watcher.sync()
    events.overflow()
    watcher.settle()
    watcher.core.session.agenda.pending.note(.finished, in: BytePath([]), at: watcher.loop.now)
    watcher.settle()
    #expect(watcher.songs.isEmpty)
    // Nor does who waits for a sync have it wake all the time.
    #expect(!isDone.withLock { $0 })
    #expect(waiting(of: watcher) == 3 * seconds / 4)
    #expect(comes(watcher, after: 3 * seconds / 4) { watcher.songs.count == 1 })
    #expect(isDone.withLock { $0 })
  }

  @Test("progress is told at most five times a second")
  func progress() throws {
    let watcher = try SteppedWatcher()
    watcher.keepAnswers()
    for number in 1...5 { watcher.music.write("\(number).mp3", "\(number)") }
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    watcher.turn(by: seconds / 5)
    watcher.settle()
    let scanned = { watcher.receiver.state.withLock { $0.states.last?.progress?.scanned } }
    #expect(scanned() == 0)
    watcher.release(1)
    watcher.settle()
    #expect(comes(watcher, after: seconds / 5) { scanned() == 1 })
  }
}
