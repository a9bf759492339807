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
    #expect(loop.startReader() == nil && loop.starting.failures == 1 && loop.starting.isAwaited)
    #expect(
      loop.starting.reason.contains("No such file") && loop.starting.reason.contains("install"))
    loop.starting.isAwaited = false
    pool.turn(to: 5_099)
    #expect(loop.startReader() == nil && loop.starting.failures == 1 && loop.starting.isAwaited)
    pool.turn(to: 5_100)
    #expect(loop.startReader() == nil && loop.starting.failures == 2)
    #expect(loop.starting.next == 5_300 && loop.readers.isEmpty)
  }

  @Test("As many readers start as there may be, and processes that are leaving are among them")
  func room() throws {
    let loop = try pool.loop(1, program: "/bin/sleep") {
      $0.processesPerReader = 2
      $0.slow = 50
    }
    let gone = LeavingReader(process: 1, share: nil, since: 0, wasLate: false)
    loop.leaving = [gone, gone]
    #expect(loop.startReader() == nil && loop.starting.failures == 0 && !loop.starting.isAwaited)
    loop.leaving = [gone]
    let first = try #require(loop.startReader())
    pool.note(first.process)
    #expect(loop.readers.count == 1 && first.started == 5_000 && loop.starting.next == 5_000)
    loop.leaving = []
    // It has nothing to do, and is quick: no other one is started.
    #expect(loop.quickReaders == 1 && loop.startReader() == nil && loop.starting.failures == 0)
    // One that has not greeted is not exchanged; one with a file neither, until it is slow.
    #expect(loop.startReader(inPlaceOfIdle: true) == nil && loop.readers.count == 1)
    let busy = try pool.reader(now: 5_000)
    #expect(busy.send([pool.job("a")], now: 5_000))
    loop.readers = [busy]
    pool.turn(to: 5_049)
    #expect(!loop.isSlow(busy, at: 5_049) && loop.startReader(inPlaceOfIdle: true) == nil)
    pool.turn(to: 5_050)
    #expect(loop.isSlow(busy, at: 5_050) && loop.quickReaders == 0)
    let second = try #require(loop.startReader())
    pool.note(second.process)
    #expect(loop.readers.count == 2)
    // One that has nothing to do goes for another.
    let idle = try pool.reader(now: 5_050)
    loop.readers = [idle]
    let third = try #require(loop.startReader(inPlaceOfIdle: true))
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

  @Test("A folder has no reader where half of them are stuck")
  func stuck() throws {
    for (count, stuck, hasNone) in [
      (1, 0, false), (1, 1, true), (2, 0, false), (2, 1, true), (3, 1, true), (4, 1, false),
      (4, 2, true), (5, 2, true), (6, 2, false), (6, 3, true),
    ] {
      let loop = try pool.loop(count)
      #expect(!loop.hasNoReader(share))
      loop.stuckReaders[share] = stuck
      #expect(loop.hasNoReader(share) == hasNone, "\(stuck) of \(count)")
    }
  }

  @Test("An answer takes back what its folder was late with, and fails nothing")
  func lateness() throws {
    let loop = try pool.loop()
    func timeouts() -> Int { loop.queue.withLock { $0.health(of: share).timeouts } }
    var health = ShareHealth()
    health.timeouts = 3
    loop.queue.withLock { [share, health] in $0.setHealth(health, of: share) }
    loop.noteAnswer(of: share)
    #expect(timeouts() == 3)
    loop.late = [share]
    loop.noteAnswer(of: share)
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
