import LibraryModel
import Platform
import TestSupport
import Testing

@testable import TagReading

@Suite("Whose turn it is at a reader", .limited)
struct ReaderTurnsTests {
  private let pool = StillPool()
  private let a = ShareID(number: 0)
  private let b = ShareID(number: 1)

  /// Readers that have files of these folders.
  private func readers(_ shares: ShareID..., jobs: Int = 1) throws -> [ReaderConnection] {
    try shares.map { share in
      let reader = try pool.reader(now: 5_000)
      var left = jobs
      while left > 0 {
        let batch = (0..<min(left, 16)).map { pool.job("\($0)", of: share) }
        #expect(reader.send(batch, now: 5_000))
        left -= batch.count
      }
      return reader
    }
  }

  private func leaving(_ share: ShareID, wasLate: Bool) -> LeavingReader {
    LeavingReader(process: 1, share: share, since: 0, wasLate: wasLate)
  }

  @Test("A folder may have all readers, and half of them where it is late and others wait")
  func most() throws {
    for (count, own, isLate, others, mayHave) in [
      (2, 1, false, true, true), (2, 2, false, false, false), (2, 0, true, true, true),
      (2, 1, true, true, false), (2, 1, true, false, true), (1, 0, true, true, true),
      (6, 2, true, true, true), (6, 3, true, true, false), (6, 5, true, false, true),
      (3, 1, true, true, false),
    ] {
      let loop = try pool.loop(count)
      for _ in 0..<own { loop.readers += try readers(a) }
      loop.readers += try readers(b)
      loop.late = isLate ? [a] : [b]
      loop.unserved = others ? [a, b] : [a]
      #expect(loop.mayHaveMore(a) == mayHave, "\(own) of \(count)")
    }
    // Those that were late and are not gone are among them.
    let loop = try pool.loop(2)
    loop.readers = try readers(a)
    loop.leaving = [leaving(a, wasLate: false), leaving(b, wasLate: true)]
    #expect(loop.mayHaveMore(a))
    loop.leaving.append(leaving(a, wasLate: true))
    #expect(!loop.mayHaveMore(a))
    // One file that keeps its readers leaves one to the others, however few there are.
    let single = try pool.loop(1)
    single.leaving = [leaving(a, wasLate: true), leaving(a, wasLate: true)]
    #expect(single.mayHaveMore(a))
    single.leaving[0].file = stamp(1)
    #expect(!single.mayHaveMore(a))
    single.leaving[1].isOutlived = true
    #expect(single.mayHaveMore(a))
    single.readers = try readers(a)
    #expect(!single.mayHaveMore(a))
  }

  @Test("Who has more than its part yields to who has less, or none")
  func yielding() throws {
    for (count, own, others, yields) in [
      (4, 4, 0, true), (4, 3, 1, true), (4, 2, 1, false), (4, 2, 2, false), (4, 3, 2, false),
      (1, 1, 0, true), (1, 1, 1, false), (2, 3, 1, false), (2, 1, 0, true), (4, 1, 0, true),
    ] {
      let loop = try pool.loop(count)
      for _ in 0..<own { loop.readers += try readers(a) }
      for _ in 0..<others { loop.readers += try readers(b) }
      loop.unserved = [a, b]
      #expect(loop.hasToYield(a) == yields, "\(own) and \(others) of \(count)")
      loop.unserved = [a]
      #expect(!loop.hasToYield(a))
      // Nobody yields to a folder that has no reader.
      loop.unserved = [a, b]
      loop.stuckReaders[b] = StuckReaders(count: 9)
      #expect(!loop.hasToYield(a))
      // Nor to one whose files wait for a trial.
      loop.stuckReaders[b] = StuckReaders(count: 2, files: [stamp(1), stamp(2)])
      #expect(!loop.hasToYield(a))
      // But to the trial, and where one of them is to be that.
      loop.heldSince[b] = 5_000 - loop.limits.held
      #expect(loop.hasToYield(a) == yields)
      loop.heldSince[b] = 5_001 - loop.limits.held
      #expect(!loop.hasToYield(a))
      let trial = pool.asked.file(b, "trial", isProbe: true)
      _ = loop.queue.withLock { queue in
        while queue.share(of: BytePath("/b")) != b {}
        return queue.enter(trial, most: 9)
      }
      // Whatever part of the readers its folder has.
      #expect(loop.hasToYield(a))
    }
  }

