import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite(.limited) struct PiecesTests {
  @Test("a first scan that is told in pieces ends with the last one, however fast files are read")
  func longFirstScan() throws {
    let folder = TemporaryFolder()
    for number in 0..<600 {
      let name = "\(1_000 + number)"
      folder.makeFolder("music/" + name)
      // A stretch follows in which there is nothing to read, and one song behind it.
      if number < 270 || number == 599 { folder.write("music/" + name + "/one.mp3", name) }
    }
    folder.makeFolder("cookies")
    var settings = WatchSettings(cookies: folder.at("cookies"))
    settings.limits.pieceFiles = 1
    let told = Recorder()
    let loop = try Self.loop(on: folder.at("music"), settings, told)
    loop.kernel.openMounts()
    for _ in 0..<100 where told.endCount == 0 { loop.step() }
    let merges = told.state.withLock { $0.merges }
    // The first one in the midst of the walk, when all that was asked for is read.
    #expect(merges.map(\.found.count) == [270, 1])
    #expect(told.endCount == 1)
    #expect(merges.last?.endsFirstScan == true)
    #expect(merges.allSatisfy { $0.isFirstScan })
  }

  @Test("what is over is told with what is still waited for, which may be of its album")
  func waitedFor() throws {
    let music = TemporaryFolder()
    music.makeFolder("A")
    music.write("A/1.mp3", "one")
    music.write("A/2.mp3", "two")
    let watcher = try SteppedWatcher(music) { $0.vanishWait = 2_000_000_000 }
    // Each second in quarters: what is heard of rests a moment before it is looked at.
    func pass(seconds: Int) {
      for _ in 0..<(4 * seconds) {
        watcher.turn(by: 250_000_000)
        watcher.settle()
      }
    }
    for name in ["A/1.mp3", "A/2.mp3"] {
      music.delete(name)
      watcher.settle()
      pass(seconds: 1)
    }
    pass(seconds: 5)
    let merges = watcher.receiver.state.withLock { $0.merges.filter { !$0.vanished.isEmpty } }
    #expect(merges.map(\.vanished) == [[music.at("A/1.mp3")], [music.at("A/2.mp3")]])
    #expect(merges.map(\.absent) == [[music.at("A/2.mp3")], []])
  }

  /// A watcher on the caller's thread, with a reader so fast that whatever was asked for is read
  /// whenever the watcher looks at its clock.
  private static func loop(
    on root: BytePath, _ settings: WatchSettings, _ receiver: Recorder
  ) throws -> WatchLoop {
    let wakeUp = try WakeUp()
    let stuckCalls = try StuckCalls(most: settings.answerWithin)
    let reading = reading(settings, wakeUp, stuckCalls)
    let clock = Clock(
      monotonic: {
        while reading.openOne() {}
        return Clock.system.monotonic()
      }, wall: Clock.system.wall)
    return WatchLoop(
      root: root, settings: settings, clock: clock, known: { receiver.library },
      memory: FolderMemory(isFirstScan: true), receiver: receiver, reading: reading,
      mailbox: Mailbox(wakeUp: wakeUp),
      completions: Completions(), stuckCalls: stuckCalls,
      openEvents: { () throws(SystemCallError) in try Inotify() })
  }

  private static func reading(
    _ settings: WatchSettings, _ wakeUp: WakeUp, _ stuckCalls: StuckCalls
  ) -> FileReading {
    FileReading(
      settings: settings, clock: .system,
      reader: TextReader { _, stamp, answer in
        let facts = FileFacts(
          stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: nil, format: "mp3")
        answer(.facts(facts))
      }, wakeUp: wakeUp, stuckCalls: stuckCalls)
  }

  @Test("After its end nothing is read")
  func ended() throws {
    let settings = WatchSettings(cookies: BytePath("/nowhere"))
    let reading = Self.reading(
      settings, try WakeUp(), try StuckCalls(most: settings.answerWithin))
    reading.stop()
    #expect(!reading.openOne())
  }
}

extension Recorder {
  fileprivate var endCount: Int {
    state.withLock { $0.merges.count { $0.endsFirstScan } }
  }
}
