import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// What happens to a file is told of in its own directory, and not in that of a link to it.
@Suite("What links to files lead to", .limited) struct LinkedTargetsTests {
  private let music = TemporaryFolder()
  private let outside = TemporaryFolder()

  init() {
    for name in ["A", "M"] { music.makeFolder(name) }
    outside.makeFolder("a")
  }

  private func link(_ name: String, to target: String) {
    #expect(symlink(target, music(name)) == 0)
  }

  private func goOn(_ watcher: SteppedWatcher) {
    for _ in 0..<4 {
      watcher.settle()
      watcher.turn(by: seconds / 2)
    }
    watcher.settle()
  }

  private func isOffline(_ watcher: SteppedWatcher, _ name: String) -> Bool {
    watcher.receiver.state.withLock { $0.states.last?.offlineSubtrees } == [music.at(name)]
  }

  @Test("a file that comes, changes, goes and comes again is heard of, outside and inside")
  func heard() throws {
    for target in [outside("a/b/c/key.mp3"), music(".annex/b/c/key.mp3")] {
      link("A/1.mp3", to: target)
      let watcher = try SteppedWatcher(music)
      #expect(watcher.songs.isEmpty)
      let base = target.hasPrefix(music.path.display) ? music : outside
      let name = base === music ? ".annex/b/c" : "a/b/c"
      for text in ["1", "2"] {
        base.makeFolder(name)
        base.write(name + "/key.mp3", text)
        goOn(watcher)
        #expect(watcher.songs == ["A/1.mp3": text])
        base.write(name + "/key.mp3", text + text)
        goOn(watcher)
        #expect(watcher.songs == ["A/1.mp3": text + text])
        base.delete(name + "/key.mp3")
        goOn(watcher)
        #expect(isOffline(watcher, "A/1.mp3"))
        base.write(name + "/new", "new " + text)
        base.move(name + "/new", name + "/key.mp3")
        goOn(watcher)
        #expect(watcher.songs == ["A/1.mp3": "new " + text])
        base.delete(base === music ? ".annex" : "a/b")
        goOn(watcher)
        #expect(isOffline(watcher, "A/1.mp3") && watcher.songs.count == 1)
      }
      #expect(unlink(music("A/1.mp3")) == 0)
      goOn(watcher)
      #expect(watcher.core.session.links.watchCount == 0)
    }
  }

  @Test("a file that is listed by a link to it is heard of in the directory that it is in")
  func insideListed() throws {
    music.write("M/1.mp3", "1")
    link("A/1.mp3", to: "../M/1.mp3")
    let watcher = try SteppedWatcher(music)
    #expect(watcher.songs == ["A/1.mp3": "1"])
    music.write("M/1.mp3", "two")
    goOn(watcher)
    #expect(watcher.songs == ["A/1.mp3": "two"])
    // The directory is watched on when no link leads to it.
    #expect(unlink(music("A/1.mp3")) == 0)
    goOn(watcher)
    #expect(watcher.songs == ["M/1.mp3": "two"])
    music.write("M/1.mp3", "three")
    goOn(watcher)
    #expect(watcher.songs == ["M/1.mp3": "three"])
  }

  @Test("other files beside a target cost no look")
  func beside() throws {
    outside.write("a/1.mp3", "1")
    link("A/1.mp3", to: outside("a/1.mp3"))
    let watcher = try SteppedWatcher(music)
    goOn(watcher)
    outside.write("a/2.mp3", "2")
    watcher.loop.takeEvents()
    #expect(watcher.core.session.agenda.pending.isEmpty)
    outside.write("a/1.mp3", "two")
    watcher.loop.takeEvents()
    #expect(!watcher.core.session.agenda.pending.isEmpty)
  }

  @Test("what nobody tells of is found by a sync, and from time to time where nothing is watched")
  func unheard() throws {
    outside.makeFolder("a/b")
    outside.write("a/b/1.mp3", "1")
    link("M/1.mp3", to: outside("a/b/1.mp3"))
    let watcher = try SteppedWatcher(music)
    goOn(watcher)
    // Of what is above a target's directory nothing is told.
    outside.move("a", "other")
    goOn(watcher)
    #expect(!isOffline(watcher, "M/1.mp3"))
    let isDone = watcher.sync()
    watcher.settle()
    #expect(isDone.withLock { $0 } && isOffline(watcher, "M/1.mp3"))
    outside.move("other", "a")
    goOn(watcher)
    #expect(!isOffline(watcher, "M/1.mp3"))

    // The directories of the music folder are watched, and the target's can't be.
    let few = try SteppedWatcher(music) { $0.limits.watches = 3 }
    goOn(few)
    #expect(few.mode == .watching && few.loop.core.session.links.watchCount == 0)
    outside.write("a/b/1.mp3", "two")
    goOn(few)
    #expect(few.songs == ["M/1.mp3": "1"])
    few.turn(by: 900 * seconds)
    few.settle()
    #expect(few.songs == ["M/1.mp3": "two"])
    outside.write("a/b/1.mp3", "three")
    let isSynced = few.sync()
    few.settle()
    #expect(isSynced.withLock { $0 } && few.songs == ["M/1.mp3": "three"])
  }
}
