import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// What a file was known as is not forgotten while another one in its place is yet to be read.
@Suite("Files that wait, and what was known of them", .limited) struct UnsettledTests {
  private let music = TemporaryFolder()
  private let outside = TemporaryFolder()
  private let watcher: SteppedWatcher
  /// Keeps the other file open for writing.
  private let writer: Int32
  private var song: BytePath { music.at("A/1.mp3") }

  init() throws {
    music.makeFolder("A")
    music.write("A/1.mp3", "good")
    outside.makeFolder("B")
    outside.write("B/1.mp3", "other")
    writer = open(outside("B/1.mp3"), O_WRONLY | O_CLOEXEC)
    watcher = try SteppedWatcher(music) { $0.standStill = 1_000 * seconds }
    #expect(watcher.songs == ["A/1.mp3": "good"])
    exchange()
    #expect(watcher.core.reads.standing.count == 1)
    watcher.receiver.state.withLock { $0.merges = [] }
  }

  private func exchange() {
    #expect(exchangeNames(music("A"), outside("B")))
    goOn()
  }

  private func goOn() {
    for _ in 0..<3 {
      watcher.settle()
      watcher.turn(by: seconds / 2)
    }
    watcher.settle()
  }

  private var found: [BytePath] {
    watcher.receiver.state.withLock { $0.merges.flatMap(\.found).map(\.path) }
  }

  private func know(_ facts: FileFacts??) {
    watcher.receiver.state.withLock { state in
      if let facts { state.library[song] = .some(facts) } else { state.library[song] = nil }
    }
  }

  @Test("one that is back is at rest, and nothing of the other is waited for")
  func back() {
    let count = watcher.readCount
    exchange()
    #expect(watcher.core.reads.standing.isEmpty)
    #expect(watcher.readCount == count && found.isEmpty)
    close(writer)
  }

  @Test("one that is back is told of again where the library has forgotten it meanwhile")
  func forgotten() {
    know(nil)
    #expect(watcher.rescan())
    exchange()
    #expect(found == [song])
    #expect(watcher.songs == ["A/1.mp3": "good"])
    close(writer)
  }

  @Test("one that is back is as it was where the library has remembered it meanwhile")
  func remembered() throws {
    let facts = try #require(watcher.receiver.state.withLock { $0.songs[song] })
    know(nil)
    #expect(watcher.rescan())
    know(.some(facts))
    #expect(watcher.rescan())
    let count = watcher.readCount
    exchange()
    #expect(watcher.readCount == count && found.isEmpty)
    close(writer)
  }

  @Test("one that goes has vanished just where the library knows it", arguments: [true, false])
  func gone(isKnown: Bool) throws {
    know(nil)
    #expect(watcher.rescan())
    if isKnown {
      know(.some(nil))
      #expect(watcher.rescan())
    }
    music.delete("A/1.mp3")
    goOn()
    let vanished = watcher.receiver.state.withLock { $0.merges.flatMap(\.vanished) }
    #expect(vanished == (isKnown ? [song] : []))
    close(writer)
  }
}
