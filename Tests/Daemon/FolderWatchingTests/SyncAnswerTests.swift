import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("What is known when a sync is answered", .limited) struct SyncAnswerTests {
  @Test("the folder's state is told before")
  func state() throws {
    let watcher = try SteppedWatcher()
    #expect(watcher.stateAtSync().withLock { $0?.foldersWatched } == 1)
    watcher.music.makeFolder("A")
    #expect(watcher.stateAtSync().withLock { $0?.foldersWatched } == 2)
  }

  @Test("that the folder went is told before, and that it is back")
  func went() throws {
    let watcher = try SteppedWatcher()
    let away = TemporaryFolder()
    #expect(rename(watcher.music.path.display, away("music")) == 0)
    let gone = watcher.stateAtSync().withLock { $0 }
    #expect(gone?.mode == .offline(reason: "it is not there"))
    // Nor is anything watched that has its place no more.
    #expect(gone?.foldersWatched == 0)
    #expect(rename(away("music"), watcher.music.path.display) == 0)
    // It is looked for at once, and not when its time comes.
    #expect(watcher.stateAtSync().withLock { $0?.mode } == .watching)
  }

  @Test("another folder is taken for it where it is there, and not when it comes later")
  func other() throws {
    let watcher = try SteppedWatcher()
    for number in 0..<4 { watcher.music.write("\(number).mp3", "\(number)") }
    watcher.settle()
    let away = TemporaryFolder()
    #expect(rename(watcher.music.path.display, away("music")) == 0)
    #expect(watcher.rescan([watcher.music.path]))
    #expect(mkdir(watcher.music.path.display, 0o755) == 0)
    #expect(watcher.stateAtSync().withLock { $0?.mode } != .watching)
    #expect(watcher.songs.count == 4)
    #expect(watcher.rescan([watcher.music.path]))
    #expect(watcher.mode == .watching && watcher.songs.isEmpty)
  }

  @Test("what vanished in this very moment is told before")
  func vanished() throws {
    let watcher = try SteppedWatcher()
    watcher.music.write("1.mp3", "1")
    watcher.settle()
    #expect(watcher.songs.count == 1)
    watcher.music.delete("1.mp3")
    #expect(watcher.sync().withLock { $0 } && watcher.songs.isEmpty)
  }

  @Test("a look that took long is over by then")
  func progress() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    let state = watcher.stateAtSync()
    // The kernel never tells of its cookie, so that everything is looked at in the end.
    watcher.turn(by: 2 * seconds)
    events.onAdd = { watcher.turn(by: seconds) }
    defer { events.onAdd = {} }
    watcher.loop.step()
    #expect(state.withLock { $0?.isSeen } == true)
    #expect(state.withLock { $0?.progress } == nil)
  }

  @Test("where no cookie can be made nobody waits for one, and everything is looked at")
  func noCookie() throws {
    let watcher = try SteppedWatcher(events: MadeUpEvents()) {
      $0.cookies = BytePath("/nowhere/cookies")
    }
    watcher.music.write("1.mp3", "1")
    let isDone = watcher.sync()
    watcher.settle()
    #expect(isDone.withLock { $0 } && watcher.songs == ["1.mp3": "1"])
  }
}
