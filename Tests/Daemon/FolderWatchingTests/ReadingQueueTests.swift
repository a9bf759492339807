import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Files that wait to be opened", .limited) struct ReadingQueueTests {
  private static func request(_ number: Int) -> ReadRequest {
    ReadRequest(
      sequence: number, path: BytePath("/m/\(number).mp3"), isFinished: false, stoodStill: nil)
  }

  private static func answer(_ number: Int) -> ReadAnswer {
    ReadAnswer(sequence: number, stamp: .none, opened: 0, result: .notThere)
  }

  private func filled(_ count: Int, mostInFlight: Int) -> ReadingQueue {
    var queue = ReadingQueue(mostInFlight: mostInFlight)
    for number in 0..<count { queue.add(Self.request(number)) }
    return queue
  }

  /// What is to be done, in a word.
  private func take(_ queue: inout ReadingQueue) -> String {
    switch queue.takeWork() {
    case nil: "nothing"
    case .open(let request): "open \(request.sequence)"
    case .close(let files): "close \(files.count)"
    case .end: "end"
    }
  }

  @Test("they are opened in their order, and no more at a time than is allowed")
  func order() {
    var queue = filled(4, mostInFlight: 2)
    #expect(take(&queue) == "open 0")
    #expect(take(&queue) == "open 1")
    #expect(take(&queue) == "nothing")
    _ = queue.finish(Self.answer(1), nil)
    #expect(take(&queue) == "open 2")
    #expect(take(&queue) == "nothing")
    _ = queue.finish(Self.answer(0), nil)
    _ = queue.finish(Self.answer(2), nil)
    #expect(take(&queue) == "open 3")
    // Nothing waits, though more might be opened.
    #expect(take(&queue) == "nothing")
    queue.add(Self.request(4))
    #expect(take(&queue) == "open 4")
    #expect(queue.takeAnswers().map(\.sequence) == [1, 0, 2])
    #expect(queue.takeAnswers().isEmpty)
  }

  @Test("what was read is closed before anything else is opened, and once")
  func closing() {
    var queue = filled(3, mostInFlight: 9)
    for _ in 0..<2 { _ = take(&queue) }
    for number in 0..<2 { _ = queue.finish(Self.answer(number), HeldFile(owning: -1)) }
    #expect(take(&queue) == "close 2")
    #expect(take(&queue) == "open 2")
  }

  @Test("it ends when it is stopped and all that was open is closed")
  func ending() {
    var queue = filled(3, mostInFlight: 9)
    for _ in 0..<2 { _ = take(&queue) }
    queue.stop()
    #expect(take(&queue) == "nothing")
    _ = queue.finish(Self.answer(0), nil)
    #expect(take(&queue) == "nothing")
    _ = queue.finish(Self.answer(1), HeldFile(owning: -1))
    #expect(take(&queue) == "close 1")
    #expect(take(&queue) == "end")
    queue.add(Self.request(9))
    #expect(take(&queue) == "end")
  }

  @Test("what nobody wants any longer is not opened, and what is open is answered all the same")
  func forgetting() {
    var queue = filled(3, mostInFlight: 2)
    _ = take(&queue)
    queue.forget()
    #expect(take(&queue) == "nothing")
    queue.add(Self.request(7))
    #expect(take(&queue) == "open 7")
    queue.add(Self.request(8))
    #expect(take(&queue) == "nothing")
    _ = queue.finish(Self.answer(0), nil)
    #expect(take(&queue) == "open 8")
  }

  @Test("the watcher is woken for the last answer, for many, and where few more are asked for")
  func waking() {
    // Eight are left after the first ones, so that only their number counts.
    var queue = filled(72, mostInFlight: 64)
    for _ in 0..<64 { _ = take(&queue) }
    let wakes = (0..<64).map { queue.finish(Self.answer($0), nil) }
    #expect(wakes == [Bool](repeating: false, count: 63) + [true])
    _ = queue.takeAnswers()
    // Seven are left.
    #expect(take(&queue) == "open 64")
    #expect(queue.finish(Self.answer(64), nil) == true)

    var few = filled(9, mostInFlight: 2)
    _ = take(&few)
    #expect(few.finish(Self.answer(0), nil) == false)
    for _ in 0..<2 { _ = take(&few) }
    #expect(few.finish(Self.answer(1), nil) == true)
  }

  @Test("a trial goes before all others and needs no room, and there is one at a time")
  func trial() {
    var queue = filled(3, mostInFlight: 1)
    #expect(take(&queue) == "open 0")
    #expect(!queue.isTrying)
    for name in ["/m/a", "/m/b"] { queue.tryFile(BytePath(name), at: 1) }
    #expect(queue.isTrying && queue.probe == .waiting(since: 1))
    guard case .open(let trial)? = queue.takeWork() else { return #expect(Bool(false)) }
    #expect(trial.sequence == ReadingQueue.trial && trial.path == BytePath("/m/a"))
    #expect(trial.isFinished && trial.stoodStill == nil)
    queue.noteProbe(Self.stamp(1))
    #expect(queue.probe == .asked(Self.stamp(1)))
    queue.tryFile(BytePath("/m/c"), at: 2)
    #expect(take(&queue) == "nothing")
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    #expect(!queue.isTrying)
    // What is forgotten before it was opened may be asked for again.
    queue.tryFile(BytePath("/m/d"), at: 2)
    queue.forget()
    #expect(!queue.isTrying)
    queue.tryFile(BytePath("/m/e"), at: 2)
    #expect(take(&queue) == "open \(ReadingQueue.trial)")
    queue.forget()
    #expect(queue.isTrying)
    queue.stop()
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    queue.tryFile(BytePath("/m/f"), at: 2)
    #expect(!queue.isTrying)
  }

  fileprivate static func stamp(_ number: UInt64) -> FileStamp {
    FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: number, birth: 0), size: 0, modified: 0,
      changed: 0)
  }

  @Test("a probe is asked at the first file that gives nothing, and another after its answer")
  func witnesses() {
    var queue = filled(0, mostInFlight: 9)
    var asked: [Set<FileStamp>] = []
    var now: Int64 = 5
    func judge(_ timeouts: Int, _ late: UInt64..., find: BytePath? = BytePath("/m/w")) -> Bool {
      queue.judge(
        ReadingHealth(timeouts: timeouts, late: Set(late.map(Self.stamp))), at: now
      ) { late in
        asked.append(late)
        return find
      }
    }
    #expect(!judge(0) && asked.isEmpty)
    #expect(!judge(1, 1) && asked == [[Self.stamp(1)]] && queue.isTrying)
    #expect(!judge(1, 1) && asked.count == 1)
    #expect(take(&queue) == "open \(ReadingQueue.trial)")
    queue.noteProbe(Self.stamp(7))
    #expect(!judge(9, 1, 2))
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    #expect(!judge(0))
    // However soon it answered.
    now += ReadingQueue.betweenProbes - 1
    #expect(!judge(9, 1, 2) && asked.count == 1 && !queue.isTrying)
    now += 1
    #expect(!judge(9, 1, 2) && asked.count == 2 && queue.isTrying)
    _ = take(&queue)
    queue.noteProbe(Self.stamp(7))
    #expect(judge(9, 1, 7))
    // Nobody is asked while it hangs but by who looks whether it is back.
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    #expect(judge(9, 1, 7) && asked.count == 2 && !queue.isTrying)
    #expect(!judge(0))
    now += ReadingQueue.betweenProbes
    #expect(judge(4, 1, 2, find: nil) && asked.count == 3)
  }

  @Test("where readers are kept by different files, a probe that keeps its own is proof enough")
  func heldWitness() {
    var queue = filled(0, mostInFlight: 9)
    var asked: [Set<FileStamp>] = []
    func judge(_ lost: UInt64...) -> Bool {
      let health = ReadingHealth(lost: Set(lost.map(Self.stamp)), isHeld: true)
      return queue.judge(health, at: 5) { bad in
        asked.append(bad)
        return BytePath("/m/w")
      }
    }
    #expect(!judge(1, 2) && queue.isTrying && asked == [[Self.stamp(1), Self.stamp(2)]])
    _ = take(&queue)
    queue.noteProbe(Self.stamp(7))
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    #expect(!judge(1, 2))
    #expect(judge(1, 2, 7))
  }

  @Test("a probe that was late before says nothing of what comes after a file was read")
  func pastWitness() {
    var queue = filled(0, mostInFlight: 9)
    func judge(_ timeouts: Int, _ lost: UInt64..., isHeld: Bool) -> Bool {
      let lost = Set(lost.map(Self.stamp))
      let health = ReadingHealth(timeouts: timeouts, lost: lost, isHeld: isHeld)
      return queue.judge(health, at: 5) { _ in BytePath("/m/w") }
    }
    #expect(queue.probe == .unasked && !judge(1, isHeld: false))
    _ = take(&queue)
    queue.noteProbe(Self.stamp(7))
    #expect(!judge(0, isHeld: false) && queue.probe == .asked(Self.stamp(7)))
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    #expect(!judge(0, 7, isHeld: false) && queue.probe == .unasked)
    // The next one is not asked at once.
    #expect(!judge(2, 1, 2, 7, isHeld: true) && !queue.isTrying)
  }

  @Test("where no file was read before, one is asked that nobody has opened yet")
  func unreadWitness() {
    var queue = filled(3, mostInFlight: 9)
    let health = ReadingHealth(timeouts: 4, late: Set([1, 2].map(Self.stamp)))
    _ = take(&queue)
    // Two wait, and the first may be the one that hangs. Who opened the next one while the probe
    // keeps its reader would hang, too.
    let isHung = queue.judge(health, at: 5) { _ in nil }
    #expect(!isHung && queue.isTrying)
    guard case .open(let trial)? = queue.takeWork(), case .open(let second)? = queue.takeWork()
    else {
      Issue.record("two are opened")
      return
    }
    #expect(trial.sequence == ReadingQueue.trial && second.sequence == 1)
    #expect(trial.path == BytePath("/m/2.mp3") && second.path == BytePath("/m/1.mp3"))
    // Nobody is left to be asked.
    _ = take(&queue)
    _ = queue.finish(Self.answer(ReadingQueue.trial), nil)
    let isHungLater = queue.judge(health, at: 5 + ReadingQueue.betweenProbes) { _ in nil }
    #expect(isHungLater)
  }

  @Test("a file that is held is closed when its opener says so, or with whoever held it last")
  func heldFile() {
    let folder = TemporaryFolder()
    folder.write("1.mp3", "1")
    func isLocked() -> Bool {
      let other = open(folder("1.mp3"), O_RDONLY | O_CLOEXEC)
      defer { close(other) }
      return flock(other, LOCK_EX | LOCK_NB) != 0
    }
    // A program that another test starts has it open, too, until it is one.
    func isUnlocked() -> Bool { happensInTime { !isLocked() } }
    // A lock goes with the last who has the file open.
    func locked() -> Int32 {
      let descriptor = open(folder("1.mp3"), O_RDONLY | O_CLOEXEC)
      flock(descriptor, LOCK_EX)
      return descriptor
    }
    let file = HeldFile(owning: locked())
    #expect(isLocked())
    file.close()
    #expect(isUnlocked())
    do {
      let left = HeldFile(owning: locked())
      #expect(isLocked())
      withExtendedLifetime(left) {}
    }
    #expect(isUnlocked())
  }
}

