import FolderWatching
import LibraryModel
import Platform
import TestSupport
import Testing

@Suite("What a rescan compares with the library", .limited) struct RescanTests {
  private let folder = WatchedFolder()
  private var song: BytePath { folder.music.at("5.mp3") }

  init() throws {
    folder.music.write("5.mp3", "5")
    try folder.start {
      $0.standStill = 0
      // No file is read a second time for being young.
      $0.timeGrain = 0
    }
    folder.forgetMerges()
  }

  /// What the library is made to know of the file; nil: nothing.
  private func know(_ path: BytePath, _ facts: FileFacts??) {
    folder.receiver.state.withLock { state in
      if let facts { state.library[path] = .some(facts) } else { state.library[path] = nil }
    }
  }

  private var found: [BytePath] { folder.merges.flatMap(\.found).map(\.path) }
  private var vanished: [String] { folder.merges.flatMap(\.vanished).map(\.display).sorted() }

  @Test("songs of which the watcher never heard, and which are not there, have vanished")
  func unheard() throws {
    let others = ["1", "3", "7", "9"].map { folder.music.at("\($0).mp3") }
    for path in others { know(path, .some(nil)) }
    folder.rescan(others[2])
    #expect(vanished == [others[2].display])
    folder.rescan()
    #expect(vanished == others.map(\.display))
    #expect(found == [] && folder.reads.withLock { $0 } == [])
  }

  @Test("a file is read again where the library knows another one, or none, and then alone")
  func others() throws {
    let facts = try #require(folder.receiver.state.withLock { $0.songs[song] })
    var stamp = facts.stamp
    stamp.size += 1
    for (stamp, isKnown, isRead) in [
      (facts.stamp, true, false), (stamp, true, true), (stamp, false, true),
    ] {
      guard case .facts(let known) = WatchedFolder.outcome("other", stamp) else { return }
      know(song, isKnown ? .some(known) : nil)
      folder.forgetMerges()
      folder.rescan()
      #expect(found == (isRead ? [song] : []))
      #expect(folder.reads.withLock { $0 } == (isRead ? ["5"] : []))
      #expect(vanished == [])
    }
  }
}
