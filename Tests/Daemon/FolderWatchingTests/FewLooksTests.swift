import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// No more is looked at than the news are of.
@Suite("How much is looked at", .limited) struct FewLooksTests {
  private let music = TemporaryFolder()
  private let events = MadeUpEvents()

  /// How many directories are looked at after news of one.
  private func looks(_ watcher: SteppedWatcher, after path: BytePath) -> Int {
    var looks = 0
    events.onAdd = { looks += 1 }
    defer { events.onAdd = {} }
    watcher.core.session.agenda.pending.note(.other, in: path, at: watcher.loop.now)
    watcher.turn(by: 2 * seconds)
    watcher.settle()
    return looks
  }

  private func fill() {
    for name in ["A", "A/a", "B"] {
      music.makeFolder(name)
      music.write("\(name)/1.mp3", name)
    }
  }

  @Test("news of a directory are of what is below it only where its rules become others")
  func rules() throws {
    fill()
    let watcher = try SteppedWatcher(music, events: events)
    #expect(watcher.songs.count == 3)
    #expect(looks(watcher, after: BytePath([])) == 1)
    music.write(".crateignore", "a/")
    // The one that is left out is not looked at.
    #expect(looks(watcher, after: BytePath([])) == 3)
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.songs.keys.sorted() == ["A/1.mp3", "B/1.mp3"])
    #expect(looks(watcher, after: BytePath([])) == 1)
    #expect(looks(watcher, after: BytePath("A")) == 1)
    music.write(".crateignore", "B/")
    #expect(looks(watcher, after: BytePath([])) == 3)
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.songs.keys.sorted() == ["A/1.mp3", "A/a/1.mp3"])
    music.delete(".crateignore")
    #expect(looks(watcher, after: BytePath([])) == 4)
    #expect(watcher.songs.count == 3)
    #expect(looks(watcher, after: BytePath([])) == 1)
    #expect(watcher.core.tree.ignoring.rules.isEmpty)
  }

  @Test("a directory is looked at once in a round, however many say that there are news")
  func once() throws {
    fill()
    let watcher = try SteppedWatcher(music, events: events)
    for name in ["A", "A/a"] {
      watcher.core.session.agenda.pending.note(.other, in: BytePath(name), at: watcher.loop.now)
    }
    watcher.core.session.agenda.pending.note(.subtree, in: BytePath("A"), at: watcher.loop.now)
    #expect(looks(watcher, after: BytePath("A/a")) == 2)
  }

  @Test("a directory with many files rests after a look, nine times as long; no other does")
  func rests() throws {
    for count in 1...3 {
      music.makeFolder("\(count)")
      for number in 0..<count { music.write("\(count)/\(number).mp3", "\(number)") }
    }
    let watcher = try SteppedWatcher(music, events: events) { $0.limits.manyFiles = 2 }
    #expect(watcher.songs.count == 6)
    events.onAdd = { watcher.turn(by: 20 * milliseconds) }
    watcher.loop.feed(.wokeUp)
    watcher.loop.step()
    events.onAdd = {}
    let now = watcher.loop.now
    let rests = (1...3).map { count in
      var pending = watcher.core.session.agenda.pending
      for other in pending.takeAll(at: now) { Issue.record("\(other) is news") }
      pending.noteFinished([], in: BytePath("\(count)"), at: now)
      return pending.nextDue().map { ($0 - now) / milliseconds }
    }
    // The last one was looked at for 20 after the one before.
    #expect(rests == [0, 160, 180])
  }

  @Test("a directory without a watch that cannot be read later is none that is polled")
  func unreadable() throws {
    try #require(geteuid() == 0, "this test needs root")
    let parent = TemporaryFolder()
    parent.makeFolder("music/A")
    chmod(parent.path.display, 0o755)
    let watcher = try SteppedWatcher(parent, events: events)
    events.failure = ENOSPC
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    guard case .polling? = watcher.mode else {
      Issue.record("it has watches")
      return
    }
    let away = parent.path.display + "-away"
    #expect(rename(parent.path.display, away) == 0)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    guard case .offline? = watcher.mode else {
      Issue.record("it is there")
      return
    }
    events.failure = nil
    chmod(away + "/music", 0)
    #expect(rename(away, parent.path.display) == 0)
    try asNobody {
      watcher.turn(by: 10 * seconds)
      watcher.settle()
    }
    #expect(watcher.mode == .watching)
  }

  /// On this thread files are seen as a nobody does.
  private func asNobody(_ body: () -> Void) throws {
    typealias SetFileUser = @convention(c) (UInt32) -> Int32
    let found = try #require(dlsym(nil, "setfsuid"))
    let setFileUser = unsafeBitCast(found, to: SetFileUser.self)
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    body()
  }

  @Test("a link leads to a directory elsewhere, as a mount does, and a directory above unknown")
  func portals() {
    let above = FolderStatus(device: 1, inode: 2, mount: 3)
    for (device, mount, isPortal) in [(1, 3, false), (1, 4, true), (5, 3, true), (5, 4, true)]
      as [(UInt64, UInt64, Bool)]
    {
      let status = FolderStatus(device: device, inode: 6, mount: mount)
      #expect(Catalogue.isPortal(status, isLink: false, below: above) == isPortal)
      #expect(Catalogue.isPortal(status, isLink: true, below: above))
      #expect(Catalogue.isPortal(status, isLink: false, below: nil))
    }
  }
}