@Suite("What the age of a file says", .limited) struct FileAgeTests {
  private let settings = WatchSettings(cookies: BytePath("/cookies"))

  private static func stamp(changed: Int64, size: Int64 = 1) -> FileStamp {
    FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: size, modified: changed,
      changed: changed)
  }

  private func answer(age: Int64) -> ReadAnswer {
    ReadAnswer(
      sequence: 0, stamp: Self.stamp(changed: 100 * seconds),
      opened: 100 * seconds + age, result: .notThere)
  }

  @Test(
    "what is read within 10 ms of a change, or has a time a little ahead, is read once more",
    arguments: [
      (0, true), (10 * milliseconds - 1, true), (10 * milliseconds, false), (seconds, false),
      (-1, true), (-2 * seconds + 1, true), (-2 * seconds, false), (-3 * seconds, false),
    ] as [(Int64, Bool)])
  func readTwice(age: Int64, isRacy: Bool) {
    let time = answer(age: age).secondTime(at: 7, settings)
    #expect(time == (isRacy ? 7 + 30 * milliseconds : nil))
  }

  @Test(
    "what may be written stands still for 2 s from its change, or from now if that is to come",
    arguments: [
      (0, 2 * seconds), (1, 2 * seconds - 1), (seconds, seconds),
      (1_990 * milliseconds, 10 * milliseconds), (1_990 * milliseconds + 1, 10 * milliseconds),
      (5 * seconds, 10 * milliseconds), (-1, 2 * seconds), (-50 * seconds, 2 * seconds),
    ] as [(Int64, Int64)])
  func standing(age: Int64, wait: Int64) {
    #expect(answer(age: age).standsStill(at: 7, settings, before: nil) == 7 + wait)
  }

  @Test("it stands still no longer than is set, however short that is")
  func short() {
    var settings = settings
    settings.standStill = 3
    for age in [-5, 0, 2, 9] as [Int64] {
      #expect(answer(age: age).standsStill(at: 7, settings, before: nil) == 10)
    }
  }

  @Test("what has to stand still until a time goes on to, where it is the same file")
  func before() {
    let answer = answer(age: 0)
    let now: Int64 = 500
    for (stamp, until, isKept) in [
      (answer.stamp, now + 1, true), (answer.stamp, now, false), (answer.stamp, now - 1, false),
      (Self.stamp(changed: 100 * seconds, size: 2), now + 1, false), (nil, now + 1, false),
    ] as [(FileStamp?, Int64, Bool)] {
      #expect(
        answer.standsStill(at: now, settings, before: Reads.Waits(stamp: stamp, until: until))
          == (isKept ? until : now + 2 * seconds))
    }
  }

  @Test("a file is ready that is finished, or stood still, or that nobody has open for writing")
  func ready() {
    let stamp = Self.stamp(changed: 1_000)
    func isReady(
      finished: Bool = false, stood: FileStamp? = nil, now: Int64 = 1_000, _ writers: Writers
    ) -> Bool {
      let request = ReadRequest(
        sequence: 0, path: BytePath("/m"), isFinished: finished, stoodStill: stood)
      let answer = request.isReady(stamp, now: now, standStill: 10) { writers }
      #expect(answer.writers == .unknown || answer.writers == writers)
      return answer.isReady
    }
    for writers in [Writers.some, .unknown] {
      #expect(isReady(finished: true, writers))
      #expect(isReady(stood: stamp, writers))
      #expect(!isReady(stood: Self.stamp(changed: 999), writers))
      #expect(isReady(now: 1_010, writers) && !isReady(now: 1_009, writers))
    }
    #expect(isReady(Writers.none))
  }

  @Test("only where something was read is an answer one of a reading")
  func ofReading() {
    var answer = answer(age: 0)
    #expect(!answer.isOfReading)
    answer.result = .read(.problem(FileProblem(.unreadable, "")))
    #expect(answer.isOfReading)
  }
}

