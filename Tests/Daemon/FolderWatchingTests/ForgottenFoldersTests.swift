import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// With what was known of a directory goes all that was noted of it.
@Suite("Directories that went", .limited) struct ForgottenFoldersTests {
  private let music = TemporaryFolder()

  private func goOn(_ watcher: SteppedWatcher) {
    for _ in 0..<4 {
      watcher.settle()
      watcher.turn(by: seconds / 4)
    }
    watcher.settle()
  }

  private func waiting(of watcher: SteppedWatcher) -> Int64 {
    watcher.loop.nextTime() - watcher.loop.now
  }

  @Test("one that could not be looked at is not tried again, and one in its place is a new one")
  func tried() throws {
    // So deep that the path is too long for the kernel.
    let lengths = [Int](repeating: 200, count: 25)
    func remove() throws { try run("find", [music.path.display, "-mindepth", "1", "-delete"]) }
    defer { try? remove() }
    let watcher = try SteppedWatcher(music)
    for _ in 0..<2 {
      close(music.openDeep(lengths))
      watcher.settle()
      watcher.turn(by: seconds)
      watcher.settle()
      #expect(watcher.problems.count == 1)
      // Looked at in this second, and not more often before.
      #expect((1...2).contains(waiting(of: watcher) / seconds))
      watcher.turn(by: 2 * seconds)
      watcher.settle()
      #expect((8...10).contains(waiting(of: watcher) / seconds))
      try remove()
      goOn(watcher)
      #expect(watcher.problems.isEmpty)
      #expect(watcher.loop.nextTime() == watcher.core.session.agenda.nextFullScan)
      #expect(watcher.core.session.agenda.failures.isEmpty)
    }
  }

  @Test("one without a watch is not polled any more")
  func polled() throws {
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(music, events: events)
    music.makeFolder("A")
    var looks = 0
    // Of the two that are looked at the second one.
    events.onAdd = {
      looks += 1
      events.failure = looks == 2 ? ENOSPC : nil
    }
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    guard case .polling? = watcher.mode else {
      Issue.record("it is watched")
      return
    }
    music.delete("A")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(watcher.mode == .watching)
  }

  @Test("one that was deleted with all that was in it is not away")
  func deleted() throws {
    for name in ["A", "A/B"] {
      music.makeFolder(name)
      music.write("\(name)/1.mp3", name)
    }
    let watcher = try SteppedWatcher(music)
    #expect(watcher.songs.count == 2)
    music.delete("A")
    goOn(watcher)
    #expect(watcher.songs.isEmpty)
    let states = watcher.receiver.state.withLock { $0.states }
    #expect(states.allSatisfy { $0.offlineSubtrees.isEmpty })
    #expect(watcher.core.tree.catalogue.folderCount == 1)
  }

  @Test("what was noted of one goes with it, as another one may get its number or its path")
  func noted() throws {
    music.makeFolder("A")
    let watcher = try SteppedWatcher(music, events: MadeUpEvents())
    let loop = watcher.loop
    let folder = try #require(loop.core.tree.catalogue.find(BytePath("A")))
    let inode = Inode(try #require(loop.core.tree.catalogue[folder].status))
    /// Whether the directory is taken for the one that is at another place now.
    func isKnown() -> Bool {
      var paths = loop.core.session.paths
      let (rivals, earlier) = paths.enter(Catalogue.ID(index: 99), inode, isPortal: true)
      return rivals.contains(folder) || earlier == folder
    }
    loop.core.tree.mounts.set(.root, of: [9], in: folder)
    loop.core.tree.offlinePlaces[BytePath("A")] = [BytePath("A/x.mp3")]
    loop.core.session.agenda.scanFailed(BytePath("A"), isRoot: false, at: loop.now)
    loop.core.tree.skip(BytePath("A/link"))
    #expect(isKnown())
    music.delete("A")
    loop.core.session.agenda.pending.note(.other, in: BytePath([]), at: loop.now)
    goOn(watcher)
    #expect(!isKnown() && !loop.core.tree.mounts.hasAbsent && loop.core.tree.offlinePlaces.isEmpty)
    #expect(loop.core.session.agenda.failures.isEmpty)
    #expect(loop.nextTime() == loop.core.session.agenda.nextFullScan)
    #expect(loop.core.tree.skipped(in: BytePath("A")).isEmpty)
    #expect(!loop.core.tree.catalogue.has(folder) && loop.core.session.watching.table.count == 1)
  }

  @Test("what is over when the watching ends is not told, as it may be found the next time")
  func ending() throws {
    music.write("1.mp3", "1")
    let watcher = try SteppedWatcher(music) { $0.quiet = 0 }
    music.delete("1.mp3")
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.loop.end()
    #expect(watcher.songs.count == 1)
    #expect(watcher.receiver.state.withLock { $0.merges.allSatisfy { $0.vanished.isEmpty } })
  }
}

/// What is said of a file's writer, and of readings that failed.
@Suite("When files are read, and read again", .limited) struct ReadAgainTests {
  private let music = TemporaryFolder()

  @Test(
    "a file that one writer has closed is read, though another one has it open; else it waits",
    arguments: [true, false])
  func closed(isKnown: Bool) throws {
    let names = ["closed.mp3", "open.mp3"]
    if isKnown { for name in names { music.write(name, "old") } }
    let watcher = try SteppedWatcher(music) { $0.standStill = 1_000_000 * seconds }
    let writers = names.map { open(music($0), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
    defer { for writer in writers { close(writer) } }
    for writer in writers { music.append(writer, "new") }
    close(open(music("closed.mp3"), O_WRONLY | O_CLOEXEC))
    // A process that another test starts just then has it open for a moment more.
    let isRead = happensInTime {
      watcher.settle()
      watcher.turn(by: seconds / 2)
      return watcher.songs["closed.mp3"] == "new"
    }
    for _ in 0..<4 {
      watcher.settle()
      watcher.turn(by: seconds / 2)
    }
    watcher.settle()
    #expect(isRead)
    #expect(watcher.songs["open.mp3"] == (isKnown ? "old" : nil))
    #expect(watcher.core.reads.standing.map(\.name) == [Array("open.mp3".utf8)])
  }

  @Test("a reading that failed is tried again for a rescan, and for no other look")
  func failed() throws {
    music.write("bad.mp3", "bad")
    let watcher = try SteppedWatcher(music)
    #expect(watcher.readCount == 1)
    func look(_ body: () -> Void) -> Int {
      let before = watcher.readCount
      body()
      watcher.settle()
      return watcher.readCount - before
    }
    for _ in 0..<2 {
      #expect(look { watcher.loop.feed(.wokeUp) } == 0)
      // Only this one is read.
      #expect(look { music.write("good.mp3", "good") } == 1)
      #expect(look { _ = watcher.rescan() } == 1)
      watcher.turn(by: seconds)
    }
  }

  @Test("a rename in a directory that is busy is told as one when that is looked at")
  func busyRename() throws {
    let watcher = try SteppedWatcher(music)
    music.write("1.mp3", "1")
    watcher.settle()
    #expect(watcher.songs.count == 1)
    music.move("1.mp3", "2.mp3")
    watcher.settle()
    #expect(watcher.songs.keys.map { $0 } == ["1.mp3"])
    watcher.turn(by: seconds / 2)
    watcher.settle()
    let renames = watcher.receiver.state.withLock { $0.merges.flatMap(\.renames) }
    #expect(renames == [.init(from: music.at("1.mp3"), to: music.at("2.mp3"))])
  }
}
