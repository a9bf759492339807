import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("While files are read slowly", .limited) struct SlowReadingTests {
  private static let second: Int64 = 1_000_000_000

  @Test("what vanished is gone after ten seconds, though what is read may still be it")
  func vanished() throws {
    let watcher = try SteppedWatcher()
    watcher.music.write("a.mp3", "a")
    watcher.settle()
    watcher.turn(by: Self.second)
    watcher.settle()
    #expect(watcher.songs.keys.sorted() == ["a.mp3"])
    watcher.keepAnswers()
    watcher.music.write("slow.mp3", "slow")
    watcher.settle()
    watcher.turn(by: Self.second)
    watcher.settle()
    watcher.music.delete("a.mp3")
    watcher.settle()
    #expect(watcher.songs.keys.sorted() == ["a.mp3"])
    watcher.turn(by: 10 * Self.second - 1)
    watcher.settle()
    #expect(watcher.songs.keys.sorted() == ["a.mp3"])
    watcher.turn(by: 1)
    watcher.settle()
    #expect(watcher.songs.isEmpty)
    watcher.release()
    watcher.settle()
    #expect(watcher.songs.keys.sorted() == ["slow.mp3"])
  }

  @Test("how far a look is is told once it takes a while, and not when it is over")
  func progress() throws {
    let watcher = try SteppedWatcher()
    watcher.keepAnswers()
    for number in 1...5 { watcher.music.write("\(number).mp3", "\(number)") }
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    let progress = { watcher.receiver.state.withLock { $0.states.last?.progress } }
    #expect(progress() == nil)
    watcher.turn(by: Self.second / 5 - 1)
    watcher.settle()
    #expect(progress() == nil)
    watcher.turn(by: 1)
    watcher.settle()
    #expect(progress() == WatchState.Progress(scanned: 0, toScan: 5))
    watcher.release(2)
    watcher.turn(by: Self.second / 5)
    watcher.settle()
    #expect(progress() == WatchState.Progress(scanned: 2, toScan: 5))
    watcher.release()
    watcher.settle()
    watcher.turn(by: Self.second)
    watcher.settle()
    #expect(progress() == nil)
    #expect(watcher.songs.count == 5)
  }
}
