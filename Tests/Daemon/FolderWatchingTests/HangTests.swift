import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// A folder that hangs is offline until it is back, and delays nobody: on a file system that really
/// doesn't answer.
@Suite(
  "A folder that hangs, seen by its watcher", .serialized, .limited, .enabled(if: !leavesOutFUSE)
)
struct HangTests {
  // Before its place, which can't go while it is there.
  let disk: HeldFileSystem
  let source = TemporaryFolder()
  let place = TemporaryFolder()
  let folder: WatchedFolder

  init() throws {
    source.makeFolder("A")
    for name in ["A/1", "A/2", "3"] { source.write("\(name).mp3", name) }
    disk = try HeldFileSystem(showing: source.path.display, at: place.path.display)
    folder = WatchedFolder(place)
  }

  private func start() throws {
    try folder.start {
      // The disk answers for a whole directory in this time, from a program in Python.
      $0.answerWithin = 2_000_000_000 * Int64(Patience.factor)
      $0.leaveWithin = 100_000_000
      $0.intervals.root = 100_000_000
      $0.standStill = 0
    }
    #expect(folder.songs.count == 3)
  }

  private static func isHung(_ state: WatchState?) -> Bool {
    if case .offline(let reason)? = state?.mode { reason.contains("hangs") } else { false }
  }

  private func waitUntilHung() -> Bool { folder.wait { Self.isHung($0.states.last) } }

  /// Afterwards everything is there again, and what came meanwhile, too.
  private func expectReturn(_ names: [String]) throws {
    try disk.answer()
    #expect(folder.wait { $0.songs.count == names.count })
    #expect(folder.wait { !Self.isHung($0.states.last) })
    folder.sync()
    #expect(folder.songs.keys.sorted() == names.map { "\($0).mp3" }.sorted())
    #expect(folder.merges.flatMap(\.vanished).isEmpty)
    withExtendedLifetime(disk) {}
  }

  @Test("while opening a file hangs, the folder is offline, though its looks are answered")
  func opener() throws {
    try start()
    source.write("A/4.mp3", "A/4")
    try disk.hold(.open)
    let isDone = Monitor(false)
    folder.post { $0.rescan(nil) { isDone.withLock { $0 = true } } }
    try disk.waitUntilHeld(.open)
    #expect(waitUntilHung())
    // Who waits is answered, and who asks later, and none of it makes the folder look well.
    isDone.wait { $0 ? () : nil }
    for _ in 0..<3 { folder.sync() }
    #expect(Self.isHung(folder.folderState))
    let states = folder.receiver.state.withLock { $0.states }
    let first = try #require(states.firstIndex { Self.isHung($0) })
    #expect(states[first...].allSatisfy { Self.isHung($0) })
    try expectReturn(["A/1", "A/2", "3", "A/4"])
    folder.stop()
  }

  @Test("while looking hangs, the folder is offline, and a sync is answered")
  func watcher() throws {
    try start()
    source.write("5.mp3", "5")
    try disk.hold(.look)
    let isDone = Monitor(false)
    folder.post { $0.rescan(nil) { isDone.withLock { $0 = true } } }
    try disk.waitUntilHeld(.look)
    #expect(waitUntilHung())
    isDone.wait { $0 ? () : nil }
    folder.sync()
    #expect(folder.folderState?.isSeen == true)
    try expectReturn(["A/1", "A/2", "3", "5"])
    folder.stop()
  }

  @Test("while closing a file hangs, the folder is offline, and nobody else closes it")
  func closing() throws {
    try start()
    source.write("6.mp3", "6")
    try disk.hold(.flush)
    folder.post { $0.rescan(nil) {} }
    try disk.waitUntilHeld(.flush)
    #expect(waitUntilHung())
    folder.sync()
    try expectReturn(["A/1", "A/2", "3", "6"])
    folder.stop()
  }

