import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Files that have to stand still, and second readings", .limited) struct StandingStillTests {
  private let music = TemporaryFolder()
  private let events = MadeUpEvents()
  private let wait = 1_000 * seconds

  private func found(_ watcher: SteppedWatcher) -> [String] {
    watcher.receiver.state.withLock {
      $0.merges.flatMap(\.found).map { String(decoding: $0.path.name, as: UTF8.self) }
    }
  }

  @Test("a file that is written to when its time is over has to stand still anew")
  func writtenMeanwhile() throws {
    let writer = open(music("1.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(writer) }
    music.append(writer, "1")
    let watcher = try SteppedWatcher(music, events: events) { $0.standStill = wait }
    for _ in 0..<2 {
      #expect(watcher.readCount == 0)
      music.append(writer, "2")
      watcher.turn(by: wait)
      watcher.settle()
    }
    #expect(watcher.readCount == 0)
    watcher.turn(by: wait / 2)
    watcher.settle()
    #expect(watcher.readCount == 0)
    watcher.turn(by: wait / 2)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "122"])
  }

  @Test("a file that is asked for when its time is over is read, though somebody has it open")
  func askedInTime() throws {
    let writer = open(music("1.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(writer) }
    music.append(writer, "1")
    let watcher = try SteppedWatcher(music, events: events) { $0.standStill = wait }
    let key = FileKey(folder: .root, name: Array("1.mp3".utf8))
    let until = try #require(watcher.core.reads.nextTime)
    watcher.turn(by: until - watcher.loop.now - 1)
    watcher.askWhetherReady(key)
    watcher.settle()
    #expect(watcher.readCount == 0 && watcher.core.reads.nextTime == until)
    // Before the timers are asked.
    watcher.turn(by: 1)
    watcher.askWhetherReady(key)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1"])
  }

  @Test("who waits for a sync has no file read that is still written")
  func askedFor() throws {
    let writer = open(music("1.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    music.append(writer, "1")
    let watcher = try SteppedWatcher(music) { $0.standStill = wait }
    #expect(watcher.rescan())
    #expect(watcher.readCount == 0)
    let until = watcher.core.reads.nextTime
    #expect(until.map { $0 - watcher.loop.now <= wait } == true)
    // What is asked for earlier is no longer put off by that.
    watcher.turn(by: wait / 2)
    #expect(watcher.rescan())
    #expect(watcher.core.reads.nextTime == until)
    endWriting(writer)
    #expect(watcher.rescan())
    #expect(watcher.songs == ["1.mp3": "1"])
    #expect(watcher.core.reads.nextTime == nil)
  }

  @Test("what a second reading finds is told where it differs, and is read again until it doesn't")
  func second() throws {
    music.write("1.mp3", "one")
    let watcher = try SteppedWatcher(music, events: events) {
      $0.standStill = wait
      $0.timeGrain = wait
    }
    #expect(watcher.songs == ["1.mp3": "one"] && watcher.readCount == 1)
    for (number, text) in ["two", "two", "one"].enumerated() {
      watcher.readText.withLock { $0 = text }
      watcher.turn(by: 3 * wait - 1)
      watcher.settle()
      #expect(watcher.readCount == number + 1)
      watcher.turn(by: 1)
      watcher.settle()
      #expect(watcher.readCount == number + 2)
      #expect(watcher.songs == ["1.mp3": text])
    }
    #expect(found(watcher) == ["1.mp3", "1.mp3", "1.mp3"])
  }

  @Test("a file that a second reading finds changed is looked at, and read as what it is by then")
  func changed() throws {
    music.write("1.mp3", "one")
    let watcher = try SteppedWatcher(music, events: events) { $0.timeGrain = wait / 3 }
    #expect(watcher.songs == ["1.mp3": "one"])
    music.write("1.mp3", "other")
    watcher.turn(by: wait)
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "other"])
  }

  @Test("places that are compared at once are all compared, and nothing beside them is")
  func places() throws {
    for name in ["A", "A/B", "C", "D"] {
      music.makeFolder(name)
      music.write("\(name)/1.mp3", name)
    }
    let watcher = try SteppedWatcher(music)
    #expect(watcher.songs.count == 4)
    watcher.receiver.state.withLock {
      $0.library = [:]
      $0.merges = []
    }
    #expect(watcher.rescan(["A/B", "A", "C/1.mp3"].map(music.at)))
    let paths = watcher.receiver.state.withLock { $0.merges.flatMap(\.found).map(\.path) }
    #expect(paths.sorted() == ["A/1.mp3", "A/B/1.mp3", "C/1.mp3"].map(music.at))
    #expect(watcher.readCount == 7)
  }
}
