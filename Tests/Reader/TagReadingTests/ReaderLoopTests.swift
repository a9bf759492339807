import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import TagReading

@Suite("The thread of the readers, step by step", .limited)
struct ReaderLoopTests {
  private let pool = StillPool()
  private var share: ShareID { pool.share }

  @Test("After a failed start the next waits twice as long, up to a limit and twenty times at most")
  func startDelays() throws {
    var loop = try pool.loop {
      $0.startDelay = 100
      $0.startDelayMost = 1_000
    }
    for (number, delay) in [100, 200, 400, 800, 1_000, 1_000].enumerated() {
      loop.noteStartFailure("so", isOfProgram: number % 2 == 0)
      #expect(loop.starting.next == 5_000 + Int64(delay) && loop.starting.failures == number + 1)
      let advice = number % 2 == 0 ? "install crated again." : "it is tried again by itself."
      #expect(loop.starting.reason.hasSuffix("could not be started (so); \(advice)"))
      let failure = loop.queue.withLock { $0.startFailure }
      #expect(failure == (number < 3 ? nil : loop.starting.reason))
    }
    loop.noteStart(lacking: [.memory])
    #expect(loop.starting.failures == 0 && loop.starting.next == .min && !loop.starting.isAwaited)
    #expect(loop.queue.withLock { $0.startFailure == nil && $0.missing == [.memory] })
    loop = try pool.loop {
      $0.startDelay = 1
      $0.startDelayMost = .max
    }
    for _ in 0..<20 { loop.noteStartFailure("so") }
    #expect(loop.starting.next == 5_000 + 1 << 19 && loop.starting.reason.contains("install"))
    for _ in 0..<3 {
      loop.noteStartFailure("so")
      #expect(loop.starting.next == 5_000 + 1 << 20)
    }
  }

