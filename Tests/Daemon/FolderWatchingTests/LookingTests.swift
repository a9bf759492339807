import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Looks, and what keeps them from being made", .limited) struct LookingTests {
  @Test("a sample is spread over all that there is, and is all of it where that is little")
  func sample() {
    func sample(of count: Int, most: Int) -> [Int] {
      var sample = EvenSample<Int>(most: most)
      for number in 0..<count { sample.add(number) }
      return sample.elements
    }
    let expected = [
      [], [0], [0, 1], [0, 1], [0, 2], [0, 2], [0, 2], [0, 4], [0, 4], [0, 4], [0, 4], [0, 4],
      [0, 4], [0, 8],
    ]
    #expect((0...13).map { sample(of: $0, most: 2) } == expected)
    for count in [0, 1, 99, 100, 101, 150, 199, 200, 201, 399, 400, 12_345] {
      let taken = sample(of: count, most: 100)
      #expect(taken.count == min(count, 100) && Set(taken).count == taken.count)
      let gaps = zip(taken, taken.dropFirst() + [count]).map { $1 - $0 }
      #expect(gaps.allSatisfy { $0 > 0 && $0 <= max(1, count / 25) }, "\(count)")
    }
  }

  @Test("why a folder is away is told in words that help")
  func away() throws {
    let folder = TemporaryFolder()
    folder.write("file", "")
    symlink("loop", folder("loop"))
    func reason(_ name: String) -> String? {
      if case .away(let reason) = RootStatus(folder.at(name)) { reason } else { nil }
    }
    #expect(reason("none") == "it is not there")
    #expect(reason("file") == "it is not a directory")
    #expect(reason("loop") == "it can't be opened: Too many levels of symbolic links")
    symlink(folder.path.display, folder("link"))
    guard case .there(let identity) = RootStatus(folder.at("link")) else {
      return #expect(Bool(false))
    }
    var status = stat()
    #expect(stat(folder.path.display, &status) == 0)
    #expect(identity.inode == status.st_ino)
  }

  @Test("why a folder hangs is told with how many wait for it")
  func hanging() {
    let reason = "its files can't be read: the drive or server behind it hangs"
    for (stuck, more) in [
      (0, ""), (1, " (and 1 tag reader waits for it)"), (2, " (and 2 tag readers wait for it)"),
    ] { #expect(ReadingHealth(stuckReaders: stuck).reason == reason + more) }
  }

  @Test("a stop in the midst of a walk ends it, and nothing is told of what it didn't reach")
  func stopped() throws {
    let music = TemporaryFolder()
    for number in 100..<200 { music.makeFolder("\(number)") }
    let events = MadeUpEvents()
    let watcher = try SteppedWatcher(music, events: events)
    var looks = 0
    events.onAdd = {
      looks += 1
      if looks == 5 { watcher.stop() }
    }
    for number in 100..<200 { music.write("\(number)/1.mp3", "1") }
    watcher.loop.feed(.wokeUp)
    watcher.loop.step()
    #expect(looks == 16)
    #expect(watcher.core.isStopping && watcher.core.session.agenda.fullScan == .brokenOff)
    watcher.loop.end()
    #expect(watcher.receiver.state.withLock { !$0.merges.contains { !$0.vanished.isEmpty } })
  }

  @Test(
    "a file that changes each time it is read is read four times, and then when it stands still")
  func changing() throws {
    let watcher = try SteppedWatcher(events: MadeUpEvents()) { $0.standStill = 2 * seconds }
    watcher.keepAnswers()
    watcher.music.write("1.mp3", "x")
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    for round in 1...4 {
      #expect(watcher.readCount == round)
      watcher.music.write("1.mp3", String(repeating: "x", count: round + 1))
      watcher.release()
      watcher.settle()
    }
    #expect(watcher.readCount == 4)
    #expect(watcher.songs.isEmpty)
    watcher.turn(by: 2 * seconds)
    watcher.settle()
    #expect(watcher.readCount == 5)
    watcher.release()
    watcher.settle()
    #expect(watcher.songs == ["1.mp3": "xxxxx"])
  }

  @Test("a file whose path is too long to be opened is a problem, until it is gone")
  func longPath() throws {
    let music = TemporaryFolder()
    // The directory's path is the longest that the kernel takes, or nearly.
    let rest = 4_094 - music.path.count - 20 * 201 - 1
    let folder = music.openDeep([Int](repeating: 200, count: 20) + [rest])
    defer {
      close(folder)
      system("rm -rf '\(music.path.display)'")
    }
    close(openat(folder, "1.mp3", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
    let watcher = try SteppedWatcher(music, events: MadeUpEvents())
    #expect(watcher.songs.isEmpty && watcher.readCount == 0)
    #expect(watcher.problems.keys.map { String(decoding: $0.name, as: UTF8.self) } == ["1.mp3"])
    #expect(watcher.problems.values.allSatisfy { $0.message.contains("4,095") })
    #expect(watcher.loop.nextTime() - watcher.loop.now == 2 * seconds)
    unlinkat(folder, "1.mp3", 0)
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(watcher.problems.isEmpty)
  }

  @Test("a file that was replaced by a bad one and is back is as it was, and no problem")
  func back() throws {
    let music = TemporaryFolder()
    let outside = TemporaryFolder()
    music.makeFolder("A")
    music.write("A/1.mp3", "good")
    outside.makeFolder("B")
    outside.write("B/1.mp3", "bad")
    let watcher = try SteppedWatcher(music)
    func exchange() {
      #expect(exchangeNames(music("A"), outside("B")))
      for _ in 0..<3 {
        watcher.settle()
        watcher.turn(by: seconds / 2)
      }
      watcher.settle()
    }
    #expect(watcher.songs == ["A/1.mp3": "good"])
    exchange()
    #expect(watcher.problems.keys.map { $0 } == [music.at("A/1.mp3")])
    let count = watcher.readCount
    exchange()
    #expect(watcher.songs == ["A/1.mp3": "good"])
    #expect(watcher.problems.isEmpty)
    #expect(watcher.readCount == count)
    for _ in 0..<3 {
      watcher.turn(by: 100 * seconds)
      watcher.settle()
    }
    #expect(watcher.readCount == count)
  }

  @Test("what is about to be stopped waits for nobody")
  func preparing() throws {
    let folder = try WatchedFolder().start()
    folder.isHeld.withLock { $0 = true }
    folder.music.write("1.mp3", "slow")
    folder.slowReads.wait { $0 > 0 ? () : nil }
    let isDone = Monitor(false)
    folder.post { $0.sync { isDone.withLock { $0 = true } } }
    folder.post { $0.prepareToStop() }
    #expect(isDone.wait(until: Patience.end) { $0 ? true : nil } == true)
    folder.isHeld.withLock { $0 = false }
    folder.stop()
  }

  @Test(
    "what keeps a file from being read is told as what it is",
    arguments: [
      (EACCES, FileProblem.Kind.permission), (EPERM, .permission), (ENAMETOOLONG, .unreadable),
      (EIO, .unreadable),
    ])
  func problems(code: Int32, kind: FileProblem.Kind) {
    let problem = FileProblem(SystemCallError("open", "", code: code))
    #expect(problem.kind == kind)
    #expect(problem.message.contains("4,095") == (code == ENAMETOOLONG))
    #expect(problem.message.contains("Input/output error") == (code == EIO))
  }
}
