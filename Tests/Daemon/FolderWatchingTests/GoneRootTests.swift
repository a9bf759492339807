import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("A music folder that went in the midst of everything", .limited) struct GoneRootTests {
  @Test("what was read and could not be told any more is told when it is back")
  func untold() throws {
    let music = TemporaryFolder()
    let watcher = try SteppedWatcher(music)
    watcher.keepAnswers()
    for name in ["1.mp3", "2.mp3"] { music.write(name, name) }
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    watcher.release(1)
    watcher.settle()
    #expect(watcher.core.outbox.batch.count == 1 && watcher.keptCount == 1)
    let away = music.path.display + "-away"
    #expect(rename(music.path.display, away) == 0)
    watcher.checkRoot()
    #expect(!watcher.core.isOnline && watcher.songs.isEmpty)
    watcher.release()
    #expect(rename(away, music.path.display) == 0)
    for _ in 0..<3 {
      watcher.turn(by: 5 * seconds)
      watcher.settle()
      watcher.release()
    }
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "1.mp3", "2.mp3": "2.mp3"])
  }

  @Test("problems that were found before are told all the same")
  func problems() throws {
    let music = TemporaryFolder()
    let watcher = try SteppedWatcher(music)
    watcher.core.outbox.batch.note(FileProblem(.unreadable, "bad"), at: music.at("1.mp3"))
    let away = music.path.display + "-away"
    #expect(rename(music.path.display, away) == 0)
    watcher.checkRoot()
    #expect(!watcher.core.isOnline && watcher.core.outbox.batch.isEmpty)
    #expect(watcher.problems.keys.map { $0 } == [music.at("1.mp3")])
    #expect(rename(away, music.path.display) == 0)
  }

  @Test("leaves nothing to be done or waited for, and loses no song")
  func nothingLeft() throws {
    let music = TemporaryFolder()
    for number in 1...3 { music.write("\(number).mp3", "\(number)") }
    // So deep that the path is too long for the kernel.
    close(music.openDeep([Int](repeating: 200, count: 25)))
    defer { _ = try? run("rm", ["-r", music.path.display]) }
    let watcher = try SteppedWatcher(music)
    let loop = watcher.loop
    #expect(loop.core.session.agenda.failures.count == 1)
    // One is absent, one is read, and of one there are news.
    watcher.keepAnswers()
    music.delete("1.mp3")
    music.write("2.mp3", "other")
    watcher.settle()
    watcher.turn(by: 150 * milliseconds)
    loop.step()
    music.write("3.mp3", "other")
    loop.takeEvents()
    #expect(
      !loop.core.tree.absent.isEmpty && !loop.core.reads.isEmpty
        && !loop.core.session.agenda.pending.isEmpty)
    loop.core.session.agenda.hasOverflowed = true
    loop.core.session.agenda.renames.movedFrom(BytePath("a.mp3"), cookie: 7)
    let file = BytePath("3.mp3")
    loop.core.session.agenda.renames.rename(
      BytePath("b.mp3"), to: file, known: [BytePath("b.mp3")], isFolder: false)
    #expect(!loop.core.session.agenda.renames.isEmpty)

    let away = music.path.display + "-away"
    #expect(rename(music.path.display, away) == 0)
    watcher.checkRoot()
    #expect(!loop.core.isOnline && loop.kernel.events == nil)
    #expect(loop.core.tree.absent.isEmpty && loop.core.reads.isEmpty)
    #expect(
      loop.core.tree.catalogue.subtree(.root).allSatisfy {
        loop.core.tree.catalogue[$0].status == nil
      })
    watcher.settle()
    #expect(loop.nextTime() == loop.now + 5 * seconds)
    #expect(watcher.songs == ["1.mp3": "1", "2.mp3": "2", "3.mp3": "3"])

    #expect(rename(away, music.path.display) == 0)
    watcher.release()
    watcher.turn(by: 5 * seconds)
    for _ in 0..<4 {
      watcher.settle()
      watcher.release()
      watcher.turn(by: seconds / 4)
    }
    watcher.settle()
    #expect(watcher.mode == .watching)
    #expect(watcher.songs == ["2.mp3": "other", "3.mp3": "other"])
    #expect(loop.core.session.agenda.failures.count == 1)
  }

  @Test(
    "by a hundred songs, those that are missing too, it is told whether another folder is it",
    arguments: [(50, true), (49, false)])
  func sample(there: Int, isSame: Bool) throws {
    let parent = TemporaryFolder()
    let music = TemporaryFolder(under: parent.path.display)
    for number in 0..<50 { music.write("\(number).mp3", "\(number)") }
    let watcher = try SteppedWatcher(music, events: MadeUpEvents())
    #expect(watcher.songs.count == 50)
    let loop = watcher.loop
    // None of these is there.
    for number in 0..<50 {
      loop.core.tree.absent.add(
        BytePath("absent \(number).mp3"), .made(Int64(number)), since: loop.now)
    }
    let away = music.path.display + "-away"
    #expect(rename(music.path.display, away) == 0)
    #expect(mkdir(music.path.display, 0o755) == 0)
    for number in 0..<there { music.write("\(number).mp3", "\(number)") }
    watcher.checkRoot()
    #expect(loop.core.isOnline == isSame)
  }
}
