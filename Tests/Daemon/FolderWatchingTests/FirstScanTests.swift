import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("A scan that is not over when the next look begins", .limited) struct FirstScanTests {
  private let music = TemporaryFolder()

  init() {
    for number in 1...5 { music.write("\(number).mp3", "\(number)") }
  }

  private func states(_ watcher: SteppedWatcher) -> [WatchState] {
    watcher.receiver.state.withLock { $0.states }
  }

  private func seen(_ watcher: SteppedWatcher) -> [Int64] {
    watcher.receiver.state.withLock {
      $0.merges.flatMap { piece in piece.found.map { _ in piece.seen } }
    }
  }

  @Test("is one look as to when things were seen, however often it is gone through")
  func oneLook() throws {
    let watcher = try SteppedWatcher(music, keepsAnswers: true)
    let first = try #require(watcher.core.outbox.firstScanSeen)
    for _ in 0..<2 {
      watcher.loop.feed(.wokeUp)
      watcher.settle()
      watcher.turn(by: seconds)
      watcher.settle()
      #expect(watcher.core.outbox.firstScanSeen == first)
    }
    watcher.release()
    watcher.settle()
    #expect(seen(watcher) == [Int64](repeating: first, count: 5))
    #expect(watcher.core.outbox.firstScanSeen == nil)
    let before = states(watcher).count
    for number in 6...7 {
      music.write("\(number).mp3", "\(number)")
      watcher.loop.feed(.wokeUp)
      watcher.settle()
      watcher.release()
      watcher.settle()
      #expect(watcher.core.outbox.firstScanSeen == nil)
    }
    let later = Array(seen(watcher)[5...])
    #expect(later.count == 2 && later[0] > first && later[1] > later[0])
    #expect(states(watcher)[..<before].dropLast().allSatisfy { $0.firstScanSeen == first })
    #expect(states(watcher)[before...].allSatisfy { $0.firstScanSeen == nil })
  }

  @Test("tells how far it is from when the first of both began, with each file once")
  func progress() throws {
    let watcher = try SteppedWatcher(music, keepsAnswers: true)
    watcher.turn(by: 150 * milliseconds)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(states(watcher).allSatisfy { $0.progress == nil })
    watcher.turn(by: 50 * milliseconds)
    watcher.settle()
    #expect(states(watcher).last?.progress == WatchState.Progress(scanned: 0, toScan: 5))
    watcher.release(2)
    watcher.turn(by: 200 * milliseconds)
    watcher.settle()
    #expect(states(watcher).last?.progress == WatchState.Progress(scanned: 2, toScan: 5))
    watcher.release()
    watcher.settle()
    #expect(states(watcher).last?.progress == nil)
    #expect(watcher.songs.count == 5)
  }
}
