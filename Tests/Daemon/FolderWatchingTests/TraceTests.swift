import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("The trace of a watcher", .limited) struct TraceTests {
  @Test("keeps the last 512 steps, the oldest first, and takes one entry for those that are alike")
  func ring() {
    var trace = Trace()
    #expect(trace.entries.isEmpty)
    for number in 0..<600 {
      for _ in 0..<3 { trace.note(.answered(number), at: Int64(number) * milliseconds) }
    }
    #expect(trace.entries.map(\.time) == Array(88..<600))
    #expect(trace.entries.allSatisfy { $0.step == .answered(Int($0.time)) && $0.count == 3 })
    #expect(trace.entries.first?.description == "88 clients are answered (3 times)")
  }

  @Test("tells what became of a file")
  func story() throws {
    let music = TemporaryFolder()
    let watcher = try SteppedWatcher(music)
    let before = watcher.loop.trace.entries.count
    music.write("1.mp3", "1")
    _ = watcher.sync()
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1"])
    let told = watcher.loop.trace.entries.dropFirst(before).map { "\($0)" }
    #expect(told.contains("request: sync"), "\(told)")
    #expect(told.contains { $0.hasPrefix("event: close 1.mp3") }, "\(told)")
    #expect(told.contains("scanned .: 1 new, 0 changed, 0 missing"), "\(told)")
    #expect(told.contains("read 1.mp3: its tags are known"), "\(told)")
    #expect(told.contains("merged: 1 found, 0 vanished, 0 absent"), "\(told)")
    #expect(told.last == "1 client is answered", "\(told)")
  }

  @Test("says why everything is scanned, as the receiver is told")
  func reasons() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(events: events)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    events.overflow()
    watcher.settle()
    watcher.turn(by: 3_600 * seconds)
    watcher.settle()
    // The cookie never comes.
    _ = watcher.rescan()
    watcher.turn(by: 3 * seconds)
    watcher.settle()
    let scans = watcher.loop.trace.entries.compactMap { entry in
      if case .fullScan(let reason) = entry.step { reason } else { nil }
    }
    #expect(scans == [.start, .wokeUp, .overflow, .hourly, .noCookie])
    #expect(watcher.receiver.state.withLock(\.reasons) == scans)
  }
}