  @Test("a watcher that hangs is left behind at the end, and has nothing to say any more")
  func leftBehind() throws {
    try start()
    source.write("7.mp3", "7")
    source.write("cover.jpg", "a look tells of it as soon as it is over")
    try disk.hold(.look, .open)
    folder.post { $0.rescan(nil) {} }
    try disk.waitUntilHeld(.look)
    let isDone = Monitor(false)
    folder.post { $0.sync { isDone.withLock { $0 = true } } }
    folder.stop()
    #expect(isDone.withLock { $0 })
    folder.forgetMerges()
    let told = folder.receiver.state.withLock { ($0.states.count, $0.covers.count) }
    try disk.answer()
    // Whoever came back has looked around by then.
    let later = try WatchedFolder(place).start { $0.standStill = 0 }
    #expect(later.songs.count == 4)
    later.stop()
    #expect(folder.merges.isEmpty)
    #expect(folder.receiver.state.withLock { ($0.states.count, $0.covers.count) } == told)
    withExtendedLifetime(disk) {}
  }

  /// Answers nothing until it is well again; and never what is in files that begin with "hang".
  private final class HungReader: FileReader {
    let isWell = Monitor(false)
    let tries = Monitor(0)
    let givenUp = Monitor(0)
    /// How often each that gave nothing was read.
    let lateTries = Monitor<[String: Int]>([:])
    private let bad = Monitor(ReadingHealth())

    init(isWell: Bool = false) { self.isWell.withLock { $0 = isWell } }

    func read(
      _ descriptor: Int32, _ stamp: FileStamp, _ pathExtension: String, isProbe: Bool,
      _ answer: @escaping @Sendable (ReadOutcome) -> Void
    ) {
      let text = TemporaryFolder.text(descriptor)
      tries.withLock { $0 += 1 }
      if isWell.withLock({ $0 }), !text.hasPrefix("hang") {
        bad.withLock { $0 = ReadingHealth() }
        return answer(WatchedFolder.outcome(text, stamp))
      }
      lateTries.withLock { $0[text, default: 0] += 1 }
      bad.withLock { bad in
        // Each is tried three times.
        bad.timeouts += 3
        // Anew, since the sanitizer can't see that a copy which is given back is no longer read.
        bad.late = bad.late.union([stamp])
      }
      answer(.problem(FileProblem(.timedOutReader, "late")))
    }

    var health: ReadingHealth { bad.withLock { $0 } }
    func giveUp() { givenUp.withLock { $0 += 1 } }
    func forgetTimeouts() { bad.withLock { $0 = ReadingHealth() } }
  }

  @Test("a folder whose files time out one after the other is offline until one of them is read")
  func timeouts() throws {
    let reader = HungReader()
    for index in 0..<20 { source.write("A/more \(index).mp3", "\(index)") }
    try folder.start(reader: reader) {
      $0.intervals.root = 50_000_000
      $0.standStill = 0
    }
    #expect(waitUntilHung())
    #expect(reader.givenUp.withLock { $0 } > 0)
    // No more than one at a time is asked whether it is better.
    let before = reader.tries.withLock { $0 }
    let deadline = Clock.system.monotonic() + 60_000_000_000
    #expect(reader.tries.wait(until: deadline) { $0 >= before + 3 ? true : nil } == true)
    #expect(Self.isHung(folder.folderState))
    reader.isWell.withLock { $0 = true }
    #expect(folder.wait { $0.songs.count == 23 })
    folder.sync()
    #expect(!Self.isHung(folder.folderState))
    #expect(folder.problems.isEmpty)
    folder.stop()
    withExtendedLifetime(disk) {}
  }

  private func isEverHung() -> Bool {
    folder.receiver.state.withLock { $0.states.contains { Self.isHung($0) } }
  }

