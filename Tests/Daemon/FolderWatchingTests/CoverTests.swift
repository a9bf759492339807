import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// The image file of a directory, as far as a watcher tells of it.
@Suite("The image beside songs", .limited) struct CoverTests {
  private let music = TemporaryFolder()

  /// What was told of a directory since this was asked last.
  private func told(_ watcher: SteppedWatcher) -> [String: [CoverDigest?]] {
    // What is heard of rests for a moment.
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.settle()
    let covers = watcher.receiver.state.withLock { state in
      defer { state.covers = [] }
      return state.covers
    }
    return Dictionary(grouping: covers) { $0.folder.relative(to: music.path)?.display ?? "?" }
      .mapValues { $0.map(\.cover) }
  }

  /// By what the kernel says of the file now.
  private func digest(of name: String) throws -> CoverDigest {
    let status = try #require(
      music.at(name).withCPath { FileStatus(name: $0, followsLinks: true) })
    let system = try #require(music.path.withCPath { FileSystemStatus(path: $0) })
    return CoverDigest(of: FileStamp(status, on: system))
  }

  @Test("each directory is told at the first look, and later where its image is another")
  func telling() throws {
    for name in ["A", "B/C"] { music.makeFolder(name) }
    music.write("A/cover.jpg", "A")
    let watcher = try SteppedWatcher(music)
    let first = try digest(of: "A/cover.jpg")
    #expect(told(watcher) == ["": [nil], "A": [first], "B": [nil], "B/C": [nil]])
    // Nothing is new, nor for whoever looks at everything.
    music.write("A/1.mp3", "1")
    #expect(told(watcher) == [:])
    watcher.loop.feed(.wokeUp)
    #expect(told(watcher) == [:])
    // It is changed, comes and goes.
    music.write("A/cover.jpg", "other")
    let second = try digest(of: "A/cover.jpg")
    #expect(second != first)
    #expect(told(watcher) == ["A": [second]])
    music.write("B/C/Front.PNG", "front")
    #expect(told(watcher) == ["B/C": [try digest(of: "B/C/Front.PNG")]])
    music.delete("A/cover.jpg")
    #expect(told(watcher) == ["A": [nil]])
    music.move("B/C/Front.PNG", "B/front.png")
    #expect(told(watcher) == ["B": [try digest(of: "B/front.png")], "B/C": [nil]])
    chmod(music("B/front.png"), 0o600)
    #expect(told(watcher) == ["B": [try digest(of: "B/front.png")]])
    removeTree(music("B"))
    #expect(told(watcher) == ["B": [nil]])
  }

  @Test("of several the best is told, whichever is listed first")
  func best() throws {
    for name in ["folder.png", "front.jpg", "cover.png", "folder.jpg"] { music.write(name, name) }
    let watcher = try SteppedWatcher(music)
    #expect(told(watcher) == ["": [try digest(of: "cover.png")]])
    music.write("cover.jpg", "best")
    #expect(told(watcher) == ["": [try digest(of: "cover.jpg")]])
    music.write("front.gif", "worst")
    #expect(told(watcher) == [:])
    for (gone, next) in [("cover.jpg", "cover.png"), ("cover.png", "folder.jpg")] {
      music.delete(gone)
      #expect(told(watcher) == ["": [try digest(of: next)]])
    }
  }

  @Test("what is no image that pixels are made of is none")
  func others() throws {
    music.write("cover.webp", "of a kind that is not shown")
    music.makeFolder("cover.jpg")
    mkfifo(music("folder.jpg"), 0o644)
    symlink(music.path.display, music("front.jpg"))
    symlink("nowhere", music("front.png"))
    music.write("cover.mp3", "song")
    let watcher = try SteppedWatcher(music)
    #expect(told(watcher)[""] == [nil])
  }

  @Test("a directory with the name of a better image hides none")
  func directory() throws {
    music.makeFolder("cover.jpg")
    music.write("front.png", "image")
    let watcher = try SteppedWatcher(music)
    #expect(told(watcher)[""] == [try digest(of: "front.png")])
  }

  @Test("a link to an image is the image, though it lies on another file system")
  func links() throws {
    let memory = TemporaryFolder(under: Schedule.quickPlace)
    memory.write("any.jpg", "image")
    music.makeFolder("A")
    music.write("A/real.jpg", "real")
    symlink(music("A/real.jpg"), music("cover.jpg"))
    symlink(memory("any.jpg"), music("A/cover.jpg"))
    let watcher = try SteppedWatcher(music)
    let other = try #require(
      memory.at("any.jpg").withCPath { FileStatus(name: $0, followsLinks: true) })
    let own = try #require(music.path.withCPath { FileStatus(name: $0, followsLinks: true) })
    let isElsewhere = other.device != own.device
    let far = CoverDigest(of: FileStamp(other, fileSystem: 0, hasStableInodes: false))
    let near = try digest(of: "A/cover.jpg")
    #expect(
      told(watcher) == ["": [try digest(of: "A/real.jpg")], "A": [isElsewhere ? far : near]])
  }

  @Test("a song that a link leads to on another file system is a song")
  func songElsewhere() throws {
    let memory = TemporaryFolder(under: Schedule.quickPlace)
    memory.write("any.mp3", "one")
    symlink(memory("any.mp3"), music("1.mp3"))
    let watcher = try SteppedWatcher(music)
    #expect(watcher.songs == ["1.mp3": "one"])
    memory.write("any.mp3", "other")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "other"])
    #expect(watcher.readCount == 2)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(watcher.readCount == 2)
  }
}
