import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("What is known when a sync is answered", .limited) struct SyncAnswerTests {
  @Test("the folder's state is told before")
  func state() throws {
    let watcher = try SteppedWatcher()
    #expect(watcher.stateAtSync()?.foldersWatched == 1)
    watcher.music.makeFolder("A")
    #expect(watcher.stateAtSync()?.foldersWatched == 2)
  }

  @Test("that the folder went is told before")
  func went() throws {
    let watcher = try SteppedWatcher()
    let away = TemporaryFolder()
    #expect(rename(watcher.music.path.display, away("music")) == 0)
    #expect(watcher.stateAtSync()?.mode == .offline(reason: "it is not there"))
    #expect(rename(away("music"), watcher.music.path.display) == 0)
    // It is looked for at once, and not when its time comes.
    #expect(watcher.stateAtSync()?.mode == .watching)
  }
}
