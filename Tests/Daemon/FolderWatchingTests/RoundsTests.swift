import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Something happens between the look at one directory and the next.
@Suite("A round of looks", .limited) struct RoundsTests {
  private let music = TemporaryFolder()
  private let events = MadeUpEvents()

  private func note(_ path: String, in watcher: SteppedWatcher) {
    watcher.core.session.agenda.pending.note(.other, in: BytePath(path), at: watcher.loop.now)
  }

  private func goOn(_ watcher: SteppedWatcher) {
    for _ in 0..<4 {
      watcher.settle()
      watcher.turn(by: seconds / 4)
    }
    watcher.settle()
  }

  @Test("a directory is looked at that has the number of one that went in the same round")
  func sameNumber() throws {
    music.makeFolder("A/B")
    music.write("A/B/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    #expect(watcher.songs == ["A/B/1.mp3": "1"])
    let number = watcher.core.tree.catalogue.find(BytePath("A/B"))
    // It is moved while it is looked at; of its new place the one above is looked at afterwards.
    note("A/B", in: watcher)
    note("A/C", in: watcher)
    events.onAdd = {
      events.onAdd = {}
      music.move("A/B", "A/C")
    }
    goOn(watcher)
    #expect(watcher.core.tree.catalogue.find(BytePath("A/C")) == number)
    #expect(watcher.songs == ["A/C/1.mp3": "1"] && watcher.readCount == 1)
  }

  @Test("each look is a call of its own, so that many of them are not one that hangs")
  func calls() throws {
    for number in 0..<9 { music.makeFolder("\(number)") }
    let watcher = try SteppedWatcher(music, events: events)
    var calls: Set<Int64> = []
    events.onAdd = {
      if let since = watcher.loop.stuckCalls.callSince(.watcher) { calls.insert(since) }
    }
    defer { events.onAdd = {} }
    watcher.loop.feed(.wokeUp)
    watcher.loop.step()
    #expect(calls.count == 10)
  }

  @Test("new files are asked for during a long walk when they are many", arguments: [255, 256])
  func manyNew(count: Int) throws {
    for number in 0..<16 { music.makeFolder("\(number)") }
    let watcher = try SteppedWatcher(music, events: events)
    for number in 0..<count { music.write("\(number).mp3", "") }
    var looks = 0
    var waiting: Int?
    events.onAdd = {
      looks += 1
      if looks == 17 { waiting = watcher.core.session.round.newFiles.count }
    }
    defer { events.onAdd = {} }
    watcher.loop.feed(.wokeUp)
    watcher.loop.step()
    #expect(waiting == (count < 256 ? count : 0))
  }

  @Test("a long walk is told of from time to time, and how it is watched at its end")
  func walkIsTold() throws {
    for number in 1..<64 {
      music.makeFolder("\(number)")
      music.write("\(number)/1.mp3", "1")
    }
    let watcher = try SteppedWatcher(music, events: events)
    func states(_ step: Int64) -> [WatchState] {
      watcher.receiver.state.withLock { $0.states = [] }
      events.onAdd = { watcher.turn(by: step) }
      defer { events.onAdd = {} }
      watcher.loop.feed(.wokeUp)
      watcher.loop.step()
      return watcher.receiver.state.withLock { $0.states }
    }
    // Each look takes 10 ms, so that 16 take less than the time till something is told.
    let slow = states(10 * milliseconds)
    #expect(slow.compactMap { $0.progress?.scanned }.count == 2)
    #expect(slow.last?.progress == nil && slow.allSatisfy { $0.mode == .watching })
    // All that is known is looked at, which is said from the beginning.
    let quick = states(20 * milliseconds).compactMap(\.progress)
    #expect(
      quick.map(\.scanned) == [15, 31, 47, 63] && quick.allSatisfy { $0.toScan == 63 }, "\(quick)")
    events.failure = ENOSPC
    let refused = states(20 * milliseconds)
    #expect(refused.dropLast().contains { $0.progress != nil })
    #expect(refused.dropLast().allSatisfy { $0.mode == .watching && $0.foldersWatched == 64 })
    guard case .polling? = refused.last?.mode else { return #expect(Bool(false)) }
  }

  @Test("what only the number of watches tells from before is told at the end of a first walk")
  func counts() throws {
    for number in 1..<64 { music.makeFolder("\(number)") }
    let watcher = try SteppedWatcher(music, events: events)
    let counts = watcher.receiver.state.withLock { $0.states.map(\.foldersWatched) }
    #expect(counts.last == 64 && counts.count <= 3)
  }

  @Test("mounts on which nothing is are forgotten after a look at everything, and only then")
  func mounts() throws {
    for number in 1..<20 { music.makeFolder("\(number)") }
    music.write("1/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    func system(_ kind: InnerFileSystem.Kind, _ path: String) -> InnerFileSystem {
      InnerFileSystem(kind, at: BytePath(path), fileSystem: 20, inode: 2, isInStamps: true)
    }
    let drive = system(.mount, "1")
    loop.core.tree.mounts.following { $0.hold($0.note(drive)) }
    note("1", in: watcher)
    goOn(watcher)
    #expect(loop.core.tree.mounts.known.remembered == [drive])
    #expect(loop.core.tree.mounts.remembered(below: music.path).map(\.path) == [music.at("1")])
    // One that is broken off is none.
    events.onAdd = { loop.core.session.agenda.hasOverflowed = true }
    loop.feed(.wokeUp)
    watcher.scanAll()
    events.onAdd = {}
    #expect(
      loop.core.tree.mounts.known.remembered.isEmpty
        && loop.core.tree.mounts.remembered(below: music.path).isEmpty)
    loop.core.session.agenda.hasOverflowed = false
    // Volumes are remembered for as long as there is anything in their place.
    for path in ["2", "none"] {
      _ = loop.core.tree.mounts.following { $0.note(system(.volume, path)) }
    }
    loop.feed(.wokeUp)
    watcher.scanAll()
    #expect(loop.core.tree.mounts.known.remembered == [system(.volume, "2")])
    music.delete("2")
    loop.feed(.wokeUp)
    watcher.scanAll()
    #expect(loop.core.tree.mounts.known.remembered.isEmpty)
    loop.core.tree.mounts.following { $0.hold($0.note(drive)) }
    events.onAdd = { watcher.stop() }
    loop.feed(.wokeUp)
    watcher.scanAll()
    events.onAdd = {}
    #expect(
      loop.core.session.agenda.fullScan == .brokenOff
        && loop.core.tree.mounts.known.remembered == [drive])
    #expect(loop.core.tree.mounts.remembered(below: music.path).map(\.path) == [music.at("1")])
  }

  @Test("of a directory that went the nearest one above that is there is looked at")
  func above() throws {
    music.makeFolder("A/B/C")
    music.write("A/B/C/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    for (gone, above) in [("A/B/C", "A/B"), ("A", "")] {
      music.delete(gone)
      note("A/B/C", in: watcher)
      watcher.turn(by: seconds)
      watcher.loop.step()
      let due = watcher.core.session.agenda.pending.takeAll(at: watcher.loop.now)
      #expect(due.map(\.path) == [BytePath(above)] && due.map(\.changes) == [.deletion])
      // What is no longer there is not unreadable.
      #expect(watcher.core.session.agenda.failures.isEmpty && watcher.problems.isEmpty)
    }
  }

  @Test(
    "a directory that goes in the midst of a round is told by the kernel; a sync is not to wait",
    arguments: [false, true])
  func goesInTheMidst(isForSync: Bool) throws {
    for name in ["A/a", "A/b"] {
      music.makeFolder(name)
      music.write("\(name)/1.mp3", name)
    }
    let watcher = try SteppedWatcher(music, events: events) {
      if isForSync { $0.cookies = BytePath("/nowhere/cookies") }
    }
    #expect(watcher.songs.count == 2)
    for path in ["A", "A/a", "A/b"] { note(path, in: watcher) }
    var looks = 0
    events.onAdd = {
      looks += 1
      // The second of the three. A sync looks at everything.
      if looks == (isForSync ? 3 : 2) { music.delete("A/b") }
    }
    if isForSync {
      #expect(watcher.sync().withLock { $0 })
      #expect(watcher.songs == ["A/a/1.mp3": "A/a"])
    } else {
      watcher.turn(by: seconds)
      watcher.loop.step()
      #expect(looks == 2 && watcher.core.session.agenda.pending.isEmpty)
      #expect(watcher.songs.count == 2)
    }
    events.onAdd = {}
  }

  @Test(
    "where a directory or a link came from is looked at, though nobody told of it",
    arguments: [false, true])
  func moved(isLink: Bool) throws {
    let outside = TemporaryFolder()
    for name in ["A", "B"] { music.makeFolder(name) }
    if isLink { symlink(outside.path.display, music("A/x")) } else { music.makeFolder("A/x") }
    music.write("A/x/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    music.move("A/x", "B/x")
    note("B", in: watcher)
    watcher.turn(by: seconds)
    watcher.loop.step()
    var pending = watcher.core.session.agenda.pending
    let due = pending.takeAll(at: watcher.loop.now)
    #expect(due.map(\.path) == ["A", "A/x"].map { BytePath($0) })
    #expect(due.map(\.changes) == [.deletion, .other])
    goOn(watcher)
    #expect(watcher.songs == ["B/x/1.mp3": "1"])
  }

  @Test(
    "what a link leads to is back before anything that is found in it is told",
    arguments: [false, true])
  func back(duringRound: Bool) throws {
    let outside = TemporaryFolder()
    outside.makeFolder("D")
    music.makeFolder("K")
    outside.write("D/1.mp3", "1")
    symlink(outside("D"), music("L"))
    let watcher = try SteppedWatcher(music, events: events)
    #expect(watcher.songs == ["L/1.mp3": "1"])
    outside.move("D", "away")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    func state() -> WatchState? { watcher.receiver.state.withLock { $0.states.last } }
    #expect(state()?.offlineSubtrees == [music.at("L")])
    outside.write("away/2.mp3", "2")
    if duringRound {
      // After the scan of the music folder that found the link dead, and before that of the link.
      for path in ["", "K", "L"] { note(path, in: watcher) }
      var scans = 0
      events.onAdd = {
        scans += 1
        if scans == 2 { outside.move("away", "D") }
      }
      watcher.turn(by: seconds)
      watcher.loop.step()
      events.onAdd = {}
      #expect(scans >= 2)
    } else {
      outside.move("away", "D")
      // The directory that says that it is away has no event.
      note("L", in: watcher)
    }
    goOn(watcher)
    #expect(watcher.songs == ["L/1.mp3": "1", "L/2.mp3": "2"])
    #expect(state()?.offlineSubtrees == [])
    #expect(watcher.receiver.state.withLock { $0.foundAway } == [])
  }

  @Test("who makes news on and on keeps no sync from being answered")
  func endless() throws {
    let watcher = try SteppedWatcher(music, events: events) {
      $0.cookies = BytePath("/nowhere/cookies")
    }
    var looks = 0
    events.onAdd = {
      looks += 1
      note("", in: watcher)
    }
    defer { events.onAdd = {} }
    #expect(watcher.sync().withLock { $0 })
    // One at everything, and four more.
    #expect(looks == 5)
  }
}