  @Test("A batch goes to one that has nothing to do, else to the folder's own, if it has room")
  func room() throws {
    let loop = try pool.loop(3)
    loop.unserved = [a]
    let idle = try (0..<2).map { _ in try pool.reader(now: 5_000) }
    loop.readers = try readers(a) + idle
    #expect(loop.readerWithRoom(for: a) === idle[0] && loop.starting.failures == 0)
    loop.readers = idle
    idle[0].isReserved = true
    #expect(loop.readerWithRoom(for: a) === idle[1])
    // The own one that has least; another is only wanted where that has a whole batch.
    for (jobs, isBusy, hasRoom) in [(15, false, true), (16, true, true), (17, true, false)] {
      let loop = try pool.loop(4)
      loop.unserved = [a]
      let best = try readers(a, jobs: jobs)[0]
      loop.readers = try readers(a, jobs: 20) + [best] + readers(b)
      #expect((loop.readerWithRoom(for: a) === best) == hasRoom, "\(jobs)")
      #expect(loop.starting.failures == (isBusy ? 1 : 0), "\(jobs)")
    }
    // Behind a file that is late nothing is to wait.
    let lateLoop = try pool.loop(3)
    lateLoop.unserved = [a]
    lateLoop.late = [a]
    lateLoop.readers = try readers(a)
    #expect(lateLoop.readerWithRoom(for: a) === lateLoop.readers[0])
    #expect(lateLoop.starting.failures == 1)
    // Without one of its own, and with another folder that has none.
    loop.readers = try readers(b)
    #expect(loop.readerWithRoom(for: a) == nil && loop.starting.failures == 1)
    let single = try pool.loop(1)
    single.unserved = [a, b]
    single.readers = try readers(a)
    #expect(single.readerWithRoom(for: a) == nil && single.starting.failures == 0)
    single.unserved = [a]
    #expect(single.readerWithRoom(for: a) === single.readers[0])
    // What has done enough gets no more.
    let worn = try pool.loop(1) { $0.filesPerReader = 1 }
    worn.unserved = [a]
    worn.readers = try readers(a)
    #expect(worn.readerWithRoom(for: a) == nil)
  }

  @Test("What waits again goes before what waits for the first time")
  func batches() throws {
    let loop = try pool.loop()
    for number in 0..<20 {
      _ = loop.queue.withLock { $0.enter(pool.asked.file(a, "\(number)"), most: 99) }
    }
    loop.waiting[a, default: WaitingJobs()].putBack(pool.job("again"))
    #expect(pool.names(loop.nextBatch(of: a)) == ["again"] && loop.waiting[a] == nil)
    loop.waiting[a, default: WaitingJobs()].putBack(pool.job("again", .oneByOne))
    #expect(pool.names(loop.nextBatch(of: a)) == ["again"])
    #expect(pool.names(loop.nextBatch(of: a)) == (0..<16).map { "\($0)" })
    #expect(pool.names(loop.nextBatch(of: a)) == (16..<20).map { "\($0)" })
    #expect(loop.nextBatch(of: a).isEmpty && loop.waiting.isEmpty)
  }

  @Test("It waits until the first of all that is due, or until something happens")
  func timeouts() throws {
    let millisecond: Int64 = 1_000_000
    let loop = try pool.loop {
      $0.idle = 400 * millisecond
      $0.greeting = 300 * millisecond
      $0.deadline = 200 * millisecond
      $0.slow = 100 * millisecond
    }
    pool.turn(to: 5_000)
    #expect(loop.timeout() == -1)
    loop.readers = [try pool.reader(now: 5_000)]
    #expect(loop.timeout() == 400)
    loop.readers.append(try pool.reader(now: 5_000, greets: false))
    #expect(loop.timeout() == 300)
    loop.readers += try readers(a)
    #expect(loop.timeout() == 100)
    pool.turn(to: 5_000 + 99 * millisecond + 1)
    #expect(loop.timeout() == 1)
    pool.turn(to: 5_000 + 100 * millisecond)
    #expect(loop.timeout() == 100)
    loop.leaving = [leaving(a, wasLate: false)]
    #expect(loop.timeout() == 26)
    pool.turn(to: 5_000 + 101 * millisecond)
    loop.starting.next = 5_000 + 103 * millisecond
    #expect(loop.timeout() == 26)
    loop.starting.isAwaited = true
    #expect(loop.timeout() == 2)
    loop.starting.next = 5_000
    #expect(loop.timeout() == 0)
    // Nothing is there to be read: nobody waits for a start any more.
    loop.assign()
    #expect(loop.timeout() == 26)
  }
}