  @Test(
    "files that can't be read are problems, and left until they change, while others are read",
    arguments: [1, 12])
  func badFiles(count: Int) throws {
    let reader = HungReader(isWell: true)
    try folder.start(reader: reader) {
      $0.intervals.root = 50_000_000
      $0.standStill = 0
      $0.retries = [20_000_000, 20_000_000, 20_000_000]
    }
    for index in 0..<count { source.write("A/bad \(index).mp3", "hang \(index)") }
    folder.rescan()
    let texts = Set((0..<count).map { "hang \($0)" })
    let deadline = Clock.system.monotonic() + 60_000_000_000
    let areLeft: Bool? = reader.lateTries.wait(until: deadline) { tries in
      texts.allSatisfy { tries[$0] == 4 } ? true : nil
    }
    #expect(areLeft == true)
    source.write("later.mp3", "later")
    folder.sync()
    #expect(folder.songs.count == 4)
    #expect(folder.problems.values.map(\.kind) == .init(repeating: .timedOutReader, count: count))
    #expect(!isEverHung())
    #expect(reader.lateTries.withLock { $0.values.max() } == 4)
    folder.stop()
    withExtendedLifetime(disk) {}
  }

  @Test("a folder that hung is back when another file is read than the one that stays bad")
  func recovery() throws {
    let reader = HungReader()
    source.write("A/0.mp3", "hang")
    try folder.start(reader: reader) {
      $0.intervals.root = 50_000_000
      $0.standStill = 0
      $0.retries = [20_000_000, 20_000_000, 20_000_000]
    }
    #expect(waitUntilHung())
    reader.isWell.withLock { $0 = true }
    #expect(folder.wait { $0.songs.count == 3 && !Self.isHung($0.states.last) })
    #expect(folder.wait { $0.problems.values.map(\.kind) == [.timedOutReader] })
    folder.sync()
    #expect(!Self.isHung(folder.folderState))
    folder.stop()
    withExtendedLifetime(disk) {}
  }

  /// Reads every file, and says what it is told to.
  private final class ToldReader: FileReader {
    let told = Monitor(ReadingHealth())

    func read(
      _ descriptor: Int32, _ stamp: FileStamp, _ pathExtension: String, isProbe: Bool,
      _ answer: @escaping @Sendable (ReadOutcome) -> Void
    ) {
      answer(WatchedFolder.outcome(TemporaryFolder.text(descriptor), stamp))
    }

    var health: ReadingHealth { told.withLock { $0 } }
    func giveUp() {}
    func forgetTimeouts() {}
  }

  @Test(
    "a file that keeps a reader, or may, is a problem while whoever opens it waits",
    arguments: [false, true])
  func kept(isCertain: Bool) throws {
    let reader = ToldReader()
    try folder.start(reader: reader) { $0.standStill = 0 }
    source.write("A/4.mp3", "A/4")
    let stamp = try #require(place.path.appending(BytePath("A/4.mp3")).stamp)
    reader.told.withLock {
      $0 = isCertain ? ReadingHealth(lost: [stamp]) : ReadingHealth(suspects: [stamp])
    }
    try disk.hold(.open)
    folder.rescan()
    if !isCertain { try disk.waitUntilHeld(.open) }
    folder.sync()
    #expect(folder.problems.values.map(\.kind) == [.timedOutReader] && folder.songs.count == 3)
    #expect(!isEverHung())
    // It may well be another one of its reader's files.
    try disk.answer()
    if isCertain { reader.told.withLock { $0 = ReadingHealth() } }
    // The thread that was left behind may still be on its way out of the call.
    let isRead = happensInTime {
      folder.rescan()
      folder.sync()
      return folder.problems.isEmpty && folder.songs.count == 4
    }
    #expect(isRead)
    folder.stop()
    withExtendedLifetime(disk) {}
  }

