import Glibc
import TestSupport
import Testing

@testable import FolderWatching

@Suite("The problem of what is not there any more goes with it", .limited)
struct GoneProblemTests {
  private let music = TemporaryFolder()
  private let watcher: SteppedWatcher

  init() throws {
    music.makeFolder("A")
    music.write("A/1.mp3", "bad")
    watcher = try SteppedWatcher(music)
    #expect(watcher.problems.keys.map { $0 } == [music.at("A/1.mp3")])
  }

  private func goOn() {
    for _ in 0..<4 {
      watcher.settle()
      watcher.turn(by: seconds / 2)
    }
    watcher.settle()
  }

  @Test("a file, or its directory, that is deleted", arguments: ["A/1.mp3", "A"])
  func deleted(name: String) {
    music.delete(name)
    goOn()
    #expect(watcher.problems.isEmpty)
  }

  @Test("a file that is deleted when it is about to be read again", arguments: ["A/1.mp3", "A"])
  func beforeReading(name: String) {
    watcher.turn(by: 2 * seconds)
    watcher.loop.step()
    #expect(!watcher.core.reads.isEmpty)
    music.delete(name)
    goOn()
    #expect(watcher.problems.isEmpty)
  }

  @Test("a file that is deleted while it is read again", arguments: ["A/1.mp3", "A"])
  func whileReading(name: String) {
    watcher.keepAnswers()
    watcher.turn(by: 2 * seconds)
    watcher.settle()
    #expect(watcher.keptCount == 1)
    music.delete(name)
    goOn()
    watcher.release()
    goOn()
    #expect(watcher.problems.isEmpty)
  }

  @Test(
    "a link that can't be followed, when it is deleted, and when it can", arguments: [true, false])
  func link(isDeleted: Bool) {
    let long = String(repeating: "x", count: 300)
    #expect(symlink(long, music("A/link")) == 0)
    goOn()
    #expect(watcher.problems.count == 2)
    #expect(unlink(music("A/link")) == 0)
    if !isDeleted { music.makeFolder("A/link") }
    goOn()
    #expect(watcher.problems.keys.map { $0 } == [music.at("A/1.mp3")])
  }
}
