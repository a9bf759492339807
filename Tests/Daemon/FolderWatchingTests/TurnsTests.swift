import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// What one turn of the loop does, and what it leaves alone.
@Suite("The turns of a watcher", .limited) struct TurnsTests {
  private let music = TemporaryFolder()
  private let events = MadeUpEvents()

  /// Counts the looks that something makes.
  private func looks(_ body: () -> Void) -> Int {
    var count = 0
    events.onAdd = { count += 1 }
    defer { events.onAdd = {} }
    body()
    return count
  }

  @Test("one that is to stop looks at nothing any more, and is in no call at its end")
  func stopping() throws {
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    music.write("1.mp3", "1")
    loop.feed(.wokeUp)
    #expect(looks { loop.step() } == 1)
    watcher.settle()
    // It told something after its look, and may get stuck in what is next.
    #expect(watcher.songs.count == 1 && loop.stuckCalls.callSince(.watcher) != nil)
    loop.feed(.wokeUp)
    watcher.stop()
    #expect(looks { loop.step() } == 0)
    loop.end()
    #expect(loop.stuckCalls.callSince(.watcher) == nil)
  }

  @Test("what is missing when it stops may be elsewhere, as long as files are read")
  func missing() throws {
    music.write("1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    watcher.keepAnswers()
    music.delete("1.mp3")
    music.write("2.mp3", "2")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.stop()
    watcher.loop.step()
    watcher.loop.end()
    #expect(watcher.songs == ["1.mp3": "1"])
  }

  @Test("what the kernel tells is heard in the midst of a long walk")
  func hearing() throws {
    for number in 0..<20 { music.makeFolder("\(number)") }
    let watcher = try SteppedWatcher(music, events: events)
    var (count, heard) = (0, [Int]())
    events.onAdd = {
      count += 1
      heard.append(events.readCount)
    }
    watcher.loop.feed(.wokeUp)
    watcher.loop.step()
    events.onAdd = {}
    #expect(count == 21 && Set(heard[..<16]).count == 1 && heard[16] > heard[15])
  }

  @Test(
    "what a look finds to be too little is a look at everything",
    arguments: [(false, false), (true, false), (false, true)])
  func everything(_ isFull: Bool, _ hasOverflowed: Bool) throws {
    for name in ["A", "B"] { music.makeFolder(name) }
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    loop.core.session.agenda.fullScan = isFull ? .hourly : nil
    loop.core.session.agenda.hasOverflowed = hasOverflowed
    loop.core.session.agenda.pending.note(.other, in: BytePath("A"), at: loop.now)
    let due = loop.core.session.agenda.pending.takeAll(at: loop.now)
    #expect(looks { watcher.scan(due) } == (isFull || hasOverflowed ? 3 : 1))
    #expect(loop.core.session.agenda.fullScan == nil && !loop.core.session.agenda.hasOverflowed)
  }

  @Test("a directory that something was mounted over, or laid bare, waits for a look at all")
  func covered() throws {
    music.makeFolder("A")
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    let status = try #require(loop.core.tree.catalogue[.root].status)
    try #require(status.isMountRoot != nil, "this kernel doesn't say where mounts begin")
    music.write("A/1.mp3", "1")
    loop.core.tree.catalogue[.root].status?.mount = status.mount + 1
    loop.core.session.agenda.pending.note(.other, in: BytePath("A"), at: loop.now)
    let due = loop.core.session.agenda.pending.takeAll(at: loop.now)
    #expect(looks { watcher.scan(due) } == 0)
    #expect(loop.core.session.agenda.fullScan != nil && loop.core.tree.catalogue.fileCount == 0)
    watcher.settle()
    #expect(watcher.songs == ["A/1.mp3": "1"])
  }

  @Test(
    "what went waits from when that was heard, and from the look where it was not",
    arguments: [false, true])
  func since(isFolder: Bool) throws {
    for name in ["1", "2"] {
      music.makeFolder(name)
      music.write(isFolder ? "\(name)/1.mp3" : "\(name).mp3", name)
    }
    let watcher = try SteppedWatcher(music, events: events) { $0.vanishWait = 300 * milliseconds }
    let loop = watcher.loop
    func wait() -> Int64 { loop.nextTime() - loop.now }
    func delete(_ name: String) { music.delete(isFolder ? name : "\(name).mp3") }
    delete("1")
    loop.core.session.agenda.pending.note(.deletion, in: BytePath([]), at: loop.now)
    watcher.turn(by: 100 * milliseconds)
    watcher.settle()
    #expect(wait() == 200 * milliseconds)
    watcher.turn(by: 200 * milliseconds)
    watcher.settle()
    #expect(watcher.songs.count == 1)
    watcher.turn(by: 10 * seconds)
    delete("2")
    loop.feed(.wokeUp)
    watcher.settle()
    #expect(wait() == 300 * milliseconds && watcher.songs.count == 1)
  }

  @Test("a file that is listed before the events of its move is merged with its absence")
  func listedBeforeMoved() throws {
    music.makeFolder("A")
    music.write("A/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    let folder = try #require(watcher.core.tree.catalogue.find(BytePath("A")))
    let (root, watch) = try (
      #require(watcher.core.session.watching.table.watch(of: .root)),
      #require(watcher.core.session.watching.table.watch(of: folder))
    )
    music.makeFolder("B")
    music.move("A/1.mp3", "B/1.mp3")
    events.tell(root, IN_CREATE | Int32(IN_ISDIR), "B")
    watcher.keepAnswers()
    watcher.settle()
    #expect(watcher.keptCount == 1)
    events.tell(watch, IN_MOVED_FROM, "1.mp3")
    watcher.release()
    watcher.loop.step()
    let merge = try #require(watcher.receiver.state.withLock { $0.merges.last })
    #expect(merge.found.map(\.path) == [music.at("B/1.mp3")])
    #expect(merge.absent + merge.vanished == [music.at("A/1.mp3")])
  }

  @Test("when a first scan began is told until its end, and of no look after it")
  func firstScan() throws {
    let watcher = try SteppedWatcher(music, events: events)
    let told = { watcher.receiver.state.withLock { $0.states.last?.firstScanSeen } }
    #expect(told() == nil && !watcher.core.outbox.isFirstScan)
    // This one finds nothing.
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(told() == nil && watcher.core.outbox.firstScanSeen == nil)
  }

  @Test("what vanished is told with the last piece, and the others may still have its songs")
  func pieces() throws {
    for name in ["1.mp3", "4.mp3"] { music.write(name, name) }
    let watcher = try SteppedWatcher(music, events: events)
    watcher.keepAnswers()
    for name in ["2.mp3", "3.mp3"] {
      music.write(name, name)
      watcher.loop.feed(.wokeUp)
      watcher.settle()
    }
    music.delete("1.mp3")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    watcher.turn(by: 100 * milliseconds)
    music.delete("4.mp3")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    watcher.release()
    watcher.settle()
    let merges = watcher.receiver.state.withLock { $0.merges.suffix(2) }
    #expect(merges.map { $0.found.map(\.path) } == [[music.at("2.mp3")], [music.at("3.mp3")]])
    #expect(merges.map(\.vanished) == [[], [music.at("1.mp3")]])
    #expect(merges.map(\.absent) == [["1.mp3", "4.mp3"].map { music.at($0) }, []])
  }

  @Test("renames that were heard of before something was lost are forgotten")
  func overflow() throws {
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    loop.core.session.agenda.renames.movedFrom(BytePath("a.mp3"), cookie: 7)
    loop.core.session.agenda.renames.rename(
      BytePath("b.mp3"), to: BytePath("c.mp3"), known: [BytePath("b.mp3")], isFolder: false)
    events.overflow()
    loop.takeEvents()
    #expect(
      loop.core.session.agenda.hasOverflowed && loop.core.session.agenda.renames.isEmpty
        && loop.core.session.agenda.renames.movedTo(cookie: 7) == nil)
  }

  @Test("nothing is left of the files that ask how far the kernel has told")
  func cookies() throws {
    let watcher = try SteppedWatcher(music)
    for _ in 0..<3 { #expect(watcher.sync().withLock { $0 }) }
    let cookies = watcher.core.settings.cookies.display
    func entries(_ folder: String) -> [String] {
      guard let stream = opendir(folder) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        names.append(
          withUnsafePointer(to: entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          })
      }
      return names
    }
    #expect(entries(cookies).sorted() == [".", ".."])
    let links = entries("/proc/self/fd").filter { name in
      var target = [CChar](repeating: 0, count: 4_096)
      let count = readlink("/proc/self/fd/\(name)", &target, target.count)
      let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self).hasPrefix(cookies + "/cookie-")
    }
    #expect(links.isEmpty)
  }

  @Test(
    "who compares one place has what failed there tried again, and a plain sync has not",
    arguments: [false, true])
  func failures(isRescan: Bool) throws {
    music.makeFolder("A")
    music.write("A/1.mp3", "bad")
    let watcher = try SteppedWatcher(music)
    #expect(watcher.readCount == 1)
    watcher.core.session.agenda.pending.note(.other, in: BytePath("A"), at: watcher.loop.now)
    if isRescan {
      #expect(watcher.rescan([music.at("A")]))
    } else {
      #expect(watcher.sync().withLock { $0 })
    }
    watcher.settle()
    #expect(watcher.readCount == (isRescan ? 2 : 1))
  }
}