  @Test("a call is not stuck while the daemon does not run")
  func stopped() throws {
    // Each look at the clock finds that much more time gone.
    let passes = Monitor<Int64>(1_000_000_000)
    let time = Monitor<(now: Int64, looks: Int)>((0, 0))
    let clock = Clock(
      monotonic: {
        let passed = passes.withLock { $0 }
        return time.withLock { time in
          time = (time.now + passed, time.looks + 1)
          return time.now
        }
      }, wall: Clock.system.wall)
    let calls = try StuckCalls(most: 20_000_000, clock: clock)
    let stuck = Monitor(0)
    let thread = BlockingThread("stuck") { calls.run { _ in stuck.withLock { $0 += 1 } } }
    calls.begin(.opener)
    // Three times as many steps as it may take.
    #expect(time.wait(until: Patience.end) { $0.looks > 30 ? () : nil } != nil)
    #expect(stuck.withLock { $0 } == 0)
    passes.withLock { $0 = 2_000_000 }
    #expect(stuck.wait(until: Patience.end) { $0 > 0 ? () : nil } != nil)
    calls.stop()
    thread.join()
  }

  @Test("a call of a folder that left others unanswered has the rest of the time, and no more")
  func lateReads() throws {
    // The clock is asked when a call begins and after each step, which lasts just so long.
    let time = Monitor<Int64>(0)
    let atTime = Monitor<@Sendable (Int64) -> Void>({ _ in })
    let clock = Clock(
      monotonic: {
        let now = time.withLock { time in
          time += 1
          return time
        }
        let body = atTime.withLock { $0 }
        body(now)
        return now
      }, wall: Clock.system.wall)
    let calls = try StuckCalls(most: 10_000_000, clock: clock)
    let stuck = Monitor<[StuckCalls.Caller]>([])
    let thread = BlockingThread("stuck") {
      calls.run { caller in stuck.withLock { $0.append(caller) } }
    }
    func steps(of caller: StuckCalls.Caller) -> Int64 {
      let began = time.withLock { $0 }
      stuck.withLock { $0 = [] }
      calls.begin(caller)
      #expect(stuck.wait(until: Patience.end) { $0 == [caller] ? () : nil } != nil)
      return time.withLock { $0 } - began - 1
    }
    #expect(steps(of: .opener) == 10)
    #expect(steps(of: .watcher) == 1)
    for caller in [StuckCalls.Caller.opener, .watcher] { calls.end(caller) }
    calls.noteReads(areLate: true)
    #expect(steps(of: .watcher) == 5)
    calls.end(.watcher)
    // The read times out while the call lasts, as where a drive takes its time to spin up.
    for (late, most) in [(2, 6), (4, 8), (8, 10)] as [(Int64, Int64)] {
      calls.noteReads(areLate: false)
      let began = time.withLock { $0 } + 1
      atTime.withLock { $0 = { if $0 == began + late { calls.noteReads(areLate: true) } } }
      #expect(steps(of: .watcher) == most)
      calls.end(.watcher)
    }
    calls.stop()
    thread.join()
  }

  @Test("each caller is stuck by itself, and by its own return no longer")
  func callers() throws {
    let calls = try StuckCalls(most: 200_000_000)
    let stuck = Monitor<[StuckCalls.Caller]>([])
    let thread = BlockingThread("stuck") {
      calls.run { caller in stuck.withLock { $0.append(caller) } }
    }
    #expect(calls.callSince(.opener) == nil)
    #expect(!calls.begin(.opener))
    stuck.wait { $0 == [.opener] ? () : nil }
    #expect(calls.isStuck(.opener) && !calls.isStuck(.watcher))
    #expect(calls.callSince(.opener) != nil)
    // The other one comes and goes.
    #expect(!calls.begin(.watcher))
    stuck.wait { $0 == [.opener, .watcher] ? () : nil }
    let wasStuck = [calls.end(.watcher), calls.end(.watcher)]
    #expect(wasStuck == [true, false])
    #expect(calls.isStuck(.opener) && !calls.isStuck(.watcher))
    #expect(calls.begin(.opener))
    #expect(!calls.isStuck(.opener))
    calls.end(.opener)
    calls.stop()
    thread.join()
  }
}