  @Test("A program that is not there is tried when it is due, and not before")
  func missingProgram() throws {
    let loop = try pool.loop { $0.startDelay = 100 }
    #expect(
      loop.startReader(for: share) == nil && loop.starting.failures == 1 && loop.starting.isAwaited)
    #expect(
      loop.starting.reason.contains("No such file") && loop.starting.reason.contains("install"))
    loop.starting.isAwaited = false
    pool.turn(to: 5_099)
    #expect(
      loop.startReader(for: share) == nil && loop.starting.failures == 1 && loop.starting.isAwaited)
    pool.turn(to: 5_100)
    #expect(loop.startReader(for: share) == nil && loop.starting.failures == 2)
    #expect(loop.starting.next == 5_300 && loop.readers.isEmpty)
  }

  @Test("As many readers start as there may be, and processes that are leaving are among them")
  func room() throws {
    let loop = try pool.loop(1, program: "/bin/sleep") {
      $0.processesPerReader = 2
      $0.slow = 50
    }
    let other = ShareID(number: 9)
    let gone = LeavingReader(process: 1, share: share, since: 0, wasLate: false)
    loop.leaving = [gone, gone]
    #expect(
      loop.startReader(for: share) == nil && loop.starting.failures == 0 && !loop.starting.isAwaited
    )
    // Another folder may always have one at work, and lose one.
    for (lost, mayStart) in [(0, true), (1, true), (2, false)] {
      let late = LeavingReader(process: 1, share: other, since: 0, wasLate: true)
      loop.leaving = [gone, gone] + [LeavingReader](repeating: late, count: lost)
      let started = loop.startReader(for: other)
      #expect((started != nil) == mayStart)
      if let started { pool.note(started.process) }
      loop.readers = []
    }
    loop.leaving = [gone]
    let first = try #require(loop.startReader(for: share))
    pool.note(first.process)
    #expect(loop.readers.count == 1 && first.started == 5_000 && loop.starting.next == 5_000)
    loop.leaving = []
    // It has nothing to do, and is quick: no other one is started.
    #expect(
      loop.quickReaders == 1 && loop.startReader(for: share) == nil && loop.starting.failures == 0)
    // One that has not greeted is not exchanged; one with a file neither, until it is slow.
    #expect(loop.startReader(for: share, inPlaceOfIdle: true) == nil && loop.readers.count == 1)
    let busy = try pool.reader(now: 5_000)
    #expect(busy.send([pool.job("a")], now: 5_000))
    loop.readers = [busy]
    pool.turn(to: 5_049)
    #expect(
      !loop.isSlow(busy, at: 5_049) && loop.startReader(for: share, inPlaceOfIdle: true) == nil)
    pool.turn(to: 5_050)
    #expect(loop.isSlow(busy, at: 5_050) && loop.quickReaders == 0)
    let second = try #require(loop.startReader(for: share))
    pool.note(second.process)
    #expect(loop.readers.count == 2)
    // One that has nothing to do goes for another.
    let idle = try pool.reader(now: 5_050)
    loop.readers = [idle]
    let third = try #require(loop.startReader(for: share, inPlaceOfIdle: true))
    pool.note(third.process)
    #expect(loop.readers.map(\.process) == [third.process])
    #expect(loop.leaving.map(\.process) == [idle.process] && loop.leaving.first?.wasLate == false)
  }

  @Test("Where none starts, files are problems while the next start is not due")
  func refused() throws {
    let loop = try pool.loop { $0.startAttempts = 2 }
    func wait() {
      loop.waiting[share, default: WaitingJobs()].putBack(pool.job("a"))
      _ = loop.queue.withLock { $0.enter(pool.asked.file(share, "b"), most: 9) }
    }
    wait()
    loop.noteStartFailure("so")
    loop.refuseIfNoneStarts()
    #expect(pool.told() == [])
    loop.noteStartFailure("so")
    pool.turn(to: loop.starting.next)
    loop.refuseIfNoneStarts()
    #expect(pool.told() == [])
    pool.turn(to: loop.starting.next - 1)
    loop.readers = [try pool.reader(now: 0)]
    loop.refuseIfNoneStarts()
    #expect(pool.told() == [])
    loop.readers = []
    loop.refuseIfNoneStarts()
    #expect(pool.told() == ["a", "b"] && loop.waiting.isEmpty)
  }

  @Test("With two files stuck the others wait for a trial, and if that is, too, there is no reader")
  func stuck() throws {
    for (stuck, files, hasProbe, waits, hasNone) in [
      (0, 0, false, false, false), (1, 1, false, false, false), (2, 1, false, false, false),
      (2, 2, false, true, false), (5, 1, false, false, false), (3, 3, false, true, false),
      (3, 2, true, true, true), (3, 3, true, true, true), (1, 1, true, false, false),
      (6, 1, false, false, true), (6, 0, false, false, true),
    ] {
      let loop = try pool.loop(2)
      #expect(!loop.isHeld(share) && !loop.hasNoReader(share))
      loop.stuckReaders[share] = stuckReaders(stuck, files)
      loop.stuckReaders[share]?.hasProbe = hasProbe
      #expect(loop.isHeld(share) == waits, "\(stuck) with \(files)")
      #expect(loop.hasNoReader(share) == hasNone, "\(stuck) with \(files)")
    }
  }

  @Test("Nor has it one where other folders' readers leave no room and its own are stuck")
  func full() throws {
    let loop = try pool.loop(1) { $0.processesPerReader = 3 }
    let other = LeavingReader(process: 1, share: ShareID(number: 9), since: 0, wasLate: true)
    for (others, own, hasNone) in [(0, 2, false), (1, 2, true), (2, 1, false), (3, 0, false)] {
      loop.leaving =
        [LeavingReader](repeating: other, count: others)
        + [LeavingReader](repeating: gone(1, isSure: true), count: own)
      loop.stuckReaders[share] = stuckReaders(own, 1)
      #expect(loop.hasNoReader(share) == hasNone, "\(own) beside \(others)")
    }
    // One of its own at work may yet answer.
    loop.leaving = [other, gone(1, isSure: true), gone(1, isSure: true)]
    let busy = try pool.reader(now: 5_000)
    #expect(busy.send([pool.job("a")], now: 5_000))
    loop.readers = [busy]
    loop.stuckReaders[share] = stuckReaders(2, 1)
    #expect(!loop.hasNoReader(share))
  }

  @Test("Files wait for a trial as long as one may take, and then one of them is it")
  func held() throws {
    let loop = try pool.loop { $0.held = 100 }
    func enter(_ name: String, _ stamp: FileStamp, isProbe: Bool = false) {
      let file = pool.asked.file(share, name, stamp: stamp, isProbe: isProbe)
      _ = loop.queue.withLock { $0.enter(file, most: 9) }
    }
    let idle = try pool.reader(now: 5_000)
    loop.readers = [idle]
    // The first is one of those that are stuck.
    for (name, number) in [("a", 1), ("b", 7), ("c", 8)] {
      loop.waiting[share, default: WaitingJobs()].plain += [pool.job(name, stamp: stamp(number))]
    }
    enter("d", stamp(9))
    loop.stuckReaders[share] = stuckReaders(2, 2)
    loop.heldSince[share] = 5_000
    pool.turn(to: 5_099)
    loop.assign()
    #expect(pool.told() == [] && idle.jobs.isEmpty)
    pool.turn(to: 5_100)
    loop.assign()
    #expect(pool.told() == ["a", "c", "d"] && pool.names(idle.jobs) == ["b"])
    #expect(idle.jobs.first?.care == .alone && idle.jobs.first?.isProbe == true)
    // Others don't wait for it.
    enter("e", stamp(9))
    loop.assign()
    #expect(pool.told() == ["a", "c", "d", "e"])
    // One that is late is not tried again, and is known for what it was.
    loop.end(idle, because: .timedOut(after: 1))
    #expect(pool.told() == ["a", "c", "d", "e", "b"] && loop.waiting.isEmpty)
    #expect(loop.leaving.map(\.isProbe) == [true])
    // Without others before it, what comes is it; and somebody else's trial is tried as well.
    let next = try pool.reader(now: 5_100)
    loop.readers = [next]
    enter("f", stamp(9))
    loop.assign()
    #expect(pool.names(next.jobs) == ["f"])
    let last = try pool.reader(now: 5_100)
    loop.readers = [last]
    enter("trial", stamp(9), isProbe: true)
    loop.assign()
    #expect(pool.names(last.jobs) == ["trial"] && last.jobs.first?.care == .alone)
  }

  private func stuckReaders(_ count: Int, _ files: Int) -> StuckReaders {
    StuckReaders(count: count, files: Set((0..<files).map(stamp)))
  }

  private func gone(_ file: Int?, isSure: Bool, isOutlived: Bool = false) -> LeavingReader {
    LeavingReader(
      process: 1, share: share, since: 5_000, wasLate: true, file: file.map(stamp),
      isSure: isSure, isOutlived: isOutlived)
  }

  @Test("Of what is stuck, only what no other file's answer followed speaks against its folder")
  func stuckFiles() throws {
    var stuck = StuckReaders()
    for reader in [
      gone(1, isSure: true), gone(1, isSure: true), gone(2, isSure: false), gone(nil, isSure: true),
      gone(3, isSure: true, isOutlived: true), gone(4, isSure: false, isOutlived: true),
    ] { stuck.add(reader) }
    #expect(stuck.count == 6 && stuck.files == [stamp(1), stamp(2)])
    #expect(stuck.lost == [stamp(1), stamp(3)] && !stuck.hasProbe)
    for (isOutlived, isOne) in [(true, false), (false, true)] {
      var trial = gone(9, isSure: true, isOutlived: isOutlived)
      trial.isProbe = true
      stuck.add(trial)
      #expect(stuck.hasProbe == isOne)
    }
    let loop = try pool.loop()
    loop.leaving = [gone(1, isSure: true)]
    loop.noteAnswer(of: stamp(1), in: ShareID(number: 9))
    #expect(loop.leaving[0].isLost)
    loop.noteAnswer(of: stamp(2), in: share)
    #expect(!loop.leaving[0].isLost)
  }

  @Test("Of a stuck reader's files one that is late again keeps it, and none that is read")
  func suspects() throws {
    let loop = try pool.loop()
    func end(_ numbers: [Int], care: ReaderJob.Care = .none, wasLate: Bool = true) throws {
      let reader = try pool.reader(now: 5_000)
      let jobs = numbers.map { pool.job("\($0)", care, stamp: stamp($0)) }
      #expect(reader.send(jobs, now: 5_000))
      loop.release(reader, wasLate: wasLate)
    }
    func stuck() -> StuckReaders {
      var stuck = StuckReaders()
      for reader in loop.leaving { stuck.add(reader) }
      return stuck
    }
    try end([1, 2, 3])
    #expect(stuck().suspects == [stamp(1), stamp(2), stamp(3)] && stuck().lost.isEmpty)
    // Not of another folder, and not of one that ended for another reason.
    loop.noteAnswer(of: stamp(1), in: ShareID(number: 9))
    try end([1], wasLate: false)
    #expect(stuck().suspects.count == 3 && stuck().lost.isEmpty)
    loop.noteAnswer(of: stamp(3), in: share)
    #expect(stuck().suspects == [stamp(1), stamp(2)])
    try end([1, 2], care: .oneByOne)
    #expect(stuck().suspects == [stamp(2)] && stuck().lost == [stamp(1)])
    // It is the first one's that is known, though its own reader is gone by now.
    loop.leaving.removeLast()
    #expect(stuck().suspects == [stamp(2)] && stuck().lost == [stamp(1)])
    loop.noteAnswer(of: stamp(1), in: share)
    #expect(stuck().suspects == [stamp(2)] && stuck().lost.isEmpty)
    loop.leaving = []
  }

  @Test("A file whose reader can't be ended costs no other one, and is not tried before that shows")
  func lostFiles() throws {
    let loop = try pool.loop { $0.leaving = 100 }
    func wait() {
      loop.waiting = [:]
      for (number, care) in [(1, ReaderJob.Care.oneByOne), (2, .oneByOne), (3, .none)] {
        let job = pool.job("\(number)", care, stamp: stamp(number))
        loop.waiting[share, default: WaitingJobs()].putBack(job)
      }
    }
    wait()
    loop.leaving = [gone(2, isSure: true), gone(1, isSure: false), gone(3, isSure: true)]
    pool.turn(to: 5_099)
    #expect(pool.names(loop.nextBatch(of: share)) == ["1"])
    #expect(pool.names(loop.nextBatch(of: share)) == ["3"])
    #expect(loop.nextBatch(of: share).isEmpty)
    #expect(pool.names(loop.waiting[share]?.all) == ["2"])
    pool.turn(to: 5_100)
    #expect(pool.names(loop.nextBatch(of: share)) == ["2"])
    wait()
    loop.stuckReaders[share] = StuckReaders(count: 2, files: [], lost: [stamp(2), stamp(3)])
    loop.failLost(share)
    #expect(pool.told() == ["2", "3"] && pool.names(loop.waiting[share]?.all) == ["1"])
    loop.waiting = [:]
    // Those that are asked for anew are among them.
    for number in 0..<40 {
      let file = pool.asked.file(share, "new \(number)", stamp: stamp(number < 20 ? 2 : 7))
      _ = loop.queue.withLock { $0.enter(file, most: 99) }
    }
    #expect(pool.names(loop.nextBatch(of: share)) == (20..<32).map { "new \($0)" })
    #expect(pool.told().count == 22)
  }

  @Test("Time-outs are counted by the files that were certainly their cause")
  func causes() throws {
    var health = ShareHealth()
    for file in [stamp(1), nil, stamp(1), stamp(2)] { health.noteTimeout(of: file) }
    #expect(health.timeouts == 4 && health.late == [stamp(1), stamp(2)])
    for number in 0..<99 { health.noteTimeout(of: stamp(number)) }
    #expect(health.late.count == ShareHealth.lateMost)
    health.forgetTimeouts()
    #expect(health == ShareHealth())
    let reader = try pool.reader(now: 0)
    #expect(!reader.isSureOfFirst)
    #expect(reader.send([pool.job("a")], now: 0) && reader.isSureOfFirst)
    #expect(reader.send([pool.job("b")], now: 0) && reader.isSureOfFirst)
    let other = try pool.reader(now: 0)
    #expect(other.send([pool.job("a"), pool.job("b")], now: 0) && !other.isSureOfFirst)
    let careful = try pool.reader(now: 0)
    #expect(careful.send([pool.job("a", .oneByOne), pool.job("b", .oneByOne)], now: 0))
    #expect(careful.isSureOfFirst)
  }

  @Test("A trial gets a reader that has no other files, before all others")
  func trials() throws {
    let loop = try pool.loop()
    #expect(loop.takeProbe(of: share) == nil)
    let trial = pool.asked.file(share, "trial", isProbe: true)
    _ = loop.queue.withLock { $0.enter(pool.asked.file(share, "a"), most: 1) }
    #expect(loop.queue.withLock { $0.enter(trial, most: 1) } == .waiting)
    let (busy, idle) = (try pool.reader(now: 5_000), try pool.reader(now: 5_000))
    #expect(busy.send([pool.job("b")], now: 5_000))
    loop.readers = [busy]
    #expect(loop.takeProbe(of: share) == nil)
    loop.readers = [busy, idle]
    let taken = try #require(loop.takeProbe(of: share))
    #expect(taken.job.file === trial && taken.reader === idle)
    #expect(loop.takeProbe(of: share) == nil)
    #expect(pool.names(loop.nextBatch(of: share)) == ["a"])
    // It wakes a thread that sleeps though others wait, and ends with them.
    _ = loop.queue.withLock { $0.enter(pool.asked.file(share, "c"), most: 1) }
    #expect(loop.queue.withLock { $0.wanted() } == [share])
    let second = pool.asked.file(share, "d", isProbe: true)
    #expect(loop.queue.withLock { $0.enter(second, most: 1) } == .waitingForSleeper)
    #expect(pool.names(of: loop.queue.withLock { $0.giveUp(share) }) == ["d", "c"])
    _ = loop.queue.withLock { $0.enter(second, most: 1) }
    #expect(loop.queue.withLock { $0.wanted() } == [share])
    loop.fail(share, .hangs)
    #expect(pool.told() == ["d"])
    _ = loop.queue.withLock { $0.enter(second, most: 1) }
    #expect(pool.names(of: loop.queue.withLock { $0.takeAll() }) == ["d"])
    #expect(loop.queue.withLock { $0.wanted() } == [])
  }

  @Test("An answer takes back what its folder was late with, and fails nothing")
  func lateness() throws {
    let loop = try pool.loop()
    func timeouts() -> Int { loop.queue.withLock { $0.health(of: share).timeouts } }
    var health = ShareHealth()
    health.timeouts = 3
    loop.queue.withLock { [share, health] in $0.setHealth(health, of: share) }
    loop.noteAnswer(of: stamp(0), in: share)
    #expect(timeouts() == 3)
    loop.late = [share]
    loop.noteAnswer(of: stamp(0), in: share)
    #expect(timeouts() == 0 && loop.late.isEmpty)
    loop.waiting[share, default: WaitingJobs()].putBack(pool.job("a"))
    for number in 0..<40 {
      _ = loop.queue.withLock { $0.enter(pool.asked.file(share, "\(number)"), most: 99) }
    }
    loop.fail(share, .hangs)
    #expect(pool.told() == ["a"] + (0..<40).map { "\($0)" } && loop.waiting.isEmpty)
  }

  @Test("A reader that has nothing to do leaves in time, and one that is late is ended")
  func times() throws {
    let loop = try pool.loop {
      $0.idle = 100
      $0.greeting = 200
      $0.deadline = 300
      $0.slow = 30
    }
    let (idle, busy) = (try pool.reader(now: 5_000), try pool.reader(now: 5_000))
    let silent = try pool.reader(now: 5_000, greets: false)
    #expect(busy.send([pool.job("a")], now: 5_000))
    #expect(loop.patience(with: idle) == nil && loop.patience(with: busy) == 300)
    var trial = pool.job("trial")
    trial.makeProbe()
    let trying = try pool.reader(now: 5_000)
    #expect(trying.send([trial], now: 5_000))
    #expect(loop.patience(with: trying) == ReaderLimits().trial)
    #expect(loop.patience(with: silent) == 200)
    loop.readers = [idle, busy, silent]
    func left(at now: Int64) -> [pid_t] {
      pool.turn(to: now)
      loop.endLateReaders()
      loop.releaseIdleReaders()
      return loop.readers.map(\.process)
    }
    #expect(left(at: 5_029).count == 3 && busy.computedWhenSlow == nil)
    #expect(left(at: 5_030).count == 3 && busy.computedWhenSlow != nil)
    #expect(idle.computedWhenSlow == nil && silent.computedWhenSlow == nil)
    #expect(left(at: 5_099).count == 3)
    #expect(left(at: 5_199) == [busy.process])
    #expect(loop.leaving.map(\.process) == [idle.process, silent.process])
    #expect(loop.leaving.map(\.wasLate) == [false, false] && loop.starting.failures == 0)
    #expect(left(at: 5_299).count == 1 && loop.leaving.count == 2)
    #expect(left(at: 5_300).isEmpty && loop.leaving.last?.wasLate == true)
    #expect(pool.names(loop.waiting[share]?.oneByOne) == ["a"])
  }

  @Test("One that says nothing at all is a failed start, once its time is over")
  func silent() throws {
    let loop = try pool.loop { $0.greeting = 200 }
    let silent = try pool.reader(now: 5_000, greets: false)
    #expect(silent.send([pool.job("a"), pool.job("b")], now: 5_000))
    loop.readers = [silent]
    pool.turn(to: 5_199)
    loop.endLateReaders()
    #expect(loop.readers.count == 1)
    pool.turn(to: 5_200)
    loop.endLateReaders()
    #expect(loop.readers.isEmpty && loop.starting.failures == 1 && loop.late.isEmpty)
    #expect(pool.names(loop.waiting[share]?.plain) == ["a", "b"] && pool.told() == [])
    // Without a file, too.
    loop.readers = [try pool.reader(now: 5_200, greets: false)]
    loop.end(loop.readers[0], because: .crashed)
    #expect(loop.starting.failures == 2)
    let greeted = try pool.reader(now: 5_200)
    loop.readers = [greeted]
    loop.end(greeted, because: .crashed)
    loop.end(greeted, because: .crashed)
    #expect(loop.starting.failures == 2 && loop.leaving.count == 3)
  }

  @Test("What was read when a reader ended is tried with more care, and pays the third time")
  func care() throws {
    let loop = try pool.loop()
    func end(_ batches: [ReaderJob]...) throws {
      let reader = try pool.reader(now: 5_000)
      for batch in batches { #expect(reader.send(batch, now: 5_000)) }
      loop.readers = [reader]
      loop.waiting = [:]
      loop.end(reader, because: .crashed)
      #expect(loop.readers.isEmpty && loop.leaving.last?.process == reader.process)
    }
    try end([pool.job("a"), pool.job("b")], [pool.job("c")])
    let first = try #require(loop.waiting[share])
    #expect(pool.names(first.oneByOne) == ["a", "b"] && pool.names(first.plain) == ["c"])
    #expect(first.oneByOne.allSatisfy { $0.care == .oneByOne } && first.alone.isEmpty)
    try end([pool.job("a", .oneByOne), pool.job("b", .oneByOne)], [pool.job("c")])
    let second = try #require(loop.waiting[share])
    #expect(pool.names(second.alone) == ["a"] && second.alone[0].care == .alone)
    #expect(pool.names(second.oneByOne) == ["b"] && pool.names(second.plain) == ["c"])
    try end([pool.job("a", .alone)], [pool.job("c")])
    #expect(pool.told() == ["a"] && pool.names(loop.waiting[share]?.all) == ["c"])
    // What was given up meanwhile is not tried again.
    _ = loop.queue.withLock { $0.giveUp(share) }
    try end([pool.job("d"), pool.job("e")], [pool.job("f", generation: 1)])
    #expect(pool.told() == ["a", "d", "e"] && pool.names(loop.waiting[share]?.plain) == ["f"])
    loop.waiting = [:]
    loop.waiting[share, default: WaitingJobs()].putBack(pool.job("g"))
    loop.waiting[share, default: WaitingJobs()].putBack(pool.job("h", generation: 1))
    loop.dropGivenUp()
    #expect(pool.told().last == "g" && pool.names(loop.waiting[share]?.all) == ["h"])
  }

  @Test("Those that were ended are forgotten when they are gone")
  func reaping() throws {
    let loop = try pool.loop()
    loop.reap()
    let reader = try pool.reader(now: 5_000)
    // One that is there still, and one that is nobody's.
    loop.leaving = [reader.process, 1].map {
      LeavingReader(process: $0, share: share, since: 0, wasLate: true)
    }
    loop.reap()
    #expect(loop.leaving.map(\.process) == [reader.process] && loop.stuckReaders.isEmpty)
    kill(reader.process, SIGKILL)
    #expect(
      happensInTime {
        loop.reap()
        return loop.leaving.isEmpty
      })
    pool.forgetProcesses()
  }
}