@Suite("Whether a folder's files can be read", .limited) struct HangJudgeTests {
  @Test("one file says nothing, and different ones do where a probe among them isn't read")
  func evidence() {
    for (timeouts, late, probe, isHung) in [
      (99, 1, .none, false), (3, 2, .none, false), (4, 2, .none, true), (4, 0, .none, false),
      // A probe makes it 3 that gave nothing, with whatever readers: its file is another one.
      (3, 1, .asked(ReadingQueueTests.stamp(0)), true),
      (2, 2, .asked(ReadingQueueTests.stamp(0)), false),
      (99, 2, .asked(ReadingQueueTests.stamp(9)), false), (99, 2, .waiting(since: 1), false),
      (2, 0, .waiting(since: 0), true), (1, 1, .waiting(since: 0), false),
    ] as [(Int, Int, HangJudge.Probe, Bool)] {
      var judge = HangJudge()
      let files = Set((0..<UInt64(late)).map(ReadingQueueTests.stamp))
      let found = judge.judge(
        ReadingHealth(timeouts: timeouts, late: files), probe, at: 4 * seconds)
      #expect(found == isHung, "\(timeouts) of \(late), \(probe)")
    }
  }

  @Test("readers that are kept by different files are evidence as well, and a probe decides")
  func held() {
    let stamp = ReadingQueueTests.stamp
    for (probe, lost, isHung) in [
      (.none, [1, 2], true), (.waiting(since: 0), [1, 2], true), (.unasked, [1, 2], false),
      (.waiting(since: 1), [1, 2], false), (.asked(stamp(9)), [1, 2], false),
      (.asked(stamp(9)), [1, 2, 9], true),
    ] as [(HangJudge.Probe, [UInt64], Bool)] {
      var judge = HangJudge()
      let health = ReadingHealth(lost: Set(lost.map(stamp)), isHeld: true)
      #expect(judge.judge(health, probe, at: 4 * seconds) == isHung, "\(probe)")
      // A trial that was read lets the files go.
      let isStillHung = judge.judge(
        ReadingHealth(lost: Set(lost.map(stamp))), probe, at: 4 * seconds)
      #expect(!isStillHung)
    }
  }

  @Test("what hangs does so until a file is read, though its readers come back")
  func lasting() {
    var judge = HangJudge()
    func isHung(_ timeouts: Int, hasNoReader: Bool = false) -> Bool {
      let health = ReadingHealth(timeouts: timeouts, hasNoReader: hasNoReader)
      return judge.judge(health, .none, at: 0) && judge.isHung
    }
    #expect(!isHung(2))
    for (timeouts, hasNoReader) in [(2, true), (2, false), (1, false), (0, true)] {
      #expect(isHung(timeouts, hasNoReader: hasNoReader))
    }
    #expect(!isHung(0) && !isHung(2))
  }
}
