import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Files in the place of others", .limited) struct NewInPlaceTests {
  private let music = TemporaryFolder()
  private let events = MadeUpEvents()

  /// Everything is looked at.
  private func look(_ watcher: SteppedWatcher) {
    watcher.loop.feed(.wokeUp)
    watcher.settle()
  }

  private func found(_ watcher: SteppedWatcher) -> [BytePath] {
    watcher.receiver.state.withLock { $0.merges.flatMap(\.found).map(\.path) }
  }

  private func vanished(_ watcher: SteppedWatcher) -> [BytePath] {
    watcher.receiver.state.withLock { $0.merges.flatMap(\.vanished) }
  }

  @Test("a song goes with the bad file that came to its place before its going was told")
  func bad() throws {
    music.write("1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    music.delete("1.mp3")
    look(watcher)
    music.write("1.mp3", "bad")
    // Nobody ever knew of this one.
    music.write("2.mp3", "bad")
    look(watcher)
    #expect(watcher.songs == ["1.mp3": "1"] && watcher.core.tree.absent.isEmpty)
    #expect(watcher.problems.count == 2)
    for name in ["1.mp3", "2.mp3"] { music.delete(name) }
    look(watcher)
    watcher.turn(by: 100 * milliseconds)
    watcher.settle()
    #expect(vanished(watcher) == [music.at("1.mp3")])
    #expect(watcher.songs.isEmpty && watcher.problems.isEmpty)
  }

  @Test("a file that is back before its going was told is as it was, and goes like any other")
  func back() throws {
    let outside = TemporaryFolder()
    music.makeFolder("A")
    music.write("A/1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    // With its directory, so that nothing of the file itself changes.
    #expect(rename(music("A"), outside("A")) == 0)
    look(watcher)
    #expect(watcher.core.tree.absent.count == 1)
    #expect(rename(outside("A"), music("A")) == 0)
    for _ in 0..<2 {
      look(watcher)
      watcher.turn(by: seconds)
      #expect(watcher.core.tree.absent.isEmpty && watcher.core.tree.catalogue.fileCount == 1)
    }
    #expect(watcher.readCount == 1 && vanished(watcher).isEmpty && found(watcher).count == 1)
    music.delete("A/1.mp3")
    look(watcher)
    watcher.turn(by: 100 * milliseconds)
    watcher.settle()
    #expect(vanished(watcher) == [music.at("A/1.mp3")])
  }

  @Test("a file that went before it could be told is told when it is back")
  func untold() throws {
    let outside = TemporaryFolder()
    for name in ["A", "B"] { music.makeFolder(name) }
    let watcher = try SteppedWatcher(music, events: events)
    watcher.keepAnswers()
    for name in ["A/1.mp3", "B/2.mp3"] { music.write(name, name) }
    look(watcher)
    watcher.release(1)
    watcher.settle()
    #expect(watcher.core.outbox.batch.count == 1 && watcher.keptCount == 1)
    #expect(rename(music("A"), outside("A")) == 0)
    look(watcher)
    watcher.release()
    watcher.settle()
    #expect(found(watcher) == [music.at("B/2.mp3")])
    #expect(rename(outside("A"), music("A")) == 0)
    look(watcher)
    watcher.release()
    watcher.settle()
    #expect(found(watcher) == ["B/2.mp3", "A/1.mp3"].map(music.at))
  }

  @Test("a link that leads nowhere by now is no problem that it was")
  func links() throws {
    symlink(".", music("link"))
    let watcher = try SteppedWatcher(music, events: events)
    #expect(watcher.problems.keys.map { $0 } == [music.at("link")])
    look(watcher)
    #expect(watcher.problems.count == 1)
    music.delete("link")
    symlink("nowhere", music("link"))
    look(watcher)
    #expect(watcher.problems.isEmpty)
  }

  @Test("a file counts as seen when the look was that found what it is now")
  func seen() throws {
    music.write("1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    music.write("1.mp3", "other")
    look(watcher)
    music.write("2.mp3", "2")
    look(watcher)
    let seen = watcher.receiver.state.withLock { $0.merges.map(\.seen) }
    #expect(watcher.songs == ["1.mp3": "other", "2.mp3": "2"])
    #expect(seen.count == 3 && seen == seen.sorted() && Set(seen).count == 3)
  }

  @Test("a bad file that the good one has replaced is no failure of later ones")
  func failures() throws {
    let outside = TemporaryFolder()
    music.makeFolder("A")
    music.write("A/1.mp3", "good")
    outside.makeFolder("B")
    outside.write("B/1.mp3", "bad")
    let watcher = try SteppedWatcher(music, events: events)
    for _ in 0..<2 {
      #expect(exchangeNames(music("A"), outside("B")))
      look(watcher)
      #expect(watcher.problems.count == 1)
      #expect(watcher.loop.nextTime() - watcher.loop.now == 2 * seconds)
      #expect(exchangeNames(music("A"), outside("B")))
      look(watcher)
      #expect(watcher.problems.isEmpty && watcher.songs == ["A/1.mp3": "good"])
    }
  }

  @Test("a file that was good meanwhile is tried like one that never failed")
  func goodMeanwhile() throws {
    let watcher = try SteppedWatcher(music, events: events)
    for round in 0..<3 {
      music.write("1.mp3", "bad \(round)")
      look(watcher)
      #expect(watcher.loop.nextTime() - watcher.loop.now == 2 * seconds)
      music.write("1.mp3", "good \(round)")
      look(watcher)
      #expect(watcher.songs == ["1.mp3": "good \(round)"])
    }
  }

  @Test("what was news of one look says nothing at the next")
  func newsOfOneLook() throws {
    for number in 1...2 { music.write("\(number).mp3", "\(number)") }
    let watcher = try SteppedWatcher(music, events: events) { $0.standStill = 1_000 * seconds }
    watcher.turn(by: seconds)
    // One is written anew and closed, and one is deleted.
    music.write("1.mp3", "new")
    music.delete("2.mp3")
    let watch = try #require(watcher.core.session.watching.table.watch(of: .root))
    events.tell(watch, IN_CLOSE_WRITE, "1.mp3")
    events.tell(watch, IN_DELETE, "2.mp3")
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "new"])
    music.write("2.mp3", "2")
    look(watcher)
    watcher.turn(by: seconds)
    watcher.settle()
    // Of what happens now nothing is told.
    let count = watcher.readCount
    let writer = open(music("1.mp3"), O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(writer) }
    music.append(writer, "er")
    music.delete("2.mp3")
    look(watcher)
    #expect(watcher.readCount == count)
    #expect(watcher.songs.keys.contains("2.mp3"))
    watcher.turn(by: 100 * milliseconds)
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "new"])
  }

  @Test("a file that waits and goes is not waited for")
  func waiting() throws {
    let watcher = try SteppedWatcher(music, events: events) { $0.standStill = 1_000 * seconds }
    let writer = open(music("1.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(writer) }
    music.append(writer, "1")
    look(watcher)
    #expect(watcher.core.reads.standing.count == 1)
    music.delete("1.mp3")
    look(watcher)
    #expect(watcher.core.reads.nextTime == nil && watcher.core.reads.standing.isEmpty)
    #expect(vanished(watcher).isEmpty)
  }

  @Test("a file that waited is not waited for while it is read")
  func closed() throws {
    let watcher = try SteppedWatcher(music, events: events) { $0.standStill = 1_000 * seconds }
    let writer = open(music("1.mp3"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(writer) }
    music.append(writer, "1")
    look(watcher)
    watcher.keepAnswers()
    // Another one who wrote to it is done.
    let watch = try #require(watcher.core.session.watching.table.watch(of: .root))
    events.tell(watch, IN_CLOSE_WRITE, "1.mp3")
    watcher.settle()
    #expect(watcher.keptCount == 1 && watcher.core.reads.standing.isEmpty)
    watcher.release()
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1"])
  }

  @Test("what vanished waits ten seconds at most for files that are read")
  func longReading() throws {
    music.write("1.mp3", "1")
    let watcher = try SteppedWatcher(music, events: events)
    watcher.keepAnswers()
    music.delete("1.mp3")
    music.write("2.mp3", "2")
    look(watcher)
    watcher.turn(by: 10 * seconds - 1)
    watcher.settle()
    #expect(watcher.keptCount == 1 && vanished(watcher).isEmpty)
    watcher.turn(by: 1)
    watcher.settle()
    #expect(vanished(watcher) == [music.at("1.mp3")])
    // One that went later waits as long.
    watcher.release()
    watcher.settle()
    #expect(watcher.songs == ["2.mp3": "2"])
  }

  @Test("a problem is told at once, though other files are still read")
  func problems() throws {
    let watcher = try SteppedWatcher(music, events: events)
    watcher.keepAnswers()
    for name in ["1.mp3", "2.mp3"] { music.write(name, "bad") }
    look(watcher)
    #expect(watcher.keptCount == 2 && watcher.problems.isEmpty)
    watcher.release(1)
    watcher.settle()
    #expect(watcher.problems.count == 1)
  }

  @Test("a thousand files are told at once, though more are still read")
  func manyFiles() throws {
    for number in 0..<1_001 { music.write("\(number).mp3", "") }
    let watcher = try SteppedWatcher(music, events: events, keepsAnswers: true)
    var told = 0
    while watcher.songs.isEmpty && watcher.keptCount > 0 {
      watcher.release(told < 990 ? 90 : 1)
      told += told < 990 ? 90 : 1
      watcher.settle()
    }
    #expect(told == 1_000 && watcher.songs.count == 1_000)
  }
}
